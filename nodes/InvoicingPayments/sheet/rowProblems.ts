import { addTo } from '../../shared/addTo';
import type { Draft } from './invoices';
import type { CellProblem } from './rows';
import { numbersOf, textOf } from './rows';

export interface SheetError {
	message: string;
	lines: string[];
}

/** Groups cells with the same text, and cells that the same option would fix. */
const kindOf = ({ header, text }: CellProblem) =>
	JSON.stringify([header, /set '/.test(text) ? text.replace(/"(?:[^"\\]|\\.)*"|\d/g, '') : text]);

/** The error of rows that cannot be sent: a count, then each problem once with all of its rows. */
export function sheetErrorOf(drafts: Draft[]): SheetError {
	const cells = drafts.flatMap((draft) => draft.cellProblems);
	// Two invoices can share a problem.
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
