import type { INodeParameters } from 'n8n-workflow';
import type { StoredExecution } from '../../host/api';
import { triggerWorkflow } from '../../host/workflowOf';
import { delay, fs } from '../../scripts/node';
import { useStage } from '../helpers/stage';

jest.setTimeout(240_000);

const durable = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
	N8N_SCHEDULER_EXECUTOR_INTERVAL: '1',
	N8N_SCHEDULER_MATERIALIZATION_INTERVAL: '1',
};

describe.each([
	["n8n's standard engine", {}],
	['durable scheduler and cursors', durable],
])('%s', (_name, env) => {
	const n8n = useStage(env);
	const workflowId = 'triggerWorkflow';
	const world = () => n8n.stage.simulator.world;

	/** Adds charges as if customers had paid just now. Gives their IDs. */
	const pay = (count = 1, change: object = {}): string[] =>
		Array.from({ length: count }, () => world().account.addCharge(change, Date.now()).id as string);
	const save = async (parameters: INodeParameters = {}, name?: string) =>
		await n8n.stage.api.saveWorkflow(triggerWorkflow(n8n.stage, parameters, { name }));
	const executions = async () => await n8n.stage.api.executionsOf(workflowId);
	/** The IDs of the charges that started the workflow, in the order in which they did. */
	const idsOf = (all: StoredExecution[]): string[] =>
		all.flatMap(({ data }) =>
			Object.values(data.resultData.runData)
				.slice(0, 1)
				.flatMap(([run]) => run.data?.main[0]?.map(({ json }) => String(json.id)) ?? []),
		);
	const polls = () => world().traffic.requests.length;
	const afterPolls = async (count: number, limit = 90_000) => {
		const until = polls() + count;
		for (let waited = 0; polls() < until; waited += 100) {
			if (waited > limit) throw new Error(`No ${count} requests came in ${limit / 1000} s`);
			await delay(100);
		}
	};
	const delivered = async (count: number, limit = 90_000): Promise<string[]> => {
		for (let waited = 0; ; waited += 500) {
			const ids = idsOf(await executions());
			if (ids.length >= count || waited > limit) return ids;
			await delay(500);
		}
	};
	const activate = async () => {
		await n8n.stage.api.activate(workflowId);
		// n8n activates a little later than it says.
		await afterPolls(1);
		await delay(500);
	};

	afterEach(async () => {
		await n8n.stage.api.deactivate(workflowId);
		await n8n.stage.api.call('delete', `/workflows/${workflowId}`).catch(async () => {
			await n8n.stage.api.call('post', `/workflows/${workflowId}/archive`);
			await n8n.stage.api.call('delete', `/workflows/${workflowId}`);
		});
	});

	test('every charge once, oldest first: one by one, in bursts, and 2,500 at once among 100,000', async () => {
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
	});

	test('a charge between activation and the first scheduled poll is not lost', async () => {
		// Polled rarely, so that there is time between the two.
		await n8n.stage.api.saveWorkflow(triggerWorkflow(n8n.stage, {}, { everySeconds: 15 }));
		await activate();
		const ids = pay(3);
		expect(new Set(await delivered(3))).toEqual(new Set(ids));
	});

	test('goes on where it was: deactivated, renamed, restarted', async () => {
		await save();
		await activate();
		const ids = [...pay(2)];
		await delivered(ids.length);
		await afterPolls(2);

		await n8n.stage.api.deactivate(workflowId);
		ids.push(...pay(2));
		await activate();
		expect(await delivered(ids.length)).toEqual(ids);

		// Renamed while it is active, and while it is not.
		await save({}, 'Another name');
		ids.push(...pay(2));
		await activate();
		expect(await delivered(ids.length)).toEqual(ids);
		await n8n.stage.api.deactivate(workflowId);
		ids.push(...pay(2));
		await save();
		await activate();
		expect(await delivered(ids.length)).toEqual(ids);

		await n8n.stage.n8n.stop();
		ids.push(...pay(2));
		await n8n.stage.restart();
		expect(await delivered(ids.length)).toEqual(ids);
		await afterPolls(3);
		expect(idsOf(await executions())).toEqual(ids);
	});

	test('killed between polls: every charge once', async () => {
		await save();
		await activate();
		const ids: string[] = [];
		for (let round = 0; round < 3; round++) {
			ids.push(...pay(5));
			await delivered(ids.length);
			await afterPolls(1);
			await delay(300);
			await n8n.stage.n8n.kill();
			ids.push(...pay(3));
			await n8n.stage.restart();
		}
		const found = await delivered(ids.length);
		await afterPolls(3);
		expect(new Set(found)).toEqual(new Set(ids));
		expect(idsOf(await executions())).toHaveLength(ids.length);
	});

	test('other filters begin with new charges and lose none', async () => {
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
	});

	test('a service that fails for two polls: failed executions that say why, then every charge', async () => {
		await save();
		await activate();
		world().faults.add({ times: null, action: { kind: 'status', status: 503, message: 'Asleep' } });
		const ids = pay(3);
		const failed = async () => (await executions()).filter(({ status }) => status === 'error');
		for (let waited = 0; (await failed()).length < 2 && waited < 120_000; waited += 1000) {
			await delay(1000);
		}
		const [{ data }] = await failed();
		expect(data.resultData.error?.message).toContain('The service failed (status 503): Asleep');
		world().faults.clear();
		expect(await delivered(3, 150_000)).toEqual(ids);
		expect((await failed()).length).toBeLessThan(5);
	});

	test('a service that is down while n8n starts does not end the trigger', async () => {
		await save();
		await activate();
		const ids = pay(1);
		await delivered(1);
		await n8n.stage.n8n.stop();
		world().faults.add({ times: null, action: { kind: 'reset' } });
		await n8n.stage.restart();
		ids.push(...pay(2));
		// All tries that n8n gives to an activation would be over by now.
		await delay(25_000);
		world().faults.clear();
		expect(await delivered(3, 150_000)).toEqual(ids);
	});

	test('a wrong key is told when the workflow is activated', async () => {
		world().set({ apiKey: 'your-other-key' });
		await save();
		await n8n.stage.api.activate(workflowId);
		const log = () => fs.readFileSync(n8n.stage.n8n.logFile, 'utf8');
		const told = 'The service did not accept the API key';
		for (let waited = 0; !log().includes(told) && waited < 40_000; waited += 500) await delay(500);
		expect(log()).toContain(told);
		expect(log()).not.toContain('your-simulator-key');
	});
});
