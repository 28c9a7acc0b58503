import type { INodeParameters } from 'n8n-workflow';
import type { World } from '../../../simulator/world';
import type { StoredExecution, WorkflowFile } from '../../../tools/host/api';
import { until } from '../../../tools/until';
import { startOf } from './startOf';
import type { Trial } from './triggerTrial';

const refunded = { __rl: true, mode: 'name', value: 'refunded' };

/** A trigger for each event, by the name of its node. */
export const eventTriggers = {
	Paid: { event: 'invoicePaid' },
	Overdue: { event: 'invoiceOverdue' },
	'Due soon': { event: 'invoiceDueSoon', days: 3 },
	'Late by days': { event: 'invoiceOverdueByDays', days: 7 },
	Cancelled: { event: 'invoiceCancelled' },
	'New invoice': { event: 'newInvoice' },
	Refunded: { event: 'chargeStatus', status: refunded },
	Invited: { event: 'newMember' },
	Joined: { event: 'memberJoined' },
	Charge: { event: 'newCharge' },
} satisfies Record<string, INodeParameters>;

type EventName = keyof typeof eventTriggers;
export const eventNames = Object.keys(eventTriggers) as EventName[];

/** Events that do not depend on the day. */
export const timelessEvents = eventNames.filter((name) => !('days' in eventTriggers[name]));

/** A copy of a workflow with all these triggers, each followed by its own node. */
export function eventsWorkflow(one: WorkflowFile, names = eventNames): WorkflowFile {
	const [trigger, end] = one.nodes;
	const { pollTimes } = trigger.parameters;
	return {
		...one,
		nodes: names.flatMap((name, at) => [
			{
				...trigger,
				id: `trigger-${at}`,
				name,
				parameters: { ...eventTriggers[name], pollTimes },
				position: [0, at * 200] as [number, number],
			},
			{
				...end,
				id: `end-${at}`,
				name: `Got ${name}`,
				position: [200, at * 200] as [number, number],
			},
		]),
		connections: Object.fromEntries(
			names.map((name) => [
				name,
				{ main: [[{ node: `Got ${name}`, type: 'main' as const, index: 0 }]] },
			]),
		),
	};
}

/** The IDs that started the workflow, by trigger. */
function startedBy(executions: StoredExecution[]): Record<string, string[]> {
	const started: Record<string, string[]> = {};
	for (const { data } of executions) {
		const { trigger, ids } = startOf(data) ?? { trigger: '', ids: [] };
		if (trigger in eventTriggers) started[trigger] = [...(started[trigger] ?? []), ...ids].sort();
	}
	return started;
}

/** Makes every event happen once. Gives the IDs by trigger, together with those before. */
function happen(world: World, before: Record<string, string[]>): Record<string, string[]> {
	const { account } = world;
	const now = Date.now();
	const changed = (status: 'paid' | 'overdue' | 'cancelled') => {
		const id = String(account.addInvoice({ status: 'unpaid' }, now).id);
		account.changeInvoice(id, status);
		return id;
	};
	const [paid, overdue, cancelled] = (['paid', 'overdue', 'cancelled'] as const).map(changed);
	// The number of paid invoices stays the same: one is cancelled, and another one is paid.
	const [old] = account.invoices.filter(({ full }) => full.status === 'paid');
	account.changeInvoice(old.full.id, 'cancelled');
	const exchanged = changed('paid');
	const day = (days: number) => new Date(now + days * 24 * 3_600_000).toISOString().slice(0, 10);
	const dueSoon = String(account.addInvoice({ status: 'unpaid', due_date: day(2) }, now).id);
	const late = String(account.addInvoice({ status: 'overdue', due_date: day(-9) }, now).id);
	const charge = String(account.addCharge({ status: 'authorised' }, now).id);
	account.changeCharge(charge, 'refunded');
	const joined = account.createMember({
		...{ first_name: 'Ada', last_name: 'Berg', email: 'ada@team.example' },
		...{ job_title: 'Sales', role: 'staff' },
	}).id;
	account.changeMember(joined, 'enabled');
	const news: Record<EventName, string[]> = {
		Paid: [paid, exchanged],
		'Due soon': [dueSoon],
		'Late by days': [late],
		Overdue: [overdue, late],
		Cancelled: [cancelled, old.full.id],
		'New invoice': [paid, overdue, cancelled, exchanged, dueSoon, late],
		Refunded: [charge],
		Invited: [joined],
		Joined: [joined],
		Charge: [charge],
	};
	return Object.fromEntries(
		eventNames.map((name) => [name, [...(before[name] ?? []), ...news[name]].sort()]),
	);
}

/** Waits for the number of wanted IDs. */
async function startedLike(trial: Trial, wanted: Record<string, string[]>) {
	const count = (started: Record<string, string[]>) => Object.values(started).flat().length;
	let started: Record<string, string[]> = {};
	return await until(
		async () => {
			started = startedBy(await trial.executions());
			return count(started) >= count(wanted) && started;
		},
		() => `Not everything came: ${JSON.stringify(started)} instead of ${JSON.stringify(wanted)}`,
		1000,
	);
}

/**
 * Publishes the workflow and makes every event happen twice: between two polls, and between `interrupt` and `resume`. Expects that each
 * starts its trigger once.
 */
export async function expectEventsOnce(
	trial: Trial,
	interrupt: () => Promise<void>,
	resume: () => Promise<void>,
): Promise<void> {
	const { stage, world, executions, afterPolls, activate } = trial;
	const { length: many } = eventNames;
	await stage.api.saveWorkflow(eventsWorkflow(trial.workflow()));
	await activate();
	await afterPolls(3 * many);
	expect(startedBy(await executions())).toEqual({});

	let wanted = happen(world(), {});
	expect(await startedLike(trial, wanted)).toEqual(wanted);
	await afterPolls(2 * many);

	await interrupt();
	wanted = happen(world(), wanted);
	await resume();
	await startedLike(trial, wanted);
	await afterPolls(3 * many);
	expect(startedBy(await executions())).toEqual(wanted);
}
