import { toMoney } from '../../shared/fields/money';
import type { Limits, Rule, RuledValue } from '../../shared/fields/rules';
import { applyRule } from '../../shared/fields/rules';
import type { Parsed } from '../../shared/fields/text';
import { isEmpty, quote } from '../../shared/fields/text';

/** How a sheet writes what can be read in more than one way. Nothing is guessed where it is not said. */
export interface SheetFormat {
	decimalSeparator?: 'point' | 'comma';
	dateOrder?: 'dayMonth' | 'monthDay';
}

/**
 * What a cell says to a field: the value to send, nothing where it is empty, or the problems, each beginning with the field's
 * name. Numbers, date numbers and true/false are taken as a sheet holds them; text as the format says.
 */
export function readCell(
	field: RuledValue,
	value: unknown,
	format: SheetFormat,
	zone: string,
): { value: unknown } | { problems: string[] } | undefined {
	if (isEmpty(value)) return undefined;
	const { displayName: label, rule } = field;
	const read = readers[rule.limits.kind];
	if (!read) return applyRule(field, value, zone);
	const check = (cell: unknown) => read(rule, cell, { format, zone, label });
	return applyRule({ ...field, rule: { ...rule, check } }, value, zone);
}

interface CellContext {
	format: SheetFormat;
	zone: string;
	label: string;
}

type Reader = (rule: Rule, value: unknown, context: CellContext) => ReturnType<Rule['check']>;

const readers: Partial<Record<Limits['kind'], Reader>> = {
	amount: (_rule, value, { format }) => readAmount(value, format),
	date: readDate,
	list: ({ check }, value, { zone, label }) =>
		check(typeof value === 'string' ? value.split(/[;\n]/) : value, zone, label),
};

/** Groups of three digits, which a separator (never the one of the decimals) parts. */
const grouped = {
	point: /^-?[1-9]\d{0,2}([,'’ \u00a0\u2009\u202f])\d{3}(?:\1\d{3})*(?:\.\d*)?$/,
	comma: /^-?[1-9]\d{0,2}([.'’ \u00a0\u2009\u202f])\d{3}(?:\1\d{3})*(?:,\d*)?$/,
};
const ungrouped = { point: /^-?\d*(?:\.\d*)?$/, comma: /^-?\d*(?:,\d*)?$/ };

function readAmount(value: unknown, { decimalSeparator: separator }: SheetFormat): Parsed<string> {
	if (typeof value !== 'string') return toMoney(value);
	const text = value.trim();
	if (!separator) {
		const outcome = toMoney(text);
		const isAboutSeparators =
			'problem' in outcome && /^[-\d.,'’\s]+$/.test(text) && /[,'’\s]/.test(text);
		return isAboutSeparators
			? { problem: `${outcome.problem}, or set 'Decimal Separator'` }
			: outcome;
	}
	const isGrouped = grouped[separator].test(text);
	if (!isGrouped && !ungrouped[separator].test(text)) {
		if (/[^-\d.,'’\s]/.test(text)) return toMoney(text);
		const example = separator === 'comma' ? '1.234,50' : '1,234.50';
		return {
			problem: `must be written like ${example}, as set in 'Decimal Separator', got ${quote(text)}`,
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
	{ format: { dateOrder: order }, zone, label }: CellContext,
): ReturnType<Rule['check']> {
	if (isNumeric(value) && !isPlausible(Number(value))) {
		const problem = `must be a date such as 2026-12-31, or a spreadsheet date number from 1990 to 2099, got ${quote(value)}`;
		return { problem };
	}
	const match = typeof value === 'string' ? dayAndMonth.exec(value.trim()) : null;
	if (!match || !order) {
		const outcome = check(value, zone, label);
		const isFormatted =
			'problem' in outcome && typeof value === 'string' && /\d[./-]\d/.test(value);
		if (!isFormatted || /^\d{4}-/.test(value)) return outcome;
		const fix = match ? ": set 'Date Order'" : '';
		return {
			problem: `${outcome.problem}${fix}. For Excel files, turn on 'RAW Data' in the node that reads them to get dates as numbers`,
		};
	}
	const [, first, , second, year] = match;
	const [day, month] = order === 'dayMonth' ? [first, second] : [second, first];
	const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
	const outcome = check(iso, zone, label);
	if (!('problem' in outcome)) return outcome;
	const words = order === 'dayMonth' ? 'day, month, year' : 'month, day, year';
	return { problem: `must be a day of the calendar, read as ${words}, got ${quote(value)}` };
}
