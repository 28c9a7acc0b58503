import type { IDataObject } from 'n8n-workflow';
import { continues, textOf, useNode } from '../helpers/nodeRuns';

/** Sheets that look harmless and must not be billed wrong. Most of them are lines of test/fixtures/sheetTable/traps.ts. */
const { service, posts, row, fromRows, validate } = useNode();
const customer = (at = 11) => service.world.account.customers[at];
/** A row with the email of its customer instead of the ID. */
const emailRow = (number: string, change: object = {}) =>
	row(number, { 'Customer ID': undefined, Email: customer().email, ...change });
const byName = { matchCustomersBy: 'idEmailOrName' };

test('[S1] an amount that belongs to no field stops the run, until its column is ignored', async () => {
	const items = [emailRow('A', { 'Credit Card Fee': '37.50' })];
	const { error } = await fromRows({}, items);
	expect(textOf({ error })).toContain('"Credit Card Fee"');
	expect(textOf({ error })).toContain('Ignore Columns');
	expect(posts()).toEqual([]);
	await fromRows({ options: { ignoreColumns: ['Credit Card Fee'] } }, items);
	expect(service.created.map(({ full }) => full.amount)).toEqual(['100.00']);
});

test('a total row stops its invoice, also with Continue', async () => {
	const total = { Item: 'Total', 'Unit Price': '100.00' };
	const { error } = await fromRows({}, [emailRow('A'), emailRow('A', total)]);
	expect(error?.message).toContain('Row 3: This row looks like a total ("Total")');
	for (const last of [emailRow('A', total), { ...total, Currency: 'EUR' }])
		await fromRows({}, [emailRow('A'), last], continues);
	expect(posts()).toEqual([]);
});

test.each<[string, () => IDataObject, object]>([
	['two emails in a cell', () => ({ Email: `new@client.example, ${customer(7).email}` }), {}],
	['a name in a column that says less', () => ({ Email: undefined, Customer: 'New Client AB', Name: customer(7).name }), byName],
	['a column of billed companies', () => ({ Email: undefined, Customer: customer().name, 'Bill To': 'Example Holdings' }), byName],
])('%s: the cell that says most decides who pays', async (_what, change, settings) => {
	const outcome = await validate([emailRow('A', change())], settings);
	expect(outcome).toHaveProperty('message', expect.stringContaining('No customer with the'));
}); // prettier-ignore

test('an address under "Bill To" is no customer', async () => {
	const cells = { Email: undefined, Customer: customer().name, 'Bill To': '12 Main St, Oslo' };
	expect(await validate([emailRow('A', cells)], byName)).toMatchObject({ totals: ['100.00'] });
});

test.each([
	['as mail programs write it', (email: string) => `Kaya <${email}>`],
	['as a link', (email: string) => `mailto:${email}`],
	['with invisible characters', (email: string) => `\u200b${email}\u200f`],
])('finds a customer by an email %s', async (_what, write) => {
	await fromRows({}, [emailRow('A', { Email: write(String(customer().email)) })]);
	expect(service.created[0].request.customer).toBe(customer().id);
});

test('equal prices of different customers are no sums', async () => {
	const prices = [50, 50, 100, 50, 150, 50, 50, 100];
	const items = prices.map((price, at) =>
		row(undefined, { 'Customer ID': customer(at).id, Item: 'Plan', 'Unit Price': price }),
	);
	expect(await validate(items)).toHaveProperty('totals');
});

test('hints at zeros that a spreadsheet may have dropped', async () => {
	const { hints } = await fromRows({}, [row('0042'), row(43, { Item: 'B' })]);
	expect(hints.join()).toContain('others are numbers such as 43');
});

test('hints at cells that are odd but possible', async () => {
	const { hints } = await fromRows({}, [
		row('A-1', { Qty: -2 }),
		row('A-2', { 'Unit Price': 0, Qty: undefined }),
		row('A-3', { 'Due Date': '2020-01-01', Qty: 1 }),
		row('A-4', { Qty: 1 }),
		row('A-5', { Qty: 1 }),
	]);
	const [hint] = hints.filter((one) => one.startsWith('Please check'));
	for (const words of [
		'negative quantity (row 2)',
		'amount of 0 (row 3)',
		'no quantity, taken for 1 (row 3)',
		'due date in the past (row 4)',
		'same customer, due date, items and total as another invoice (row 6)',
	])
		expect(hint).toContain(words);
});
