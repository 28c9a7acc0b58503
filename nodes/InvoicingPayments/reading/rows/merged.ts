import type { Column, Roles } from '../columns';
import { columnsOf } from '../columns';
import type { Steps } from '../../../shared/steps';
import { stepTimer } from '../../../shared/steps';
import type { Line } from '../table';
import type { PartedLines } from './rows';

/** The cells of the sheet, with those of merged cells filled. */
interface FilledCells {
	cellOf(column: Column, at: number): unknown;
	/** Whether a cell was filled, or would have to be. */
	isMerged: boolean;
	/** Lines that only name the customer of those below. */
	headings: ReadonlySet<number>;
}

/**
 * Merged cells keep their value only in the first row. The rows below it that name no other customer get it, up to a sum of several.
 */
export function* fillFromAbove(
	roles: Roles,
	lines: Line[],
	{ kept, blockEnds }: PartedLines,
): Steps<FilledCells> {
	const numbers = columnsOf(roles, 'invoiceNumber');
	const owners = columnsOf(roles, 'customerId', 'customerEmail');
	// If a number groups the rows, it is enough: an invoice takes other fields from any of its rows.
	const columns = numbers.length
		? numbers
		: [...new Set([...owners, ...columnsOf(roles, 'currency', 'dueDate', 'terms', 'invoiceDate')])];
	const keys = [...numbers, ...owners];
	const cells = new Map<Column, Map<number, unknown>>(columns.map((column) => [column, new Map()]));
	const above = new Map<Column, { cell: unknown; at: number }>();
	const headings = new Set<number>();
	let isMerged = false;
	const billed = new Set(kept);
	const isLong = stepTimer();
	for (const at of lines.keys()) {
		if (isLong()) yield;
		const isOther = keys.some((column) => {
			const text = column.looks[at]?.text;
			return text !== undefined && text !== String(above.get(column)?.cell ?? '').trim();
		});
		if (blockEnds.has(at) || (isOther && keys.some((column) => above.has(column)))) above.clear();
		for (const column of columns) {
			const filler = above.get(column);
			if (!billed.has(at) || column.looks[at] || !filler) continue;
			cells.get(column)?.set(at, filler.cell);
			if (!billed.has(filler.at)) headings.add(filler.at);
			isMerged = true;
		}
		for (const column of [...columns, ...owners])
			if (column.looks[at]) above.set(column, { cell: lines[at].cells[column.at], at });
	}
	return {
		isMerged: isMerged && keys.length > 0,
		headings,
		cellOf: (column, at) => cells.get(column)?.get(at) ?? lines[at].cells[column.at],
	};
}
