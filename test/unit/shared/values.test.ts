import fc from 'fast-check';
import { DateTime } from 'luxon';
import { readAmount } from '../../../nodes/InvoicingPayments/reading/cells';
import { toDate } from '../../../nodes/shared/fields/dates';
import { toMoney } from '../../../nodes/shared/fields/decimal';
import {
	fold,
	toBoolean,
	toCurrency,
	toEmail,
	toInteger,
	toOption,
	toText,
	toUri,
	toUuid,
} from '../../../nodes/shared/fields/text';
import { notRead, ok } from '../../../nodes/shared/result';
import { casesOf } from '../../helpers/casesOf';

const zone = 'America/New_York';
const refusal = (words: string) => notRead(expect.stringContaining(words) as string);

describe('amounts become exact decimal strings', () => {
	test.each(
		casesOf<string>(
			['19.99', 19.99, '19.99'],
			['1234.50', '1,234.50'],
			['12345678.9', '12,345,678.9'],
			['1234567', '1,234,567'],
			['1234', '1,234.'],
			['7', ' 7 '],
			['0', 0],
			['0.00', '0.00'],
			['0.5', '.5'],
			['5', '5.'],
			['7.10', '007.10'],
			['-3.5', -3.5],
			['-1000.125', '-1,000.125'],
			['12.500', '12.5000'],
			['1.000', '1.0000'],
			['9999999999.999', 9999999999.999, '9999999999.999'],
			['0.1', 0.1],
			['0.001', 1e-3],
		),
	)('reads %p as %p', (input, value) => expect(toMoney(input)).toEqual(ok(value)));

	test.each(
		casesOf<string>(
			['at most 3 decimals', 10.1234, '10.1234', '10.00001', 0.1 + 0.2],
			['at most 10 digits', '12345678901'],
			['could mean 1234 or 1.234', '1,234'],
			['could mean -12345 or -12.345', '-12,345'],
			['a point and commas between thousands', '0,500', '1234,50', '1.234,50', '1 234,50'],
			['must be an amount', '0,123.5', `0.${'0'.repeat(100_000)}1`, '1 234.50', '12,34.50', '--5'],
			['must be an amount', '', '-', '.', true, {}],
			['Use only digits', '€ 12', '12 EUR', 'abc', '1e5'],
			['must be', 1e21, NaN, Infinity],
		),
	)('refuses %p: %s', (input, words) => expect(toMoney(input)).toEqual(refusal(words)));

	const decimal = fc
		.tuple(fc.boolean(), fc.bigInt(0n, 9_999_999_999n), fc.integer({ min: 0, max: 3 }), fc.nat(999))
		.map(([negative, integer, digits, fraction]) => {
			const tail = digits ? `.${String(fraction).padStart(3, '0').slice(0, digits)}` : '';
			return `${negative ? '-' : ''}${integer}${tail}`;
		});

	test('[R2] keeps every decimal exactly', () => {
		fc.assert(fc.property(decimal, (text) => expect(toMoney(text)).toEqual(ok(text))));
	});

	test('[R2] bills a typed number of a sheet exactly as it is shown, up to the last digit', () => {
		const shown = decimal.filter((text) => Number(text) !== 0);
		fc.assert(
			fc.property(shown, (text) =>
				expect(readAmount(Number(text), {})).toEqual(ok(String(Number(text)))),
			),
		);
		expect(readAmount(12345678.91, {})).toEqual(ok('12345678.91'));
		// Floating-point noise is not shown.
		expect(readAmount(19.989999999999998, {})).toEqual(ok('19.99'));
	});

	test('ignores thousands separators', () => {
		fc.assert(
			fc.property(decimal, (text) => {
				const [integer, ...fraction] = text.split('.');
				const grouped = [integer.replace(/\B(?=(\d{3})+$)/g, ','), ...fraction].join('.');
				const isAmbiguous = /^-?\d{1,3},\d{3}$/.test(grouped);
				if (isAmbiguous) expect(toMoney(grouped)).toHaveProperty('problem');
				else expect(toMoney(grouped)).toEqual(ok(text));
			}),
		);
	});

	test('gives the exact decimal of a number, or a problem', () => {
		fc.assert(
			fc.property(fc.double(), (number) => {
				const outcome = toMoney(number);
				if (outcome.ok) expect(Number(outcome.value)).toBe(number === 0 ? 0 : number);
			}),
		);
	});
});

describe('dates are calendar dates and never shift', () => {
	const tokyo = DateTime.fromISO('2026-12-31', { zone: 'Asia/Tokyo' });
	const evening = DateTime.fromISO('2026-12-31T20:00:00', { zone });
	test.each(
		casesOf<string>(
			['2026-12-31', '2026-12-31', ' 2026-12-31 ', '2026-12-31T00:00:00', '2026-12-31T23:59:59'],
			['2026-12-31', '2026-12-31 08:30'],
			['2024-02-29', '2024-02-29'],
			// Midnight is that day, in any time zone.
			['2026-12-31', '2026-12-31T00:00:00.000Z', '2026-12-31T00:00:00+09:00', tokyo],
			['2026-12-31', new Date('2026-12-31T00:00:00Z')],
			// Any other time gives the day in the workflow's time zone.
			['2026-12-30', '2026-12-31T03:00:00Z'],
			['2026-12-31', '2026-12-31T12:00:00Z', new Date('2026-12-31T12:00:00Z'), evening],
			['2026-12-31', '2026-12-31T23:30:00-05:00', '2026-12-31T23:30:00-0500'],
			// Spreadsheet serial numbers (1900 system).
			['1900-03-01', 61],
			['2026-12-31', 46387, '46387', 46387.75],
			['9999-12-31', 2958465],
		),
	)('reads %p as %s', (input, value) => expect(toDate(input, zone)).toEqual(ok(value)));

	test.each(
		casesOf<string>(
			['and a time of day', '2026-12-31T25:00:00Z'],
			['must be a day of the calendar', '2026-02-31', '2026-13-01', '2025-02-29', '0000-00-00'],
			['never guessed', '31/12/2026', '12/31/2026', '31.12.2026', '2026-1-5', 'tomorrow'],
			['must be a date', 0, -5, 1, 60, 20261231, 1767225600000, true],
			['a whole date', 2026, '2026'],
			['not a valid date', new Date(NaN), DateTime.invalid('test')],
		),
	)('refuses %p: %s', (input, words) => expect(toDate(input, zone)).toEqual(refusal(words)));

	test('[R2] reads every day from ISO text and serial number, in any time zone', () => {
		const zones = fc.constantFrom('Pacific/Kiritimati', 'Pacific/Pago_Pago', 'UTC', 'Asia/Kolkata');
		fc.assert(
			fc.property(fc.integer({ min: 61, max: 2958465 }), zones, (serial, anyZone) => {
				const value = DateTime.utc(1899, 12, 30).plus({ days: serial }).toISODate() as string;
				if (serial < 1900 || serial > 2100) expect(toDate(serial, anyZone)).toEqual(ok(value));
				expect(toDate(value, anyZone)).toEqual(ok(value));
				expect(toDate(`${value}T00:00:00.000Z`, anyZone)).toEqual(ok(value));
			}),
		);
	});

	test('gives the same day as Luxon for any moment', () => {
		const moments = fc.date({
			min: new Date('1971-01-01'),
			max: new Date('2090-01-01'),
			noInvalidDate: true,
		});
		fc.assert(
			fc.property(moments, (moment) => {
				moment.setUTCMinutes(17);
				const value = DateTime.fromJSDate(moment, { zone }).toISODate() as string;
				expect(toDate(moment.toISOString(), zone)).toEqual(ok(value));
			}),
		);
	});
});

describe('other values', () => {
	const id = '3F2B8C1E-5d4a-4f6b-9c7d-8e9f0a1b2c3d';
	const uri = 'https://shop.example/thanks?x=1';
	type Limits = Parameters<typeof toText>[1] & Parameters<typeof toInteger>[1];
	const text = (limits: Limits) => (value: unknown) => toText(value, limits);
	const integer = (limits: Limits) => (value: unknown) => toInteger(value, limits);
	const option = (value: unknown) => toOption(value, ['paid', 'unpaid']);

	test.each<[(value: unknown) => unknown, unknown, unknown]>([
		[toText, '  Möbel ', 'Möbel'],
		[toText, 42, '42'],
		// An emoji is one character.
		[text({ maxLength: 3 }), '🧾🧾🧾', '🧾🧾🧾'],
		[toCurrency, ' eur', 'EUR'],
		[toUuid, ` ${id} `, id],
		[toEmail, 'a.b+c@mail.example', 'a.b+c@mail.example'],
		[toUri, uri, uri],
		[toInteger, '5', 5],
		[toInteger, 5.0, 5],
		[toInteger, '5.00', 5],
		[toBoolean, 'TRUE', true],
		[toBoolean, 0, false],
		[option, 'Paid', 'paid'],
	])('%p reads %p', (convert, input, value) => expect(convert(input)).toEqual(ok(value)));

	test.each<[(value: unknown) => unknown, string, ...unknown[]]>([
		[text({ maxLength: 50 }), 'at most 50 characters, this one has 63', 'x'.repeat(63)],
		[text({ minLength: 2 }), 'at least 2 characters', 'x'],
		[toText, 'must be text', NaN, Infinity],
		[toCurrency, '3 letters', 'EURO', '€'],
		[toUuid, 'UUID format', '../admin', `${id}/..`],
		[toEmail, 'email address', 'me', 'a@b'],
		[toUri, 'starts with https://', 'shop.example', 'javascript:alert(1)'],
		[toInteger, 'whole number', 5.5, 'five', 2 ** 60],
		[integer({ min: 0, max: 100 }), 'from 0 to 100, got 101', 101],
		[integer({ min: 1 }), '1 or more, got 0', 0],
		[toBoolean, 'true or false', 'maybe', { toString: 1 }],
		[option, 'paid, unpaid', 'late'],
	])('%p refuses: %s', (convert, words, ...inputs) => {
		for (const input of inputs) expect([input, convert(input)]).toEqual([input, refusal(words)]);
	});

	test('quotes an input that is not text', () => {
		expect(toText({ a: 1 })).toEqual(notRead('must be text, got "{"a":1}"'));
	});
});

test.each([
	['Größe', 'grosse'],
	['Œuvre', 'oeuvre'],
	['Łódź Ørsted', 'lodz orsted'],
	['ﬁn É', 'fin e'],
	['日本', '日本'],
])('folds the letters of %s', (text, folded) => expect(fold(text)).toBe(folded));
