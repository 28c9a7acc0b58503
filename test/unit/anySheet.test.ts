import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import type { Sheet } from '../helpers/anySheet';
import { anySheet } from '../helpers/anySheet';
import type { DateStyle, NumberStyle, PercentStyle } from '../helpers/anySheet/cells';
import {
	dateCell,
	isUnambiguous,
	numberText,
	percentCell,
	serialOf,
	typedNumber,
	unitsOf,
} from '../helpers/anySheet/cells';
import { headerCases, headers, normalHeader, writeHeader } from '../helpers/anySheet/headers';
import { faultIn } from '../helpers/anySheet/judge';
import { curiosities, flaws } from '../helpers/anySheet/oddities';

const plain: NumberStyle = {
	decimalSeparator: 'point',
	group: 'none',
	decimals: 0,
	negative: 'minus',
	currency: 'beforeWithSpace',
};

describe('cells', () => {
	test.each<[Partial<NumberStyle>, string, string]>([
		[{}, '', '1234.5'],
		[{ group: 'other', decimals: 2 }, '', '1,234.50'],
		[{ decimalSeparator: 'comma', group: 'other', decimals: 2 }, '€', '€ 1.234,50'],
		[{ group: 'apostrophe', decimals: 2 }, '', "1'234.50"],
		[{ decimalSeparator: 'comma', group: 'space', currency: 'after' }, '€', '1 234,5€'],
		[{ group: 'other', decimals: 3, currency: 'before' }, '$', '$1,234.500'],
		[{ decimals: 2, currency: 'afterWithSpace' }, 'EUR', '1234.50 EUR'],
	])('writes 1234.5 in the style %j with currency %p', (style, currency, text) => {
		expect(numberText(1_234_500n, 3, { ...plain, ...style }, currency)).toBe(text);
	});

	test.each<[NumberStyle['negative'], string]>([
		['minus', '-12.5'],
		['longMinus', '−12.5'],
		['brackets', '(12.5)'],
		['trailingMinus', '12.5-'],
	])('writes a negative number with %s', (negative, text) => {
		expect(numberText(-12_500n, 3, { ...plain, negative })).toBe(text);
	});

	test('adds the rounding noise of doubles to numbers', () => {
		expect(typedNumber(19_990n, 3)).toBe(19.99);
		expect(String(typedNumber(19_990n, 3, -1))).toBe('19.989999999999995');
		fc.assert(
			fc.property(fc.integer({ min: 1, max: 1e13 }), fc.constantFrom(1, -1, 2), (units, noise) => {
				const noisy = typedNumber(BigInt(units), 3, noise);
				expect(Number(noisy.toPrecision(15))).toBe(units / 1000);
			}),
		);
	});

	test('reads decimals as whole units', () => {
		expect(unitsOf('-19.9900', 3)).toBe(-19_990n);
		expect(unitsOf('5', 8)).toBe(500_000_000n);
		expect(() => unitsOf('0.0001', 3)).toThrow(RangeError);
		expect(() => unitsOf('1e3', 3)).toThrow(RangeError);
	});

	test('knows which texts have one meaning only', () => {
		expect(['1234.5', '0.50', '(12.50)', '1,234.50', '7'].filter(isUnambiguous)).toHaveLength(5);
		expect(['1,234', '1.234', '12,50', '1 234', "1'234", '1.0005'].filter(isUnambiguous)).toEqual(
			[],
		);
	});

	test.each<[DateStyle, string | number, string | number]>([
		['iso', '2027-01-02', '2027-01-02'],
		['serial', 46389, 46389],
		['slashed', '02/01/2027', '01/02/2027'],
		['shortSlashed', '2/1/2027', '1/2/2027'],
		['dotted', '02.01.2027', '01.02.2027'],
		['twoDigitYear', '02/01/27', '01/02/27'],
		['dayMonthWord', '02-Jan-2027', '02-Jan-2027'],
		['twoDigitYearWord', '02-Jan-27', '02-Jan-27'],
		['monthWordDay', 'Jan 2, 2027', 'Jan 2, 2027'],
		['fullMonthWord', '2 January 2027', '2 January 2027'],
		['yearFirst', '2027/01/02', '2027/01/02'],
		['isoWithTime', '2027-01-02T00:00:00.000Z', '2027-01-02T00:00:00.000Z'],
	])('writes 2 January as %s', (style, dayFirst, monthFirst) => {
		expect(dateCell('2027-01-02', style, 'dayMonth')).toBe(dayFirst);
		expect(dateCell('2027-01-02', style, 'monthDay')).toBe(monthFirst);
	});

	test('numbers days as spreadsheets do', () => {
		expect(serialOf('1900-03-01')).toBe(61);
		expect(serialOf('2026-12-31')).toBe(46387);
	});

	test.each<[PercentStyle, string | number]>([
		['text', '10%'],
		['spaced', '10 %'],
		['number', 10],
		['numberText', '10'],
		['fraction', 0.1],
		['decimals', '10,00%'],
	])('writes ten percent as %s', (style, cell) => {
		expect(percentCell(10, style, { decimalSeparator: 'comma' })).toBe(cell);
	});
});

test('[R1] reads a header the same however it is written, and no two fields share one', () => {
	const fields = new Map<string, string>();
	for (const [field, { names }] of Object.entries(headers)) {
		for (const name of names) {
			const written = headerCases.map((how) => writeHeader(name, how));
			expect(new Set(written.map(normalHeader))).toEqual(new Set([normalHeader(name)]));
			expect(fields.get(normalHeader(name)) ?? field).toBe(field);
			fields.set(normalHeader(name), field);
		}
	}
	expect(normalHeader('Invoice #')).toBe(normalHeader('*invoice_no.'));
	expect(normalHeader('Item(Product/Service)')).toBe('item');
});

describe('sheets', () => {
	let sheets: Sheet[];
	beforeAll(() => {
		sheets = fc.sample(anySheet, { numRuns: 6000, seed: 2026 });
	});
	const flawed = ({ expected }: Sheet) => expected.some(({ flaw }) => flaw !== undefined);

	test('a third of the sheets is plain, without flaws', () => {
		const plainOnes = sheets.filter(({ kind }) => kind === 'plain');
		expect(plainOnes.length).toBeGreaterThan(sheets.length / 3.5);
		expect(plainOnes.filter(flawed)).toEqual([]);
	});

	test('only flaws make an error the right outcome, curiosities do not', () => {
		for (const [names, isFlaw] of [
			[Object.keys(flaws), true],
			[Object.keys(curiosities), false],
		] as const) {
			for (const name of names) {
				const own = sheets.filter(({ oddity }) => oddity === name);
				expect([name, own.length > 5]).toEqual([name, true]);
				const share = own.filter(flawed).length / own.length;
				expect([name, isFlaw ? share === 1 : share < 1]).toEqual([name, true]);
			}
		}
	});

	test('cells come in every format', () => {
		const cells = sheets.flatMap(({ rows }) => rows.flatMap((row) => Object.values(row)));
		const texts = [...new Set(cells.filter((cell) => typeof cell === 'string'))];
		for (const writing of [
			...[/^\d{1,3}(,\d{3})+\.\d\d$/, /^\d{1,3}(\.\d{3})+,\d\d$/, /^\d{1,3}('\d{3})+\.\d\d$/],
			...[/^\(\d+\.\d\d\)$/, /^-\d/, /^€ \d+,\d\d$/, /^\$\d/, /^\d+\.\d\d EUR$/, /^EUR \d/],
			...[/^1,5$/, /^1\.5$/, /^2\.0$/, /^1\.000$/, /^10%$/, /^10 %$/, /^10$/],
			...[/^\d{4}-\d\d-\d\d$/, /^31\/12\/2026$/, /^12\/31\/2026$/, /^\d\d-Jan-27$/],
			...[/^Dec \d+, 2026$/, /^2026\/12\/\d\d$/, /^\d\d\/\d\d\/27$/, /^\d+ January 2027$/],
			...[/^Net 30$/, /^Due on receipt$/, /^30 days$/, /^000\d+$/, /^INV-\d+ $/, /^ INV-\d+$/],
			...[/^BILLING@ACME\.EXAMPLE$/, /^ACME LTD$/, /^Acme {2}Ltd$/, /^Total$/, /^1\.23457E\+11$/],
		]) {
			expect([writing, texts.some((text) => writing.test(text))]).toEqual([writing, true]);
		}
		const numbers = cells.filter((cell) => typeof cell === 'number');
		expect(numbers.some((number) => String(number).length > 16)).toBe(true);
		expect(numbers).toEqual(expect.arrayContaining([0.1, 10, 1.5, 46387, 1042]));
	});

	test('settings have every value, and are left out sometimes', () => {
		const all = sheets.map(({ parameters }) => parameters as IDataObject);
		const read = (from: IDataObject, path: string) =>
			path
				.split('.')
				.reduce<unknown>((value, key) => (value as IDataObject | undefined)?.[key], from);
		for (const [path, ...values] of [
			['options.amountIs', 'unitPrice', 'lineTotal', undefined],
			['options.checkTotals', true, false, undefined],
			['options.fractionalQuantities', 'refuse', 'intoPrice', undefined],
			['matchCustomersBy', 'idOrEmail', 'idEmailOrName'],
			['options.decimalSeparator', 'point', 'comma', undefined],
			['options.dateOrder', 'dayMonth', 'monthDay', undefined],
			['groupBy', 'column', 'row', undefined],
			['defaults.currency', 'EUR', undefined],
			['defaults.dueInDays', 30, undefined],
		] as const) {
			const seen = new Set(all.map((parameters) => read(parameters, path)));
			expect([path, values.filter((value) => !seen.has(value))]).toEqual([path, []]);
		}
		expect(all.some((parameters) => read(parameters, 'options.ignoreColumns'))).toBe(true);
		const lists = all.map((parameters) => typeof read(parameters, 'options.customerList'));
		expect(new Set(lists)).toEqual(new Set(['string', 'object', 'undefined']));
	});

	test('the same seed gives the same sheets', () => {
		const [first, second] = [1, 2].map(() => fc.sample(anySheet, { numRuns: 20, seed: 7 }));
		expect(first).toEqual(second);
	});
});

describe('the verdict', () => {
	const customer = {
		id: '3f2b8c1e-5d4a-4f6b-9c7d-8e9f0a1b2c01',
		name: 'Acme Ltd',
		email: 'a@b.example',
	};
	const item = { names: ['Chairs'], quantity: 2000n, unit: 19_990n, line: 39_980_000n };
	const known = {
		...{ number: 'A-1', customer, currency: 'EUR', dueDate: '2026-12-31', discount: 10 },
		...{ items: [item], subtotal: 39_980_000n, total: 3_598_200_000n },
	};
	const sheet: Sheet = {
		...{ kind: 'wild', oddity: 'wild', headers: [], rows: [], parameters: {} },
		...{ continues: false, expected: [known] },
	};
	const shown = {
		...{ action: 'create', invoice_number: 'A-1', customer: { id: customer.id }, currency: 'EUR' },
		...{ due_date: '2026-12-31', subtotal: '39.98', discount: '3.998', total: '35.982' },
		items: [{ name: 'Chairs', amount: '19.99', quantity: 2 }],
	};

	test('accepts the known invoice or an error', () => {
		expect(faultIn(sheet, { invoices: [shown] })).toBeUndefined();
		expect(faultIn(sheet, { invoices: [], error: 'No' })).toBeUndefined();
	});

	test.each<[string, IDataObject]>([
		['total', { total: '35.98' }],
		['subtotal', { subtotal: '39.99' }],
		['discount', { discount: '0.00' }],
		['currency', { currency: 'USD' }],
		['day', { due_date: '2026-12-30' }],
		['customer', { customer: { id: 'another' } }],
		['number', { invoice_number: 'a-1' }],
		['item', { items: [{ name: 'Tables', amount: '19.99', quantity: 2 }] }],
		['quantity', { items: [{ name: 'Chairs', amount: '39.98', quantity: 1 }] }],
		['amount that is no decimal', { total: '3.5982e1' }],
	])('rejects a wrong %s', (_, change) => {
		const fault = faultIn(sheet, { invoices: [{ ...shown, ...change }] });
		expect(fault).toContain('billed what is not in the sheet');
	});

	test('rejects an invoice that is missing, duplicated or in doubt', () => {
		expect(faultIn(sheet, { invoices: [] })).toContain('neither billed nor refused');
		expect(faultIn(sheet, { invoices: [shown, shown] })).toContain('not in the sheet');
		const inDoubt = { ...sheet, expected: [{ ...known, flaw: 'two totals' }] };
		expect(faultIn(inDoubt, { invoices: [shown] })).toContain('in spite of two totals');
		expect(faultIn(inDoubt, { invoices: [], error: 'No' })).toBeUndefined();
	});

	test('rejects a wrong invoice even beside an error', () => {
		const wrong = { ...shown, total: '1.00' };
		expect(faultIn(sheet, { invoices: [wrong], error: 'No' })).toContain('not in the sheet');
	});

	test('rejects an error if the sheet is plain', () => {
		const fault = faultIn({ ...sheet, kind: 'plain' }, { invoices: [], error: 'No' });
		expect(fault).toBe('did not read a plain sheet: No');
	});
});
