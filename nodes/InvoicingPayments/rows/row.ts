import type { IDataObject } from 'n8n-workflow';
import { quote } from '../../shared/fields/text';
import type { RowField } from './rowFields';
import type { SheetFormat } from './cells';
import { readCell } from './cells';
import type { Column } from './columns';

/** A row as it was read: the values of its cells by the names of their fields, and what is wrong with it. */
export interface Row {
	/** Index of the input item. */
	index: number;
	/** Number of the row in the sheet. */
	number: number;
	values: Map<string, unknown>;
	/** The fields whose cells are not valid. */
	invalid: Set<string>;
	problems: string[];
}

/** Reads a row. Cells that are empty are left out; an expression that cannot be evaluated is a problem of its row. */
export function readRow(
	columns: Column[],
	json: IDataObject,
	{ index, number }: Pick<Row, 'index' | 'number'>,
	format: SheetFormat,
	zone: string,
): Row {
	const row: Row = { index, number, values: new Map(), invalid: new Set(), problems: [] };
	for (const { field, header, read } of columns) {
		const { displayName: label } = field;
		const at = header === undefined || header === label ? '' : `, column "${header}"`;
		const outcome = readSafely(() => readCell(field, read(json, index), format, zone), label);
		if (!outcome) {
			if (field.isOfItem && field.required) {
				row.problems.push(`Row ${number}${at}: ${label} is empty, but it is required`);
			}
		} else if ('problems' in outcome) {
			row.invalid.add(field.name);
			row.problems.push(...outcome.problems.map((problem) => `Row ${number}${at}: ${problem}`));
		} else {
			row.values.set(field.name, outcome.value);
		}
	}
	return row;
}

function readSafely(read: () => ReturnType<typeof readCell>, label: string) {
	try {
		return read();
	} catch (error) {
		return { problems: [`${label} cannot be read: ${(error as Error).message}`] };
	}
}

/** The number of a row: what a reader of sheets says it is, or else counted on from the row of the first item. */
export function rowNumber(
	{ row_number: told }: IDataObject,
	index: number,
	firstRow: number,
): number {
	return typeof told === 'number' && Number.isInteger(told) ? told : firstRow + index;
}

const maxNamed = 5;

/** `row 2`, `rows 2 and 3`, `rows 2, 3, 4, 5, 6 and 7 more`. */
export function nameOf(rows: Row[]): string {
	const numbers = rows.slice(0, maxNamed).map(({ number }) => String(number));
	if (rows.length === 1) return `row ${numbers[0]}`;
	if (rows.length > maxNamed)
		return `rows ${numbers.join(', ')} and ${rows.length - maxNamed} more`;
	return `rows ${numbers.slice(0, -1).join(', ')} and ${numbers[numbers.length - 1]}`;
}

/** What the rows of one invoice say of a field of which it has one: the value, or the rows that contradict each other. */
export function agreed(
	rows: Row[],
	{ name, displayName, rule }: RowField,
): { value: unknown } | { problem: string } {
	const textOf = ({ values }: Row) => {
		const text = JSON.stringify(values.get(name));
		return rule.limits.kind === 'uuid' ? text.toLowerCase() : text;
	};
	const saying = rows.filter(({ values }) => values.has(name));
	const [first] = saying;
	const value = first?.values.get(name);
	const other = saying.find((row) => textOf(row) !== textOf(first));
	if (!other) return { value };
	return {
		problem: `Rows ${first.number} and ${other.number} belong to one invoice but differ in ${displayName}: ${quote(value)} and ${quote(other.values.get(name))}`,
	};
}
