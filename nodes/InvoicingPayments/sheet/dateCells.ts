import { foldedWords } from './headers';
import { languages } from './words';
import { toDate } from '../../shared/fields/dates';
import type { Parsed } from '../../shared/fields/text';
import { clock } from '../../shared/clock';
import { quote } from '../../shared/fields/text';

/** The order of day and month in text. `undefined`: unknown, and never guessed. */
export type DateOrder = 'dayMonth' | 'monthDay' | undefined;

const isNumeric = (value: unknown) =>
	typeof value === 'number' || (typeof value === 'string' && /^\s*\d+(\.\d+)?\s*$/.test(value));

/** Whether a number can be a date (1990 to 2099): 30 rather means days than a day of 1900. */
const isPlausible = (serial: number) => serial >= 32_874 && serial < 73_051;

const dayAndMonth = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})$/;
const yearFirst = /^(\d{4})[/.-](\d{1,2})[/.-](\d{1,2})$/;
const weekday = /^(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?[.,]?\s+/i;
const dayThenWord =
	/^(\d{1,2})(?:st|nd|rd|th|er|º)?[\s./-]*(?:de\s+)?(\p{L}{3,10})\.?[\s./,-]*(?:de\s+)?(\d{4}|'?\d{2})$/iu;
const wordThenDay = /^(\p{L}{3,10})\.?[\s-]*(\d{1,2})(?:st|nd|rd|th)?[\s,-]+(\d{4}|'?\d{2})$/iu;
const yearThenWord = /^(\d{4})[\s-](\p{L}{3,10})[\s-](\d{1,2})$/iu;

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
	const found = exact.length ? exact : months.filter(({ name }) => name.startsWith(folded));
	const numbers = new Set(found.map(({ number }) => number));
	return numbers.size === 1 ? [...numbers][0] : undefined;
}

const yearOf = (digits: string) => (digits.length < 4 ? `20${digits.slice(-2)}` : digits);

/** Whether digits can be the year of a current invoice. */
const isNear = (digits: string) =>
	Math.abs(Number(yearOf(digits)) - new Date(clock.now()).getUTCFullYear()) < 3;

export type DateOrders = (separator: string) => DateOrder;

/** Removes the midnight that some programs append. */
const dayOf = (text: string) => text.trim().replace(/[\sT]+0?0:00(?::00)?$/, '');

/** The order that a column's dates prove: a day above 12, or points as separators. `undefined` if they disagree. */
export function orderIn(cells: unknown[], separator: string): DateOrder {
	const shown = new Set<DateOrder>();
	for (const cell of cells) {
		const date = typeof cell === 'string' ? dayAndMonth.exec(dayOf(cell)) : undefined;
		const [, first, mark, second, year] = date ?? [];
		if (mark !== separator || Math.min(Number(first), Number(second)) > 12) continue;
		const mayBeYear = year?.length === 2 && mark !== '.' && isNear(first);
		if (Number(second) > 12) shown.add('monthDay');
		else if ((Number(first) > 12 && !mayBeYear) || mark === '.') shown.add('dayMonth');
	}
	return shown.size === 1 ? [...shown][0] : undefined;
}

/** Reads a calendar date: a date number, `2026-12-31`, `31-Dec-26`, `31.12.26`, or `31/12/2026` if the order is known. */
export function readDate(value: unknown, orderOf: DateOrders, zone: string): Parsed<string> {
	if (isNumeric(value) && !isPlausible(Number(value))) {
		const problem = `must be a date such as 2026-12-31, or a spreadsheet date number from 1990 to 2099, got ${quote(value)}`;
		return { problem };
	}
	if (typeof value === 'string' && /^\s*0\d/.test(value) && isNumeric(value)) {
		return { problem: `must be a date such as 2026-12-31, got ${quote(value)}` };
	}
	if (typeof value !== 'string') return toDate(value, zone);
	const text = dayOf(value);
	const separator = dayAndMonth.exec(text)?.[2] ?? '';
	// With points, the day comes first in every country.
	const order = orderOf(separator) ?? (separator === '.' ? 'dayMonth' : undefined);
	if (order && mayBeginWithYear(text, order)) {
		return {
			problem: `may begin or end with the year, got ${quote(value)}. Write the year with four digits`,
		};
	}
	const iso = isoOf(text.replace(weekday, ''), order);
	if (iso) {
		const outcome = toDate(iso, zone);
		if (!('problem' in outcome)) return outcome;
		const words = dayAndMonth.test(text)
			? `, read as ${order === 'dayMonth' ? 'day, month, year' : 'month, day, year'}`
			: '';
		return { problem: `must be a day of the calendar${words}, got ${quote(value)}` };
	}
	const outcome = toDate(text, zone);
	const isFormatted = 'problem' in outcome && /\d[./-]\d/.test(text);
	if (!isFormatted || /^\d{4}-/.test(text)) return outcome;
	const fix = dayAndMonth.test(text) ? ": set 'Date Order'" : '';
	// Extract from File writes Excel dates like this.
	const mayBeOfExcel = /^\d{1,2}\/\d{1,2}\/\d{2}$/.test(text);
	const raw = mayBeOfExcel
		? ". If the file is an Excel file, turn on 'RAW Data' in the node that reads it"
		: '';
	return { problem: `${outcome.problem}${fix}${raw}` };
}

/** `26-12-31` may begin with the year: the first part is a current year, the last one is not. */
function mayBeginWithYear(text: string, order: DateOrder): boolean {
	const [, first, , second, year = ''] = dayAndMonth.exec(text) ?? [];
	if (year.length !== 2 || first.length !== 2) return false;
	const month = Number(order === 'dayMonth' ? second : year);
	return month <= 12 && isNear(first) && !isNear(year);
}

function isoOf(text: string, order: DateOrder): string | false | undefined {
	const iso = (year: string, month: string | undefined, day: string) =>
		// An old two-digit year is more likely a day.
		month &&
		Number(yearOf(year)) > 2014 &&
		`${yearOf(year)}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
	const byNumbers = yearFirst.exec(text);
	if (byNumbers) return iso(byNumbers[1], byNumbers[2], byNumbers[3]);
	const dayFirst = dayThenWord.exec(text);
	if (dayFirst) return iso(dayFirst[3], monthOf(dayFirst[2]), dayFirst[1]);
	const monthFirst = wordThenDay.exec(text);
	if (monthFirst) return iso(monthFirst[3], monthOf(monthFirst[1]), monthFirst[2]);
	const yearAndWord = yearThenWord.exec(text);
	if (yearAndWord) return iso(yearAndWord[1], monthOf(yearAndWord[2]), yearAndWord[3]);
	const match = dayAndMonth.exec(text);
	if (!match || !order) return undefined;
	const [, first, , second, year] = match;
	return order === 'dayMonth' ? iso(year, second, first) : iso(year, first, second);
}
