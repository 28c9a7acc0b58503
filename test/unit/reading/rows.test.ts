import fc from 'fast-check';
import { differencesOf } from '../../../nodes/InvoicingPayments/invoices/compareInvoice';
import { totalOf } from '../../../nodes/InvoicingPayments/invoices/items';
import type { CellFormat } from '../../../nodes/InvoicingPayments/reading/cells/read';
import { readCell } from '../../../nodes/InvoicingPayments/reading/cells/read';
import { isSameSum } from '../../../nodes/InvoicingPayments/reading/columns/amounts';
import { sheetField } from '../../../nodes/InvoicingPayments/reading/columns/fields';
import { Decimal } from '../../../nodes/shared/fields/decimal';
import { knownCustomers, rowsOf } from '../../fixtures/sheetTable/line';
import { casesOf, problem } from '../../helpers/casesOf';
import { readRows } from '../../helpers/sheets/readRows';

const zone = 'Europe/Stockholm';

/** The value of a cell, `undefined` if it is empty, or the problem. */
function cell(field: string, value: unknown, format: Partial<CellFormat> = {}): unknown {
	const outcome = readCell(
		sheetField(field),
		value,
		{ numbers: {}, formats: [], ...format },
		{ zone },
	);
	return outcome && (!outcome.ok ? outcome.problems.join('; ') : outcome.value);
}

/** Cases that share a field or a setting. */
const of = <Common>(common: Common, ...groups: Parameters<typeof casesOf<unknown>>) =>
	casesOf(...groups).map(([value, wanted]) => [common, value, wanted] as const);

const noAmount = problem('must be an amount');
const tooPrecise = problem('at most 6 decimals');

describe('amounts', () => {
	test.each(
		casesOf<unknown>(
			[undefined, undefined, '', '   ', null, '-', '–', '€ -'],
			['1234.5', 1234.5],
			['0.1', 0.1],
			['-5', -5, '-US$ 5'],
			// A sheet does not show the rounding noise of doubles.
			['0.3', 0.1 + 0.2],
			['19.99', 19.989999999999998],
			['1234.50', '1234.50', ' 1,234.50 ', '$1,234.50', '1.234,50', '1 234,50', '1 234.50'],
			['1234.50', "1'234.50", '1’234.50', '+1,234.50'],
			['1234567.891', '1,234,567.891'],
			['0.500', '0.500'],
			['12.50', '€ 12.50', '12.50 EUR', '12.50 kr', '12,50', '\u200b12.50'],
			['-5.00', '(5.00)', '(€ 5.00)', '€ (5.00)', '5.00-', '€ 5.00-', '5.00- EUR'],
			['123456.00', '1,23,456.00'],
			['100', '100.-', '100,-', 'CHF 100.–', '100 EURO', '100 euros', '100 EUR/day'],
			[problem('"apples" is no currency'), '12.50 apples'],
			[noAmount, 'EUR 12.50 EUR', '(-5.00)', '5-', '-5.00-', '5.00-6.00', '12.5.0', '1e3', true],
			[noAmount, {}, 'n/a'],
			['1.2345', 1.2345],
			[tooPrecise, 1.2345678],
			[problem('at most 10 digits'), '12345678901'],
		),
	)('reads %p', (value, wanted) => expect(cell('itemAmount', value)).toEqual(wanted));

	const likeComma = problem('like 1.234,50, as the reading says');
	const likePoint = problem('like 1,234.50, as the reading says');
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
			['1.2345', '1,2345'],
			[tooPrecise, '1,2345678'],
		),
		...of('point' as const, ['1234', '1,234'], ['1.234', '1.234']),
		...of('point' as const, [likePoint, '12,50', '1.234,50', '0,500']),
	])('with a decimal %s in the reading, reads %p', (decimal, value, wanted) => {
		expect(cell('itemAmount', value, { numbers: { decimal, isSaid: true } })).toEqual(wanted);
	});

	test.each(['1.500', '1,500'])('does not guess what a given %s means', (price) => {
		const given = new Map([['itemAmount', () => price]]);
		const { invoices } = readRows(rowsOf(''), knownCustomers, { given });
		const wanted = problem('Unit Price could mean 1500 or 1.5');
		expect(invoices.map(({ problems }) => problems[0])).toEqual([wanted, wanted]);
	});

	test.each([
		['point', '.', ['', ',', ' ', '\u00a0', '\u202f', "'", '’']],
		['comma', ',', ['', '.', ' ', '\u00a0', '\u202f', "'", '’']],
	] as const)('keeps every amount exactly, with a decimal %s', (decimal, mark, groupings) => {
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
				const wanted = `${sign}${integer}${fraction && `.${fraction}`}`;
				expect(cell('itemAmount', text, { numbers: { decimal, isSaid: true } })).toBe(wanted);
			}),
		);
	});

	test('keeps the shortest decimal of a number', () => {
		fc.assert(
			fc.property(fc.integer({ min: -99_999_999, max: 99_999_999 }), (cents) => {
				expect(Number(cell('itemAmount', cents / 100))).toBe(cents / 100);
			}),
		);
	});
});

describe('dates', () => {
	const noOrder = problem('Due Date must be a date such as 2026-12-31, got');
	const noDay = problem('day of the calendar');
	test.each(
		casesOf<unknown>(
			[undefined, ''],
			['2026-12-31', '2026-12-31', '2026/12/31', '2026-12-31T00:00:00.000Z'],
			['2026-12-31', 46387, '46387', 46387.75],
			['2026-12-31', '31-Dec-26', '31 December 2026', 'Dec 31, 2026', 'Thu, 31st Dec 2026'],
			['2027-01-12', "12-Jan-'27"],
			['2026-01-05', '2026.1.5'],
			['2026-02-01', '01.02.2026'],
			[noOrder, '31/12/2026', '1/2/26', 'next week', '31-Foo-26'],
			[noDay, '30-Feb-26', '2026-02-30'],
			[problem('1990 to 2099'), 2026, 30, 14.5, '311226'],
			[problem('must be a date'), true],
		),
	)('reads %p', (value, wanted) => expect(cell('dueDate', value)).toEqual(wanted));

	const noYear = problem('Write the year with four digits');
	test.each([
		...of('dayMonth' as const, ['2026-12-31', '31/12/2026', 46387], [noDay, '30.02.2026']),
		...of('dayMonth' as const, ['2026-02-01', '1.2.2026', '01-02-2026', '1/2/26']),
		...of('dayMonth' as const, [noOrder, '1/2.2026'], [noYear, '26/12/31']),
		...of('monthDay' as const, ['2026-12-31', '12/31/2026', '2026-12-31']),
		...of('monthDay' as const, ['2026-01-02', '1/2/2026', '1/2/26']),
		...of('monthDay' as const, [problem('read as month/day/year', '31/12/2026'), '31/12/2026']),
	])('with the order %s, reads %p', (dateOrder, value, wanted) => {
		expect(cell('dueDate', value, { dateOrder })).toEqual(wanted);
	});
});

const placeholder = problem('is only a placeholder');
test.each([
	...of('itemQuantity', ['3', '3'], ['2.0', '2.0'], ['2.5', 2.5], ['2', '2 hours', '2 x']),
	...of('itemQuantity', ['1.5', '1:30', '1h30', '90 min'], ['-2', -2], ['12', '12 pcs']),
	...of('itemQuantity', [problem('no exact number of hours'), '1:20'], [problem('must be'), 'two']),
	...of('discountPercentage', [10, 10, '10', '10%', '10,00%'], [0, 0]),
	...of('discountPercentage', [problem('whole number'), '12.5 %'], [problem('0 to 100'), 101]),
	...of('discountPercentage', [problem('0.1% or 10%'), 0.1], [problem('1% or 100%'), 1]),
	...of('allowServiceFee', [true, true, 'yes', 'TRUE', '1'], [false, false, 'No', 0]),
	...of('allowServiceFee', [undefined, ''], [problem('true or false'), 'x']),
	...of('invoiceNumber', ['1001', 1001], ['007', '007'], [placeholder, '#N/A', 'n/a', true]),
	...of('invoiceNumber', [problem('at most 30'), 'x'.repeat(31)]),
	...of('invoiceNumber', [problem('more digits than a number keeps'), 2 ** 53]),
	...of('invoiceNumber', [problem('lost digits'), '1.23457E+11'], [problem('has decimals'), 7.1]),
	...of('terms', [30, 30, 'Net 30', '30 days', '30 Tage netto', 'à 30 jours', '30 gg']),
	...of('terms', [0, 'Due on receipt', 'sofort', 'a vista']),
	// The beginning of a long cell is not all of it.
	...of('terms', [
		problem('must be like'),
		'2/10 Net 30',
		'EOM',
		-30,
		`Net 30${' '.repeat(80)}or 60`,
	]),
	...of('currency', [problem('must be a currency code'), `EUR${' '.repeat(60)}or USD`]),
	...of('currency', ['EUR', 'EUR', ' eur ', '€', 'Euro - EUR', 'EUR (Euro)'], ['GBP', '£']),
	...of('currency', [problem('3 letters', 'can mean'), '$'], [problem('3 letters'), 'XX']),
	...of('customFields', [[{ name: 'Order' }, { name: 'Cost centre' }], 'Order; Cost centre']),
	...of('customFields', [[{ name: 'Order' }], ['Order']], [problem('at most 5'), 'a;b;c;d;e;f']),
	...of('successUrl', [problem('https://'), 'shop.example']),
	...of('customerId', ['Nunez', 'Nunez'], [placeholder, 'TBD']),
	...of('itemName', ['A', 'A'], [undefined, '-'], [placeholder, '#REF!', '=SUM(A1)']),
	...of('title', [problem('at most 50'), 'x'.repeat(51)]),
	...of('note', [undefined, null]),
])('%s: reads %p', (field, value, wanted) => expect(cell(field, value)).toEqual(wanted));

test.each<[CellFormat['formats'][0], string, unknown, unknown]>([
	['minutes', 'itemQuantity', 90, '1.5'],
	['parts of a day', 'itemQuantity', 0.0625, '1.5'],
	['cents', 'itemAmount', '1234', '12.34'],
	['per 1000', 'itemAmount', 4000, '4'],
	['per 1000', 'itemAmount', 1.5, problem('has more than 3 decimals')],
])('(%s) in the reading: %s %p is %p', (format, field, value, wanted) => {
	expect(cell(field, value, { formats: [format] })).toEqual(wanted);
});

test.each([
	...['Due Date', 'due_date', 'DueDate', 'DUE-DATE', ' due date ', '\ufeffDue Date', 'due.date'],
	...['*Due Date', 'Due Date (YYYY-MM-DD)', 'Date Due'],
])('a column called %p is the due date', (header) => {
	const columns = `Due Date: - ; ${header}: 2027-02-01 | 2027-02-01 | 2027-02-01`;
	const { findings, invoices } = readRows(rowsOf(columns), knownCustomers);
	expect({ findings, due: invoices.map(({ due }) => due) }).toEqual({
		...{ findings: [], due: ['2027-02-01', '2027-02-01'] },
	});
});

test.each(['__proto__', 'constructor', 'toString', ''])(
	'a column called %p fills no field',
	(header) => {
		const rows = rowsOf('').map((row) =>
			Object.fromEntries([...Object.entries(row), [header, 'x']]),
		);
		const { reading, invoices } = readRows(rows, knownCustomers);
		expect(reading.unbilled.map((column) => column.header)).toEqual([header]);
		expect(invoices.map(({ total }) => total)).toEqual(['95.50', '60.00']);
	},
);

describe('rows with the same invoice number', () => {
	/** The rows of each invoice, and the first problem if there is one. */
	const group = (...numbers: unknown[]) => {
		const rows = numbers.map((number, at) => ({
			...{ Email: knownCustomers[0].email, Item: `Work ${at}`, Rate: '10', Currency: 'EUR' },
			...{ 'Due Date': `2027-03-01`, 'Invoice Number': number },
		}));
		return readRows(rows, knownCustomers).reading.drafts.map((draft) => [
			draft.rows.map(({ number }) => number),
			...[...draft.problems, ...draft.cellProblems.map(({ text }) => text)].slice(0, 1),
		]);
	};

	test.each<[string, unknown[], unknown[]]>([
		['are one invoice, wherever they are', ['A', 'B', 'A', ' A ', 'C'], [[[2, 4, 5]], [[3]], [[6]]]],
		['are one invoice if one number is text', [7, '7'], [[[2, 3]]]],
		['are one invoice if accents are encoded differently', ['e\u0301', '\u00e9'], [[[2, 3]]]],
		['stop if only upper and lower case differ', ['a', 'A'], [[[2], problem('differ only in case')], [[3], problem('differ only in case')]]],
		['are one invoice of a customer if no row has a number', ['', null], [[[2, 3]]]],
	])('%s', (_name, numbers, groups) => expect(group(...numbers)).toEqual(groups)); // prettier-ignore

	test('end up in exactly one invoice', () => {
		fc.assert(
			fc.property(fc.array(fc.constantFrom('A', 'B', 'C', ''), { minLength: 1 }), (numbers) => {
				const rows = group(...numbers).flatMap(([own]) => own as number[]);
				expect(rows.sort((a, b) => a - b)).toEqual(numbers.map((_, index) => index + 2));
			}),
		);
	});
});

const readFees = (cells: unknown[][], settings: Parameters<typeof readRows>[2]) => {
	const rows = cells.map(([client, fee, number]) => ({
		...{ Client: knownCustomers[Number(client)].name, Work: 'Lesson', Fee: fee },
		...(number === undefined ? {} : { 'Invoice Number': number }),
	}));
	return readRows(rows, knownCustomers, {
		defaults: { currency: 'EUR', dueInDays: 14 },
		...settings,
	}).reading.drafts;
};

test('a row without a number stops the invoice beside it, though not all of its rows have one', () => {
	const confirmed =
		'Customer = Client; Invoice Number = "Invoice Number"; Item Name = Work; Unit Price = Fee; one invoice per customer';
	const [first] = readFees([[0, 10, 'N-1'], [1, 9, ''], [0, 12, '']], { confirmed });
	expect(first.rows).toHaveLength(2);
	expect(first.problems).toEqual([problem('Row 3 has no invoice number and may be a part')]);
}); // prettier-ignore

test('an invoice has the number of its row, or else the one that an earlier run has made of it', () => {
	const billed = new Map([[0, 'B-1'], [1, 'B-2']]);
	const numbers = (cells: unknown[][]) =>
		readFees(cells, { billed }).map(({ body }) => ['invoice_number' in body, body.invoice_number]);
	expect(numbers([[0, 10], [1, 9], [2, 8]])).toEqual([[true, 'B-1'], [true, 'B-2'], [false, undefined]]);
	expect(numbers([[0, 10, 'N-1'], [1, 9, 'N-2']])).toEqual([[true, 'N-1'], [true, 'N-2']]);
}); // prettier-ignore

test.each([
	['JPY', '100.4', '100', true],
	['JPY', '100.6', '100', false],
	['EUR', '10.004', '10', true],
	['EUR', '10.006', '10', false],
	['KWD', '10.0004', '10', true],
	['KWD', '10.004', '10', false],
])('in %s, %s may be stated as %s: %p', (currency, exact, stated, wanted) => {
	expect(isSameSum(exact, stated, currency)).toBe(wanted);
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
		['a missing item without names', { items: [{ amount: '5', quantity: 1 }] }, [itemsDiffer]],
		['a missing item', { items: [item('b', '5', 1)] }, ['item a: none in the service, 19.90 x 2 here']],
		['another name', { items: [item('a', '19.90', 2), item('B', '5', 1)] }, ['item b: none in the service, 5.00 x 1 here', 'item B: 5.00 x 1 in the service, none here']],
		['amounts of two items swapped', { items: [item('b', '19.9', 2), item('a', '5', 1)] }, ['item a: 5.00 x 1 in the service, 19.90 x 2 here', 'item b: 19.90 x 2 in the service, 5.00 x 1 here']],
		['items in another order, with other spaces', { items: [item('b ', '5', 1), item(' a', '19.9', 2)] }, []],
		['many other items', { items: 'cdefgh'.split('').map((name) => item(name, '1', 1)) }, [...['a', 'b', 'c', 'd', 'e'].map((name) => problem(`item ${name}: `)), '3 more items differ']],
		['another amount', { amount: '44.81' }, [problem('amount: 44.81 in the service, 44.80 here')]],
		['an amount that includes tax', { amount: '53.76', tax: '8.96' }, []],
		['a discount', { discount_percentage: '10.00' }, [problem('discount: 10.00% in the service')]],
		['another day', { due_date: '2027-02-16' }, [problem('due date: 2027-02-16 in the service')]],
		['the same day in another time zone', { due_date: '2027-02-14T20:00:00Z' }, []],
		['another title', { title: 'B' }, [problem('title: B in the service, A here')]],
		['items in an unknown format', { items: [{ price: 5 }] }, []],
		['no items', { items: null }, []],
		['another note', { note: 'Paid' }, [problem('note: Paid in the service, Thank you here')]],
		['other custom fields', { custom_fields: [{ name: 'Order' }] }, [problem('custom fields: Order in the service, PO here')]],
		['another choice', { shipping_address_required: true }, [problem('shipping address required: true in the service, false here')]],
	])('%s', (_name, invoice, differences) => {
		const more = { note: 'Thank you', custom_fields: [{ name: 'PO' }], shipping_address_required: false }; // prettier-ignore
		const requested = { ...wanted, ...more };
		expect(differencesOf(invoice as Record<string, unknown>, requested)).toEqual(differences);
	}); // prettier-ignore
});

test('what stands below a total is billed if all rows have one customer', () => {
	const rows = [
		{ Work: 'Design', Fee: 100 },
		{ Work: 'Text', Fee: 50 },
		{ Work: 'Subtotal', Fee: 150 },
		{ Work: 'VAT', Fee: 30 },
		{ Work: 'Total', Fee: 180 },
	];
	const defaults = {
		currency: 'EUR',
		dueInDays: 14,
		customerId: '00000000-0000-4000-8000-000000000000',
	};
	expect(readRows(rows, [], { defaults }).invoices.map(({ total }) => total)).toEqual(['180.00']);
});
