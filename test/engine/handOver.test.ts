import { PollContext } from 'n8n-core';
import type { IDataObject } from 'n8n-workflow';
import type { TriggerEvent } from '../../nodes/InvoicingPaymentsTrigger/events';
import { events } from '../../nodes/InvoicingPaymentsTrigger/events';
import { logDelivered } from '../../nodes/InvoicingPaymentsTrigger/handedOver';
import { fs, path, projectFolder } from '../../tools/node';
import { locator } from '../helpers/n8n/nodeRuns';
import { dayIn, useTrigger } from '../helpers/n8n/useTrigger';

const { service, trigger, published, failing } = useTrigger();
const lines: string[] = [];

beforeEach(() => {
	lines.length = 0;
	const logger = { info: (text: string) => void lines.push(text) };
	for (const level of ['error', 'warn', 'debug']) Object.assign(logger, { [level]: () => {} });
	jest.spyOn(PollContext.prototype, 'logger', 'get').mockReturnValue(logger as never);
});
afterEach(() => jest.restoreAllMocks());

const status = locator('name', 'refunded');
/** All texts of an item, except its ID and its time. */
const textsOf = (item: unknown): string[] => {
	if (typeof item === 'string') return item.length > 3 ? [item] : [];
	if (typeof item !== 'object' || item === null) return [];
	return Object.entries(item).flatMap(([name, value]) =>
		['id', 'created', 'reference_id'].includes(name) ? [] : textsOf(value),
	);
};

test.each(events)(
	'[T2] $name logs every ID that starts the workflow, and no other data',
	async ({ name, value: event }) => {
		service.world.reset({ charges: 130, invoices: 130, members: 130 });
		for (let count = 0; count < 3; count++)
			service.world.account.addCharge({ status: 'refunded' }, Date.now() - 60_000);
		service.world.account.addInvoice({ status: 'unpaid', due_date: dayIn(0) }, Date.now());
		const parameters = { event, ...(event === 'chargeStatus' && { status }), simplify: false };
		await trigger(parameters).show();
		expect(lines).toEqual([]);
		const active = trigger({ ...parameters, startWith: 'all', options: { maxPerRun: 120 } });
		const items: IDataObject[] = (await active.activate()) ?? [];
		expect(items.length).toBeGreaterThan(0);
		expect(lines).toHaveLength(Math.ceil(items.length / 100));
		for (let part = await active.poll(); part; part = await active.poll()) items.push(...part);
		const log = lines.join('\n');
		expect(items.filter(({ id }) => !log.includes(String(id)))).toEqual([]);
		for (const line of lines) {
			expect(line).toContain(`Trigger in workflow "Test" (ID w`);
			expect(line).toContain(`: ${name}, `);
			expect(line.length).toBeLessThan(5000);
		}
		// An ID may contain the digits of a card.
		const rest = items
			.reduce((text, { id }) => text.replaceAll(String(id), ''), log)
			.replace(/created \S+ to \S+,/g, '');
		const own = `${name} Trigger Test`.toLowerCase();
		const others = [...items.flatMap(textsOf), String(service.credential.apiKey)];
		const isTold = (text: string) => !own.includes(text.toLowerCase()) && rest.includes(text);
		expect(others.filter(isTold)).toEqual([]);
	},
);

test('a poll that fails or finds nothing logs nothing', async () => {
	const active = await published({}, { charges: 5 });
	expect(await active.poll()).toBeNull();
	failing(401);
	await expect(active.poll()).rejects.toThrow('API key');
	expect(lines).toEqual([]);
});

/** The log lines for these new charges. */
const logOf = (results: IDataObject[], name = 'Thank customers'): string[] => {
	const logged: string[] = [];
	const context = {
		getWorkflow: () => ({ id: 'Jx2p0aWfTq8sN1Zk', name, active: true }),
		getNode: () => ({ name: 'Invoicing and Payments Trigger' }),
		logger: { info: (text: string) => void logged.push(text) },
	};
	const event = events.find(({ value }) => value === 'newCharge') as TriggerEvent;
	logDelivered(context as never, { event }, results);
	return logged;
};

test('trigger.md shows a log line', () => {
	const [line] = logOf([
		{ id: '7c9e6679-7425-40de-944b-e07fc1f90ae7', created: '2026-06-01T10:00:12Z' },
		{ id: '0f8fad5b-d9cb-469f-a165-70867728950e', created: '2026-06-01T10:04:55.250Z' },
	]);
	const text = fs.readFileSync(path.join(projectFolder, 'docs', 'trigger.md'), 'utf8');
	expect(text).toContain(`${line}\n`);
});

test('the log names results without an ID, and one poll is one line', () => {
	const ids = [{ id: 'a\nINFO b' }, { id: 'x'.repeat(500) }];
	const odd = [{ reference_id: 17 }, { note: 'secret' }, ...ids];
	expect(logOf(odd, 'Two\r\nlines')).toEqual([
		`Invoicing and Payments Trigger in workflow "Two lines" (ID Jx2p0aWfTq8sN1Zk): New Charge, 4 handed over, IDs 1 to 4: reference 17, no ID, a INFO b, ${'x'.repeat(100)}`,
	]);
	expect(logOf([])).toEqual([]);
});
