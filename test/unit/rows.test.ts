import fc from 'fast-check';
import { differencesOf, totalOf } from '../../nodes/InvoicingPayments/invoices/compareInvoice';
import type { SheetFormat } from '../../nodes/InvoicingPayments/sheet/cells';
import { readCell } from '../../nodes/InvoicingPayments/sheet/cells';
import { mapByHeader } from '../../nodes/InvoicingPayments/sheet/columns';
import { groupByNumber } from '../../nodes/InvoicingPayments/sheet/groups';
import { cellReader } from '../../nodes/InvoicingPayments/sheet/rowCells';
import { rowOf } from '../../nodes/InvoicingPayments/sheet/rows';
import { rowFields } from '../../nodes/InvoicingPayments/sheet/rowFields';
import type { RowSettings } from '../../nodes/InvoicingPayments/sheet/rowSettings';
import { Decimal } from '../../nodes/shared/fields/decimal';
import { casesOf, problem } from '../helpers/casesOf';

const zone = 'Europe/Stockholm';

/** The value of a cell, `undefined` if it is empty, or the problem. */
function cell(field: string, value: unknown, format: SheetFormat = {}): unknown {
	const found = rowFields.find(({ name }) => name === field) as (typeof rowFields)[number];
	const outcome = readCell(found, value, format, zone);
	return outcome && ('problems' in outcome ? outcome.problems.join('; ') : outcome.value);
}

/** Cases that share a field or a setting. */
const of = <Common>(common: Common, ...groups: Parameters<typeof casesOf<unknown>>) =>
	casesOf(...groups).map(([value, wanted]) => [common, value, wanted] as const);

const unsaid = problem('Decimal Separator');
const noAmount = problem('must be an amount');
const tooPrecise = problem('at most 3 decimals');

describe('amounts', () => {
	test.each(
		casesOf<unknown>(
			[undefined, '', '   ', null],
			['1234.5', 1234.5],
			['0.1', 0.1],
			['-5', -5, '-US$ 5'],
			// A sheet does not show the rounding noise of doubles.
			['0.3', 0.1 + 0.2],
			['19.99', 19.989999999999998],
			['1234.50', '1234.50', ' 1,234.50 ', '$1,234.50'],
			['1234567.891', '1,234,567.891'],
			['0.500', '0.500'],
			['12.50', '€ 12.50', '12.50 EUR', '12.50 kr'],
			['-5.00', '(5.00)', '(€ 5.00)', '€ (5.00)', '5.00-', '€ 5.00-', '5.00- EUR'],
			[problem('point before the decimals', 'Decimal Separator'), '12,50'],
			[unsaid, '1.234,50', '1 234,50'],
			['1234.50', '1 234.50', "1'234.50", '1’234.50', '+1,234.50'],
			['123456.00', '1,23,456.00'],
			['100', '100.-', '100,-', 'CHF 100.–', '100 EURO', '100 euros'],
			[problem('1234 or 1.234', 'Decimal Separator'), '1,234'],
			[problem('1500 or 1.5', 'Decimal Separator'), '1.500'],
			[problem('"apples" is not a currency'), '12.50 apples'],
			[
				noAmount,
				'EUR 12.50 EUR',
				'(-5.00)',
				'5-',
				'-5.00-',
				'5.00-6.00',
				'12.5.0',
				'1e3',
				true,
				{},
			],
			[tooPrecise, 1.2345],
			[problem('at most 10 digits'), '12345678901'],
			[problem('must be'), 'n/a'],
		),
	)('without settings, reads %p', (value, wanted) =>
		expect(cell('itemAmount', value)).toEqual(wanted),
	);

	// The random test below rarely draws a group that looks like three decimals.
	const likeComma = problem('like 1.234,50', 'Decimal Separator');
	test.each([
		...of(
			'comma' as const,
			['1234', '1234', '1.234', '1 234'],
			['1.234', 1.234, '1,234'],
			['12.50', '€ 12,50'],
			['1234.50', '1.234,50 €'],
			['1000.00', '1.000,--', '€ 1.000,-', '1.000,00'],
			['-80.00', '80,00-', '80,00- EUR'],
			[likeComma, '12.50', '1,234.50', '1.23,4', '1.234 567,00', '0.500', '000 123'],
			[likeComma, '1\n200', '5\t100'],
			[tooPrecise, '1,2345'],
		),
		...of('point' as const, ['1234', '1,234'], ['1.234', '1.234']),
		...of('point' as const, [problem('like 1,234.50'), '12,50', '1.234,50', '0,500']),
	])('with a decimal %s, reads %p', (decimalSeparator, value, wanted) => {
		expect(cell('itemAmount', value, { decimalSeparator })).toEqual(wanted);
	});

	test.each([
		['point', '.', ['', ',', ' ', '\u00a0', '\u202f', "'", '’']],
		['comma', ',', ['', '.', ' ', '\u00a0', '\u202f', "'", '’']],
	] as const)(
		'keeps every amount exactly, with a decimal %s',
		(decimalSeparator, mark, groupings) => {
			const amount = fc.record({
				sign: fc.constantFrom('', '-'),
				integer: fc.integer({ min: 0, max: 9_999_999_999 }),
				fraction: fc.constantFrom('', '0', '5', '50', '05', '125', '001'),
				group: fc.constantFrom(...groupings),
			});
			fc.assert(
				fc.property(amount, ({ sign, integer, fraction, group }) => {
					const digits = String(integer).replace(/\B(?=(\d{3})+$)/g, group);
					const text = `${sign}${digits}${fraction && `${mark}${fraction}`}`;
					const decimal = `${sign}${integer}${fraction && `.${fraction}`}`;
					expect(cell('itemAmount', text, { decimalSeparator })).toBe(decimal);
				}),
			);
		},
	);

	test('keeps the shortest decimal of a number', () => {
		fc.assert(
			fc.property(fc.integer({ min: -99_999_999, max: 99_999_999 }), (cents) => {
				expect(Number(cell('itemAmount', cents / 100))).toBe(cents / 100);
			}),
		);
	});
});

describe('dates', () => {
	const neverGuessed = problem('never guessed', 'Date Order');
	const noDay = problem('day of the calendar');
	const noDate = problem('must be a date');
	test.each(
		casesOf<unknown>(
			[undefined, ''],
			[
				'2026-12-31',
				'2026-12-31',
				'2026/12/31',
				'2026-12-31T00:00:00.000Z',
				46387,
				'46387',
				46387.75,
			],
			['2026-12-31', '31-Dec-26', '31 December 2026', 'Dec 31, 2026', 'Thu, 31st Dec 2026'],
			['2027-01-12', "12-Jan-'27"],
			['2026-01-05', '2026.1.5'],
			['2026-02-01', '01.02.2026'],
			[neverGuessed, '31/12/2026', '1/2/26'],
			[problem('never guessed'), 'next week'],
			[noDay, '30-Feb-26', '2026-02-30'],
			[problem('1990 to 2099'), 2026, 30, 14.5, '311226'],
			[noDate, '31-Foo-26', true],
		),
	)('without settings, reads %p', (value, wanted) =>
		expect(cell('dueDate', value)).toEqual(wanted),
	);

	test.each([
		...of('dayMonth' as const, ['2026-12-31', '31/12/2026', 46387], [noDay, '30.02.2026']),
		...of('dayMonth' as const, ['2026-02-01', '1.2.2026', '01-02-2026', '1/2/26']),
		...of('dayMonth' as const, [problem('never guessed'), '1/2.2026']),
		...of('monthDay' as const, ['2026-12-31', '12/31/2026', '2026-12-31']),
		...of('monthDay' as const, ['2026-01-02', '1/2/2026', '1/2/26']),
		...of('monthDay' as const, [problem('read as month, day, year', '31/12/2026'), '31/12/2026']),
	])('with the order %s, reads %p', (dateOrder, value, wanted) => {
		expect(cell('dueDate', value, { dateOrder })).toEqual(wanted);
	});
});

test.each([
	...of('itemQuantity', ['3', 3], ['2.0', '2.0'], ['2.5', 2.5], [problem('must be'), '2 hours']),
	...of('itemQuantity', [problem('1000 or 1.000', 'Decimal Separator'), '1,000']),
	...of('itemQuantity', [problem('1000 or 1', 'Decimal Separator'), '1.000']),
	...of('discountPercentage', [10, '10', '10%'], [0, 0], [problem('whole number'), '12.5 %']),
	...of('discountPercentage', [problem('0.1% or 10%'), 0.1], [problem('1% or 100%'), 1]),
	...of('discountPercentage', [problem('from 0 to 100'), 101]),
	...of('allowServiceFee', [true, 'yes', 'TRUE', '1'], [false, 'No', 0], [undefined, '']),
	...of('allowServiceFee', [problem('true or false'), 'x']),
	...of('invoiceNumber', ['1001', 1001], ['007', '007'], [problem('at most 30'), 'x'.repeat(31)]),
	...of('invoiceNumber', [problem('more digits than a number keeps'), 2 ** 53]),
	...of('invoiceNumber', [problem('lost digits'), '1.23457E+11']),
	...of('terms', [30, 'Net 30', '30 days'], [14, 14], [0, 'Due on receipt']),
	...of('terms', [problem('must be like'), '2/10 Net 30', 'EOM']),
	...of('currency', ['EUR', ' eur ', '€'], [problem('3 letters', 'can mean'), '$']),
	...of('customFields', [[{ name: 'Order' }, { name: 'Cost centre' }], 'Order; Cost centre']),
	...of('customFields', [[{ name: 'Order' }], ['Order']], [problem('at most 5'), 'a;b;c;d;e;f']),
	...of('successUrl', [problem('https://'), 'shop.example']),
	...of('customerId', ['Nunez', 'Nunez']),
	...of('title', [problem('at most 50'), 'x'.repeat(51)]),
	...of('note', [undefined, null]),
])('%s: reads %p', (field, value, wanted) => expect(cell(field, value)).toEqual(wanted));

describe('columns by their headers', () => {
	const alike = ['Due Date', 'due_date', 'DueDate', 'DUE-DATE', ' due date ', '\ufeffDue Date', 'due.date']; // prettier-ignore
	const customers = { 'Customer ID': 'customerId', Customer: 'customerId', Amount: 'amount' };
	test.each<[string[], object, string[]]>([
		...alike.map((header): [string[], object, string[]] => [[header], { [header]: 'dueDate' }, []]),
		// The more specific header wins. Unused ones are listed.
		[['Customer', 'Customer ID', 'Amount', 'Colour', 'Größe'], customers, ['Colour', 'Größe']],
		[['customer', 'item'], { customer: 'customerId', item: 'itemName' }, []],
		// "Discount" may be an amount or a percentage.
		[['Discount'], {}, ['Discount']],
		[['Discount Percentage'], { 'Discount Percentage': 'discountPercentage' }, []],
		...['__proto__', 'constructor', ''].map((header): [string[], object, string[]] => [[header], {}, [header]]),
	])('maps the headers %j', (headers, fields, unused) => {
		const found = mapByHeader(headers);
		const pairs = found.fields.map(({ field, header }) => [header, field.name]);
		expect(Object.fromEntries(pairs)).toEqual(fields);
		expect(found.unmapped).toEqual(unused);
	}); // prettier-ignore
});

describe('rows with the same invoice number', () => {
	const group = (...numbers: unknown[]) => {
		const settings = {} as RowSettings;
		const columns = { ...mapByHeader(['Invoice Number']), ignored: [] };
		const items = numbers.map((number) => ({ 'Invoice Number': number as string }));
		const { read } = cellReader(columns, items, settings, zone);
		const rows = items.map((_json, index) => rowOf(read(index), columns.fields, settings));
		return groupByNumber(rows).map(({ rows: own, unassignedProblems: lacking }) => [
			own.map(({ number }) => number),
			...lacking.map(({ row, text }) => `Row ${row}: ${text}`),
		]);
	};

	const unassigned = problem('Row 3', 'cannot be assigned to an invoice');
	test.each<[string, unknown[], unknown[]]>([
		['are one invoice, wherever they are', ['A', 'B', 'A', ' A ', 'C'], [[[2, 4, 5]], [[3]], [[6]]]],
		['are one invoice if one number is text', [7, '7'], [[[2, 3]]]],
		['are one invoice if accents are encoded differently', ['e\u0301', '\u00e9'], [[[2, 3]]]],
		['differ if upper and lower case differ', ['a', 'A'], [[[2]], [[3]]]],
		['are separate invoices if no row has a number', ['', null], [[[2]], [[3]]]],
		['are an error if one row has no number', ['A', '', 'A'], [[[2, 4]], [[3], unassigned]]],
	])('%s', (_name, numbers, groups) => expect(group(...numbers)).toEqual(groups)); // prettier-ignore

	test('end up in exactly one invoice', () => {
		fc.assert(
			fc.property(fc.array(fc.constantFrom('A', 'B', 'C', '')), (numbers) => {
				const rows = group(...numbers).flatMap(([own]) => own as number[]);
				expect(rows.sort((a, b) => a - b)).toEqual(numbers.map((_, index) => index + 2));
			}),
		);
	});
});

describe('exact sums', () => {
	const lines = (...pairs: Array<[string, number]>) =>
		pairs.map(([amount, quantity]) => ({ amount, quantity }));
	test.each([
		[[], '0.00'],
		[lines(['0.1', 1], ['0.2', 1]), '0.30'],
		[lines(['-5.125', 2], ['10', 1]), '-0.25'],
		[lines(['9999999999.999', Number.MAX_SAFE_INTEGER]), '90071992547400902800745259.009'],
	])('adds up %j to %s', (items, total) => expect(String(totalOf(items))).toBe(total));

	test('keep every decimal of sums, products and percentages', () => {
		const anyUnits = fc.bigInt({ min: BigInt(-1e13), max: BigInt(1e13) });
		const money = (units: bigint) =>
			Decimal.of(String(units)).times(Decimal.of('0.01')).times(Decimal.of('0.1'));
		fc.assert(
			fc.property(anyUnits, anyUnits, fc.integer({ min: 0, max: 100 }), (one, other, percent) => {
				const sum = money(one).plus(money(other));
				expect(sum).toEqual(money(one + other));
				expect(Decimal.of(String(sum))).toEqual(sum);
				const part = sum.percent(percent).plus(sum.percent(100 - percent));
				expect(part.equals(sum)).toBe(true);
			}),
		);
		const third = Decimal.of('0.001').times(Decimal.of('0.001'));
		expect(() => third.times(Decimal.of('0.1'))).toThrow('No exact product');
	});

	test.each(['', '-', '.', '1,5', '1e3', '0x1', 'abc1', '1.2345678', ' 1', '9'.repeat(401)])(
		'reject %j',
		(text) => expect(() => Decimal.of(text)).toThrow(RangeError),
	);
});

describe('the comparison of a created invoice with the request', () => {
	const item = (name: string, amount: string, quantity: number) => ({ name, amount, quantity });
	const wanted = {
		currency: 'EUR',
		customer: '3f2b8c1e-5d4a-4f6b-9c7d-8e9f0a1b2c3d',
		items: [item('a', '19.9', 2), item('b', '5', 1)],
		due_date: '2027-02-15',
		title: 'A',
	};
	const inOtherWords = [
		{ amount: '5.00', quantity: '1' },
		{ amount: '19.900', quantity: 2 },
	];
	const itemsDiffer = problem('items: 5.00 x 1 in the service, 19.90 x 2', '5.00 x 1 here');
	test.each<[string, object, unknown[]]>([
		['nothing to compare', {}, []],
		['the same values in other formats', { currency: 'eur', items: inOtherWords }, []],
		['a customer without an ID', { customer: { name: 'x' } }, []],
		['another customer', { customer: { id: '1' } }, [problem('customer: 1 in the service')]],
		['another currency', { currency: 'SEK' }, [problem('currency: SEK in the service, EUR here')]],
		['a missing item', { items: [{ amount: '5', quantity: 1 }] }, [itemsDiffer]],
		['another amount', { amount: '44.81' }, [problem('amount: 44.81 in the service, 44.80 here')]],
		['an amount that includes tax', { amount: '53.76', tax: '8.96' }, []],
		['a discount', { discount_percentage: '10.00' }, [problem('discount: 10.00% in the service')]],
		['another day', { due_date: '2027-02-16' }, [problem('due date: 2027-02-16 in the service')]],
		['the same day in another time zone', { due_date: '2027-02-14T20:00:00Z' }, []],
		['another title', { title: 'B' }, [problem('title: B in the service, A here')]],
		['items in an unknown format', { items: [{ price: 5 }] }, []],
		['no items', { items: null }, []],
	])('%s', (_name, invoice, differences) => {
		expect(differencesOf(invoice as Record<string, unknown>, wanted)).toEqual(differences);
	});
});
