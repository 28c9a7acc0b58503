import type { RuledValue } from '../../shared/fields/rules';
import { applyRule } from '../../shared/fields/rules';
import type { Parsed } from '../../shared/fields/text';
import { isEmpty, quote } from '../../shared/fields/text';
import type { DateOrder } from './dateCells';
import { readDate } from './dateCells';
import type { NumberFormat } from './numberCells';
import { readAmount, readQuantity, separatorOf } from './numberCells';

/** How a sheet writes what can be read in more than one way. */
export interface SheetFormat {
	decimalSeparator?: NumberFormat['decimalSeparator'];
	dateOrder?: DateOrder;
}

/** How a column writes its values: as the user says for the whole sheet, and as its own cells show. */
export interface ColumnFormat extends SheetFormat, NumberFormat {
	/** Whether its percentages are whole numbers such as 10, rather than fractions such as 0.1. */
	hasWholePercentages?: boolean;
}

/** What the cells of a column show of how it writes its values. */
export function formatOf(cells: unknown[], sheet: SheetFormat): ColumnFormat {
	const { decimalSeparator, dateOrder } = sheet;
	return {
		decimalSeparator,
		dateOrder,
		shownSeparator: separatorOf(cells),
		hasWholePercentages: cells.some((cell) => typeof cell === 'number' && cell > 1),
	};
}

/** The value to send, what stands beside an amount, nothing where the cell is empty, or the problems. */
export type CellOutcome = { value: unknown; mark?: string } | { problems: string[] } | undefined;

/**
 * What a cell says to a field. Numbers, date numbers and true/false are taken as a sheet holds them; text as the format says. Each
 * problem begins with the field's name.
 */
export function readCell(
	field: RuledValue & { name: string },
	value: unknown,
	format: ColumnFormat,
	zone: string,
): CellOutcome {
	if (isEmpty(value)) return undefined;
	const { displayName, rule } = field;
	const named = (problem: string) => ({ problems: [`${displayName} ${problem}`] });
	if (rule.limits.kind === 'amount') {
		const amount = readAmount(value, format);
		return 'problem' in amount ? named(amount.problem) : amount.value;
	}
	const read = readers[field.name] ?? readers[rule.limits.kind];
	const raw = read?.(value, format, zone);
	if (raw && 'problem' in raw) return named(raw.problem);
	return applyRule(field, raw ? raw.value : value, zone);
}

type Reader = (value: unknown, format: ColumnFormat, zone: string) => Parsed<unknown>;

/** How a cell becomes what the rule of its field takes, by the field's name or by the kind of its values. */
const readers: Partial<Record<string, Reader>> = {
	date: (value, { dateOrder }, zone) => readDate(value, dateOrder, zone),
	itemQuantity: readQuantity,
	list: (value) => ({ value: typeof value === 'string' ? value.split(/[;\n]/) : value }),
	discountPercentage: readPercentage,
	invoiceNumber: readInvoiceNumber,
};

/** `10%`, `10 %` and 10; a number that may be a fraction (0.1, 1) is a problem, because it would be another discount. */
function readPercentage(value: unknown, format: ColumnFormat): Parsed<unknown> {
	if (typeof value === 'string') {
		const match = /^\s*(.*?)\s*%\s*$/.exec(value);
		return { value: match ? withPoint(match[1], format) : value };
	}
	const isFraction = typeof value === 'number' && value > 0 && value < 1;
	const maybe = value === 1 && !format.hasWholePercentages;
	if (!isFraction && !maybe) return { value };
	const percent = Number((Number(value) * 100).toPrecision(12));
	return {
		problem: `could mean ${value}% or ${percent}%, got ${quote(value)}. Write it as text, such as "${percent}%"`,
	};
}

const withPoint = (digits: string, { decimalSeparator }: ColumnFormat) =>
	decimalSeparator === 'comma' ? digits.replace(',', '.') : digits;

/** A number of which a sheet has shown only the first digits would make one invoice of two. */
function readInvoiceNumber(value: unknown): Parsed<unknown> {
	const text = String(value).trim();
	if (/^\d(?:[.,]\d+)?E\+?\d+$/i.test(text)) {
		return {
			problem: `has lost digits in the spreadsheet, got ${quote(text)}. Format the column as text there, and enter the whole number`,
		};
	}
	return { value };
}
