import type { INodeParameters } from 'n8n-workflow';
import axios from 'axios';
import { ourNode, runWorkflow, workflowOf } from '../../tools/host/workflowOf';
import { fs } from '../../tools/node';
import { until } from '../../tools/until';
import { diceOf } from '../helpers/dice';
import { useOwnStage } from '../helpers/n8n/stage';
import type { Change } from '../hostile/change';
import { HostileService } from '../hostile/hostileService';
import { jsonChanges } from '../hostile/jsonChanges';
import { pageChanges } from '../hostile/pageChanges';
import { wireChanges } from '../hostile/wireChanges';

/** The nastiest responses in a real n8n: it keeps running, and frees their memory. */
const n8n = useOwnStage();
jest.setTimeout(1_200_000);

let service: HostileService;
let credentialId = '';
beforeAll(async () => {
	service = new HostileService(n8n.stage.simulator);
	await service.open();
	credentialId = await n8n.stage.api.saveCredential({
		name: 'Hostile service',
		type: 'invoicingPaymentsApi',
		data: service.credential,
	});
}, 60_000);
afterAll(async () => await service?.close());

const nastyNames = [
	'a bomb',
	'a bomb behind the answer',
	'fifty megabytes',
	'slow drip',
	'nothing comes',
	'it stops in the middle',
	'a connection that ends before the answer',
	'cut chunks',
	'10,000 levels',
	'10,000 levels that do not end',
	'wicked names',
	'odd headers',
	'not HTTP',
	'switching protocols',
	'a text of a megabyte',
	'the same page for ever',
];
const all = [...jsonChanges, ...pageChanges, ...wireChanges];
const changes = nastyNames.map((name) => all.find((one) => one.name === name) as Change);

const works = (): Array<[string, INodeParameters]> => [
	['charges', { resource: 'charge', operation: 'getAll', returnAll: true, simplify: false }],
	[
		'a member',
		{ resource: 'member', operation: 'get', memberId: n8n.world().account.members[0].id },
	],
	[
		'an invoice',
		{
			resource: 'invoice',
			operation: 'create',
			customerId: n8n.world().account.customers[0].id,
			currency: 'EUR',
			dueDate: '2026-12-31',
			itemsInput: 'fields',
			items: { item: [{ name: 'x', amount: '1.25', quantity: 1 }] },
		},
	],
];

async function run(parameters: INodeParameters, timeout = 1500) {
	const change = { options: { maxWait: 0 }, requestOptions: { timeout } };
	const node = ourNode({ ...n8n.stage, credentialId }, { ...parameters, ...change });
	return await runWorkflow(n8n.stage.api, workflowOf([{}], node));
}

const isWell = async () =>
	(await axios.get(`${n8n.stage.n8n.url}/healthz`, { proxy: false, timeout: 30_000 })).status ===
	200;

/** The memory of n8n in megabytes, if the system shows it. */
function memory(): number | undefined {
	const file = `/proc/${n8n.stage.n8n.pid}/status`;
	if (!fs.existsSync(file)) return undefined;
	return Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(file, 'utf8'))?.[1]) / 1024;
}

async function round(seed: number): Promise<number> {
	let made = 0;
	for (const [at, change] of changes.entries()) {
		for (const [name, parameters] of works()) {
			const dice = diceOf(seed * 1000 + at);
			const isDone = dice.chance(50);
			service.begin({ changes: [change], dice, isDone, hits: () => true });
			const before = n8n.created().length;
			const execution = await run(parameters);
			const done = n8n.created().length - before;
			const what = `${name}, ${change.name}`;
			expect([what, ['success', 'error'].includes(execution.status)]).toEqual([what, true]);
			expect([what, done]).toEqual([what, Math.min(done, 1)]);
			const { error } = execution.data.resultData;
			if (done && error)
				expect(`${what}: ${error.message}`).toMatch(/may still have been created|was created, but/);
			if (!done && name === 'an invoice') expect([what, execution.status]).toEqual([what, 'error']);
			made += 1;
		}
	}
	return made;
}

test('n8n keeps running, and later results are right', async () => {
	const { pid } = n8n.stage.n8n;
	expect(await round(1)).toBeGreaterThan(40);
	const first = memory();
	await round(2);
	expect([n8n.stage.n8n.pid, await isWell()]).toEqual([pid, true]);
	service.begin();
	const { status, data } = await run({ resource: 'charge', operation: 'getAll', limit: 3 }, 30_000);
	expect([status, data.resultData.runData.Node?.at(-1)?.data?.main[0]?.length]).toEqual([
		'success',
		3,
	]);
	expect(service.foreign).toEqual([]);
	const log = fs.readFileSync(n8n.stage.n8n.logFile, 'utf8');
	expect(log).not.toMatch(/nhandled|uncaught|heap out of memory/i);
	if (first === undefined) return;
	// The second round needs no more than the first, because memory is freed.
	await until(
		() => (memory() ?? 0) < first + 200,
		() => `n8n holds ${memory()} MB, after the first round it was ${first} MB`,
		2000,
	);
});
