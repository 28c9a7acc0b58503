import { addTo } from '../../shared/addTo';
import type { Draft } from './invoices';
import type { CellProblem } from './rows';
import { numbersOf, textOf } from './rows';

/** An error of a sheet: its first line, and what follows it. */
export interface SheetError {
	message: string;
	lines: string[];
}

/** Cells that the same option would read are listed together, and cells with the very same text. */
const kindOf = ({ header, text }: CellProblem) =>
	JSON.stringify([header, /set '/.test(text) ? text.replace(/"(?:[^"\\]|\\.)*"|\d/g, '') : text]);

/**
 * The error of rows that cannot be sent: how many cells in how many rows, then what is wrong by column, the same thing said once
 * with all of its rows.
 */
export function sheetErrorOf(drafts: Draft[]): SheetError {
	const cells = drafts.flatMap((draft) => draft.cellProblems);
	// Two invoices may have one problem with each other.
	const others = [...new Set(drafts.flatMap((draft) => draft.problems))];
	const kinds = new Map<string, CellProblem[]>();
	for (const cell of cells) {
		addTo(kinds, kindOf(cell), cell);
	}
	const lines = [...kinds.values()].map((same) => {
		const [{ header, text }] = same;
		if (same.length === 1) return textOf(same[0]);
		const rows = `rows ${numbersOf(
			same.map(({ row }) => row),
			10,
		)}`;
		const isOne = same.every((one) => one.text === text);
		const first = isOne ? text : text.replace(/, got "(?:[^"\\]|\\.)*"/, '$& and others');
		return header === undefined
			? `R${rows.slice(1)}: ${first}`
			: `Column "${header}", ${rows}: ${first}`;
	});
	const all = [...lines, ...others];
	if (all.length === 1 && cells.length < 2) return { message: all[0], lines: [] };
	const rows = new Set(cells.map(({ row }) => row)).size;
	const many = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
	const counts = [
		cells.length &&
			`${many(cells.length, 'cell')} in ${many(rows, 'row')} need${cells.length === 1 ? 's' : ''} a correction`,
		others.length && many(others.length, cells.length ? 'other issue' : 'issue'),
	].filter(Boolean);
	return { message: counts.join(', '), lines: all };
}
