import type { IDataObject } from 'n8n-workflow';
import type { StoredExecution } from '../../host/api';
import { delay } from '../../scripts/node';
import { until } from '../../scripts/until';
import type { World } from '../../simulator/world';
import { eventNames, eventsWorkflow, eventTriggers } from '../helpers/eventsWorkflow';
import { useEngines } from '../helpers/triggerEngines';
import type { Trial } from '../helpers/triggerTrial';

jest.setTimeout(600_000);
const inEach = useEngines();

/** What started the workflow, by trigger. */
function startedBy(executions: StoredExecution[]): Record<string, string[]> {
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
function happen(world: World, before: Record<string, string[]>): Record<string, string[]> {
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

/** Waits until no poll has come for a while: n8n deactivates a little later than it says, and drops what a poll finds by then. */
async function noPolls(world: World): Promise<void> {
	for (let before = -1; world.traffic.requests.length !== before; ) {
		before = world.traffic.requests.length;
		await delay(8000);
	}
}

inEach(
	'every event starts its trigger once: between two polls, in a pause, and after n8n was killed',
	async (trial) => {
		const { stage, world, executions, afterPolls, activate, deactivate } = trial;
		world().reset({ invoices: 120, charges: 30, members: 8 });
		await stage.api.saveWorkflow(eventsWorkflow(trial.workflow()));
		await activate();
		const { length: many } = eventNames;
		await afterPolls(3 * many);
		expect(startedBy(await executions())).toEqual({});

		let wanted = happen(world(), {});
		expect(await startedLike(trial, wanted)).toEqual(wanted);
		await afterPolls(2 * many);

		await deactivate();
		await noPolls(world());
		wanted = happen(world(), wanted);
		await activate();
		expect(await startedLike(trial, wanted)).toEqual(wanted);
		await afterPolls(2 * many);

		await delay(300);
		await stage.n8n.kill();
		wanted = happen(world(), wanted);
		await stage.restart();
		await startedLike(trial, wanted);
		await afterPolls(3 * many);
		expect(startedBy(await executions())).toEqual(wanted);
		expect((await executions()).every(({ status }) => status === 'success')).toBe(true);
	},
);
