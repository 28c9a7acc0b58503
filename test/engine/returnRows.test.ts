/** Return Rows gives the sheet back, with the problem or the invoice of each row. The user corrects it and runs it again. */

import type { IDataObject } from 'n8n-workflow';
import { passTime } from '../helpers/n8n/clock';
import { continues, useNode } from '../helpers/n8n/nodeRuns';
import { perRow } from '../helpers/sheets/fromRows';

const { service, posts, fault, row, unread, fromRows, confirmRows } = useNode();

const created = () => service.created.map(({ full }) => full);
const unnumbered = (change: object = {}) => row(undefined, change);
const added = ({ Problem, 'Invoice ID': id, 'Invoice Number': number, 'Payment Page': page }: IDataObject) => ({ problem: Problem, id, number, page }); // prettier-ignore
const back = (change: object = {}) => ({ options: { returnRows: true }, ...change });
const problems = (json: IDataObject[]) => json.map(({ Problem }) => Problem);

describe('[S2] the returned rows', () => {
	test('are all input rows, unchanged, in order and paired', async () => {
		const items = [
			row('A', { Qty: 2, row_number: 5 }),
			{ 'Invoice Number': '' },
			row('B'),
			row('A', { Item: 'Travel', row_number: 8 }),
		];
		const { json, items: output, error } = await fromRows(back(), items);
		expect(error).toBeUndefined();
		json.forEach((one, at) => expect(one).toMatchObject(items[at]));
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 2, 3].map((item) => ({ item })),
		);
		const of = (number: string) => created().find(({ invoice_number }) => invoice_number === number); // prettier-ignore
		expect(json.map(added)).toEqual([
			{ problem: '', id: of('A')?.id, number: 'A', page: of('A')?.url },
			{ problem: '', id: '', number: '', page: '' },
			{ problem: '', id: of('B')?.id, number: 'B', page: of('B')?.url },
			{ problem: '', id: of('A')?.id, number: 'A', page: of('A')?.url },
		]);
	});

	test('name their own problem, or the row of their invoice that has one', async () => {
		const items = [row('A', { Qty: 'two' }), row('A', { Qty: 1 }), row('B', { Currency: '' })];
		const { json, hints } = await fromRows(back({ previewOnly: true }), items);
		expect(problems(json)).toEqual([
			expect.stringMatching(/^Not created: Row 2, column "Qty": .*"two"/),
			'Not created: Correct row 2 of this invoice first',
			"Not created: Row 4: Currency is empty. Fill in the cell, or set 'Default Currency' under 'Defaults for Empty Cells'",
		]);
		expect(hints.join()).toContain('2 cannot be created');
		expect(posts()).toEqual([]);
	});

	test('go to the error output if they fail', async () => {
		const items = [row('A'), row('B', { Currency: '' })];
		const { json, errorItems } = await fromRows(back(), items, { onError: 'continueErrorOutput' });
		expect(json.map(({ Item, Problem }) => [Item, Problem])).toEqual([['Consulting', '']]);
		expect(errorItems.map((item) => item.json)).toEqual([
			{ ...items[1], Problem: expect.stringContaining('Currency is empty') as string, 'Invoice ID': '', 'Payment Page': '' },
		]); // prettier-ignore
	});

	test('name a problem of the whole sheet', async () => {
		const { json } = await unread(back(), [row('A', { Shipping: '5.00' }), {}], continues);
		expect(problems(json)).toEqual([
			expect.stringMatching(/^Not created: Nobody has confirmed how this sheet is read/),
			'',
		]);
	});

	test('say that an invoice may have been created', async () => {
		fault({ kind: 'status', status: 500 }, { method: 'POST', times: null });
		const options = { returnRows: true, maxWait: 0 };
		const { json } = await fromRows({ options }, [row('A')], continues);
		expect(json[0].Problem).toMatch(/^May have been created: /);
	});

	test('say how an existing invoice differs', async () => {
		await fromRows({}, [row('A'), row('off')]);
		const { id } = created().find((one) => one.invoice_number === 'off') ?? {};
		service.world.account.changeInvoice(String(id), 'cancelled');
		passTime(3_600_000);
		const items = [row('A', { 'Unit Price': '7' }), row('off'), row('new')];
		for (const previewOnly of [true, false]) {
			const { json } = await fromRows(back({ previewOnly }), items);
			expect(problems(json)).toEqual([
				expect.stringMatching(/^Exists, but differs: .*100\.00 in the service, 7\.00 here/),
				expect.stringMatching(/^Exists, but is cancelled: /),
				'',
			]);
			expect(json[0]['Invoice ID']).toBe(created().find((one) => one.invoice_number === 'A')?.id);
			expect(json[2]['Invoice ID'] === '').toBe(previewOnly);
		}
	});
});

describe('[S2] correcting and running again', () => {
	const corrected = (json: IDataObject[]) =>
		json.map((one) => ({ ...one, ...(one.Qty === 'two' && { Qty: '2' }) }));
	/** As an Excel reader returns them: without empty cells. */
	const reread = (json: IDataObject[]) =>
		json.map((one) => Object.fromEntries(Object.entries(one).filter(([, cell]) => cell !== '')));

	test.each(['with numbers', 'without numbers'])('creates every invoice once, %s', async (how) => {
		const has = how === 'with numbers';
		const one = (number: string, change: object = {}) =>
			has ? row(number, change) : unnumbered(change);
		const items = [
			one('A', { Qty: '1' }),
			one('B', { Qty: 'two', 'Unit Price': '80.00' }),
			one('C', { Qty: '1', 'Unit Price': '60.00', Item: 'Travel' }),
		];
		const change = back(has ? {} : perRow('Quantity = Qty'));
		const first = await fromRows({ ...change, previewOnly: true }, items);
		const second = await fromRows(change, reread(first.json), continues);
		expect(created()).toHaveLength(2);
		const third = await fromRows(change, corrected(reread(second.json)));
		expect(third.error).toBeUndefined();
		expect(problems(third.json)).toEqual(['', '', '']);
		const fourth = await fromRows(change, reread(third.json));
		expect(fourth.json).toEqual(third.json);
		expect(created().map(({ amount }) => amount).sort()).toEqual(['100.00', '160.00', '60.00']); // prettier-ignore
		const ids = new Set(fourth.json.map((returned) => returned['Invoice ID']));
		expect(ids).toEqual(new Set(created().map(({ id }) => id)));
	});

	test('keeps the generated number of a row, and gives an equal new row another one', async () => {
		const first = await fromRows(back(perRow()), [unnumbered()]);
		const rows = [unnumbered(), ...first.json, unnumbered({ 'Unit Price': '7' })];
		const { text, ...second } = await confirmRows(back(perRow()), rows);
		expect([second.error, text]).toEqual([undefined, expect.stringContaining('rows repeat')]);
		const number = String(first.json[0]['Invoice Number']);
		expect(second.json.map((one) => one['Invoice Number'])).toEqual([
			`${number}-2`,
			number,
			expect.stringMatching(/^AUTO-/),
		]);
		expect(created()).toHaveLength(3);
		// A row that is corrected afterwards is the same invoice, and says so.
		const wrong = second.json.map((one) => ({ ...one, 'Unit Price': '8' }));
		const { json } = await confirmRows(back(perRow()), wrong);
		expect(created()).toHaveLength(3);
		expect(problems(json)).toEqual(Array(3).fill(expect.stringContaining('Exists, but differs')));
	});

	test.each([
		['with the prefix of last month', '2026-10-', 'unpaid'],
		['of a paid invoice', '2026-11-', 'paid'],
	] as const)('bills a row only once that has a number %s', async (_what, numberPrefix, status) => {
		const before = back({ options: { returnRows: true, numberPrefix } });
		const first = await confirmRows(before, [unnumbered()]);
		service.world.account.changeInvoice(String(first.json[0]['Invoice ID']), status);
		const options = { returnRows: true, numberPrefix: '2026-11-' };
		const rows = [...first.json, unnumbered({ 'Unit Price': '7' })];
		const { error, json } = await confirmRows(back({ options }), rows);
		expect(error).toBeUndefined();
		expect(json.map((one) => String(one['Invoice Number']).slice(0, 8))).toEqual([
			numberPrefix,
			'2026-11-',
		]);
		expect(created().map(({ amount }) => amount)).toEqual(['100.00', '7.00']);
	});
});

describe('[S2] never overwrites a column of the user', () => {
	test.each<[string, IDataObject]>([
		['Problem', { Problem: 'Screen is broken' }],
		['Invoice ID', { 'Invoice ID': 'INV-7' }],
		['Invoice ID', { 'Invoice ID': '3f2b8c1e-5d4a-4f6b-9c7d-8e9f0a1b2c3d' }],
		['Payment Page', { 'Payment Page': 'to do' }],
	])('%s', async (header, cells) => {
		const { error } = await fromRows(back(), [unnumbered(cells)]);
		expect(error?.message).toContain(`Return Rows would overwrite the column "${header}"`);
		expect(posts()).toEqual([]);
	});
});
