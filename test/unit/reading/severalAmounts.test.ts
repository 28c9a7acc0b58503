import { boxOf } from '../../../nodes/InvoicingPayments/fromRows/preview/box';
import type { SheetRow } from '../../../nodes/InvoicingPayments/reading/table/table';
import { parseReading } from '../../../nodes/InvoicingPayments/reading/text/text';
import { notRead } from '../../../nodes/shared/result';
import type { ReadRows } from '../../helpers/sheets/readRows';
import { readRows } from '../../helpers/sheets/readRows';

/** Several amounts side by side in a row: rents, club fees, utilities. */
const customers = [
	{ name: 'Kaya Trading', email: 'pay@kaya.example' },
	{ name: 'Jane Doe', email: 'jane@doe.example' },
];

/** A rent roll: each row has several amounts and their stated sum, with a water bill in the first row only. */
const rents = (headers: string[] = ['Tenant', 'Rent', 'Charges', 'Water', 'Total']) => {
	const [tenant, rent, charges, water, total] = headers;
	const row = (name: string, ...amounts: number[]) => ({
		...{ [tenant]: name, Currency: 'EUR', 'Due Date': '2026-12-31' },
		...{ [rent]: amounts[0], [charges]: amounts[1], [water]: amounts[2], [total]: amounts[3] },
	});
	return [row('Jane Doe', 500, 50, 31.4, 581.4), row('Kaya Trading', 600, 80, 0, 680)];
};
const without = (row: SheetRow, header: string): SheetRow =>
	Object.fromEntries(Object.entries(row).filter(([name]) => name !== header));
const boxLines = ({ reading }: ReadRows) => {
	const forecast = { drafts: reading.drafts, account: '' };
	return boxOf({ reading, text: '', forecast, customerNames: new Map(), offers: [] }).lines;
};
const itemsOf = ({ reading }: ReadRows) =>
	reading.drafts.map(({ body }) =>
		(body.items as Array<{ name: string; amount: string }>).map(
			({ name, amount }) => `${name} ${Number(amount)}`,
		),
	);

test.each([
	['Tenant', 'Rent', 'Charges', 'Water', 'Total'],
	['Mieter', 'Miete', 'Nebenkosten', 'Wasser', 'Gesamt'],
	['Locataire', 'Loyer', 'Charges', 'Eau', 'Total'],
	['Inquilino', 'Alquiler', 'Comunidad', 'Agua', 'Total'],
	['Inquilino', 'Renda', 'Condomínio', 'Água', 'Total'],
	['Inquilino', 'Affitto', 'Spese', 'Acqua', 'Totale'],
	['Huurder', 'Huur', 'Servicekosten', 'Water', 'Totaal'],
])('amounts that add up to the total of every row are items: %s, %s, %s, %s, %s', (...headers) => {
	const read = readRows(rents(headers), customers);
	const [, rent, charges, water, total] = headers;
	expect(read.text).toMatch(
		new RegExp(`Items = ${rent} .*, ${charges} .*, ${water} .*; Total = ${total} `),
	);
	expect(itemsOf(read)).toEqual([
		[`${rent} 500`, `${charges} 50`, `${water} 31.4`],
		[`${rent} 600`, `${charges} 80`],
	]);
	expect(read.invoices.map(({ total: sum }) => sum)).toEqual(['581.40', '680.00']);
	const again = readRows(rents(headers), customers, { confirmed: read.text });
	expect([again.refusal, again.text]).toEqual([undefined, read.text]);
});

test('amounts without a total are items if a person says so, and the box says how', () => {
	const rows = rents().map((row) => without(row, 'Total'));
	const first = readRows(rows, customers);
	expect(boxLines(first)).toContain(
		"Not on the invoices: Charges 130.00, Water 31.40. To bill several columns of a row, such as a tax, set 'Reading' to 'As Text' and name them all: Items = Fee, VAT",
	);
	const said = readRows(rows, customers, { confirmed: 'Items = Rent, Charges, Water' });
	expect(said.findings.map(({ text }) => text)).toEqual([
		'not in the reading yet: Tenant, Currency, Due Date',
		'the reading was typed or changed, and its preview has not been chosen yet',
	]);
	const read = readRows(rows, customers, { confirmed: said.text });
	expect(read.refusal).toBeUndefined();
	expect(itemsOf(read)[0]).toEqual(['Rent 500', 'Charges 50', 'Water 31.4']);
});

/** Nobody has a water bill. */
const january: SheetRow[] = rents().map((row) => ({
	...row,
	Water: '-',
	Total: Number(row.Rent) + Number(row.Charges),
}));
/** The reading of a person who has said that the three amounts are items. */
const confirmedText = (rows: SheetRow[]) =>
	readRows(rows, customers, { confirmed: 'Items = Rent, Charges, Water; Total = Total' }).text;

const [first, second] = january;
const withSecond = (change: object): SheetRow[] => [first, { ...second, ...change }];

test.each<[what: string, rows: SheetRow[], says: string]>([
	[
		'the first amount in a column',
		withSecond({ Water: 12, Total: 692 }),
		'Water: "12" in row 3; seen so far: empty cells',
	],
	['a rent that is empty', withSecond({ Rent: undefined, Total: 80 }), 'Rent: empty in row 3'],
	[
		'a row of which all amounts are cleared',
		withSecond({ Rent: '-', Charges: '-', Total: '-' }),
		'Rent: empty in row 3',
	],
	[
		'an amount as a text',
		withSecond({ Charges: '80 plus heating' }),
		'Charges: "80 plus heating" in row 3',
	],
	[
		'a total that is another one',
		withSecond({ Total: 690 }),
		'"Total" = "Rent" + "Charges" does not hold in row 3',
	],
	['a new amount', withSecond({ Garage: 40, Total: 720 }), 'new column: Garage (40 in row 3)'],
	[
		'no total that proves the amounts',
		january.map((row) => without(row, 'Total')),
		'missing column: Total',
	],
])('what differs in a later rent roll stops: %s', (_what, rows, says) => {
	const { refusal } = readRows(rows, customers, { confirmed: confirmedText(january) });
	expect(refusal).toContain(says);
});

test('a row whose amounts are all empty or 0 is left out, unless its total says otherwise', () => {
	const [one, other] = rents();
	const nothing = { ...other, Rent: '-', Charges: 0, Total: 0 };
	const read = readRows([one, nothing, other], customers);
	expect(read.reading.leftOut.map(({ line, why }) => [line.number, why])).toEqual([[3, 'nothing']]);
	const text = readRows([one, other], customers).text;
	expect(
		readRows([one, { ...nothing, Total: 680 }], customers, { confirmed: text }).invoices[1]
			.problems,
	).toEqual(['Row 3: Rent, Charges, Water are empty, but Total says 680']);
});

const taxed = (name: string, base: string, tax: string, total: string) => ({
	...{ Cliente: name, Concepto: 'Limpieza', Importe: base, 'IVA 21%': tax },
	...{ 'Total factura': total, Moneda: 'EUR', Vencimiento: '2026-12-31' },
});

test('a tax that makes the total is billed, and net is another reading', () => {
	const rows = [
		taxed('Jane Doe', '1200,00', '252,00', '1452,00'),
		taxed('Kaya Trading', '340,50', '71,51', '412,01'),
	];
	const { text, others } = readRows(rows, customers);
	const read = readRows(rows, customers, { confirmed: text });
	expect(read.refusal).toBeUndefined();
	expect(read.invoices.map(({ total }) => total)).toEqual(['1452.00', '412.01']);
	expect(itemsOf(read)[0]).toEqual(['Limpieza 1200', 'IVA 21% 252']);
	const [net] = others();
	expect(net.what).toBe('without IVA 21%');
	const { invoices } = readRows(rows, customers, { confirmed: net.text });
	expect(invoices.map(({ total }) => total)).toEqual(['1200.00', '340.50']);
});

test('totals of invoices with the same tax are one finding', () => {
	const rows = [
		taxed('Jane Doe', '700,00', '', '1452,00'),
		taxed('Jane Doe', '500,00', '', '1452,00'),
		taxed('Kaya Trading', '300,00', '', '412,01'),
		taxed('Kaya Trading', '40,50', '', '412,01'),
	].map((row) => without(row, 'IVA 21%'));
	const { findings } = readRows(rows, customers);
	expect(findings.filter(({ kind }) => kind === 'sums').map(({ text }) => text)).toEqual([
		'Total factura is 21% more than the items in rows 2, 3, 4 and 5, as with a tax. That is not billed',
	]);
});

test.each([
	['a price and its parts', ['List price', 'Rebate', 'Net price'], [100.5, 10.5, 90]],
	['a deposit', ['Rental fee', 'Deposit', 'Remaining'], [200, 50.5, 149.5]],
])('what is taken off is no item: %s', (_what, headers, amounts) => {
	const row = (name: string, times: number) => ({
		...{ Customer: name, Currency: 'EUR', 'Due Date': '2026-12-31' },
		...Object.fromEntries(headers.map((header, at) => [header, amounts[at] * times])),
	});
	const { text, findings } = readRows([row('Jane Doe', 1), row('Kaya Trading', 2)], customers);
	expect(text).not.toContain('Items =');
	expect(findings.map(({ kind }) => kind)).toContain('guess');
});

test.each(['Items = Rent, Rent', 'Items = Rent, Water; Item Name = Water'])(
	'a column has one meaning: %s is refused',
	(text) => {
		expect(parseReading(text)).toEqual(
			notRead(expect.stringMatching(/^says twice what /) as string),
		);
	},
);

test('a column that is not billed is summed once for each row', () => {
	const rows = rents().map((row) => ({ ...row, Caution: '500.00' }));
	const confirmed = 'Items = Rent, Charges, Water; Total = Total';
	expect(boxLines(readRows(rows, customers, { confirmed })).join()).toContain(
		'Not on the invoices: Caution 1000.00.',
	);
});
