import { roundingAdvice } from '../../shared/fields/decimal';
import type { RuledValue } from '../../shared/fields/rules';
import { applyRule } from '../../shared/fields/rules';
import type { Parsed } from '../../shared/fields/text';
import { isEmpty, quote } from '../../shared/fields/text';
import { currenciesOf } from './currencies';
import type { DateOrder, DateOrders } from './dateCells';
import { dateOrdersIn, readDate } from './dateCells';
import { durationIn, withoutInvisible } from './figures';
import { allWordsOf, timeWords } from './headers';
import type { NumberFormat, Separator } from './numberCells';
import { readAmount, readQuantity } from './numberCells';
import { saysNo, saysYes } from './rowWords';
import { timeUnitOf } from './units';
import { toDecimal } from './scales';

export interface SheetFormat {
	decimalSeparator?: Separator;
	dateOrder?: DateOrder;
}

/** The format of a column: set by the user, or inferred from its cells. */
export interface ColumnFormat extends SheetFormat, NumberFormat {
	dateOrders?: DateOrders;
	timeUnit?: string;
	holdsHours?: boolean;
	/** Whether its numbers may be times, which sheets store as fractions of a day. */
	hasDayFractions?: boolean;
	/** Whether its percentages are like 10 rather than 0.1. */
	hasWholePercentages?: boolean;
}

export function formatOf(
	header: string,
	cells: unknown[],
	numbers: NumberFormat,
	dateOrder: DateOrder,
): ColumnFormat {
	const timeUnit = timeUnitOf(header);
	const holdsHours = timeUnit === 'hour' || allWordsOf(header).some((word) => timeWords.has(word));
	return {
		...numbers,
		dateOrder,
		dateOrders: dateOrdersIn(cells),
		timeUnit,
		holdsHours,
		hasDayFractions: holdsHours && hasDayFractions(cells),
		hasWholePercentages: cells.some((cell) => typeof cell === 'number' && cell > 1),
	};
}

/** Whether numbers may be fractions of a day: 3:00 is 0.125. 0.25 may also be a quarter of an hour, so other numbers must decide. */
function hasDayFractions(cells: unknown[]): boolean {
	if (cells.some((cell) => typeof cell === 'string' && /^\s*\d+:\d\d/.test(cell))) return true;
	const numbers = cells
		.filter((cell): cell is number => typeof cell === 'number')
		.map((cell) => Number(cell.toPrecision(12)));
	const isWhole = (number: number) => Math.abs(number - Math.round(number)) < 1e-6;
	const isTime = (cell: number) => cell > 0 && cell < 1 && isWhole(cell * 1440);
	const isOddTime = (cell: number) => isTime(cell) && !isWhole(cell * 100);
	return numbers.length > 0 && (numbers.some(isOddTime) || numbers.every(isTime));
}

/** Extract From File reads Windows files as Latin-1, which makes `€` a control character. */
const cleanText = (value: unknown) =>
	typeof value === 'string'
		? withoutInvisible(value)
				.replace(/\u2212/g, '-')
				.replace(/\u0080/g, '€')
		: value;

/** `undefined`: empty. `currency`: the sign or code beside an amount. `doubt`: a problem unless the line total confirms the value. */
export type CellOutcome =
	| { value: unknown; currency?: string; wasNumber?: boolean; doubt?: string }
	| { problems: string[] }
	| undefined;

/** Reads a cell for a field. Each problem begins with the field's name. */
export function readCell(
	field: RuledValue & { name: string },
	raw: unknown,
	format: ColumnFormat,
	zone: string,
): CellOutcome {
	const value = cleanText(raw);
	if (isEmpty(value)) return undefined;
	const { displayName, rule } = field;
	const problemWith = (problem: string) => ({ problems: [`${displayName} ${problem}`] });
	if (rule.limits.kind === 'amount') {
		const amount = readAmount(value, format);
		const advice = "Enter 1 as the quantity and the line's total as the price";
		if (!('problem' in amount)) return amount.value;
		const [problem, ...rest] = amount.problem.split(roundingAdvice);
		return problemWith(rest.length ? `${problem}${advice}` : problem);
	}
	if (field.name === 'invoiceNumber' && isYesOrNo(value)) {
		return problemWith(
			`cannot be ${quote(value)}. Rename the column if it does not contain invoice numbers`,
		);
	}
	if (namingFields.includes(field.name) && isPlaceholder(value)) {
		return problemWith(
			`is only a placeholder (${quote(value)}). Enter the real value, or clear the cell`,
		);
	}
	const read = readers[field.name] ?? readers[rule.limits.kind];
	const parsed = read?.(value, format, zone);
	if (parsed && 'problem' in parsed) return problemWith(parsed.problem);
	const outcome = applyRule(field, parsed ? parsed.value : value, zone);
	if (!outcome || 'problems' in outcome) return outcome;
	const doubt = parsed && 'doubt' in parsed ? `${displayName} ${String(parsed.doubt)}` : undefined;
	return {
		...outcome,
		...(typeof raw === 'number' && { wasNumber: true }),
		...(doubt !== undefined && { doubt }),
	};
}

const namingFields = ['invoiceNumber', 'customerId', 'itemName'];

const isYesOrNo = (value: unknown) =>
	typeof value === 'string' && /\p{L}{2}/u.test(value) && (saysYes(value) || saysNo(value));

/** Matches spreadsheet errors (`#N/A`), formulas as text (`=A1`), and `tbd`, `n/a`, `-`. */
const isPlaceholder = (value: unknown) =>
	typeof value === 'boolean' ||
	(typeof value === 'string' &&
		/^\s*(?:#(?:N\/A|REF!|VALUE!|NAME\?|DIV\/0!|NULL!|NUM!|SPILL!)|n\/?a|tb[acd]|null|undefined|nan|true|false|[-–—?.*_]{1,5}|x{2,5}|=.*)\s*$/is.test(
			value,
		));

type Reader = (value: unknown, format: ColumnFormat, zone: string) => Parsed<unknown>;

/** By field name, otherwise by the kind of its rule. */
const readers: Partial<Record<string, Reader>> = {
	date: (value, { dateOrder, dateOrders }, zone) =>
		readDate(value, (separator) => dateOrder ?? dateOrders?.(separator), zone),
	itemQuantity: readQuantityOrDuration,
	currency: readCurrency,
	list: (value) => ({ value: typeof value === 'string' ? value.split(/[;\n]/) : value }),
	discountPercentage: readPercentage,
	invoiceNumber: readInvoiceNumber,
};

/** A year of hours, or five years of days. More is probably a date. */
const maxPlausibleTime = (unit: string) => (unit === 'hour' ? 8784 : 1826);

/** Reads a quantity. In a column of hours, also a duration such as `1:30`. */
function readQuantityOrDuration(
	value: unknown,
	format: ColumnFormat,
): Parsed<unknown> & { doubt?: string } {
	const { timeUnit, holdsHours } = format;
	const duration = holdsHours && typeof value === 'string' ? durationIn(value.trim()) : undefined;
	if (duration?.thousandths !== undefined) return { value: toDecimal(duration.thousandths) };
	const outcome = readQuantity(value, format);
	if ('problem' in outcome && holdsHours && typeof value === 'number' && value > 0 && value < 2) {
		const problem = `may be a time (${value} is ${timeOf(value)} in a spreadsheet), got ${value}. Turn off 'RAW Data' in the node that reads the file, or write hours such as 1.5`;
		return { problem };
	}
	if ('problem' in outcome) return outcome;
	if (timeUnit !== undefined && Number(outcome.value) > maxPlausibleTime(timeUnit)) {
		const problem = `may be a date or a year, got ${quote(value)}. Correct it, or rename the column to Quantity`;
		return { problem };
	}
	if (!format.hasDayFractions || typeof value !== 'number') return outcome;
	const doubt = `may be a time of day (${value} is ${timeOf(value)} in a spreadsheet), got ${value}. Add a Line Total column, or rename the column to Quantity`;
	return { ...outcome, doubt };
}

const timeOf = (days: number) => {
	const minutes = Math.round(days * 1440);
	return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`;
};

/** A code with its name: `Euro - EUR`, `Euro (EUR)`, `EUR - Euro`. */
const codeAndName =
	/^[\p{L} .]+(?:[-–:]\s*([A-Z]{3})|\(([A-Z]{3})\))$|^([A-Z]{3})\s*[-–:(][\p{L} .]+\)?$/u;

function readCurrency(value: unknown): Parsed<unknown> {
	const text = typeof value === 'string' ? value.trim() : '';
	const code = codeAndName.exec(text)?.slice(1).find(Boolean);
	const codes = currenciesOf(code ?? text);
	if (codes.length < 2) return { value: codes[0] ?? value };
	const problem = `must be a currency code of 3 letters, got ${quote(value)}, which can mean ${codes.slice(0, 5).join(', ')}`;
	return { problem };
}

/** Accepts `10%` and 10. Rejects 0.1, which could mean 0.1% or 10%, and a 1 in a column without larger numbers. */
function readPercentage(value: unknown, format: ColumnFormat): Parsed<unknown> {
	if (typeof value === 'string') {
		if (/^\s*[-–—]\s*$/.test(value)) return { value: 0 };
		const match = /^\s*(.*?)\s*%\s*$/.exec(value);
		return { value: match ? withDecimalPoint(match[1], format) : value };
	}
	const isBelowOne = typeof value === 'number' && value > 0 && value < 1;
	const mayBeFraction = isBelowOne || (value === 1 && !format.hasWholePercentages);
	if (!mayBeFraction) return { value };
	const percent = Number((Number(value) * 100).toPrecision(12));
	const problem = `could mean ${value}% or ${percent}%, got ${quote(value)}. Write it as text, such as "${percent}%"`;
	return { problem };
}

const withDecimalPoint = (digits: string, { decimalSeparator, inferredSeparator }: ColumnFormat) =>
	(decimalSeparator ?? inferredSeparator) === 'comma' ? digits.replace(',', '.') : digits;

/** Rejects numbers that the spreadsheet has shortened, because two invoices could end up with the same number. */
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
