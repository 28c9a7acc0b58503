import { Decimal, roundingAdvice, scale, toMoney } from '../../../shared/fields/decimal';
import { typedForm } from '../../../shared/fields/lookAlikes';
import { applyRule } from '../../../shared/fields/rules';
import { fold, isEmpty, quote, shorten, withoutApostrophe } from '../../../shared/fields/text';
import type { RuledValue } from '../../../shared/fields/rules';
import type { Checked, Parsed } from '../../../shared/result';
import { notRead, notValid, ok } from '../../../shared/result';
import type { Format } from '../statements';
import { languages } from '../words';
import { currenciesOf } from './currencies';
import type { DateOrder } from './dates';
import { readDate } from './dates';
import type { NumberFormat, ReadNumber } from './numbers';
import { durationIn, readAmount, readQuantity } from './numbers';

/** How the cells of a column are written. */
export interface CellFormat {
	numbers: NumberFormat;
	dateOrder?: DateOrder;
	/** What the reading says besides. */
	formats: Format[];
	/** Whether its header says cents, and the reading does not say what its amounts are. */
	mayBeCents?: boolean;
	/** Whether its numbers are percentages, as its header or its other cells say. */
	arePercentages?: boolean;
	/** Whether its percentages are like 10 rather than 0.1. */
	hasWholePercentages?: boolean;
}

/** `undefined`: empty. `currency`: the sign or code beside an amount. */
export type CellOutcome = (Checked<unknown> & { currency?: string }) | undefined;

const invisible = /[\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/g;

/** Extract From File reads Windows files as Latin-1, which makes `€` a control character. */
export const clean = (value: unknown) =>
	typeof value === 'string' ? value.replace(invisible, '').replace(/\u0080/g, '€') : value;

/** Characters. A longer cell is billed as a text, but nothing is read out of it. */
const maxCell = 1000;

/** What is read of a cell. A longer one ends with a sign that no number, date or name has. */
export const readable = (text: string) => shorten(text.trim(), maxCell);

/** Reads a cell for a field (spec 2.1, 4.1). Each problem begins with the field's name. */
export function readCell(
	field: RuledValue & { name: string },
	raw: unknown,
	format: CellFormat,
	{ zone }: { zone: string },
): CellOutcome {
	const { displayName, name, rule } = field;
	const { kind } = rule.limits;
	const isText = ['text', 'list'].includes(kind) && name !== 'invoiceNumber';
	const whole = clean(raw);
	const value = typeof whole === 'string' && !isText ? readable(whole) : whole;
	if (isEmpty(value) || isDash(value)) return undefined;
	const isUnread =
		['invoiceNumber', 'customerId', 'itemName'].includes(name) && isPlaceholder(value);
	const read: ReadNumber | Parsed<unknown> = isUnread
		? notRead(`is only a placeholder (${quote(value)}). Enter the real value, or clear the cell`)
		: ((readers[name] ?? readers[kind])?.(value, format, zone) ?? ok(value));
	if (!read.ok) return notValid([`${displayName} ${read.problem}`]);
	const isNumber =
		kind === 'amount' || ['itemQuantity', 'itemTimes', 'itemDiscount'].includes(name);
	return isNumber ? read : applyRule(field, read.value, { zone });
}

/** Sheets often show nothing as a dash. */
export const isDash = (value: unknown) =>
	typeof value === 'string' && /^(?:\p{Sc}\s{0,9})?[-–—](?:\s{0,9}\p{Sc})?$/u.test(value.trim());

/** Spreadsheet errors (`#N/A`), formulas as text (`=A1`), and `tbd`, `n/a`. */
const isPlaceholder = (value: unknown) =>
	typeof value === 'boolean' ||
	(typeof value === 'string' &&
		/^(?:#(?:N\/A|REF!|VALUE!|NAME\?|DIV\/0!|NULL!|NUM!|SPILL!)|n\/?a|tb[acd]|null|undefined|nan|true|false|[-–—?.*_]{1,5}|x{2,5}|=.*)$/is.test(
			value.trim(),
		));

/** A price may have more decimals than the service takes. What a row comes to is billed then (amounts.ts). */
const readPrice: Reader = (value, format) =>
	readMoney(value, { ...format, numbers: { ...format.numbers, decimals: scale } });

function readMoney(value: unknown, { numbers, formats, mayBeCents }: CellFormat): ReadNumber {
	if (mayBeCents) {
		const problem = `stands below a header that says cents, got ${quote(value)}. Write (cents) behind the column in the reading, or (per 1) if it is no cents`;
		return notRead(problem);
	}
	const amount = readAmount(value, numbers);
	if (!amount.ok) return notRead(amount.problem.split(roundingAdvice)[0].trim());
	if (formats.includes('cents') && !/^-?\d+(?:\.0*)?$/.test(amount.value))
		return notRead(`must be in cents, as the reading says, got ${quote(value)}`);
	const divisor = divisorOf(formats);
	if (divisor === 1) return amount;
	const quotient = toMoney(Number((Number(amount.value) / divisor).toPrecision(15)));
	const isExact =
		quotient.ok &&
		Decimal.of(quotient.value).times(Decimal.of(divisor)).equals(Decimal.of(amount.value));
	return isExact
		? { ...amount, value: quotient.value }
		: notRead(`divided by ${divisor} has more than 3 decimals, got ${quote(amount.value)}`);
}

export function divisorOf(formats: Format[]): number {
	if (formats.includes('cents')) return 100;
	const per = formats.find((one) => one.startsWith('per '));
	return per ? Number(per.slice(4)) || 1 : 1;
}

/** How far a floating-point number of hours is away from what it means. */
const noise = 1e-9;

/** A quantity, or a duration in hours. */
function readHoursOrQuantity(value: unknown, { numbers, formats }: CellFormat): ReadNumber {
	const text = typeof value === 'string' ? value.trim() : '';
	const duration = durationIn(text);
	if (duration !== undefined) return ok(duration);
	const inexact = `is no exact number of hours, got ${quote(value)}. Add a Line Total column`;
	if (/^\d+(?::|\s?h\s?)\d\d/.test(text)) return notRead(inexact);
	const hours = hoursOf(text ? Number(text) : value, formats);
	if (hours === undefined) return readQuantity(value, numbers);
	if (formats.includes('parts of a day') && hours > 24)
		return notRead(`must be a part of a day, as the reading says, got ${quote(value)}`);
	const rounded = Number(hours.toFixed(3));
	return Math.abs(rounded - hours) < noise ? ok(String(rounded)) : notRead(inexact);
}

/** The hours of a number that counts minutes, or that is a time of day as spreadsheets store it. */
function hoursOf(number: unknown, formats: Format[]): number | undefined {
	if (typeof number !== 'number' || !Number.isFinite(number)) return undefined;
	if (formats.includes('parts of a day')) return Math.round(number * 86_400) / 3600;
	return formats.includes('minutes') ? number / 60 : undefined;
}

type Reader = (value: unknown, format: CellFormat, zone: string) => ReadNumber | Parsed<unknown>;

/** By field name, otherwise by the kind of its rule. */
const readers: Partial<Record<string, Reader>> = {
	amount: readMoney,
	itemAmount: readPrice,
	itemTimes: (value, { numbers }) => readQuantity(value, numbers),
	itemDiscount: readLineDiscount,
	itemQuantity: readHoursOrQuantity,
	date: (value, { dateOrder }, zone) => readDate(value, dateOrder, zone),
	currency: readCurrency,
	list: (value) => ok(typeof value === 'string' ? value.split(/[;\n]/) : value),
	discountPercentage: readPercentage,
	invoiceNumber: readInvoiceNumber,
};

const currencyNames = languages.map(
	({ code }) => new Intl.DisplayNames(code, { type: 'currency' }),
);
const lettersOf = (text: string) => fold(text.replace(/[^\p{L}]/gu, ''));

/** A code or a sign, also a code with its name: `Euro (EUR)`. Anything else may be another unit: `EUR (cents)`, `GBp`. */
export function readCurrency(value: unknown): Parsed<unknown> {
	const text = typeof value === 'string' && value.trim().length <= 60 ? value.trim() : '';
	const code = /\b[A-Z]{3}\b/.exec(text)?.[0];
	const name = lettersOf(text.replace(code ?? '', ''));
	const isNamed = code && currencyNames.some((names) => lettersOf(names.of(code) ?? '') === name);
	const codes = currenciesOf(isNamed ? code : text);
	if (codes.length === 0 && /^(?=.*\p{Lu})(?=.*\p{Ll})\p{L}{3}$/u.test(text))
		return notRead(`must be a code in capitals such as EUR, got ${quote(value)}`);
	if (codes.length < 2) return ok(codes[0] ?? value);
	const problem = `must be a currency code of 3 letters, got ${quote(value)}, which can mean ${codes.slice(0, 5).join(', ')}`;
	return notRead(problem);
}

/** Accepts `10%` and 10. Refuses 0.1, which could mean 0.1% or 10%, and a 1 in a column without larger numbers. */
function readPercentage(
	value: unknown,
	{ numbers, hasWholePercentages }: CellFormat,
): Parsed<unknown> {
	if (typeof value === 'string') {
		const text = value.trim();
		if (!text.endsWith('%')) return ok(value);
		const digits = text.slice(0, -1).trim();
		const read = readAmount(digits, numbers);
		return ok(read.ok ? Number(read.value) : digits);
	}
	const isBelowOne = typeof value === 'number' && value > 0 && value < 1;
	if (!isBelowOne && (value !== 1 || hasWholePercentages)) return ok(value);
	const percent = Number((Number(value) * 100).toPrecision(12));
	const problem = `could mean ${value}% or ${percent}%, got ${quote(value)}. Write it as text, such as "${percent}%"`;
	return notRead(problem);
}

/** `10%`, or an amount, whose sign says nothing. A number is a percentage below a header or among cells that say so. */
function readLineDiscount(value: unknown, format: CellFormat): ReadNumber {
	const isPercentage = format.arePercentages ?? false;
	if (isPercentage || (typeof value === 'string' && value.includes('%'))) {
		const read = readPercentage(value, format);
		if (!read.ok) return read;
		const percent = Number(read.value);
		return percent >= 0 && percent <= 100
			? ok(`${percent}%`)
			: notRead(`must be a percentage from 0 to 100, got ${quote(value)}`);
	}
	const amount = readAmount(value, format.numbers);
	return amount.ok ? { ...amount, value: amount.value.replace(/^-/, '') } : amount;
}

/** Refuses numbers that the spreadsheet has shortened, because two invoices could end up with the same number. */
function readInvoiceNumber(value: unknown): Parsed<unknown> {
	const text = String(value).trim();
	if (typeof value === 'number' && !Number.isInteger(value)) {
		const problem = `has decimals, and spreadsheets drop trailing zeros (2027.10 becomes 2027.1), got ${text}. Format the column as text`;
		return notRead(problem);
	}
	if (/^\d(?:[.,]\d+)?E\+?\d+$/i.test(text)) {
		const problem = `has lost digits in the spreadsheet, got ${quote(text)}. Format the column as text there, and enter the full number`;
		return notRead(problem);
	}
	// A preview shows what is sent.
	return ok(typeof value === 'string' ? typedForm(withoutApostrophe(text)) : value);
}
