import type { INode } from 'n8n-workflow';
import { addTo } from '../../../shared/addTo';
import { toHtml } from '../../../shared/errors/html';
import { maxProblems, plainError } from '../../../shared/errors/nodeErrors';
import type { CellProblem } from '../../reading/cells';
import { listNumbers, plural, problemText } from '../../reading/cells';

/** Why nothing is sent: a line to begin with, and what to know besides. */
export interface Refusal {
	title: string;
	lines: string[];
}

/** Nothing of the sheet is sent. */
export class Refused extends Error {
	constructor(readonly refusal: Refusal) {
		super(refusal.title);
	}
}

/** Throws Refused if there are problems. The title has all of them, because Return Rows has room for nothing else. */
export function refuseIfAny(problems: string[]): void {
	if (problems.length === 0) return;
	const lines = problems.length > 1 ? problems : [];
	throw new Refused({ title: problems.join('. '), lines });
}

/** Without bullets: one of the lines may be a reading to copy. */
export const refusalError = (node: INode, { title, lines }: Refusal) =>
	plainError(node, title, toHtml('Nothing was sent.', ...lines), {
		cause: 'configuration-invalid',
	});

interface InvoiceProblems {
	cellProblems: readonly CellProblem[];
	problems: readonly string[];
}

/** The error for invoices that cannot be sent: a count, then each problem once with all its rows. */
export function invoicesError(invoices: readonly InvoiceProblems[]): {
	message: string;
	lines: string[];
	note?: string;
} {
	const cells = invoices.flatMap(({ cellProblems }) => cellProblems);
	// Two invoices can share a problem.
	const others = [...new Set(invoices.flatMap(({ problems }) => problems))];
	const kinds = new Map<string, CellProblem[]>();
	for (const cell of cells) addTo(kinds, JSON.stringify([cell.header, cell.text]), cell);
	const all = [...[...kinds.values()].map(sameText), ...others];
	if (all.length === 1 && cells.length < 2) return { message: all[0], lines: [] };
	const rows = new Set(cells.map(({ row }) => row)).size;
	const counts = [
		cells.length &&
			`${plural(cells.length, 'cell')} in ${plural(rows, 'row')} need${cells.length === 1 ? 's' : ''} a correction`,
		others.length && plural(others.length, cells.length ? 'other issue' : 'issue'),
	].filter(Boolean);
	// The first of them stands in the message.
	const isCut = all.length > maxProblems + 1;
	return {
		message: counts.join(', '),
		lines: all,
		...(isCut && { note: "To see all, execute with 'Preview Only'." }),
	};
}

/** The same problem in several rows. */
function sameText(cells: CellProblem[]): string {
	const [{ header, text }] = cells;
	if (cells.length === 1) return problemText(cells[0]);
	const rows = listNumbers(
		cells.map(({ row }) => row),
		10,
	);
	return header === undefined
		? `Rows ${rows}: ${text}`
		: `Column "${header}", rows ${rows}: ${text}`;
}
