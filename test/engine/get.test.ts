/** Get: an invoice by its ID or number, and a charge by its ID, found in the lists of the service. */

import type { INodeParameters } from 'n8n-workflow';
import type { SettingsInput } from '../../simulator/settings';
import { useLists } from '../helpers/n8n/listRuns';
import {
	continues,
	ids,
	locator,
	matches,
	oneAtATime,
	pageOf,
	textOf,
} from '../helpers/n8n/nodeRuns';
import { someOf } from '../helpers/someOf';

const { service, run, fault, charges, seeded, beforeEachList } = useLists();

const getInvoice = (invoiceId: unknown, change: object = {}) =>
	({ resource: 'invoice', operation: 'get', invoiceId, ...change }) as INodeParameters;
const invoice = (mode: string, value: string, change: object = {}) =>
	getInvoice(locator(mode, value), change);
const charge = (id: unknown, change: object = {}): INodeParameters => ({
	resource: 'charge',
	operation: 'get',
	chargeId: locator('id', String(id)),
	...change,
});
/** Gets an invoice for each item, by its field with the name of the mode. */
const each = (mode: string, options: object = {}) =>
	invoice(mode, `={{ $json.${mode} }}`, { options });
const idsOf = async (...args: Parameters<typeof run>) => ids((await run(...args)).json);
const errorOf = async (...args: Parameters<typeof run>) => {
	const result = await run(...args);
	expect(result.json).toEqual([]);
	return textOf(result);
};

const numbered = (invoice_number: string) =>
	service.world.account.addInvoice({ invoice_number }, Date.parse('2026-05-01T09:00:00Z')).id;
const created = async (invoiceNumber: string) =>
	(await run(service.invoice({ additionalFields: { invoiceNumber } }))).json[0];
const noId = '3f2b8c1e-5d4a-4f6b-9c7d-8e9f0a1b2c3d';

describe('Invoice: Get', () => {
	test.each(['list', 'id'])('finds an invoice by ID with one request, mode %s', async (mode) => {
		const { id, number } = seeded(7);
		const { json, error } = await run(invoice(mode, ` ${id} `));
		expect([error, json]).toMatchObject([undefined, [{ id, invoice_number: number }]]);
		expect(Object.keys(json[0])).toHaveLength(10);
		expect(service.requests.map(({ query }) => query)).toEqual([
			{ id, page: '1', page_size: '100' },
		]);
	});

	test.each<[string, (one: ReturnType<typeof seeded>) => unknown]>([
		['by an ID without a mode', ({ id }) => id],
		['by a number without a mode', ({ number }) => number],
		['by number', ({ number }) => locator('number', number)],
	])('finds an invoice %s, and gives it whole without Simplify', async (_how, invoiceId) => {
		const { json } = await run(getInvoice(invoiceId(seeded(7)), { simplify: false }));
		expect(json).toEqual([service.world.account.invoices[7].listed]);
	});

	test('finds numeric numbers, and numbers with spaces and commas', async () => {
		const both = [numbered('4711'), numbered('Möbel, 3/1')];
		const items = [{ number: 4711 }, { number: ' Möbel, 3/1 ' }];
		expect(await idsOf(each('number'), { items })).toEqual(both);
	});

	test.each(matches)('never gives an invoice with another number (filter %s)', async (match) => {
		service.world.reset({ invoiceNumberMatch: match, invoices: 250, maxPageSize: 20 });
		for (const [id, number] of [
			[numbered('A-1'), 'A-1'],
			[numbered('A-12'), 'A-12'],
		] as const)
			expect(await idsOf(invoice('number', number))).toEqual([id]);
		for (const other of ['A-', 'A-123', '1']) {
			const words = await errorOf(invoice('number', other));
			const [message] = words.split('\n');
			expect(message).toBe(`No invoice with the number "${other}" was found in the service`);
			expect(words).toContain('created a moment ago');
		}
	});

	test.each<SettingsInput>([
		...(['newestFirst', 'oldestFirst', 'none'] as const).map((order) => ({ order })),
		...(['missing', 'zero', 'pageLength', 'cappedAt100'] as const).map((count) => ({ count })),
		{ maxPageSize: 30, overMaxPageSize: 'reject' },
		{ pastTheEnd: 'notFound' },
		{ invoicesPerMoment: 250, timestampTies: 'perPage' },
		{ invoicesPerMoment: 250, timestampTies: 'perRequest' },
	])('finds invoices by ID if the service ignores the filter, with %j', async (settings) => {
		service.world.reset({ idMatch: 'ignored', invoices: 250, ...settings });
		const items = [0, 122, 249, 122].map(seeded);
		const { json, error } = await run(each('id'), { items });
		expect([error, ids(json)]).toEqual([undefined, ids(items)]);
		expect(await errorOf(invoice('id', noId))).toContain(
			`No invoice with the ID "${noId}" was found in the service`,
		);
	});

	test('stops reading at the invoice if the service ignores the filter', async () => {
		service.world.reset({ idMatch: 'ignored', invoices: 2000 });
		await run(invoice('id', seeded(0).id, oneAtATime));
		expect(service.requests).toHaveLength(1);
	});

	test('finds the invoices before the pages that the service refuses', async () => {
		service.world.reset({ idMatch: 'ignored', invoices: 900, maxResults: 500 });
		const items = [10, 20, 30].map(seeded);
		expect(await idsOf(each('id'), { items })).toEqual(ids(items));
		expect(await errorOf(invoice('id', seeded(899).id))).toContain('Result window is too large');
	});

	const storedAs = ['upperCase', 'withoutSpaces', 'padded', 'nfc'] as const;
	test.each(storedAs)('finds a changed number: %s', async (storedNumbers) => {
		service.world.set({ storedNumbers, invoiceNumberMatch: 'ignored' });
		const number = 'inv 7e\u0301';
		const { id } = await created(number);
		expect(await idsOf(invoice('number', number))).toEqual([id]);
	});

	test('fails and names the IDs if several invoices have the number', async () => {
		const same = [numbered('A-1'), numbered('A-1')].sort();
		numbered('A-10');
		const words = await errorOf(invoice('number', 'A-1'));
		for (const part of ['Several invoices have the number "A-1": ', ...same, "Choose 'By ID'"])
			expect(words).toContain(part);
	});

	test('prefers an exact number to one in another case', async () => {
		const [small, capital, other] = [numbered('b-1'), numbered('B-1'), numbered('c-1')];
		service.world.set({ invoiceNumberMatch: 'ignored' });
		const items = ['b-1', 'B-1', ' C - 1 '].map((number) => ({ number }));
		expect(await idsOf(each('number'), { items })).toEqual([small, capital, other]);
	});

	test.each<[string, INodeParameters, string]>([
		['a number By ID', invoice('id', '2026-1'), `its number, choose 'By Number'`],
		['nothing', invoice('number', '={{ $json.none }}'), 'Invoice is empty, but it is required'],
		['an object', invoice('number', '={{ {} }}'), 'Invoice must be text'],
		['a charge that is no ID', charge('ch_1'), 'Charge must be an ID in UUID format'],
	])('refuses %s before anything is sent', async (_name, parameters, words) => {
		expect(await errorOf(parameters)).toContain(words);
		expect(service.requests).toEqual([]);
	});

	test('suggests By ID if an ID was not found By Number', async () => {
		const words = await errorOf(invoice('number', noId));
		expect(words).toContain("It looks like an ID: choose 'By ID'");
	});

	test.each<[string, INodeParameters]>([
		['invoices without invoice_number', invoice('number', 'A-1')],
		['invoices without id', invoice('id', noId)],
		['charges without id', charge(noId)],
	])('reports %s', async (words, parameters) => {
		fault(pageOf({ title: 'x' }), { times: null });
		expect(await errorOf(parameters)).toContain(words);
	});

	test('finds an invoice as soon as a slow list shows it', async () => {
		service.world.set({ listLagMs: 600 });
		const { id } = await created('');
		expect(await errorOf(invoice('id', String(id)))).toContain('only after some time');
		service.world.set({ listLagMs: 0 });
		expect(await idsOf(invoice('id', String(id)))).toEqual([id]);
	});

	test.each(['id', 'number'])('finds by %s an invoice that is listed late', async (mode) => {
		service.world.set({ listLagMs: 700, idMatch: 'ignored', invoiceNumberMatch: 'ignored' });
		const { id } = await created('late');
		const { json, error } = await run(each(mode), {
			items: [seeded(0), { id, number: 'late' }],
			node: { retryOnFail: true, maxTries: 4, waitBetweenTries: 400 },
		});
		expect([error, ids(json)]).toEqual([undefined, [seeded(0).id, id]]);
	});

	test.each(someOf([1, 2, 3, 4, 5]))('copes with a new order after request %i', async (request) => {
		service.world.reset({ idMatch: 'ignored', invoiceNumberMatch: 'ignored', invoices: 700 });
		let count = 0;
		beforeEachList(() => {
			count += 1;
			// From the next request on.
			if (count === request) service.world.set({ order: 'oldestFirst' });
		});
		for (const mode of ['id', 'number']) {
			for (const item of [5, 350, 695].map(seeded)) {
				count = 0;
				service.world.set({ order: 'newestFirst' });
				const { json, error } = await run(each(mode), { items: [item] });
				if (error) expect(error.message).toContain('unexpected response');
				else expect(ids(json)).toEqual([item.id]);
			}
		}
	});

	test('gives the other items with Continue, each with its pair', async () => {
		numbered('D-1');
		numbered('D-1');
		const { number } = seeded(2);
		const { items } = await run(each('number'), {
			items: ['D-1', number, 'D-2', number].map((one) => ({ number: one })),
			node: continues,
		});
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(items.map((_, item) => ({ item })));
		expect(items.map(({ json }) => json.error ?? json.invoice_number)).toEqual([
			expect.stringContaining('Several invoices have the number "D-1"'),
			number,
			'No invoice with the number "D-2" was found in the service [item 3]',
			number,
		]);
	});
});

describe('Charge: Get', () => {
	test.each(['exact', 'ignored'] as const)('finds a charge by ID (filter %s)', async (idMatch) => {
		service.world.set({ idMatch });
		for (const { id, total } of [0, 130, 249].map((index) => charges()[index]))
			expect((await run(charge(id))).json).toMatchObject([{ id, total }]);
		const { error } = await run(charge(noId));
		expect(error?.message).toBe(`No charge with the ID "${noId}" was found in the service`);
	});

	test.each<[object | null, string | undefined]>([
		[null, undefined],
		[{}, undefined],
		[{ name: 'Ada Lovelace' }, 'Ada Lovelace'],
		[{ card_holder_name: ' ', name: 'Ada' }, 'Ada'],
		[{ card_holder_name: '4111 1111 1111 1111', name: 5 }, '(card number)'],
		[{ card_holder_name: 5, name: 'Ada 2' }, 'Ada 2'],
	])('names the payer of a charge with the source %j', async (source, payer) => {
		fault(pageOf({ id: noId, total: '1.00', source }));
		const { json } = await run(charge(noId));
		expect(json).toEqual([{ total: '1.00', ...(payer && { payer }), id: noId }]);
	});
});
