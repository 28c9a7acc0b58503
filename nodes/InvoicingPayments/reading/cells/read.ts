import { Decimal, roundingAdvice, toMoney } from '../../../shared/fields/decimal';
import { applyRule } from '../../../shared/fields/rules';
import type { Parsed } from '../../../shared/fields/text';
import { isEmpty, quote } from '../../../shared/fields/text';
import type { SheetField } from '../fields';
import type { Format } from '../statements';
import { currenciesOf } from './currencies';
import type { DateOrder } from './dates';
import { readDate } from './dates';
import type { NumberFormat } from './numbers';
import { durationIn, readAmount, readQuantity } from './numbers';

/** How the cells of a column are written. */
export interface CellFormat {
	numbers: NumberFormat;
	dateOrder?: DateOrder;
	/** What the reading says besides. */
	formats: Format[];
	/** Whether its percentages are like 10 rather than 0.1. */
	hasWholePercentages?: boolean;
}

/** `undefined`: empty. `currency`: the sign or code beside an amount. `unit`: of a quantity. */
export type CellOutcome =
	| { value: unknown; currency?: string; unit?: string }
	| { problems: string[] }
	| undefined;

const invisible = /[\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/g;

/** Extract From File reads Windows files as Latin-1, which makes `€` a control character. */
export const clean = (value: unknown) =>
	typeof value === 'string' ? value.replace(invisible, '').replace(/\u0080/g, '€') : value;

/** Reads a cell for a field (spec 2.1, 4.1). Each problem begins with the field's name. */
export function readCell(
	field: SheetField,
	raw: unknown,
	format: CellFormat,
	zone: string,
): CellOutcome {
	const value = clean(raw);
	if (isEmpty(value) || isDash(value)) return undefined;
	const { displayName, name, rule } = field;
	const problemWith = (problem: string) => ({ problems: [`${displayName} ${problem}`] });
	if (rule.limits.kind === 'amount') {
		const amount = readAmount(value, format.numbers);
		if ('problem' in amount) return problemWith(amount.problem.split(roundingAdvice)[0].trim());
		if (format.formats.includes('cents') && !/^-?\d+(?:\.0*)?$/.test(amount.value.value))
			return problemWith(`must be in cents, as the reading says, got ${quote(value)}`);
		const divisor = divisorOf(format.formats);
		const divided = divisor === 1 ? amount : divide(amount.value.value, divisor);
		return 'problem' in divided
			? problemWith(divided.problem)
			: { ...amount.value, ...divided.value };
	}
	if (name === 'itemQuantity') {
		const quantity = readHoursOrQuantity(value, format);
		return 'problem' in quantity ? problemWith(quantity.problem) : quantity;
	}
	if (['invoiceNumber', 'customerId', 'itemName'].includes(name) && isPlaceholder(value))
		return problemWith(
			`is only a placeholder (${quote(value)}). Enter the real value, or clear the cell`,
		);
	const parsed = readers[name] ?? readers[rule.limits.kind];
	const read = parsed?.(value, format, zone);
	if (read && 'problem' in read) return problemWith(read.problem);
	return applyRule(field, read ? read.value : value, zone);
}

/** Sheets often show nothing as a dash. */
const isDash = (value: unknown) =>
	typeof value === 'string' && /^\s*(?:\p{Sc}\s*)?[-–—]\s*$/u.test(value);

/** Spreadsheet errors (`#N/A`), formulas as text (`=A1`), and `tbd`, `n/a`. */
const isPlaceholder = (value: unknown) =>
	typeof value === 'boolean' ||
	(typeof value === 'string' &&
		/^\s*(?:#(?:N\/A|REF!|VALUE!|NAME\?|DIV\/0!|NULL!|NUM!|SPILL!)|n\/?a|tb[acd]|null|undefined|nan|true|false|[-–—?.*_]{1,5}|x{2,5}|=.*)\s*$/is.test(
			value,
		));

function divisorOf(formats: Format[]): number {
	if (formats.includes('cents')) return 100;
	const per = formats.find((one) => one.startsWith('per '));
	return per ? Number(per.slice(4)) || 1 : 1;
}

function divide(value: string, divisor: number): Parsed<{ value: string }> {
	const quotient = Number(value) / divisor;
	const text = toMoney(Number(quotient.toPrecision(15)));
	const isExact =
		'value' in text && Decimal.of(text.value).times(Decimal.of(divisor)).equals(Decimal.of(value));
	return isExact
		? { value: { value: text.value } }
		: { problem: `divided by ${divisor} has more than 3 decimals, got ${quote(value)}` };
}

/** A quantity, or a duration in hours. */
function readHoursOrQuantity(
	value: unknown,
	{ numbers, formats }: CellFormat,
): Parsed<string> & { unit?: string } {
	const hours = typeof value === 'string' ? durationIn(value.trim()) : undefined;
	if (hours !== undefined) return { value: hours, unit: 'h' };
	if (typeof value === 'string' && /^\s*\d+(?::|\s?h\s?)\d\d/.test(value))
		return { problem: `is no exact number of hours, got ${quote(value)}. Add a Line Total column` };
	const inHours = hoursOf(value, formats);
	if (inHours === undefined) return readQuantity(value, numbers);
	if (formats.includes('parts of a day') && inHours > 24)
		return { problem: `must be a part of a day, as the reading says, got ${quote(value)}` };
	const exact = inHours.toFixed(3);
	return Math.abs(Number(exact) - inHours) < 1e-9
		? { value: String(Number(exact)), unit: 'h' }
		: { problem: `is no exact number of hours, got ${quote(value)}. Add a Line Total column` };
}

/** The hours of a number that counts minutes, or that is a time of day as spreadsheets store it. */
function hoursOf(value: unknown, formats: Format[]): number | undefined {
	const number = typeof value === 'string' && value.trim() ? Number(value) : value;
	if (typeof number !== 'number' || !Number.isFinite(number)) return undefined;
	if (formats.includes('parts of a day')) return Math.round(number * 86_400) / 3600;
	return formats.includes('minutes') ? number / 60 : undefined;
}

type Reader = (value: unknown, format: CellFormat, zone: string) => Parsed<unknown>;

/** By field name, otherwise by the kind of its rule. */
const readers: Partial<Record<string, Reader>> = {
	date: (value, { dateOrder }, zone) => readDate(value, dateOrder, zone),
	currency: readCurrency,
	list: (value) => ({ value: typeof value === 'string' ? value.split(/[;\n]/) : value }),
	discountPercentage: readPercentage,
	invoiceNumber: readInvoiceNumber,
};

/** A code with its name: `Euro - EUR`, `Euro (EUR)`, `EUR - Euro`. */
const codeAndName =
	/^[\p{L} .]+(?:[-–:]\s*([A-Z]{3})|\(([A-Z]{3})\))$|^([A-Z]{3})\s*[-–:(][\p{L} .]+\)?$/u;

export function readCurrency(value: unknown): Parsed<unknown> {
	const text = typeof value === 'string' ? value.trim().slice(0, 60) : '';
	const code = codeAndName.exec(text)?.slice(1).find(Boolean);
	const codes = currenciesOf(code ?? text);
	if (codes.length < 2) return { value: codes[0] ?? value };
	const problem = `must be a currency code of 3 letters, got ${quote(value)}, which can mean ${codes.slice(0, 5).join(', ')}`;
	return { problem };
}

/** Accepts `10%` and 10. Refuses 0.1, which could mean 0.1% or 10%, and a 1 in a column without larger numbers. */
function readPercentage(
	value: unknown,
	{ numbers, hasWholePercentages }: CellFormat,
): Parsed<unknown> {
	if (typeof value === 'string') {
		const digits = /^\s*(.*?)\s*%\s*$/.exec(value)?.[1];
		if (digits === undefined) return { value };
		const read = readAmount(digits, numbers);
		return 'value' in read ? { value: Number(read.value.value) } : { value: digits };
	}
	const isBelowOne = typeof value === 'number' && value > 0 && value < 1;
	if (!isBelowOne && (value !== 1 || hasWholePercentages)) return { value };
	const percent = Number((Number(value) * 100).toPrecision(12));
	const problem = `could mean ${value}% or ${percent}%, got ${quote(value)}. Write it as text, such as "${percent}%"`;
	return { problem };
}

/** Refuses numbers that the spreadsheet has shortened, because two invoices could end up with the same number. */
function readInvoiceNumber(value: unknown): Parsed<unknown> {
	const text = String(value).trim();
	if (typeof value === 'number' && !Number.isInteger(value)) {
		const problem = `has decimals, and spreadsheets drop trailing zeros (2027.10 becomes 2027.1), got ${text}. Format the column as text`;
		return { problem };
	}
	if (/^\d(?:[.,]\d+)?E\+?\d+$/i.test(text)) {
		const problem = `has lost digits in the spreadsheet, got ${quote(text)}. Format the column as text there, and enter the full number`;
		return { problem };
	}
	return { value };
}
