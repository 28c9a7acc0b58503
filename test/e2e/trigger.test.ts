import { triggerWorkflow } from '../../host/workflowOf';
import { delay, fs } from '../../scripts/node';
import { until } from '../../scripts/until';
import { useStage } from '../helpers/stage';
import type { Trial } from '../helpers/triggerTrial';
import { trialIn } from '../helpers/triggerTrial';

jest.setTimeout(600_000);

const scheduler = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_SCHEDULER_EXECUTOR_INTERVAL: '1',
	N8N_SCHEDULER_MATERIALIZATION_INTERVAL: '1',
};
const engines = {
	"n8n's standard engine": useStage(),
	scheduler: useStage({ ...scheduler, N8N_POLLER_DURABLE_CURSORS_ENABLED: 'false' }),
	'scheduler with durable cursors': useStage({
		...scheduler,
		N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
	}),
};

/** A test in all engines at the same time: it mostly waits for polls. */
function inEach(title: string, body: (trial: Trial) => Promise<void>) {
	test(title, async () => {
		const runs = Object.entries(engines).map(async ([engine, n8n]) => {
			const trial = trialIn(n8n);
			const problem = await body(trial).catch((error: Error) => error);
			await trial.remove();
			return { engine, problem: problem?.message };
		});
		const ends = await Promise.all(runs);
		expect(ends.filter(({ problem }) => problem)).toEqual([]);
	});
}

inEach(
	'every charge once, oldest first: one by one, in bursts, and 2,500 at once among 100,000',
	async ({ world, pay, save, executions, idsOf, afterPolls, delivered, activate }) => {
		world().reset({ charges: 100_000 });
		await save();
		await activate();
		const first = pay(1);
		expect(await delivered(1)).toEqual(first);
		const burst = pay(40);
		expect(new Set(await delivered(41))).toEqual(new Set([...first, ...burst]));
		const many = pay(2500);
		const ids = await delivered(2541);
		await afterPolls(2);
		expect(idsOf(await executions())).toHaveLength(2541);
		expect(new Set(ids)).toEqual(new Set([...first, ...burst, ...many]));
		expect((await executions()).every(({ status }) => status === 'success')).toBe(true);
	},
);

inEach(
	'a charge between activation and the first scheduled poll is not lost',
	async ({ pay, save, delivered, activate }) => {
		// Polled rarely, so that there is time between the two.
		await save({}, { everySeconds: 15 });
		await activate();
		const ids = pay(3);
		expect(new Set(await delivered(3))).toEqual(new Set(ids));
	},
);

inEach(
	'goes on where it was: deactivated, renamed, restarted',
	async ({ stage, pay, save, executions, idsOf, afterPolls, delivered, activate, deactivate }) => {
		await save();
		await activate();
		const ids = [...pay(2)];
		await delivered(ids.length);
		await afterPolls(2);

		await deactivate();
		ids.push(...pay(2));
		await activate();
		expect(await delivered(ids.length)).toEqual(ids);

		// Renamed while it is active, and while it is not.
		await save({}, { name: 'Another name' });
		ids.push(...pay(2));
		await activate();
		expect(await delivered(ids.length)).toEqual(ids);
		await deactivate();
		ids.push(...pay(2));
		await save();
		await activate();
		expect(await delivered(ids.length)).toEqual(ids);

		await stage.n8n.stop();
		ids.push(...pay(2));
		await stage.restart();
		expect(await delivered(ids.length)).toEqual(ids);
		await afterPolls(3);
		expect(idsOf(await executions())).toEqual(ids);
	},
);

inEach(
	'killed between polls: every charge once',
	async ({ stage, pay, save, executions, idsOf, afterPolls, delivered, activate }) => {
		await save();
		await activate();
		const ids: string[] = [];
		for (let round = 0; round < 3; round++) {
			ids.push(...pay(5));
			await delivered(ids.length);
			await afterPolls(1);
			await delay(300);
			await stage.n8n.kill();
			ids.push(...pay(3));
			await stage.restart();
		}
		const found = await delivered(ids.length);
		await afterPolls(3);
		expect(new Set(found)).toEqual(new Set(ids));
		expect(idsOf(await executions())).toHaveLength(ids.length);
	},
);

inEach(
	'two triggers in one workflow, the second published later: each starts with every charge once',
	async ({ stage, workflowId, pay, executions, idsOf, afterPolls, delivered, activate }) => {
		const one = triggerWorkflow(stage, {}, { name: 'First' });
		const [first] = one.nodes;
		const second = { ...first, id: 'second-node', name: 'Second' };
		const two = {
			...one,
			nodes: [...one.nodes, second],
			connections: { ...one.connections, Second: one.connections.First },
		};
		await stage.api.saveWorkflow(one);
		await activate();
		await stage.api.saveWorkflow(two);
		await stage.api.activate(workflowId);
		await afterPolls(4);
		const ids = [...pay(3)];
		await delivered(6);
		ids.push(...pay(2));
		await delivered(10);
		await stage.n8n.stop();
		ids.push(...pay(2));
		await stage.restart();
		await delivered(14);
		await afterPolls(4);
		const times = idsOf(await executions());
		expect(times.sort()).toEqual([...ids, ...ids].sort());
	},
);

inEach(
	'other filters begin with new charges and lose none',
	async ({ pay, save, executions, idsOf, afterPolls, delivered, activate }) => {
		await save({ filters: { currency: 'EUR' } });
		await activate();
		const euros = pay(2, { currency: 'EUR' });
		await delivered(2);
		pay(3, { currency: 'USD' });
		await afterPolls(2);
		await save({ filters: { currency: 'SEK' } });
		const crowns = pay(2, { currency: 'SEK' });
		await activate();
		crowns.push(...pay(2, { currency: 'SEK' }));
		pay(2, { currency: 'EUR' });
		expect(new Set(await delivered(6))).toEqual(new Set([...euros, ...crowns]));
		await afterPolls(2);
		expect(idsOf(await executions())).toHaveLength(6);
	},
);

inEach(
	'a service that fails for two polls: failed executions that say why, then every charge',
	async ({ world, pay, save, executions, delivered, activate }) => {
		await save();
		await activate();
		world().faults.add({ times: null, action: { kind: 'status', status: 503, message: 'Asleep' } });
		const ids = pay(3);
		const failed = async () => (await executions()).filter(({ status }) => status === 'error');
		const [{ data }] = await until(
			async () => {
				const found = await failed();
				return found.length >= 2 && found;
			},
			() => 'Two polls did not fail',
			1000,
		);
		expect(data.resultData.error?.message).toContain('The service failed (status 503): Asleep');
		world().faults.clear();
		expect(await delivered(3)).toEqual(ids);
		expect((await failed()).length).toBeLessThan(5);
	},
);

inEach(
	'a service that is down while n8n starts does not end the trigger',
	async ({ stage, world, pay, save, delivered, activate }) => {
		await save();
		await activate();
		const ids = pay(1);
		await delivered(1);
		await stage.n8n.stop();
		world().faults.add({ times: null, action: { kind: 'reset' } });
		await stage.restart();
		ids.push(...pay(2));
		// All tries that n8n gives to an activation would be over by now.
		await delay(25_000);
		world().faults.clear();
		expect(await delivered(3)).toEqual(ids);
	},
);

inEach(
	'a wrong key is told when the workflow is activated',
	async ({ stage, workflowId, world, save }) => {
		world().set({ apiKey: 'your-other-key' });
		await save();
		await stage.api.activate(workflowId);
		const log = () => fs.readFileSync(stage.n8n.logFile, 'utf8');
		const told = 'The service did not accept the API key';
		await until(() => log().includes(told), log, 500);
		expect(log()).not.toContain('your-simulator-key');
	},
);
