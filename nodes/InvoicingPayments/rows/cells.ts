import type { Limits, Rule } from '../../shared/rules';
import { applyRule } from '../../shared/rules';
import type { Outcome } from '../../shared/values';
import { isEmpty, quote, toMoney } from '../../shared/values';

/** How a sheet writes what can be read in more than one way. Nothing is guessed where it is not said. */
export interface SheetFormat {
	decimal_separator?: 'point' | 'comma';
	date_order?: 'dayMonth' | 'monthDay';
}

/**
 * What a cell says to a field: the value to send, nothing where it is empty, or the problems, each beginning with the field's
 * name. Numbers, date numbers and true/false are taken as a sheet holds them; text as the format says.
 */
export function readCell(
	rule: Rule,
	value: unknown,
	format: SheetFormat,
	zone: string,
): { value: unknown } | { problems: string[] } | undefined {
	if (isEmpty(value)) return undefined;
	const read = readers[rule.limits.kind];
	const own = read ? { ...rule, check: (cell: unknown) => read(rule, cell, format, zone) } : rule;
	return applyRule(own, value, zone);
}

type Reader = (
	rule: Rule,
	value: unknown,
	format: SheetFormat,
	zone: string,
) => ReturnType<Rule['check']>;

const readers: Partial<Record<Limits['kind'], Reader>> = {
	amount: (_rule, value, format) => readAmount(value, format),
	date: (rule, value, format, zone) => readDate(rule, value, format, zone),
	list: ({ check }, value, _format, zone) =>
		check(typeof value === 'string' ? value.split(/[;\n]/) : value, zone),
};

/** Groups of three digits, which a separator (never the one of the decimals) parts. */
const grouped = {
	point: /^-?[1-9]\d{0,2}([,'’ \u00a0\u2009\u202f])\d{3}(?:\1\d{3})*(?:\.\d*)?$/,
	comma: /^-?[1-9]\d{0,2}([.'’ \u00a0\u2009\u202f])\d{3}(?:\1\d{3})*(?:,\d*)?$/,
};
const ungrouped = { point: /^-?\d*(?:\.\d*)?$/, comma: /^-?\d*(?:,\d*)?$/ };

function readAmount(
	value: unknown,
	{ decimal_separator: separator }: SheetFormat,
): Outcome<string> {
	if (typeof value !== 'string') return toMoney(value);
	const text = value.trim();
	if (!separator) {
		const outcome = toMoney(text);
		const isAboutSeparators =
			'problem' in outcome && /^[-\d.,'’\s]+$/.test(text) && /[,'’\s]/.test(text);
		return isAboutSeparators
			? { problem: `${outcome.problem}, or set the option Decimal Separator` }
			: outcome;
	}
	const isGrouped = grouped[separator].test(text);
	if (!isGrouped && !ungrouped[separator].test(text)) {
		if (/[^-\d.,'’\s]/.test(text)) return toMoney(text);
		const example = separator === 'comma' ? '1.234,50' : '1,234.50';
		return {
			problem: `must be written like ${example}, as Decimal Separator says, got ${quote(text)}`,
		};
	}
	const digits = isGrouped
		? text.replace(separator === 'comma' ? /[.'’\s]/g : /[,'’\s]/g, '')
		: text;
	return toMoney(digits.replace(',', '.'));
}

const isNumeric = (value: unknown) =>
	typeof value === 'number' || (typeof value === 'string' && /^\s*\d+(\.\d+)?\s*$/.test(value));

/** Whether a number of a sheet is meant as a date: 30 is rather "in thirty days" than a day of the year 1900. */
const isPlausible = (serial: number) => serial >= 32_874 && serial < 73_051;

const dayAndMonth = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})$/;

function readDate(
	{ check }: Rule,
	value: unknown,
	{ date_order: order }: SheetFormat,
	zone: string,
): ReturnType<Rule['check']> {
	if (isNumeric(value) && !isPlausible(Number(value))) {
		const problem = `must be a date such as 2026-12-31, or the sheet's number of a day from 1990 to 2099, got ${quote(value)}`;
		return { problem };
	}
	const match = typeof value === 'string' ? dayAndMonth.exec(value.trim()) : null;
	if (!match || !order) {
		const outcome = check(value, zone);
		const isFormatted =
			'problem' in outcome && typeof value === 'string' && /\d[./-]\d/.test(value);
		if (!isFormatted || /^\d{4}-/.test(value)) return outcome;
		const fix = match ? ': set the option Date Order' : '';
		return {
			problem: `${outcome.problem}${fix}. For Excel files, RAW Data in the node that reads them gives dates as numbers`,
		};
	}
	const [, first, , second, year] = match;
	const [day, month] = order === 'dayMonth' ? [first, second] : [second, first];
	const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
	const outcome = check(iso, zone);
	if (!('problem' in outcome)) return outcome;
	const words = order === 'dayMonth' ? 'day, month, year' : 'month, day, year';
	return { problem: `must be a day of the calendar, read as ${words}, got ${quote(value)}` };
}
