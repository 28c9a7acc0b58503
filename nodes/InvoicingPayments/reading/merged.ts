import type { Roles } from './columns';
import type { Column } from './profile';
import type { Line } from './table';

/** The cells of the sheet, with those of merged cells filled. */
export interface FilledCells {
	cellOf(column: Column, at: number): unknown;
	/** Whether a cell was filled, or would have to be. */
	isMerged: boolean;
}

/**
 * Merged cells keep their value only in the first row. The rows below it that name no other customer get it. `kept`: the lines that
 * are billed.
 */
export function fillFromAbove(roles: Roles, lines: Line[], kept: number[]): FilledCells {
	const columnsOf = (...names: string[]) => names.flatMap((name) => roles.fields.get(name) ?? []);
	const numbers = columnsOf('invoiceNumber');
	const owners = columnsOf('customerId', 'customerEmail');
	// If a number groups the rows, it is enough: an invoice takes other fields from any of its rows.
	const columns = numbers.length
		? numbers
		: [...new Set([...owners, ...columnsOf('currency', 'dueDate', 'terms', 'invoiceDate')])];
	const keys = new Set([...numbers, ...owners]);
	const cells = new Map<Column, Map<number, unknown>>(columns.map((column) => [column, new Map()]));
	const above = new Map<Column, unknown>();
	let isMerged = false;
	for (const at of kept) {
		const hasKey = [...keys].some((column) => above.has(column));
		const isOther = [...keys].some(
			(column) =>
				column.looks[at] &&
				hasKey &&
				column.looks[at].text !== String(above.get(column) ?? '').trim(),
		);
		if (isOther) above.clear();
		for (const column of columns) {
			if (column.looks[at] || !above.has(column)) continue;
			cells.get(column)?.set(at, above.get(column));
			isMerged = true;
		}
		for (const column of [...columns, ...owners])
			if (column.looks[at]) above.set(column, lines[at].cells[column.at]);
	}
	return {
		isMerged: isMerged && numbers.length + owners.length > 0,
		cellOf: (column, at) => cells.get(column)?.get(at) ?? lines[at].cells[column.at],
	};
}
