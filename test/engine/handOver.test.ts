import { PollContext } from 'n8n-core';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { events } from '../../nodes/InvoicingPaymentsTrigger/events';
import { logHandOver } from '../../nodes/InvoicingPaymentsTrigger/handOver';
import { fs, path, projectFolder } from '../../tools/node';
import { ActiveTrigger } from '../helpers/pollEngine';
import { useSimulator } from '../helpers/service';

const service = useSimulator();
const lines: string[] = [];

beforeEach(() => {
	lines.length = 0;
	const logger = { info: (text: string) => void lines.push(text) };
	for (const level of ['error', 'warn', 'debug']) Object.assign(logger, { [level]: () => {} });
	jest.spyOn(PollContext.prototype, 'logger', 'get').mockReturnValue(logger as never);
});
afterEach(() => jest.restoreAllMocks());

const trigger = (parameters: INodeParameters) =>
	new ActiveTrigger({ credential: service.credential, parameters });
const refunded = { __rl: true, mode: 'name', value: 'refunded' };
/** Every text in an item but its ID and the time of its creation. */
const textsOf = (item: unknown): string[] => {
	if (typeof item === 'string') return item.length > 3 ? [item] : [];
	if (typeof item !== 'object' || item === null) return [];
	return Object.entries(item).flatMap(([name, value]) =>
		['id', 'created', 'reference_id'].includes(name) ? [] : textsOf(value),
	);
};

test.each(events)(
	'[T2] $name: every ID that starts the workflow is in the log, and nothing else',
	async ({ name, value: event }) => {
		service.world.reset({ charges: 250, invoices: 250, members: 130 });
		for (let count = 0; count < 3; count++)
			service.world.account.addCharge({ status: 'refunded' }, Date.now() - 60_000);
		const status = event === 'chargeStatus' && { status: refunded };
		const parameters = { event, ...status, simplify: false };
		await trigger(parameters).show();
		expect(lines).toEqual([]);
		const active = trigger({ ...parameters, startWith: 'all', options: { maxPerRun: 120 } });
		const first = (await active.activate()) ?? [];
		expect(first.length).toBeGreaterThan(0);
		expect(lines).toHaveLength(Math.ceil(first.length / 100));
		const items: IDataObject[] = [];
		for (let part: IDataObject[] | null = first; part; part = await active.poll())
			items.push(...part);
		const log = lines.join('\n');
		expect(items.filter(({ id }) => !log.includes(String(id)))).toEqual([]);
		for (const line of lines) {
			expect(line).toContain(`Trigger in workflow "Test" (ID w`);
			expect(line).toContain(`: ${name}, `);
			expect(line.length).toBeLessThan(5000);
		}
		// Digits of a card may be part of an ID.
		const rest = items
			.reduce((text, { id }) => text.replaceAll(String(id), ''), log)
			.replace(/created \S+ to \S+,/g, '');
		const own = [name, 'Trigger', 'Test'].join(' ').toLowerCase();
		const others = [...new Set(items.flatMap(textsOf)), String(service.credential.apiKey)].filter(
			(text) => !own.includes(text.toLowerCase()),
		);
		expect(others.filter((text) => rest.includes(text))).toEqual([]);
		const quiet = lines.length;
		expect(await active.poll()).toBeNull();
		expect(lines).toHaveLength(quiet);
	},
);

test('a poll that fails hands nothing over and logs nothing', async () => {
	service.world.reset({ charges: 5 });
	service.world.faults.add({ times: null, action: { kind: 'status', status: 401 } });
	await expect(trigger({ startWith: 'all' }).activate()).rejects.toThrow('API key');
	expect(lines).toEqual([]);
});

/** What is logged of these results. */
const logOf = (results: IDataObject[], name = 'Thank customers', at = 4): string[] => {
	const logged: string[] = [];
	const context = {
		getWorkflow: () => ({ id: 'Jx2p0aWfTq8sN1Zk', name, active: true }),
		getNode: () => ({ name: 'Invoicing and Payments Trigger' }),
		logger: { info: (text: string) => void logged.push(text) },
	};
	logHandOver(context as never, { event: events[at] }, results);
	return logged;
};

test('the guide and the page on self-hosting show such a line', () => {
	const charges = [
		{ id: '7c9e6679-7425-40de-944b-e07fc1f90ae7', created: '2026-06-01T10:00:12Z' },
		{ id: '0f8fad5b-d9cb-469f-a165-70867728950e', created: '2026-06-01T10:04:55.250Z' },
	];
	const [line] = logOf(charges);
	for (const page of ['trigger.md', 'self-hosting.md'])
		expect(fs.readFileSync(path.join(projectFolder, 'docs', page), 'utf8')).toContain(`${line}\n`);
});

test('what has no ID, and what would begin a line of its own', () => {
	const odd = [
		{ reference_id: 17 },
		{ note: 'secret' },
		{ id: 'a\nINFO b' },
		{ id: 'x'.repeat(500) },
	];
	const [line, ...others] = logOf(odd, 'Two\r\nlines');
	expect(others).toEqual([]);
	expect(line).toBe(
		`Invoicing and Payments Trigger in workflow "Two lines" (ID Jx2p0aWfTq8sN1Zk): New Charge, 4 handed over, IDs 1 to 4: reference 17, no ID, a INFO b, ${'x'.repeat(100)}`,
	);
	expect(logOf([])).toEqual([]);
});
