import fc from 'fast-check';
import { DateTime } from 'luxon';
import { toDate } from '../../nodes/shared/fields/dates';
import { toMoney } from '../../nodes/shared/fields/money';
import {
	toBoolean,
	toCurrency,
	toEmail,
	toInteger,
	toOption,
	toText,
	toUri,
	toUuid,
} from '../../nodes/shared/fields/text';

const zone = 'America/New_York';

describe('money becomes an exact decimal string', () => {
	test.each([
		[19.99, '19.99'],
		['19.99', '19.99'],
		['1,234.50', '1234.50'],
		['12,345,678.9', '12345678.9'],
		['1,234,567', '1234567'],
		['1,234.', '1234'],
		[' 7 ', '7'],
		[0, '0'],
		['0.00', '0.00'],
		['.5', '0.5'],
		['5.', '5'],
		['007.10', '7.10'],
		[-3.5, '-3.5'],
		['-1,000.125', '-1000.125'],
		['12.5000', '12.500'],
		['1.0000', '1.000'],
		[9999999999.999, '9999999999.999'],
		['9999999999.999', '9999999999.999'],
		[0.1, '0.1'],
		[1e-3, '0.001'],
	])('%p -> %p', (input, value) => expect(toMoney(input)).toEqual({ value }));

	test.each([
		[10.1234, 'at most 3 decimals'],
		['10.1234', 'at most 3 decimals'],
		['10.00001', 'at most 3 decimals'],
		[0.1 + 0.2, 'at most 3 decimals'],
		['12345678901', 'at most 10 digits'],
		[1e21, 'must be'],
		['1,234', 'could mean 1234 or 1.234'],
		['-12,345', 'could mean -12345 or -12.345'],
		['0,500', 'must have a point before the decimals'],
		['0,123.5', 'must be an amount'],
		[`0.${'0'.repeat(100_000)}1`, 'must be an amount'],
		['1234,50', 'must have a point before the decimals'],
		['1.234,50', 'must have a point before the decimals'],
		['1 234,50', 'must have a point before the decimals'],
		['1 234.50', 'must be an amount'],
		['12,34.50', 'must be an amount'],
		['€ 12', 'without a currency'],
		['12 EUR', 'without a currency'],
		['abc', 'without a currency'],
		['', 'must be an amount'],
		['-', 'must be an amount'],
		['.', 'must be an amount'],
		['1e5', 'without a currency'],
		['--5', 'must be an amount'],
		[NaN, 'must be'],
		[Infinity, 'must be'],
		[true, 'must be an amount'],
		[{}, 'must be an amount'],
	])('%p is refused: %s', (input, problem) =>
		expect(toMoney(input)).toEqual({ problem: expect.stringContaining(problem) as string }),
	);

	const decimal = fc
		.tuple(fc.boolean(), fc.bigInt(0n, 9_999_999_999n), fc.integer({ min: 0, max: 3 }), fc.nat(999))
		.map(([negative, integer, digits, fraction]) => {
			const tail = digits ? `.${String(fraction).padStart(3, '0').slice(0, digits)}` : '';
			return `${negative ? '-' : ''}${integer}${tail}`;
		});

	test('[R2] decimal in = decimal out', () => {
		fc.assert(fc.property(decimal, (text) => expect(toMoney(text)).toEqual({ value: text })));
	});

	test('thousands separators do not change the value', () => {
		fc.assert(
			fc.property(decimal, (text) => {
				const [integer, ...fraction] = text.split('.');
				const grouped = [integer.replace(/\B(?=(\d{3})+$)/g, ','), ...fraction].join('.');
				const isAmbiguous = /^-?\d{1,3},\d{3}$/.test(grouped);
				if (isAmbiguous) expect(toMoney(grouped)).toHaveProperty('problem');
				else expect(toMoney(grouped)).toEqual({ value: text });
			}),
		);
	});

	test('a number gives the decimal that it shows as, or a problem, never another value', () => {
		fc.assert(
			fc.property(fc.double(), (number) => {
				const outcome = toMoney(number);
				if ('value' in outcome) expect(Number(outcome.value)).toBe(number === 0 ? 0 : number);
			}),
		);
	});
});

describe('dates are calendar dates that do not move', () => {
	test.each([
		['2026-12-31', '2026-12-31'],
		[' 2026-12-31 ', '2026-12-31'],
		['2024-02-29', '2024-02-29'],
		['2026-12-31T00:00:00', '2026-12-31'],
		['2026-12-31T23:59:59', '2026-12-31'],
		['2026-12-31 08:30', '2026-12-31'],
		// Midnight as written is that day, wherever it was written.
		['2026-12-31T00:00:00.000Z', '2026-12-31'],
		['2026-12-31T00:00:00+09:00', '2026-12-31'],
		// Any other moment is the day that it is in the workflow's time zone.
		['2026-12-31T03:00:00Z', '2026-12-30'],
		['2026-12-31T12:00:00Z', '2026-12-31'],
		['2026-12-31T23:30:00-05:00', '2026-12-31'],
		['2026-12-31T23:30:00-0500', '2026-12-31'],
		[new Date('2026-12-31T12:00:00Z'), '2026-12-31'],
		[new Date('2026-12-31T00:00:00Z'), '2026-12-31'],
		[DateTime.fromISO('2026-12-31T20:00:00', { zone }), '2026-12-31'],
		[DateTime.fromISO('2026-12-31', { zone: 'Asia/Tokyo' }), '2026-12-31'],
		// Spreadsheet serial numbers (1900 system).
		[1, '1900-01-01'],
		[59, '1900-02-28'],
		[61, '1900-03-01'],
		[46387, '2026-12-31'],
		['46387', '2026-12-31'],
		[46387.75, '2026-12-31'],
		[2958465, '9999-12-31'],
	])('%p -> %s', (input, value) => expect(toDate(input, zone)).toEqual({ value }));

	test.each([
		['2026-02-31', 'must be a day of the calendar'],
		['2026-13-01', 'must be a day of the calendar'],
		['2025-02-29', 'must be a day of the calendar'],
		['0000-00-00', 'must be a day of the calendar'],
		['31/12/2026', 'never guessed'],
		['12/31/2026', 'never guessed'],
		['31.12.2026', 'never guessed'],
		['2026-1-5', 'never guessed'],
		['tomorrow', 'never guessed'],
		[60, '29 February 1900'],
		[0, 'must be a date'],
		[-5, 'must be a date'],
		[2026, 'a whole date'],
		['2026', 'a whole date'],
		[20261231, 'must be a date'],
		[1767225600000, 'must be a date'],
		[new Date(NaN), 'not a valid date'],
		[DateTime.invalid('test'), 'not a valid date'],
		[true, 'must be a date'],
		['2026-12-31T25:00:00Z', 'must be a date'],
	])('%p is refused: %s', (input, problem) =>
		expect(toDate(input, zone)).toEqual({ problem: expect.stringContaining(problem) as string }),
	);

	test('[R2] every day from its ISO text and from its serial number, in any time zone', () => {
		const zones = fc.constantFrom('Pacific/Kiritimati', 'Pacific/Pago_Pago', 'UTC', 'Asia/Kolkata');
		fc.assert(
			fc.property(fc.integer({ min: 61, max: 2958465 }), zones, (serial, anyZone) => {
				const value = DateTime.utc(1899, 12, 30).plus({ days: serial }).toISODate() as string;
				if (serial < 1900 || serial > 2100) expect(toDate(serial, anyZone)).toEqual({ value });
				expect(toDate(value, anyZone)).toEqual({ value });
				expect(toDate(`${value}T00:00:00.000Z`, anyZone)).toEqual({ value });
			}),
		);
	});

	test('a moment is the day that Luxon says it is in the zone', () => {
		const moments = fc.date({
			min: new Date('1971-01-01'),
			max: new Date('2090-01-01'),
			noInvalidDate: true,
		});
		fc.assert(
			fc.property(moments, (moment) => {
				moment.setUTCMinutes(17);
				const value = DateTime.fromJSDate(moment, { zone }).toISODate() as string;
				expect(toDate(moment.toISOString(), zone)).toEqual({ value });
			}),
		);
	});
});

describe('the other kinds of values', () => {
	const id = '3F2B8C1E-5d4a-4f6b-9c7d-8e9f0a1b2c3d';
	test.each<[string, (value: unknown) => unknown, unknown, unknown]>([
		['text', toText, '  Möbel ', { value: 'Möbel' }],
		['text', toText, 42, { value: '42' }],
		['text', toText, { a: 1 }, { problem: 'must be text, got "{\\"a\\":1}"'.replace(/\\/g, '') }],
		[
			'an emoji is one character',
			(value) => toText(value, { maxLength: 3 }),
			'🧾🧾🧾',
			{ value: '🧾🧾🧾' },
		],
		['currency', toCurrency, ' eur', { value: 'EUR' }],
		['id', toUuid, ` ${id} `, { value: id }],
		['email', toEmail, 'a.b+c@mail.example', { value: 'a.b+c@mail.example' }],
		[
			'address',
			toUri,
			'https://shop.example/thanks?x=1',
			{ value: 'https://shop.example/thanks?x=1' },
		],
		['integer', toInteger, '5', { value: 5 }],
		['integer', toInteger, 5.0, { value: 5 }],
		['integer', toInteger, '5.00', { value: 5 }],
		['boolean', toBoolean, 'TRUE', { value: true }],
		['boolean', toBoolean, 0, { value: false }],
		['option', (value) => toOption(value, ['paid', 'unpaid']), 'Paid', { value: 'paid' }],
	])('%s: %p', (_kind, convert, input, outcome) => expect(convert(input)).toEqual(outcome));

	test.each<[string, (value: unknown) => unknown, unknown, string]>([
		[
			'text',
			(value) => toText(value, { maxLength: 50 }),
			'x'.repeat(63),
			'at most 50 characters, this one has 63',
		],
		['text', (value) => toText(value, { minLength: 2 }), 'x', 'at least 2 characters'],
		['text', toText, NaN, 'must be text'],
		['text', toText, Infinity, 'must be text'],
		['currency', toCurrency, 'EURO', '3 letters'],
		['currency', toCurrency, '€', '3 letters'],
		['id', toUuid, '../admin', 'UUID format'],
		['id', toUuid, `${id}/..`, 'UUID format'],
		['email', toEmail, 'me', 'email address'],
		['email', toEmail, 'a@b', 'email address'],
		['address', toUri, 'shop.example', 'starts with https://'],
		['address', toUri, 'javascript:alert(1)', 'starts with https://'],
		['integer', toInteger, 5.5, 'whole number'],
		['integer', toInteger, 'five', 'whole number'],
		['integer', toInteger, 2 ** 60, 'whole number'],
		['integer', (value) => toInteger(value, { min: 0, max: 100 }), 101, 'from 0 to 100, got 101'],
		['integer', (value) => toInteger(value, { min: 1 }), 0, '1 or more, got 0'],
		['boolean', toBoolean, 'maybe', 'true or false'],
		['option', (value) => toOption(value, ['paid', 'unpaid']), 'late', 'paid, unpaid'],
	])('%s: %p is refused', (_kind, convert, input, problem) =>
		expect(convert(input)).toEqual({ problem: expect.stringContaining(problem) as string }),
	);
});
