import { moneyProposals } from '../../../nodes/InvoicingPayments/reading/otherReadings/moneyProposals';
import { finish } from '../../helpers/sheets/finish';
import { readRows, settingsOf } from '../../helpers/sheets/readRows';

/** What a first preview offers besides: words order it, and remove nothing. */

const customers = ['Ann Lee', 'Bo Kim', 'Cy Roe'].map((name, at) => ({
	name,
	email: `pay${at}@customer.example`,
}));
type Cell = string | number;

const read = (headers: string[], rows: Cell[][], confirmed?: string) =>
	readRows(
		rows.map((cells) => Object.fromEntries(headers.map((header, at) => [header, cells[at]]))),
		customers,
		{ defaults: { currency: 'EUR', dueInDays: 14 }, confirmed },
	);
const totalsOf = ({ invoices }: ReturnType<typeof read>) => invoices.map(({ total }) => total);
/** The totals of each offer. */
const offers = (headers: string[], rows: Cell[][]) =>
	Object.fromEntries(
		read(headers, rows)
			.others()
			.map(({ what, text }) => [what, totalsOf(read(headers, rows, text)).join(' ')]),
	);

test.each<[string, string[], Cell[][], Record<string, string>]>([
	['amounts of months', ['Member', 'Jan', 'Feb', 'Mar'], [['Ann Lee', 50, 50, 50], ['Bo Kim', 40, 40, 40]], { 'Jan, Feb, Mar are items': '150.00 120.00' }],
	['amounts without a word or a cent', ['Parent', 'Tuition', 'Meals', 'Bus'], [['Ann Lee', 200, 60, 40], ['Bo Kim', 250, 50, 30]], { 'Tuition, Meals, Bus are items': '300.00 330.00' }],
	['another amount than the one that is billed', ['Client', 'Job', 'Net', 'Gross'], [['Ann Lee', 'Garden', 100, 119], ['Bo Kim', 'Roof', 200, 238]], { 'only Gross is billed': '119.00 238.00' }],
	['the whole of which a word took a part off', ['Guest', 'Rent', 'Key deposit', 'Total due'], [['Ann Lee', 80, 50, 130], ['Bo Kim', 90, 60, 150]], { 'only Total due is billed': '130.00 150.00' }],
	['what has a minus', ['Client', 'Course', 'Fee', 'Voucher'], [['Ann Lee', 'Yoga', 100, -20], ['Bo Kim', 'Judo', 50, '']], { 'Fee, Voucher are items': '80.00 50.00' }],
	['an amount beside hours as their price', ['Client', 'Job', 'Hours', 'Amount'], [['Ann Lee', 'Garden', 3, 60], ['Bo Kim', 'Roof', 2, 75]], { 'Amount is the price of one': '180.00 150.00' }],
	['each row for itself', ['Client', 'Job', 'Amount'], [['Ann Lee', 'Garden', 100], ['Bo Kim', 'Roof', 200], ['Ann Lee', 'Fence', 50]], { 'one per row': '100.00 200.00 50.00' }],
	['what is beside a product', ['Client', 'Job', 'Hours', 'Hourly rate', 'Material'], [['Ann Lee', 'Lock', 2, 50, 30], ['Bo Kim', 'Key', 1, 50, 25]], { 'Material is an item': '130.00 75.00' }],
])('a preview offers %s', (_what, headers, rows, wanted) => {
	expect(offers(headers, rows)).toMatchObject(wanted);
}); // prettier-ignore

test.each<[string, string[], Cell[][], string]>([
	['quarters by each other', ['Member', 'Q1', 'Q2'], [['Ann Lee', 50, 50], ['Bo Kim', 40, 40]], 'quantity'],
	['a gross amount beside its net amount', ['Client', 'Job', 'Net', 'Gross'], [['Ann Lee', 'Garden', 100, 119], ['Bo Kim', 'Roof', 200, 238]], 'items'],
	['a price without its quantity', ['Client', 'Item', 'Qty', 'Unit Price'], [['Ann Lee', 'Pen', 2, 5], ['Bo Kim', 'Ink', 3, 7]], 'Unit Price'],
])('nobody is offered %s', (_what, headers, rows, word) => {
	expect(Object.keys(offers(headers, rows)).join()).not.toContain(word);
}); // prettier-ignore

test.each<[string, string[], Cell[][], string[]]>([
	['not, when nothing counts an amount', ['Client', 'Job', 'Amount'], [['Ann Lee', 'Garden', 100], ['Bo Kim', 'Roof', 200]], []],
	['with an amount as the price of hours', ['Client', 'Job', 'Hours', 'Amount'], [['Ann Lee', 'Garden', 3, 60], ['Bo Kim', 'Roof', 2, 75]], ['Amount is the price of one']],
])('a sheet is read again for its amounts %s', (_what, headers, rows, wanted) => {
	const { reading } = read(headers, rows);
	const proposals = finish(moneyProposals(reading, settingsOf()));
	expect(proposals.map(({ what }) => what)).toEqual(wanted);
}); // prettier-ignore

test.each<[string, string[], Cell[][], string[]]>([
	['a price of words with four decimals', ['Client', 'Words', 'Price per word'], [['Ann Lee', '1000', '0.0875'], ['Bo Kim', '2000', '0.0950']], ['87.50', '190.00']],
	['a unit of two letters', ['Client', 'km', '€/km'], [['Ann Lee', 60, 0.5], ['Bo Kim', 12, 0.5]], ['30.00', '6.00']],
	['thousands of units', ['Client', 'kWh', 'Price/kWh'], [['Ann Lee', 1000, 0.12], ['Bo Kim', 2500, 0.12]], ['120.00', '300.00']],
	['a price per hundred', ['Client', 'Item', 'Qty', 'Price per 100'], [['Ann Lee', 'Screws', 500, 10], ['Bo Kim', 'Nails', 150, 10]], ['50.00', '15.00']],
	['a small price, and what is added to its product', ['Client', 'Words', 'Rate', 'Proofreading', 'Total'], [['Ann Lee', 1000, 0.12, 15, 135], ['Bo Kim', 500, 0.1, 20, 70]], ['135.00', '70.00']],
	['tax rates that a spreadsheet gives as fractions', ['Client', 'Item', 'Netto', 'MwSt', 'Brutto'], [['Ann Lee', 'Dach', 400, 0.19, 476], ['Bo Kim', 'Tor', 250, 0.07, 267.5]], ['476.00', '267.50']],
])('the first reading understands %s', (_what, headers, rows, wanted) => {
	expect(totalsOf(read(headers, rows))).toEqual(wanted);
}); // prettier-ignore

test.each(['Price (pence)', 'Betrag (Rappen)', 'amount_minor', 'Pris (øre)'])(
	'amounts below %s are not billed until a person says that they are cents',
	(header) => {
		const { invoices } = read(['Client', 'Item', header], [['Ann Lee', 'Yoga', 10_000]]);
		expect(invoices[0].problems.join()).toContain('cents');
	},
);

test('a total that is not what is billed is worth a look, until the sheet is confirmed', () => {
	const headers = ['Client', 'Job', 'Price', 'Gesamt brutto'];
	const sheet = (gross: number): Cell[][] => [
		['Ann Lee', 'Garden', 100, 119],
		['Bo Kim', 'Roof', 200, gross],
	];
	const first = read(headers, sheet(240));
	expect(first.findings.map(({ text }) => text)).toContain(
		'Gesamt brutto comes to 359.00 in all, and what is billed to 300.00',
	);
	expect(read(headers, sheet(250), first.text).refusal).toBeUndefined();
});
