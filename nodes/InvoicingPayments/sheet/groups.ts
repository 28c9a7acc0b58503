import { addTo } from '../../shared/addTo';
import { columnList } from './columns';
import { plainHeader } from './headers';
import type { Key } from './rowCells';
import type { CellProblem, Row } from './rows';

/** The rows of one invoice, in sheet order. */
export interface Group {
	readonly rows: readonly Row[];
	readonly problems: readonly string[];
	/** Rows that lack the key of their invoice. */
	readonly unassigned: readonly CellProblem[];
	/** Why a valid invoice must wait: a neighboring row may belong to it. */
	readonly blockedBy?: string;
}

/**
 * Groups rows by key, in the order of their first rows. If no row has a key, each row is a group. If only some have one,
 * a row without a key is a problem, and its neighbors are blocked: it may belong to them. `column` names the key in errors.
 */
export function groupRows(rows: Row[], keyOf: (row: Row) => Key, column: string): Group[] {
	const keys = rows.map((row) => keyOf(row));
	const members = new Map<unknown, number[]>();
	rows.forEach((row, at) => {
		const key = keys[at];
		// Items side by side share one row.
		const id = typeof key === 'object' ? key.key.normalize('NFC') : row.index;
		addTo(members, id, at);
	});
	const isLost = (at: number) => typeof keys[at] !== 'object';
	const isAnyGrouped = keys.some((key) => key !== undefined);
	const lost = new Set(rows.flatMap((_row, at) => (isAnyGrouped && isLost(at) ? [at] : [])));
	const blocked = new Map<number, string>();
	for (const at of lost) {
		let before = at - 1;
		while (before >= 0 && isLost(before)) before--;
		let after = at + 1;
		while (after < rows.length && isLost(after)) after++;
		const blockedBy = `Row ${rows[at].number} may be a part of this invoice: correct it first`;
		for (const beside of [before, after]) if (!blocked.has(beside)) blocked.set(beside, blockedBy);
	}
	return [...members.values()].map((indexes): Group => {
		const blockedBy = indexes.map((at) => blocked.get(at)).find((one) => one !== undefined);
		return {
			rows: indexes.map((at) => rows[at]),
			problems: [],
			unassigned: indexes
				.filter((at) => lost.has(at) && keys[at] === undefined)
				.map((at) => ({
					row: rows[at].number,
					text: `${column} is empty, so the row cannot be assigned to an invoice. Enter it in every row, or set 'Fill Merged Cells'`,
				})),
			...(blockedBy !== undefined && { blockedBy }),
		};
	});
}

/** The header of the group column, ignoring case, spaces and punctuation. */
export function groupHeaderOf(column: string, headers: string[]): string | { problem: string } {
	if (headers.includes(column)) return column;
	const plain = plainHeader(column);
	const found = headers.filter((header) => plain && plainHeader(header) === plain);
	if (found.length === 1) return found[0];
	const what = found.length
		? `several columns are called "${column}"`
		: `there is no column "${column}"`;
	return { problem: `Group Column: ${what}. ${columnList(headers)}` };
}

/** Groups by invoice number. Invalid ones already have an error. If numbers are made, a row without one is an invoice by itself. */
export function groupByNumber(rows: Row[], makesNumbers = false): Group[] {
	const isNumbered = rows.some(
		({ values, invalid }) => values.has('invoiceNumber') || invalid.has('invoiceNumber'),
	);
	return groupRows(
		rows,
		({ index, values, invalid, totalName }) => {
			if (invalid.has('invoiceNumber')) return 'invalid';
			const key = values.get('invoiceNumber') as string | undefined;
			if (key !== undefined) return { key };
			// A line break cannot occur in an invoice number.
			if (makesNumbers) return { key: `\n${index}` };
			return totalName !== undefined && isNumbered ? 'invalid' : undefined;
		},
		'Invoice Number',
	);
}

export function groupByColumn(rows: Row[], header: string): Group[] {
	const checked = rows.map((row): Row => {
		if (row.cells.group !== 'invalid') return row;
		const text = 'must contain text or a number to group rows by';
		return { ...row, problems: [...row.problems, { row: row.number, header, text }] };
	});
	return groupRows(checked, ({ cells }) => cells.group, `column "${header}"`);
}
