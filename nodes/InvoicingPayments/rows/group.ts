import type { IDataObject } from 'n8n-workflow';
import { isEmpty } from '../../shared/fields/text';
import { listOf } from './columns';
import { plainHeader } from './headers';
import type { Row } from './row';

/** The rows of one invoice, in the order of the sheet. */
export interface Group {
	rows: Row[];
	problems: string[];
	/** Why it cannot be billed although nothing is wrong with it: a row beside it may be a part of it. */
	doubt?: string;
}

/** By what a row is grouped: nothing where it does not say; `'invalid'` where it does, but not in a way that can be read. */
type Key = { key: string } | 'invalid' | undefined;

/**
 * Makes groups of the rows that have the same key, each in the place of its first row. Where no row has a key, each is a group of
 * its own; where only some have one, it is not known where the others belong: a problem that names the row and `column`, and a
 * doubt about the invoices beside it.
 */
export function groupRows(rows: Row[], keyOf: (row: Row) => Key, column: string): Group[] {
	const keys = rows.map((row) => keyOf(row));
	const groups = new Map<unknown, Group>();
	const ofRows = rows.map((row, at) => {
		const key = keys[at];
		const id = typeof key === 'object' ? key.key.normalize('NFC') : row;
		const group = groups.get(id) ?? { rows: [], problems: [] };
		group.rows.push(row);
		groups.set(id, group);
		return group;
	});
	const all = [...groups.values()];
	if (keys.every((key) => key === undefined)) return all;
	const isLost = (at: number) => typeof keys[at] !== 'object';
	rows.forEach((row, at) => {
		if (!isLost(at)) return;
		if (keys[at] === undefined) {
			ofRows[at].problems.push(
				`Row ${row.number}: ${column} is empty, so the row cannot be assigned to an invoice. Enter it in every row (merged cells fill only the first one)`,
			);
		}
		let before = at - 1;
		while (before >= 0 && isLost(before)) before--;
		let after = at + 1;
		while (after < rows.length && isLost(after)) after++;
		for (const group of [ofRows[before], ofRows[after]]) {
			if (group)
				group.doubt ??= `Row ${row.number} may be a part of this invoice: correct it first`;
		}
	});
	return all;
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
		({ values, invalid, isSum }) => {
			if (invalid.has('invoiceNumber')) return 'invalid';
			const key = values.get('invoiceNumber') as string | undefined;
			if (key === undefined && isSum) return 'invalid';
			return key === undefined ? undefined : { key };
		},
		'Invoice Number',
	);

/** Groups rows by a column of the items that they are. */
export function groupByColumn(rows: Row[], items: IDataObject[], header: string): Group[] {
	for (const { index, number, problems } of rows) {
		const cell = items[index][header];
		if (typeof cell !== 'object' || cell === null) continue;
		problems.push({
			row: number,
			header,
			text: 'must contain text or a number to group rows by',
		});
	}
	const keyOf = ({ index }: Row): Key => {
		const cell = items[index][header];
		if (isEmpty(cell)) return undefined;
		return typeof cell === 'object' ? 'invalid' : { key: String(cell).trim() };
	};
	return groupRows(rows, keyOf, `column "${header}"`);
}
