import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { World } from '../../simulator/world';
import type { StoredExecution, WorkflowFile } from '../../tools/host/api';
import { until } from '../../tools/until';
import type { Trial } from './triggerTrial';

const refunded = { __rl: true, mode: 'name', value: 'refunded' };

/** A trigger for each event, by the name of its node. */
export const eventTriggers: Record<string, INodeParameters> = {
	Paid: { event: 'invoicePaid' },
	Overdue: { event: 'invoiceOverdue' },
	Cancelled: { event: 'invoiceCancelled' },
	'New invoice': { event: 'newInvoice' },
	Refunded: { event: 'chargeStatus', status: refunded },
	Joined: { event: 'memberJoined' },
	Charge: { event: 'newCharge' },
};
export const eventNames = Object.keys(eventTriggers);

/** A workflow with one trigger becomes one with all of these, each with a node of its own behind it. */
export function eventsWorkflow(one: WorkflowFile): WorkflowFile {
	const [trigger, end] = one.nodes;
	const { pollTimes } = trigger.parameters;
	return {
		...one,
		nodes: eventNames.flatMap((name, at) => [
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
			eventNames.map((name) => [
				name,
				{ main: [[{ node: `Got ${name}`, type: 'main' as const, index: 0 }]] },
			]),
		),
	};
}

/** What started the workflow, by trigger. */
export function startedBy(executions: StoredExecution[]): Record<string, string[]> {
	const started: Record<string, string[]> = {};
	for (const { data } of executions) {
		for (const [name, [run]] of Object.entries(data.resultData.runData)) {
			if (!(name in eventTriggers)) continue;
			const items = (run.data?.main[0] ?? []).map(({ json }: { json: IDataObject }) => json);
			started[name] = [...(started[name] ?? []), ...items.map(({ id }) => String(id))];
		}
	}
	for (const ids of Object.values(started)) ids.sort();
	return started;
}

/** Everything that starts a trigger, once. Gives the IDs by trigger, and adds them to what was there. */
export function happen(world: World, before: Record<string, string[]>): Record<string, string[]> {
	const { account } = world;
	const now = Date.now();
	const unpaid = () => account.addInvoice({ status: 'unpaid' }, now).id as string;
	const get = (status: 'paid' | 'overdue' | 'cancelled') => {
		const id = unpaid();
		account.changeInvoice(id, status);
		return id;
	};
	const paid = get('paid');
	const overdue = get('overdue');
	const cancelled = get('cancelled');
	// As many are paid as before: one that was there is cancelled, and another one is paid.
	const [old] = account.invoices.filter(({ full }) => full.status === 'paid');
	account.changeInvoice(old.full.id, 'cancelled');
	const exchanged = get('paid');
	const charge = String(account.addCharge({ status: 'authorised' }, now).id);
	account.changeCharge(charge, 'refunded');
	const joined = account.createMember({
		...{ first_name: 'Ada', last_name: 'Berg', email: 'ada@team.example' },
		...{ job_title: 'Sales', role: 'staff' },
	}).id;
	account.changeMember(joined, 'enabled');
	const news: Record<string, string[]> = {
		Paid: [paid, exchanged],
		Overdue: [overdue],
		Cancelled: [cancelled, old.full.id],
		'New invoice': [paid, overdue, cancelled, exchanged],
		Refunded: [charge],
		Joined: [joined],
		Charge: [charge],
	};
	return Object.fromEntries(
		eventNames.map((name) => [name, [...(before[name] ?? []), ...news[name]].sort()]),
	);
}

/** Waits until as much came as is wanted. */
export async function startedLike(trial: Trial, wanted: Record<string, string[]>) {
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
