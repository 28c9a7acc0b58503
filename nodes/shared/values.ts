/**
 * From what people, sheets and AI agents put into a field to what the service takes (spec 2.1, 8). Pure functions: each
 * returns the value to send, or the problem in words that can follow the field's name.
 */
export type Outcome<T> = { value: T } | { problem: string };

/** A value as it is shown in an error. */
export const quote = (value: unknown): string => {
	const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
	return `"${text.length > 60 ? `${text.slice(0, 60)}…` : text}"`;
};

/** Nothing was entered: the field is left out of the request. */
export function isEmpty(value: unknown): value is undefined | null | '' {
	return (
		value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
	);
}

/** Text without surrounding spaces; numbers become text. Lengths count characters as people do, an emoji is one. */
export function toText(
	value: unknown,
	{ minLength = 0, maxLength = Infinity }: { minLength?: number; maxLength?: number } = {},
): Outcome<string> {
	if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') {
		return { problem: `must be text, got ${quote(value)}` };
	}
	if (typeof value === 'number' && !Number.isFinite(value)) {
		return { problem: `must be text, got ${String(value)}` };
	}
	if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
		return { problem: `has more digits than a number keeps (${value}). Give it as text` };
	}
	const text = String(value).trim();
	const length = [...text].length;
	if (length > maxLength) {
		return {
			problem: `can have at most ${maxLength} characters, this one has ${length}: ${quote(text)}`,
		};
	}
	if (length < minLength) {
		return { problem: `must have at least ${minLength} characters, got ${quote(text)}` };
	}
	return { value: text };
}

/** An ISO 4217 code in capital letters. */
export function toCurrency(value: unknown): Outcome<string> {
	const code = typeof value === 'string' ? value.trim().toUpperCase() : '';
	if (/^[A-Z]{3}$/.test(code)) return { value: code };
	return { problem: `must be a currency code of 3 letters such as EUR, got ${quote(value)}` };
}

/** An id in UUID format, in any case. */
export function toUuid(value: unknown): Outcome<string> {
	const id = typeof value === 'string' ? value.trim() : '';
	if (/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(id))
		return { value: id };
	return {
		problem: `must be an ID in UUID format such as 3f2b8c1e-5d4a-4f6b-9c7d-8e9f0a1b2c3d, got ${quote(value)}`,
	};
}

export function toEmail(value: unknown): Outcome<string> {
	const email = typeof value === 'string' ? value.trim() : '';
	if (/^[^\s@,;<>"]+@[^\s@,;<>"]+\.[^\s@,;<>".]+$/.test(email)) return { value: email };
	return { problem: `must be an email address, got ${quote(value)}` };
}

/** An absolute address of the web, sent as it was written. */
export function toUri(value: unknown): Outcome<string> {
	const text = typeof value === 'string' ? value.trim() : '';
	try {
		if (/^https?:$/.test(new URL(text).protocol)) return { value: text };
	} catch {
		// falls through to the same words
	}
	return { problem: `must be a whole address that starts with https://, got ${quote(value)}` };
}

export function toInteger(
	value: unknown,
	{
		min = Number.MIN_SAFE_INTEGER,
		max = Number.MAX_SAFE_INTEGER,
	}: { min?: number; max?: number } = {},
): Outcome<number> {
	const isNumber =
		typeof value === 'number' ||
		(typeof value === 'string' && /^\s*[+-]?\d+(\.0+)?\s*$/.test(value));
	const number = isNumber ? Number(value) : NaN;
	if (!Number.isSafeInteger(number))
		return { problem: `must be a whole number, got ${quote(value)}` };
	if (number >= min && number <= max) return { value: number };
	if (max === Number.MAX_SAFE_INTEGER) return { problem: `must be ${min} or more, got ${number}` };
	return { problem: `must be from ${min} to ${max}, got ${number}` };
}

export function toBoolean(value: unknown): Outcome<boolean> {
	const text = String(value).trim().toLowerCase();
	if (['true', 'yes', '1'].includes(text)) return { value: true };
	if (['false', 'no', '0'].includes(text)) return { value: false };
	return { problem: `must be true or false, got ${quote(value)}` };
}

/** One of the values, in any case. */
export function toOption(value: unknown, options: readonly string[]): Outcome<string> {
	const wanted = typeof value === 'string' ? value.trim().toLowerCase() : value;
	const option = options.find((one) => one.toLowerCase() === wanted);
	if (option !== undefined) return { value: option };
	return { problem: `must be one of ${options.join(', ')}, got ${quote(value)}` };
}

/**
 * An exact decimal string of at most 10 integer and 3 fraction digits (spec 2.1, 8), never rounded. `19.99`, `"19.99"` and
 * `"1,234.50"` are read; a comma separates groups of three digits. `"1,234"` could mean 1234 or 1.234: a problem.
 */
export function toMoney(value: unknown): Outcome<string> {
	if (typeof value !== 'number' && typeof value !== 'string') {
		return { problem: `must be an amount such as 19.99, got ${quote(value)}` };
	}
	const text = String(value).trim();
	if (text.length > 40) return { problem: `must be an amount such as 19.99, got ${quote(text)}` };
	if (/^-?[1-9]\d{0,2},\d{3}$/.test(text)) {
		return {
			problem: `could mean ${text.replace(',', '')} or ${text.replace(',', '.')}, got ${quote(text)}. Write one of them`,
		};
	}
	const isGrouped = /^-?[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/.test(text);
	const plain = isGrouped ? text.replace(/,/g, '') : text;
	const match = /^(-?)(\d*)(?:\.(\d*))?$/.exec(plain);
	if (!match || (match[2] === '' && !match[3])) return { problem: moneyProblem(text) };
	const integer = match[2].replace(/^0+(?=\d)/, '') || '0';
	const fraction = (match[3] ?? '').replace(/^(\d{3}\d*?)0+$/, '$1');
	if (fraction.length > 3) {
		return {
			problem: `can have at most 3 decimals, got ${quote(text)}. Round it before, e.g. {{ $json.amount.round(2) }}`,
		};
	}
	if (integer.length > 10)
		return { problem: `can have at most 10 digits before the decimal point, got ${quote(text)}` };
	return { value: `${match[1]}${integer}${fraction && `.${fraction}`}` };
}

function moneyProblem(text: string): string {
	if (/^-?[\d.\s]*\d,\d{1,3}$/.test(text) || /^-?\d{1,3}([.\s]\d{3})+(,\d*)?$/.test(text)) {
		return `must have a point before the decimals, got ${quote(text)}. Write 1234.50 or 1,234.50`;
	}
	if (/[\p{Sc}]|[A-Za-z]/u.test(text)) {
		return `must be a number without a currency, got ${quote(text)}. The currency has a field of its own`;
	}
	return `must be an amount such as 19.99, got ${quote(text)}`;
}

const pad = (number: number, length = 2) => String(number).padStart(length, '0');

/** Whether the calendar has that day. */
function isDay(year: number, month: number, day: number): boolean {
	const date = new Date(Date.UTC(year, month - 1, day));
	return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** The calendar date of an instant in a time zone. */
function dateIn(zone: string, instant: Date): string {
	const parts = new Intl.DateTimeFormat('en-US', {
		timeZone: zone,
		year: 'numeric',
		month: '2-digit',
		day: '2-digit',
	}).formatToParts(instant);
	const part = (type: string) => parts.find((one) => one.type === type)?.value ?? '';
	return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`;
}

/** Day `serial` of the 1900 date system of spreadsheets, in which 1900 wrongly has a 29 February (60). */
function fromSerial(serial: number): Outcome<string> {
	const day = Math.floor(serial);
	if (day === 60)
		return { problem: 'is the serial number 60, a day that does not exist (29 February 1900)' };
	const date = new Date(Date.UTC(1899, 11, day > 60 ? 30 : 31) + day * 86_400_000);
	return { value: date.toISOString().slice(0, 10) };
}

const lastSerial = 2_958_465; // 9999-12-31

/**
 * A calendar date, `YYYY-MM-DD`, that does not move: a date stays what it is; a moment (text with a time and an offset, a
 * Date, a Luxon DateTime) is the day that it is in `zone` (the workflow's), but midnight as written means that day itself;
 * a number is a spreadsheet serial (1900 system). Day and month are never guessed.
 */
export function toDate(value: unknown, zone: string): Outcome<string> {
	if (typeof value === 'number') return numberToDate(value);
	if (value instanceof Date) {
		if (Number.isNaN(value.getTime())) return { problem: 'is not a valid date' };
		return textToDate(value.toISOString(), zone);
	}
	if (typeof value === 'object' && value !== null && 'toISO' in value) {
		const iso = (value as { toISO(): string | null }).toISO();
		return iso === null ? { problem: 'is not a valid date' } : textToDate(iso, zone);
	}
	if (typeof value !== 'string')
		return { problem: `must be a date such as 2026-12-31, got ${quote(value)}` };
	const text = value.trim();
	return /^\d+(\.\d+)?$/.test(text) ? numberToDate(Number(text)) : textToDate(text, zone);
}

function numberToDate(number: number): Outcome<string> {
	if (Number.isInteger(number) && number >= 1900 && number <= 2100) {
		return { problem: `must be a whole date such as 2026-12-31, got only ${number}` };
	}
	if (number >= 1 && number < lastSerial + 1) return fromSerial(number);
	return {
		problem: `must be a date such as 2026-12-31 or a spreadsheet's date number, got ${number}`,
	};
}

function textToDate(text: string, zone: string): Outcome<string> {
	const match =
		/^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?\s*(Z|[+-]\d{2}:?\d{2})?)?$/i.exec(
			text,
		);
	if (!match) {
		return {
			problem: `must be a date in the form YYYY-MM-DD such as 2026-12-31, got ${quote(text)}. Day and month are never guessed`,
		};
	}
	const [, year, month, day, hours, minutes, seconds = '0', fraction = '0', offset] = match;
	if (!isDay(Number(year), Number(month), Number(day))) {
		return { problem: `must be a day of the calendar, got ${quote(text)}` };
	}
	const written = `${year}-${month}-${day}`;
	const time = [hours ?? '0', minutes ?? '0', seconds, fraction].map(Number);
	if (!offset || time.every((part) => part === 0)) return { value: written };
	const zoned = /^Z$/i.test(offset) ? 'Z' : `${offset.slice(0, 3)}:${offset.slice(-2)}`;
	const instant = new Date(`${written}T${pad(time[0])}:${pad(time[1])}:${pad(time[2])}${zoned}`);
	if (Number.isNaN(instant.getTime()))
		return { problem: `must be a date such as 2026-12-31, got ${quote(text)}` };
	return { value: dateIn(zone, instant) };
}
