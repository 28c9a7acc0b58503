import { clock } from '../../../shared/clock';
import { toDate } from '../../../shared/fields/dates';
import { quote, visibleText } from '../../../shared/fields/text';
import type { Parsed } from '../../../shared/result';
import { notRead, ok } from '../../../shared/result';
import { foldedWords, inAll, languages, plainWords } from '../words';
import type { Language } from '../words';

/** The order of day and month in text. */
export type DateOrder = 'dayMonth' | 'monthDay';

/** Spreadsheet date numbers of 1990 to 2099. Lower ones are left out: 30 is more likely a number of days than a day in 1900. */
const [firstDay, dayAfterLast] = [32_874, 73_051];
export const isDateNumber = (value: unknown): boolean =>
	typeof value === 'number' && value >= firstDay && value < dayAfterLast;

/** The part of a day that has passed an hour before midnight, less than a minute. Programs that lose the summer time write a day so. */
const lastHour = 23 / 24 - 1 / 1440;
/** Whether a date number means the day that begins in an hour. */
export const isHourBeforeMidnight = (value: number): boolean =>
	isDateNumber(value) && value % 1 >= lastHour;

const isNumeric = (value: unknown) =>
	typeof value === 'number' || (typeof value === 'string' && /^\s*\d+(\.\d+)?\s*$/.test(value));

const numericDate = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})$/;
/** A word before a date, which may be its day of the week. */
const wordBefore = /^(\p{L}{2,13})[.,]?\s+(?=\S.*\d)/u;
const dateFormats = [
	/^(?<year>\d{4})(?<sign>[/.-])(?<month>\d{1,2})\k<sign>(?<day>\d{1,2})$/,
	/^(?<day>\d{1,2})(?:st|nd|rd|th|er|º)?[\s./-]*(?:de\s+)?(?<month>\p{L}{3,10})\.?[\s./,-]*(?:de\s+)?(?<year>\d{4}|'?\d{2})$/iu,
	/^(?<month>\p{L}{3,10})\.?[\s-]*(?<day>\d{1,2})(?:st|nd|rd|th)?[\s,-]+(?<year>\d{4}|'?\d{2})$/iu,
	/^(?<year>\d{4})[\s-](?<month>\p{L}{3,10})[\s-](?<day>\d{1,2})$/iu,
];

const codes = [...languages.map(({ code }) => code), 'de-AT'];
/** The names of months in all languages. */
const months = codes.flatMap((code) => {
	const { format } = new Intl.DateTimeFormat(code, { month: 'long', timeZone: 'UTC' });
	return Array.from({ length: 12 }, (_, month) => ({
		name: foldedWords(format(Date.UTC(2026, month, 15))).join(''),
		number: String(month + 1),
	}));
});

/** The names of the days of the week in all languages. 0: Sunday. */
const weekdays = codes.flatMap((code) => {
	const { format } = new Intl.DateTimeFormat(code, { weekday: 'long', timeZone: 'UTC' });
	return Array.from({ length: 7 }, (_, day) => ({
		name: foldedWords(format(Date.UTC(2026, 1, 1 + day))).join(''),
		day,
	}));
});

/** Which days of the week a word can mean, by the name or its first two or more letters. */
function weekdaysOf(word: string): number[] {
	const folded = foldedWords(word).join('');
	return folded.length < 2
		? []
		: weekdays.flatMap(({ name, day }) => (name.startsWith(folded) ? [day] : []));
}

/** A month by its name, or its first three letters as people shorten it. `undefined` if languages disagree. */
function monthOf(word: string): string | undefined {
	const folded = foldedWords(word).join('');
	const exact = months.filter(({ name }) => name === folded);
	const matches = exact.length ? exact : months.filter(({ name }) => name.startsWith(folded));
	const numbers = new Set(matches.map(({ number }) => number));
	return numbers.size === 1 ? [...numbers][0] : undefined;
}

/** Whether a word is a month, or the whole name of a day of the week. */
export function isMonthOrWeekday(word: string): boolean {
	const folded = foldedWords(word).join('');
	return monthOf(word) !== undefined || weekdays.some(({ name }) => name === folded);
}

const yearOf = (digits: string) => (digits.length < 4 ? `20${digits.slice(-2)}` : digits);

const isNearYear = (digits: string) =>
	Math.abs(Number(yearOf(digits)) - new Date(clock.now()).getUTCFullYear()) < 3;

/** In characters. Longer texts are not dates. */
const maxLength = 60;

/** Removes the midnight that some programs append. */
const withoutMidnight = (text: string) => text.trim().replace(/[\sT]{1,9}0?0:00(?::00)?$/, '');

/** Which orders the dates prove: a part above 12 must be the day. `isUnclear`: some could be read in two ways (`03/04/2026`, `26/06/27`), and none is certain. */
export function provedOrders(texts: Iterable<string>): {
	orders: Set<DateOrder>;
	isUnclear: boolean;
} {
	const orders = new Set<DateOrder>();
	let [isUnclear, isProved] = [false, false];
	for (const text of texts) {
		if (text.length > maxLength) continue;
		const [, first, separator, second, year] = numericDate.exec(withoutMidnight(text)) ?? [];
		if (first === undefined || separator === '.') continue;
		const mayBeYear = year.length === 2 && isNearYear(first);
		const [isDay, isOtherDay] = [Number(first) > 12, Number(second) > 12];
		if (isOtherDay && !isDay) orders.add('monthDay');
		if (isDay && !isOtherDay && (!mayBeYear || isNearYear(year))) orders.add('dayMonth');
		const isCertain = !mayBeYear && isDay !== isOtherDay;
		isProved ||= isCertain;
		isUnclear ||= !isCertain && first !== second;
	}
	return { orders, isUnclear: isUnclear && !isProved };
}

/** Reads a calendar date: a date number, `2026-12-31`, `31-Dec-26`, `31.12.26`, or, in the given order, `31/12/2026`. */
export function readDate(
	value: unknown,
	given: DateOrder | undefined,
	zone: string,
): Parsed<string> {
	const noDate = (wanted = '') =>
		notRead(`must be a date such as 2026-12-31${wanted}, got ${quote(value)}`);
	if (isNumeric(value) && !isDateNumber(Number(value)))
		return noDate(', or a spreadsheet date number from 1990 to 2099');
	if (typeof value === 'number')
		return toDate(isHourBeforeMidnight(value) ? Math.ceil(value) : value, zone);
	if (typeof value !== 'string') return toDate(value, zone);
	if (value.trim().length > maxLength || (/^\s*0\d/.test(value) && isNumeric(value)))
		return noDate();
	const text = withoutMidnight(value);
	const order = numericDate.exec(text)?.[2] === '.' ? 'dayMonth' : given;
	if (order && mayBeginWithYear(text, order))
		return notRead(
			`may begin or end with the year, got ${quote(value)}. Write the year with four digits`,
		);
	const [before = '', word = ''] = wordBefore.exec(text) ?? [];
	// `mar` is a day of the week in some languages, and a month in others.
	const days = toIso(text, order) === undefined ? weekdaysOf(word) : [];
	const day = days.length ? text.slice(before.length) : text;
	const iso = toIso(day, order);
	const outcome = toDate(iso ?? day, zone);
	if (outcome.ok)
		return days.length && !days.includes(new Date(outcome.value).getUTCDay())
			? notRead(`says another day of the week than the date has, got ${quote(value)}`)
			: outcome;
	if (!iso) return noDate();
	const isOrdered = numericDate.test(text) && order;
	const read = isOrdered
		? `, read as ${order === 'dayMonth' ? 'day/month' : 'month/day'}/year`
		: '';
	return notRead(`must be a day of the calendar${read}, got ${quote(value)}`);
}

/** `26-12-31` may begin with the year: the first part is a current year, the last one is not. */
function mayBeginWithYear(text: string, order: DateOrder): boolean {
	const [, first, , second, year = ''] = numericDate.exec(text) ?? [];
	if (year.length !== 2 || first.length !== 2) return false;
	const month = Number(order === 'dayMonth' ? second : year);
	return month <= 12 && isNearYear(first) && !isNearYear(year);
}

function toIso(text: string, order: DateOrder | undefined): string | undefined {
	const [, first, , second, last] = (order && numericDate.exec(text)) ?? [];
	const parts = dateFormats.map((format) => format.exec(text)?.groups).find(Boolean);
	const isDayFirst = order === 'dayMonth';
	const { year, month, day } = parts ?? {
		year: last,
		month: isDayFirst ? second : first,
		day: isDayFirst ? first : second,
	};
	const number = month && (/^\d/.test(month) ? month : monthOf(month));
	// No years up to 2014: as two digits, they are more likely a day.
	if (!number || Number(yearOf(year)) <= 2014) return undefined;
	return `${yearOf(year)}-${number.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

/** Whether a cell is a date in any order, with or without a time. */
export function isDateText(text: string): boolean {
	if (text.length > 40 || !/\d\D+\d/.test(text)) return false;
	const [day] = text.split(/[T,]?\s{0,9}\d{1,2}:\d{2}/);
	return [text.trim(), day.trim()].some(
		(one) =>
			/^\d{1,4}([./-])\d{1,2}\1(?:\d{4}|\d{2})$/.test(one) ||
			(/\d\D/.test(one) && readDate(one, 'dayMonth', 'UTC').ok),
	);
}

/** Payment terms in days: `Net 30`, `30 days`, `30`, `Due on receipt`. Refuses `2/10 net 30` and `end of month`. */
export function toTermDays(value: unknown): Parsed<number> {
	const isRead = typeof value === 'number' || typeof value === 'string';
	// Longer texts are refused, not cut: their beginning could mean something else.
	const text = isRead && String(value).length <= 80 ? String(value) : '';
	const words = plainWords(text);
	const [, before = '', number, after = ''] = /^(\D*?) ?(\d{1,3}) ?(\D*)$/.exec(words) ?? [];
	const [unit, ...rest] = after.split(' ');
	const isFiller = (phrase: string) => phrase === '' || fillers.has(phrase);
	const isUnderstood =
		(after.length !== 1 && isFiller(after)) || (dayWords.has(unit) && isFiller(rest.join(' ')));
	const isPlain = plainTerms.test(visibleText(text));
	if (dueAtOnce.has(words) && isPlain) return ok(0);
	if (number && isFiller(before) && isUnderstood && isPlain) return ok(Number(number));
	const problem = `must be like "Net 30", "30 days" or "Due on receipt", got ${quote(value)}. Or add a Due Date column`;
	return notRead(problem);
}

/** Words and a number, and no sign that could mean something else: not `~5`, `5-`, `Net -5`, `5²` or `A5`. */
const plainTerms =
	/^(?!\p{L}\d)[\p{L}\d]+(?:(?:[ .,:'’-]|[.,:] |(?<=\p{L})\/(?=\p{L}))[\p{L}\d]+)*\.?$/u;

const wordsFor = (kind: keyof Language['terms']) =>
	inAll(({ terms }) => terms[kind].map(plainWords));
const [dueAtOnce, fillers, dayWords] = [wordsFor('atOnce'), wordsFor('around'), wordsFor('days')];
