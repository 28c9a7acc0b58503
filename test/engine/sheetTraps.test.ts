import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { fromRows } from '../helpers/fromRows';
import { useSimulator } from '../helpers/service';

/** Sheets that look harmless and would be billed wrong by a reader that is content with the columns it knows. */
const service = useSimulator();

const kaya = () => service.world.account.customers[11];
const other = () => service.world.account.customers[7];
/** A row that is billed; `null` leaves a column out. */
const row = (change: IDataObject = {}): IDataObject => {
	const whole: IDataObject = {
		'Invoice Number': 'X-1',
		Email: kaya().email,
		Item: 'Work',
		'Unit Price': '100.00',
		Currency: 'EUR',
		'Due Date': '2027-02-15',
		...change,
	};
	return Object.fromEntries(Object.entries(whole).filter(([, cell]) => cell !== null));
};
const runRows = fromRows(service);
const run = async (items: IDataObject[], more: INodeParameters = {}, node = {}) =>
	await runRows(more, items, node);
const totals = () => service.created.map(({ full }) => full.amount);

test('the row itself is billed', async () => {
	await run([row()]);
	expect(totals()).toEqual(['100.00']);
});

describe('[S1] amounts that no field takes stop the sheet', () => {
	test.each([
		...['State Tax', 'Tax (State)', 'Credit Card Fee', 'Tip on card', 'Reminder Fee'],
		...['Paid to date', 'Discounts', 'Disc.', 'CGST', 'Service Charge', 'P&P', 'Gift Card'],
		...['Payment received', 'Expenses', 'Materials', 'Travel', 'Rabatt', 'Versandkosten'],
		...['Total Price', 'Total Due', 'Balance Due', 'Net Amount', 'Sum', 'Gesamt', 'Amount (paid)'],
		...[
			'Selling Price',
			'Price 2',
			'Unit Price (incl. VAT)',
			'VATAmount',
			'Round-Off',
			'Item 2 Price',
		],
	])('%s', async (header) => {
		const { error } = await run([row({ [header]: '37.50' })]);
		expect(`${error?.message} ${error?.description}`).toContain(`"${header}"`);
		expect(`${error?.message} ${error?.description}`).toContain('Ignore Columns');
		expect(service.requests.filter(({ method }) => method === 'POST')).toEqual([]);
		await run([row({ [header]: '37.50' })], { options: { ignoreColumns: [header] } });
		expect(totals()).toEqual(['100.00']);
	});

	test('a tax said in words stops the sheet as well', async () => {
		const { error } = await run([row({ Tax: 'standard rate' })]);
		expect(`${error?.message} ${error?.description}`).toContain('"Tax"');
		expect(service.created).toEqual([]);
	});

	test.each<[string, unknown]>([
		['Total Price', '100.00'],
		['Net Amount', 100],
		['Shipping', '0.00'],
		['Discount', ''],
		['Tax', 'exempt'],
		['Phone', '0771234567'],
		['Postal Code', 11_122],
		['Account Code', '200'],
		['Exchange Rate', 1],
		['Shipping Method', 'DHL'],
		['Discount Code', 'none'],
		['Start', '9:30'],
	])('but not %s with %p', async (header, cell) => {
		const { error } = await run([row({ [header]: cell as string })]);
		expect([error?.message, totals()]).toEqual([undefined, ['100.00']]);
	});
});

test.each(['Nights', 'Months', 'Seats', 'Persons', 'Number of guests', 'Duration (h)', 'Antal'])(
	'%s would be a quantity',
	async (header) => {
		const { error } = await run([row({ [header]: 3 })]);
		expect(String(error?.description)).toContain(`"${header}": 3 in row 2. It may be the quantity`);
		const { error: none } = await run([row({ [header]: 1 })]);
		expect(none).toBeUndefined();
	},
);

test.each<[string, IDataObject, INodeParameters, string]>([
	['a second item', { 'Item 2': 'More', 'Unit Price_1': 50 }, {}, '"Unit Price_1": 50 in row 2'],
	['a currency', { Currency: null, Waluta: 'USD' }, { defaults: { currency: 'EUR' } }, '"Waluta"'],
	[
		'a due date',
		{ 'Due Date': null, 'Payable until then': '2027-02-15' },
		{ defaults: { dueInDays: 30 } },
		'"Payable until then" seems to hold due dates',
	],
	['a sign of a total', { Total: '€ 100.00', Currency: 'USD' }, {}, 'column "Total" says €'],
	['a currency of a total', { 'Total (EUR)': '100.00', Currency: 'USD' }, {}, 'says EUR'],
	[
		'two currencies',
		{ 'Unit Price': null, 'Price (EUR)': '$100.00', Currency: null },
		{},
		'differs',
	],
	['thousands', { 'Unit Price': '5K', Currency: null }, {}, 'Currency'],
	['kilometres', { 'Unit Price': '120 km', Currency: null }, {}, 'not a currency'],
	['a number that lost zeros', { 'Invoice Number': 2027.1 }, {}, 'Format the column as text'],
	['a day of six digits', { 'Due Date': '050127' }, {}, 'must be a date'],
	['terms below zero', { 'Due Date': null, Terms: '-30' }, {}, 'must be like "Net 30"'],
	['a unit', { Qty: '2 kg' }, {}, 'without a unit'],
	['hours as a time of day', { Hours: 0.125 }, {}, '3:00'],
	['hours of somebody else', { 'Hours (non-billable)': 4 }, {}, '"Hours (non-billable)": 4'],
	['minutes', { 'Hours (min)': 90 }, {}, '"Hours (min)": 90'],
])('%s', async (_what, change, parameters, words) => {
	const { error } = await run([row(change)], parameters);
	expect(`${error?.message} ${error?.description}`).toContain(words);
	expect(totals()).toEqual([]);
});

test('an email column that is not recognised is not overridden by the default customer', async () => {
	const defaults = { customerId: other().id };
	const { error } = await run([row({ Email: null, Kontrahent: kaya().email })], { defaults });
	expect(error?.message).toContain('"Kontrahent" seems to hold customers');
});

describe('the most telling cell decides who pays', () => {
	test.each<[string, () => IDataObject, INodeParameters]>([
		['two emails in a cell', () => ({ Email: `new@client.example, ${other().email}` }), {}],
		[
			'a second email column',
			() => ({ 'Customer Email': 'new@client.example', Email: other().email }),
			{},
		],
		[
			'a name in a less telling column',
			() => ({ Email: null, Customer: 'New Client AB', Name: other().name }),
			{ options: { matchCustomersBy: 'idEmailOrName' } },
		],
	])('%s', async (_what, change, parameters) => {
		const { error } = await run([row(change())], parameters);
		expect(error?.message).toContain('No customer with the');
		expect(totals()).toEqual([]);
	});

	test.each([
		['as mail programs write it', (email: string) => `Kaya <${email}>`],
		['as a link', (email: string) => `mailto:${email}`],
		['with a mark that nobody sees', (email: string) => `\u200b${email}\u200f`],
	])('an email %s', async (_what, write) => {
		await run([row({ Email: write(kaya().email) })]);
		expect(service.created[0].request.customer).toBe(kaya().id);
	});
});

describe('rows that are sums', () => {
	test.each([
		'Total',
		'Total EUR',
		'Total X-1',
		'Subtotal:',
		'Balance due',
		'Carried forward',
		'Summe',
	])('%s stops its invoice, also with Continue', async (words) => {
		const items = [row(), row({ Item: words, 'Unit Price': '100.00' })];
		const { error } = await run(items);
		expect(error?.message).toContain(`Row 3: This row looks like a total ("${words}")`);
		await run(items, {}, { onError: 'continueRegularOutput' });
		const loose = [row(), row({ 'Invoice Number': null, Email: null, Item: words })];
		await run(loose, {}, { onError: 'continueRegularOutput' });
		expect(totals()).toEqual([]);
	});

	test('a unit that is called sum is no sum', async () => {
		await run([row(), row({ Item: 'Scaffolding', Unit: 'sum', 'Unit Price': '500.00' })]);
		expect(totals()).toEqual(['600.00']);
	});
});

test('a price of 1.200 beside one of 99.50 is not guessed', async () => {
	const { error } = await run([row({ 'Unit Price': '99.50' }), row({ 'Unit Price': '1.200' })]);
	expect(error?.message).toContain(
		'could mean 1200 or 1.2, got "1.200": set \'Decimal Separator\'',
	);
});

test('zeros that a spreadsheet may have dropped are told', async () => {
	const { hints } = await run([
		row({ 'Invoice Number': '0042' }),
		row({ 'Invoice Number': 43, Item: 'B' }),
	]);
	expect(hints.join()).toContain('others are numbers such as 43');
});

test('what is odd but may be meant is a warning', async () => {
	const { hints } = await run([
		row({ 'Invoice Number': 'X-1', Qty: -2 }),
		row({ 'Invoice Number': 'X-2', 'Unit Price': 0, Qty: null }),
		row({ 'Invoice Number': 'X-3', 'Due Date': '2020-01-01', Qty: 1 }),
		row({ 'Invoice Number': 'X-4', Qty: 1 }),
		row({ 'Invoice Number': 'X-5', Qty: 1 }),
	]);
	const told = hints.find((hint) => hint.startsWith('Please check'));
	for (const words of [
		'negative quantity (row 2)',
		'amount of 0 (row 3)',
		'no quantity, taken for 1 (row 3)',
		'due date in the past (row 4)',
		'same customer, due date, items and total as another invoice (row 6)',
	]) {
		expect(told).toContain(words);
	}
});
