import fc from 'fast-check';
import { mapByHeader } from '../../nodes/InvoicingPayments/rows/columns';
import type { SheetFormat } from '../../nodes/InvoicingPayments/rows/cells';
import { readCell } from '../../nodes/InvoicingPayments/rows/cells';
import { rowFields } from '../../nodes/InvoicingPayments/rows/rowFields';
import { groupRows } from '../../nodes/InvoicingPayments/rows/group';
import { readRow } from '../../nodes/InvoicingPayments/rows/row';
import { differencesOf, totalOf } from '../../nodes/InvoicingPayments/invoices/compareInvoice';
import { toDecimal, toThousandths } from '../../nodes/shared/fields/decimal';

const zone = 'Europe/Stockholm';

/** What a cell becomes: the value, `undefined` for an empty one, or the problem. */
function cell(field: string, value: unknown, format: SheetFormat = {}): unknown {
	const found = rowFields.find(({ name }) => name === field) as (typeof rowFields)[number];
	const outcome = readCell(found, value, format, zone);
	return outcome && ('problems' in outcome ? outcome.problems.join('; ') : outcome.value);
}

const problem = (...words: string[]) => expect.stringMatching(new RegExp(words.join('.*')));

describe('amounts', () => {
	test.each<[unknown, unknown]>([
		[1234.5, '1234.5'],
		[0.1, '0.1'],
		[-5, '-5'],
		['1234.50', '1234.50'],
		[' 1,234.50 ', '1234.50'],
		['1,234,567.891', '1234567.891'],
		['', undefined],
		['   ', undefined],
		[null, undefined],
		[0.1 + 0.2, '0.3'],
		[19.989999999999998, '19.99'],
		[1.2345, problem('at most 3 decimals')],
		['12,50', problem('point before the decimals', 'Decimal Separator')],
		['1.234,50', problem('Decimal Separator')],
		['1 234,50', problem('Decimal Separator')],
		['1 234.50', problem('Decimal Separator')],
		["1'234.50", problem('Decimal Separator')],
		['1,234', problem('1234 or 1.234', 'Decimal Separator')],
		['1.500', problem('1500 or 1.5', 'Decimal Separator')],
		['0.500', '0.500'],
		['€ 12.50', '12.50'],
		['12.50 EUR', '12.50'],
		['$1,234.50', '1234.50'],
		['-US$ 5', '-5'],
		['12.50 kr', '12.50'],
		['12.50 apples', problem('"apples" is not a currency')],
		['EUR 12.50 EUR', problem('must be an amount')],
		['(5.00)', '-5.00'],
		['(€ 5.00)', '-5.00'],
		['€ (5.00)', '-5.00'],
		['(-5.00)', problem('must be an amount')],
		['12.5.0', problem('must be an amount')],
		['12345678901', problem('at most 10 digits')],
		['1e3', problem('must be an amount')],
		['n/a', problem('must be')],
		[true, problem('must be an amount')],
		[{}, problem('must be an amount')],
	])('%p, nothing said', (value, wanted) => expect(cell('itemAmount', value)).toEqual(wanted));

	test.each<[unknown, unknown]>([
		['1.234,50', '1234.50'],
		['1 234,50', '1234.50'],
		['1\u00a0234,50', '1234.50'],
		['1\u202f234\u202f567,5', '1234567.5'],
		["1'234,50", '1234.50'],
		['12,50', '12.50'],
		['1,234', '1.234'],
		['1.234', '1234'],
		['1234', '1234'],
		['-1.234,5', '-1234.5'],
		[1.234, '1.234'],
		['12.50', problem('like 1.234,50', 'Decimal Separator')],
		['1,234.50', problem('like 1.234,50')],
		['1.23,4', problem('like 1.234,50')],
		['1.234 567,00', problem('like 1.234,50')],
		['€ 12,50', '12.50'],
		['1.234,50 €', '1234.50'],
		['1,2345', problem('at most 3 decimals')],
		['0.500', problem('like 1.234,50')],
		['000 123', problem('like 1.234,50')],
		['1\n200', problem('like 1.234,50')],
		['5\t100', problem('like 1.234,50')],
	])('%p with a decimal comma', (value, wanted) => {
		expect(cell('itemAmount', value, { decimalSeparator: 'comma' })).toEqual(wanted);
	});

	test.each<[unknown, unknown]>([
		['1,234', '1234'],
		['1,234.50', '1234.50'],
		['1 234.50', '1234.50'],
		['1’234.50', '1234.50'],
		['1.234', '1.234'],
		['12,50', problem('like 1,234.50')],
		['1.234,50', problem('like 1,234.50')],
		['0,500', problem('like 1,234.50')],
	])('%p with a decimal point', (value, wanted) => {
		expect(cell('itemAmount', value, { decimalSeparator: 'point' })).toEqual(wanted);
	});

	/** Ways to write groups of three digits. */
	const groupings: Record<string, string[]> = {
		point: ['', ',', ' ', '\u00a0', '\u202f', "'", '’'],
		comma: ['', '.', ' ', '\u00a0', '\u202f', "'", '’'],
	};
	test.each(['point', 'comma'] as const)('decimal in, decimal out: a decimal %s', (separator) => {
		const amount = fc.tuple(
			fc.boolean(),
			fc.integer({ min: 0, max: 9_999_999_999 }),
			fc.constantFrom('', '0', '5', '50', '05', '125', '001'),
			fc.constantFrom(...groupings[separator]),
		);
		fc.assert(
			fc.property(amount, ([isNegative, integer, fraction, group]) => {
				const sign = isNegative ? '-' : '';
				const digits = String(integer).replace(/\B(?=(\d{3})+$)/g, group);
				const sign2 = separator === 'comma' ? ',' : '.';
				const text = `${sign}${digits}${fraction && `${sign2}${fraction}`}`;
				expect(cell('itemAmount', text, { decimalSeparator: separator })).toBe(
					`${sign}${integer}${fraction && `.${fraction}`}`,
				);
			}),
		);
	});

	test('a number of a sheet keeps its shortest decimal', () => {
		fc.assert(
			fc.property(fc.integer({ min: -99_999_999, max: 99_999_999 }), (cents) => {
				expect(Number(cell('itemAmount', cents / 100))).toBe(cents / 100);
			}),
		);
	});
});

describe('dates', () => {
	test.each<[unknown, unknown]>([
		['2026-12-31', '2026-12-31'],
		[46387, '2026-12-31'],
		['46387', '2026-12-31'],
		[46387.75, '2026-12-31'],
		['2026-12-31T00:00:00.000Z', '2026-12-31'],
		['', undefined],
		['31-Dec-26', '2026-12-31'],
		['31 December 2026', '2026-12-31'],
		['Dec 31, 2026', '2026-12-31'],
		['Thu, 31st Dec 2026', '2026-12-31'],
		["12-Jan-'27", '2027-01-12'],
		['2026/12/31', '2026-12-31'],
		['2026.1.5', '2026-01-05'],
		['31/12/2026', problem('never guessed', 'Date Order', 'RAW Data')],
		['31-Foo-26', problem('must be a date')],
		['30-Feb-26', problem('day of the calendar')],
		['01.02.2026', problem('never guessed', 'Date Order')],
		['1/2/26', problem('never guessed', 'Date Order', 'RAW Data')],
		['2026-02-30', problem('day of the calendar')],
		['next week', problem('never guessed')],
		[2026, problem('1990 to 2099')],
		[30, problem('1990 to 2099')],
		[14.5, problem('1990 to 2099')],
		['311226', problem('1990 to 2099')],
		[true, problem('must be a date')],
	])('%p, nothing said', (value, wanted) => expect(cell('dueDate', value)).toEqual(wanted));

	test.each<[SheetFormat['dateOrder'], unknown, unknown]>([
		['dayMonth', '31/12/2026', '2026-12-31'],
		['dayMonth', '1.2.2026', '2026-02-01'],
		['dayMonth', '01-02-2026', '2026-02-01'],
		['monthDay', '1/2/2026', '2026-01-02'],
		['monthDay', '12/31/2026', '2026-12-31'],
		['monthDay', '2026-12-31', '2026-12-31'],
		['dayMonth', 46387, '2026-12-31'],
		['monthDay', '31/12/2026', problem('read as month, day, year', '31/12/2026')],
		['dayMonth', '30.02.2026', problem('day of the calendar')],
		['dayMonth', '1/2/26', '2026-02-01'],
		['monthDay', '1/2/26', '2026-01-02'],
		['dayMonth', '1/2.2026', problem('never guessed')],
	])('%s: %p', (dateOrder, value, wanted) => {
		expect(cell('dueDate', value, { dateOrder })).toEqual(wanted);
	});
});

test.each<[string, unknown, unknown]>([
	['itemQuantity', 3, '3'],
	['itemQuantity', '2.0', '2.0'],
	['itemQuantity', 2.5, '2.5'],
	['itemQuantity', '1,000', problem('1000 or 1.000', 'Decimal Separator')],
	['itemQuantity', '1.000', problem('1000 or 1', 'Decimal Separator')],
	['itemQuantity', '2 hours', problem('must be')],
	['discountPercentage', '10', 10],
	['discountPercentage', '10%', 10],
	['discountPercentage', '12.5 %', problem('whole number')],
	['discountPercentage', 0.1, problem('0.1% or 10%')],
	['discountPercentage', 1, problem('1% or 100%')],
	['discountPercentage', 0, 0],
	['discountPercentage', 101, problem('from 0 to 100')],
	['allowServiceFee', 'yes', true],
	['allowServiceFee', 'No', false],
	['allowServiceFee', 'TRUE', true],
	['allowServiceFee', 0, false],
	['allowServiceFee', '1', true],
	['allowServiceFee', 'x', problem('true or false')],
	['allowServiceFee', '', undefined],
	['invoiceNumber', 1001, '1001'],
	['invoiceNumber', '007', '007'],
	['invoiceNumber', 2 ** 53, problem('more digits than a number keeps')],
	['invoiceNumber', 'x'.repeat(31), problem('at most 30')],
	['invoiceNumber', '1.23457E+11', problem('lost digits')],
	['terms', 'Net 30', 30],
	['terms', '30 days', 30],
	['terms', 14, 14],
	['terms', 'Due on receipt', 0],
	['terms', '2/10 Net 30', problem('must be like')],
	['terms', 'EOM', problem('must be like')],
	['currency', ' eur ', 'EUR'],
	['currency', '€', 'EUR'],
	['currency', '$', problem('3 letters', 'can mean')],
	['customFields', 'Order; Cost centre', [{ name: 'Order' }, { name: 'Cost centre' }]],
	['customFields', 'a;b;c;d;e;f', problem('at most 5')],
	['customFields', ['Order'], [{ name: 'Order' }]],
	['successUrl', 'shop.example', problem('https://')],
	['customerId', 'Nunez', 'Nunez'],
	['title', 'x'.repeat(51), problem('at most 50')],
	['note', null, undefined],
])('%s: %p', (field, value, wanted) => expect(cell(field, value)).toEqual(wanted));

describe('columns by their headers', () => {
	const mapped = (...headers: string[]) => {
		const { columns, unused } = mapByHeader(headers);
		const pairs = columns.map(({ field, header }) => [header, field.name]);
		return { columns: Object.fromEntries(pairs) as object, unused };
	};

	test.each([
		'Due Date',
		'due_date',
		'DueDate',
		'DUE-DATE',
		' due date ',
		'\ufeffDue Date',
		'due.date',
	])('%p', (header) => expect(mapped(header).columns).toEqual({ [header]: 'dueDate' }));

	test('the header that says more is taken, and what is left over is listed', () => {
		expect(mapped('Customer', 'Customer ID', 'Amount', 'Colour', 'Größe')).toEqual({
			columns: { 'Customer ID': 'customerId', Customer: 'customerId', Amount: 'amount' },
			unused: ['Colour', 'Größe'],
		});
		expect(mapped('customer', 'item').columns).toEqual({
			customer: 'customerId',
			item: 'itemName',
		});
	});

	test('a discount that may be an amount is no percentage', () => {
		expect(mapped('Discount')).toMatchObject({ columns: {}, unused: ['Discount'] });
		expect(mapped('Discount Percentage').columns).toEqual({
			'Discount Percentage': 'discountPercentage',
		});
	});

	test.each(['__proto__', 'constructor', ''])('a header %p is nothing special', (header) => {
		expect(mapped(header)).toMatchObject({ columns: {}, unused: [header] });
	});
});

describe('groups', () => {
	const rowsOf = (...numbers: unknown[]) => {
		const columns = mapByHeader(['Invoice Number']).columns.map((column) => ({
			...column,
			format: {},
		}));
		return numbers.map((number, index) =>
			readRow(columns, { 'Invoice Number': number as string }, { index, number: index + 2 }, zone),
		);
	};
	const group = (...numbers: unknown[]) =>
		groupRows(
			rowsOf(...numbers),
			({ values }) => {
				const key = values.get('invoiceNumber') as string | undefined;
				return key === undefined ? undefined : { key };
			},
			'Invoice Number',
		).map(({ rows, problems }) => [rows.map(({ number }) => number), ...problems]);

	test('rows of one number, wherever they are', () => {
		expect(group('A', 'B', 'A', ' A ', 'C')).toEqual([[[2, 4, 5]], [[3]], [[6]]]);
	});
	test('the same number as a number and as text', () => expect(group(7, '7')).toEqual([[[2, 3]]]));
	test('an accent that combines', () => expect(group('e\u0301', '\u00e9')).toEqual([[[2, 3]]]));
	test('case counts', () => expect(group('a', 'A')).toEqual([[[2]], [[3]]]));
	test('no numbers at all', () => expect(group('', null)).toEqual([[[2]], [[3]]]));
	test('a row without a number among others', () => {
		expect(group('A', '', 'A')).toEqual([
			[[2, 4]],
			[[3], problem('Row 3', 'cannot be assigned to an invoice')],
		]);
	});

	test('no row is lost and none is in two groups', () => {
		fc.assert(
			fc.property(fc.array(fc.constantFrom('A', 'B', 'C', '')), (numbers) => {
				const rows = group(...numbers).flatMap(([own]) => own as number[]);
				expect(rows.sort((a, b) => a - b)).toEqual(numbers.map((_, index) => index + 2));
			}),
		);
	});
});

describe('exact sums', () => {
	test.each([
		[
			[
				['0.1', 1],
				['0.2', 1],
			],
			'0.30',
		],
		[[['9999999999.999', 9007199254740991]], '90071992547400900992.800745259009'],
		[
			[
				['-5.125', 2],
				['10', 1],
			],
			'-0.25',
		],
		[[], '0.00'],
	])('%j', (lines, total) => {
		const items = (lines as Array<[string, number]>).map(([amount, quantity]) => ({
			amount,
			quantity,
		}));
		if (total.length < 20) expect(totalOf(items)).toBe(total);
		else expect(totalOf(items)).toMatch(/^\d+\.\d{3}$/);
	});

	test('a decimal comes back as it was', () => {
		fc.assert(
			fc.property(fc.bigInt({ min: BigInt(-1e13), max: BigInt(1e13) }), (units) => {
				expect(toThousandths(toDecimal(units))).toBe(units);
			}),
		);
	});
});

describe('an invoice of the service compared with what was asked for', () => {
	const wanted = {
		currency: 'EUR',
		customer: '3f2b8c1e-5d4a-4f6b-9c7d-8e9f0a1b2c3d',
		items: [
			{ name: 'a', amount: '19.9', quantity: 2 },
			{ name: 'b', amount: '5', quantity: 1 },
		],
	};
	test.each<[string, object, unknown[]]>([
		['nothing that can be compared', {}, []],
		[
			'the same in other words',
			{
				currency: 'eur',
				items: [
					{ amount: '5.00', quantity: '1' },
					{ amount: '19.900', quantity: 2 },
				],
			},
			[],
		],
		['a customer whose fields are not known', { customer: { name: 'x' } }, []],
		['another customer', { customer: { id: '1' } }, [problem('customer: 1 in the service')]],
		['another currency', { currency: 'SEK' }, [problem('currency: SEK in the service, EUR here')]],
		[
			'one item less',
			{ items: [{ amount: '5', quantity: 1 }] },
			[problem('items: 5.00 x 1 in the service, 19.90 x 2 . 5.00 x 1 here|items')],
		],
		['items in a form that cannot be compared', { items: [{ price: 5 }] }, []],
		['no items', { items: null }, []],
	])('%s', (_name, invoice, differences) => {
		expect(differencesOf(invoice as Record<string, unknown>, wanted)).toEqual(differences);
	});
});
