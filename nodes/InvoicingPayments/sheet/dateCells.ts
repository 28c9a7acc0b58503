import { clock } from '../../shared/clock';
import { toDate } from '../../shared/fields/dates';
import type { Parsed } from '../../shared/fields/text';
import { quote } from '../../shared/fields/text';
import { firstDay, foldedWords, lastDay } from './headers';
import { inAll, languages } from './words';
import type { Language } from './words/language';

/** The order of day and month in text. `undefined`: unknown, and never guessed. */
export type DateOrder = 'dayMonth' | 'monthDay' | undefined;

const isNumeric = (value: unknown) =>
	typeof value === 'number' || (typeof value === 'string' && /^\s*\d+(\.\d+)?\s*$/.test(value));

/** Whether a number can be a spreadsheet date (1990 to 2099). 30 is more likely a number of days than a date in 1900. */
const isPlausibleDate = (serial: number) => serial >= firstDay && serial < lastDay;

const numericDate = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})$/;
const weekday = /^(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?[.,]?\s+/i;
const dateFormats = [
	/^(?<year>\d{4})[/.-](?<month>\d{1,2})[/.-](?<day>\d{1,2})$/,
	/^(?<day>\d{1,2})(?:st|nd|rd|th|er|º)?[\s./-]*(?:de\s+)?(?<month>\p{L}{3,10})\.?[\s./,-]*(?:de\s+)?(?<year>\d{4}|'?\d{2})$/iu,
	/^(?<month>\p{L}{3,10})\.?[\s-]*(?<day>\d{1,2})(?:st|nd|rd|th)?[\s,-]+(?<year>\d{4}|'?\d{2})$/iu,
	/^(?<year>\d{4})[\s-](?<month>\p{L}{3,10})[\s-](?<day>\d{1,2})$/iu,
];

const months = [...languages.map(({ code }) => code), 'de-AT'].flatMap((code) => {
	const { format } = new Intl.DateTimeFormat(code, { month: 'long', timeZone: 'UTC' });
	return Array.from({ length: 12 }, (_, month) => ({
		name: foldedWords(format(Date.UTC(2026, month, 15))).join(''),
		number: String(month + 1),
	}));
});

/** A month by its name or its first three or more letters. `undefined` if languages disagree. */
function monthOf(word: string): string | undefined {
	const folded = foldedWords(word).join('');
	const exact = months.filter(({ name }) => name === folded);
	const matches = exact.length ? exact : months.filter(({ name }) => name.startsWith(folded));
	const numbers = new Set(matches.map(({ number }) => number));
	return numbers.size === 1 ? [...numbers][0] : undefined;
}

const yearOf = (digits: string) => (digits.length < 4 ? `20${digits.slice(-2)}` : digits);

const isNearYear = (digits: string) =>
	Math.abs(Number(yearOf(digits)) - new Date(clock.now()).getUTCFullYear()) < 3;

export type DateOrders = (separator: string) => DateOrder;

/** Removes the midnight that some programs append. */
const withoutMidnight = (text: string) => text.trim().replace(/[\sT]+0?0:00(?::00)?$/, '');

/** For each separator, the order that the dates of a column prove: by a number above 12 or by points (`1.2.2027`). */
export function dateOrdersIn(cells: unknown[]): DateOrders {
	const ordersBySeparator = new Map<string, Set<DateOrder>>();
	for (const cell of cells) {
		const date = typeof cell === 'string' && numericDate.exec(withoutMidnight(cell));
		if (!date) continue;
		const [, first, separator, second, year] = date;
		if (Math.min(Number(first), Number(second)) > 12) continue;
		const isPoint = separator === '.';
		const mayBeYear = year.length === 2 && !isPoint && isNearYear(first);
		const isDayFirst = (Number(first) > 12 && !mayBeYear) || isPoint;
		const order = Number(second) > 12 ? 'monthDay' : isDayFirst && 'dayMonth';
		if (order)
			ordersBySeparator.set(separator, (ordersBySeparator.get(separator) ?? new Set()).add(order));
	}
	return (separator) => {
		const [order, other] = ordersBySeparator.get(separator) ?? [];
		return other === undefined ? order : undefined;
	};
}

/** Reads a calendar date: a date number, `2026-12-31`, `31-Dec-26`, `31.12.26`, or `31/12/2026` if the order is known. */
export function readDate(value: unknown, orderOf: DateOrders, zone: string): Parsed<string> {
	if (isNumeric(value) && !isPlausibleDate(Number(value))) {
		const problem = `must be a date such as 2026-12-31, or a spreadsheet date number from 1990 to 2099, got ${quote(value)}`;
		return { problem };
	}
	if (typeof value === 'string' && /^\s*0\d/.test(value) && isNumeric(value)) {
		return { problem: `must be a date such as 2026-12-31, got ${quote(value)}` };
	}
	if (typeof value !== 'string') return toDate(value, zone);
	const text = withoutMidnight(value);
	const separator = numericDate.exec(text)?.[2] ?? '';
	const order = orderOf(separator) ?? (separator === '.' ? 'dayMonth' : undefined);
	if (order && mayBeginWithYear(text, order)) {
		const problem = `may begin or end with the year, got ${quote(value)}. Write the year with four digits`;
		return { problem };
	}
	const iso = toIso(text.replace(weekday, ''), order);
	if (iso) {
		const outcome = toDate(iso, zone);
		if (!('problem' in outcome)) return outcome;
		const words = numericDate.test(text)
			? `, read as ${order === 'dayMonth' ? 'day, month, year' : 'month, day, year'}`
			: '';
		return { problem: `must be a day of the calendar${words}, got ${quote(value)}` };
	}
	const outcome = toDate(text, zone);
	const isFormatted = 'problem' in outcome && /\d[./-]\d/.test(text);
	if (!isFormatted || /^\d{4}-/.test(text)) return outcome;
	const fix = numericDate.test(text) ? ": set 'Date Order'" : '';
	// Extract from File writes Excel dates as `12/31/26`.
	const mayBeOfExcel = /^\d{1,2}\/\d{1,2}\/\d{2}$/.test(text);
	const raw = mayBeOfExcel
		? ". If the file is an Excel file, turn on 'RAW Data' in the node that reads it"
		: '';
	return { problem: `${outcome.problem}${fix}${raw}` };
}

/** `26-12-31` may begin with the year: the first part is a current year, the last one is not. */
function mayBeginWithYear(text: string, order: DateOrder): boolean {
	const [, first, , second, year = ''] = numericDate.exec(text) ?? [];
	if (year.length !== 2 || first.length !== 2) return false;
	const month = Number(order === 'dayMonth' ? second : year);
	return month <= 12 && isNearYear(first) && !isNearYear(year);
}

function toIso(text: string, order: DateOrder): string | undefined {
	const [, first, , second, last] = (order && numericDate.exec(text)) ?? [];
	const parts = dateFormats.map((format) => format.exec(text)?.groups).find(Boolean);
	const isDayFirst = order === 'dayMonth';
	const { year, month, day } = parts ?? {
		year: last,
		month: isDayFirst ? second : first,
		day: isDayFirst ? first : second,
	};
	const number = month && (/^\d/.test(month) ? month : monthOf(month));
	// Two digits up to 14 are more likely a day than a year.
	if (!number || Number(yearOf(year)) <= 2014) return undefined;
	return `${yearOf(year)}-${number.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

/** Payment terms in days: `Net 30`, `30 days`, `30`, `Due on receipt`. Rejects `2/10 net 30` and `end of month`. */
export function toTermDays(value: unknown): Parsed<number> {
	const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value : '';
	const words = plain(text);
	const [, before = '', number, after = ''] = /^(\D*?) ?(\d{1,3}) ?(\D*)$/.exec(words) ?? [];
	const [unit, ...rest] = after.split(' ');
	const isFiller = (word: string) => word === '' || fillers.has(word);
	const isUnderstood = isFiller(after) || (dayWords.has(unit) && isFiller(rest.join(' ')));
	const isNegative = /^\s*-/.test(text);
	if (dueAtOnce.has(words) && !isNegative) return { value: 0 };
	if (number && isFiller(before) && isUnderstood && !isNegative) return { value: Number(number) };
	const problem = `must be like "Net 30", "30 days" or "Due on receipt", got ${quote(value)}. Or add a Due Date column`;
	return { problem };
}

const plain = (text: string) => foldedWords(text).join(' ');
const wordsFor = (kind: keyof Language['terms']) => inAll(({ terms }) => terms[kind].map(plain));
const [dueAtOnce, fillers, dayWords] = [wordsFor('atOnce'), wordsFor('around'), wordsFor('days')];
