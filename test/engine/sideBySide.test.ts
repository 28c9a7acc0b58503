import type { IDataObject, INode } from 'n8n-workflow';
import { continues, outcomes, useNode } from '../helpers/nodeRuns';

/** Several items in one row, side by side, as in the templates of two vendors. */
const { service, fromRows } = useNode();

const run = async (rows: IDataObject[], change: object = {}, node: Partial<INode> = {}) =>
	await fromRows(
		change,
		rows.map((row) => ({
			'Customer ID': service.world.account.customers[0].id,
			Currency: 'EUR',
			'Due Date': '2027-01-15',
			...row,
		})),
		node,
	);
const billed = () =>
	service.created.map(({ request: { invoice_number: number, items } }) => [
		number,
		...items.map(({ name, amount, quantity }) => `${quantity} x ${amount} ${name}`),
	]);
const two = {
	'Invoice Number': 'A-1',
	...{ 'Item 1': 'Design', 'Price 1': '40', 'Qty 1': 2 },
	...{ 'Item 2': 'Travel', 'Price 2': '15.50', 'Qty 2': 1 },
};
const one = {
	'Invoice Number': 'A-2',
	...{ 'Item 1': 'Hosting', 'Price 1': 20, 'Qty 1': 3, 'Item 2': '', 'Price 2': '', 'Qty 2': '' },
};

test.each<[string, (header: string) => string]>([
	['Item 1, Price 1, Qty 1', (header) => header],
	['item_1_name', (header) => header.replace(/^(Item|Price|Qty) (\d)/, (_all, word: string, at: string) => `item_${at}_${{ Item: 'name', Price: 'price', Qty: 'quantity' }[word] ?? ''}`)], // prettier-ignore
	['Product1', (header) => header.replace('Item ', 'Product').replace('Price ', 'Unit Price')],
])('[S1] each set of columns is an item: %s', async (_what, named) => {
	const rename = (row: object) =>
		Object.fromEntries(
			Object.entries(row).map(([header, cell]) => [named(header), cell as string]),
		);
	const { items, error, hints } = await run([two, one].map(rename));
	expect(error).toBeUndefined();
	expect(billed().sort()).toEqual([
		['A-1', '2 x 40 Design', '1 x 15.50 Travel'],
		['A-2', '3 x 20 Hosting'],
	]);
	expect(items.map(({ json, pairedItem }) => [json.rows, pairedItem])).toEqual([
		['2', { item: 0 }],
		['3', { item: 1 }],
	]);
	expect(hints.join()).toContain('Up to 2 items stand side by side in a row.');
});

test('each row without an invoice number is an invoice, and is found again', async () => {
	const rows = [two, one].map((row) => ({ ...row, 'Invoice Number': '' }));
	await run(rows, { groupBy: 'row' });
	expect(service.created.map(({ request }) => request.items.length).sort()).toEqual([1, 2]);
	const { json } = await run(rows);
	expect(outcomes(json)).toEqual(['found', 'found']);
});

test('totals of the rows are checked', async () => {
	const { error } = await run([
		{ ...two, Total: '95.50' },
		{ ...one, Total: '61' },
	]);
	expect(error?.message).toContain('the items come to 60.00');
	await run([
		{ ...two, Total: '95.50' },
		{ ...one, Total: '60' },
	]);
	expect(billed()).toHaveLength(2);
});

test('a failed row keeps its cells with Continue', async () => {
	const { json } = await run([{ ...two, 'Qty 2': 'x' }, one], {}, continues);
	expect(outcomes(json)).toEqual(['failed', 'created']);
	expect(json[0].input).toMatchObject([{ 'Item 2': 'Travel', 'Qty 2': 'x' }]);
});

test('numbers in other headers do not make items', async () => {
	const { error } = await run([
		{ 'Invoice Number': 'A-1', Item: 'Design', Price: 40, 'Address Line 1': 'High Street', 'Address Line 2': '' },
	]); // prettier-ignore
	expect(error).toBeUndefined();
	expect(billed()).toEqual([['A-1', '1 x 40 Design']]);
});

test('[S1] an ignored tax counts once per row', async () => {
	const row = { ...two, Tax: '8', 'Invoice Total': '111.50' };
	const { error } = await run([row], { options: { ignoreColumns: ['Tax'] } });
	expect(error?.message).toContain('the items come to 95.50');
});
