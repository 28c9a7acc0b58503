import type { IDataObject } from 'n8n-workflow';
import { isEmpty } from '../../shared/fields/text';
import { listOf } from './columns';
import { plainHeader } from './rowFields';
import type { Row } from './row';

/** What makes rows one invoice. */
export const groupings = ['invoiceNumber', 'column', 'row'] as const;
export type Grouping = (typeof groupings)[number];

/** The rows of one invoice, in the order of the sheet. */
export interface Group {
	rows: Row[];
	problems: string[];
}

/**
 * Makes groups of the rows that have the same key, each in the place of its first row. Where no row has a key, each is a group of
 * its own; where only some have one, it is not known where the others belong: a problem that names the row and `column`.
 */
export function groupRows(
	rows: Row[],
	keyOf: (row: Row) => string | undefined,
	column: string,
): Group[] {
	const groups = new Map<unknown, Group>();
	const alone: Group[] = [];
	for (const row of rows) {
		const key = keyOf(row);
		const group = groups.get(key ?? row) ?? { rows: [], problems: [] };
		group.rows.push(row);
		groups.set(key ?? row, group);
		if (key === undefined) alone.push(group);
	}
	if (alone.length === rows.length) return alone;
	for (const { rows: own, problems } of alone) {
		problems.push(
			`Row ${own[0].number}: ${column} is empty, so the row cannot be assigned to an invoice`,
		);
	}
	return [...groups.values()];
}

/** The column by which rows are grouped, whatever its header's case, spaces and punctuation, or what is wrong with it. */
export function groupHeaderOf(column: string, headers: string[]): string | { problem: string } {
	if (headers.includes(column)) return column;
	const plain = plainHeader(column);
	const found = headers.filter((header) => plain && plainHeader(header) === plain);
	if (found.length === 1) return found[0];
	const what = found.length
		? `several columns are called "${column}"`
		: `there is no column "${column}"`;
	return { problem: `Group Column: ${what}. ${listOf(headers)}` };
}

/** Groups rows by their invoice numbers. A number that is not valid makes no group: what is wrong with it is said already. */
export const groupByNumber = (rows: Row[]) =>
	groupRows(
		rows,
		({ values, invalid, index }) =>
			invalid.has('invoiceNumber') ? `\0${index}` : (values.get('invoiceNumber') as string),
		'Invoice Number',
	);

/** Groups rows by a column of the items that they are. */
export function groupByColumn(rows: Row[], items: IDataObject[], header: string): Group[] {
	for (const { index, number, problems } of rows) {
		const cell = items[index][header];
		if (typeof cell !== 'object' || cell === null) continue;
		problems.push(
			`Row ${number}, column "${header}": must contain text or a number to group rows by`,
		);
	}
	const keyOf = ({ index }: Row) => {
		const cell = items[index][header];
		return isEmpty(cell) ? undefined : String(cell).trim();
	};
	return groupRows(rows, keyOf, `column "${header}"`);
}
