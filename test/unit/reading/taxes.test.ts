import type { KnownCustomer } from '../../helpers/sheets/readRows';
import { readRows } from '../../helpers/sheets/readRows';

/** A tax beside the amounts: what is billed of it, and what a later file may change. */

const customers: KnownCustomer[] = ['Ann Lee', 'Bo Kim', 'Cy Roe', 'Di Fox'].map((name, at) => ({
	name,
	email: `pay${at}@customer.example`,
}));
const settings = { defaults: { currency: 'EUR', dueInDays: 14 } };
type Cell = string | number;

/** A sheet with these headers, in which each row is another customer's. */
const sheet = (headers: string[], ...rows: Cell[][]) =>
	rows.map((cells, at) => ({
		...{ Client: customers[at].name, Work: ['Design', 'Text', 'Film', 'Photos'][at] },
		...Object.fromEntries(headers.map((header, column) => [header, cells[column]])),
	}));
const read = (rows: ReturnType<typeof sheet>, confirmed?: string) =>
	readRows(rows, customers, { ...settings, confirmed });
const totals = ({ invoices }: ReturnType<typeof read>) => invoices.map(({ total }) => total);
const offer = (rows: ReturnType<typeof sheet>, what: string) =>
	read(rows)
		.others()
		.find((one) => one.what === what)?.text ?? 'not offered';

describe('a tax that no column states with its amount', () => {
	const net = (...rows: Cell[][]) => sheet(['Net', 'VAT'], ...rows);
	const mixed = net([100, 19], [250, 47.5], [80, 5.6], ['33.33', 2.33]);

	test('is offered, and its percentages are stated', () => {
		expect(totals(read(mixed))).toEqual(['100.00', '250.00', '80.00', '33.33']);
		const picked = offer(mixed, 'with VAT');
		expect(picked).toContain('; taxed at: 19%, 7%;');
		expect(totals(read(mixed, picked))).toEqual(['119.00', '297.50', '85.60', '35.66']);
		expect(read(mixed, picked).refusal).toBeUndefined();
	});

	test('is stated if a single row tells it, and if it is not billed', () => {
		expect(read(net([100, 8.1])).text).toContain('; taxed at: 8.1%;');
	});

	test.each<[string, Cell[], string | undefined]>([
		['another amount of a known percentage', [40, 7.6], undefined],
		['gross amounts', [119, 19], 'new value: taxed at: 15.97% in row 2'],
		['the tax of another amount', [100, 47.5], 'new value: taxed at: 47.5% in row 2'],
		['no tax', [100, 0], 'VAT: empty in row 2'],
		['another percentage', [100, 5.5], 'new value: taxed at: 5.5% in row 2'],
	])('%s in a later file', (_what, cells, says) => {
		const next = read(net(cells, [250, 47.5]), offer(mixed, 'with VAT'));
		expect(next.refusal).toEqual(
			says === undefined ? undefined : (expect.stringContaining(says) as string),
		);
		// Choosing the new reading settles it.
		expect(read(net(cells, [250, 47.5]), next.text).refusal).toBeUndefined();
	});

	test.each([
		['by the night', net([100, 4], [250, 6.5], [90, 2])],
		['of one row, and not round', net([100, 8.87])],
		['of one row of few cents', net([5, 0.95])],
	])('has no percentage if it is %s', (_what, rows) => {
		const items = 'Customer = Client; Item Name = Work; Line Total = Net; Items = VAT';
		expect(read(rows, items).text).not.toContain('taxed at');
	});

	test('that is a rate in figures is not offered', () => {
		const rows = sheet(['Net', 'VAT %'], [100, 20], [250, 20], [500, 20]);
		expect(read(rows).others()).toEqual([]);
	});

	test('has its percentages proved by a column with both', () => {
		const rows = sheet(['Net', 'VAT', 'Gross'], [100, 19, 119], [250, 47.5, 297.5]);
		expect(read(rows).text).toContain('in all rows: "Gross" = "Net" + "VAT"');
		expect(read(rows).text).not.toContain('taxed at');
	});
});

test('net and tax under each other\'s header stop a later file, if the net amount alone is billed', () => {
	const vat = ['Net', 'VAT', 'Gross'];
	const rows = sheet(vat, [100, 19, 119], [800, 152, 952], [350, 66.5, 416.5]);
	const picked = offer(rows, 'without VAT');
	expect(totals(read(rows, picked))).toEqual(['100.00', '800.00', '350.00']);
	expect(read(rows, picked).refusal).toBeUndefined();
	const swapped = sheet(vat, [19, 100, 119], [152, 800, 952]);
	expect(read(swapped, picked).refusal).toContain('new value: taxed at: 526.313% in row 3');
	// Another percentage changes nothing that is billed.
	expect(read(sheet(vat, [100, 7, 107], [800, 56, 856]), picked).refusal).toBeUndefined();
}); // prettier-ignore

test('a tax that is taken off again leaves the net amount, and gross is offered', () => {
	const rows = sheet(['Gross', 'VAT', 'Net'], [119, 19, 100], [238, 38, 200]);
	expect(totals(read(rows))).toEqual(['100.00', '200.00']);
	expect(totals(read(rows, offer(rows, 'before VAT: bill Gross')))).toEqual(['119.00', '238.00']);
});

test.each([
	['Amount', 'VAT'],
	['Betrag', 'MwSt'],
	['Importe', 'IVA'],
])('a tax is no price: %s, %s', (...headers) => {
	const rows = sheet(headers, [100, 19], [250, 47.5]);
	expect(totals(read(rows))).toEqual(['100.00', '250.00']);
});

test('the number of a tax payer is no tax', () => {
	const rows = sheet(['Fee', 'VAT no'], [119, 123456789], [238, 987654321]);
	expect(totals(read(rows))).toEqual(['119.00', '238.00']);
	expect(read(rows).others()).toEqual([]);
});
