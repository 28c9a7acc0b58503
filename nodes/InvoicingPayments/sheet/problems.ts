import type { INode } from 'n8n-workflow';
import { addTo } from '../../shared/addTo';
import { bulletList, plainError } from '../../shared/errors/nodeErrors';

/** A problem that stops the whole sheet. Without a title, it is another line of the previous problem. */
export interface SheetProblem {
	title: string;
	text: string;
}

/** A problem of a cell, or of a whole row if it has no header. */
export interface CellProblem {
	row: number;
	header?: string;
	text: string;
}

export const sheetProblem = (title: string, more = ''): SheetProblem => ({
	title,
	text: `${title}${more}`,
});

export const problemInLines = (title: string, lines: string[]): SheetProblem[] =>
	lines.map((text, at) => ({ title: at ? '' : title, text }));

export const sheetMessage = (problems: SheetProblem[]): string =>
	problems.flatMap(({ title }) => title || []).join('. ');

export const sheetError = (node: INode, problems: SheetProblem[]) =>
	plainError(
		node,
		sheetMessage(problems),
		['Nothing was sent.', ...bulletList(problems.map(({ text }) => text))].join('<br>'),
		'configuration-invalid',
	);

interface InvoiceProblems {
	cellProblems: readonly CellProblem[];
	problems: readonly string[];
}

export function problemsOfInvoices(invoices: InvoiceProblems[]): SheetProblem[] {
	if (invoices.every((one) => !one.problems.length && !one.cellProblems.length)) return [];
	const { message, lines } = invoicesError(invoices);
	return problemInLines(message, lines.length ? lines : [message]);
}

/** Equal for cells with the same problem, or whose problems the same option would fix. */
const kindOf = ({ header, text }: CellProblem) =>
	JSON.stringify([header, /set '/.test(text) ? text.replace(/"(?:[^"\\]|\\.)*"|\d/g, '') : text]);

/** The error for invoices that cannot be sent: a count, then each problem once with all its rows. */
export function invoicesError(invoices: InvoiceProblems[]): { message: string; lines: string[] } {
	const cells = invoices.flatMap(({ cellProblems }) => cellProblems);
	// Two invoices can share a problem.
	const others = [...new Set(invoices.flatMap(({ problems }) => problems))];
	const kinds = new Map<string, CellProblem[]>();
	for (const cell of cells) addTo(kinds, kindOf(cell), cell);
	const all = [...[...kinds.values()].map(similarText), ...others];
	if (all.length === 1 && cells.length < 2) return { message: all[0], lines: [] };
	const rows = new Set(cells.map(({ row }) => row)).size;
	const counts = [
		cells.length &&
			`${plural(cells.length, 'cell')} in ${plural(rows, 'row')} need${cells.length === 1 ? 's' : ''} a correction`,
		others.length && plural(others.length, cells.length ? 'other issue' : 'issue'),
	].filter(Boolean);
	return { message: counts.join(', '), lines: all };
}

function similarText(cells: CellProblem[]): string {
	const [{ header, text }] = cells;
	if (cells.length === 1) return problemText(cells[0]);
	const isSame = cells.every((one) => one.text === text);
	const shown = isSame ? text : text.replace(/, got "(?:[^"\\]|\\.)*"/, '$& and others');
	const rows = listNumbers(
		cells.map(({ row }) => row),
		10,
	);
	return header === undefined
		? `Rows ${rows}: ${shown}`
		: `Column "${header}", rows ${rows}: ${shown}`;
}

export const problemText = ({ row, header, text }: CellProblem): string =>
	`Row ${row}${header === undefined ? '' : `, column "${header}"`}: ${text}`;

export const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

export const quotedList = (names: string[]) => names.map((name) => `"${name}"`).join(', ');

/** `2`, `2 and 3`, `2, 3, 4, 5, 6 and 7 more`. */
export function listNumbers(numbers: number[], most = 5): string {
	const listed = numbers.slice(0, most).map(String);
	if (numbers.length > most) return `${listed.join(', ')} and ${numbers.length - most} more`;
	if (numbers.length === 1) return listed[0];
	return `${listed.slice(0, -1).join(', ')} and ${listed[listed.length - 1]}`;
}

export const numbersLabel = (numbers: number[]) =>
	`row${numbers.length === 1 ? '' : 's'} ${listNumbers(numbers)}`;

export const rowsLabel = (rows: ReadonlyArray<{ number: number }>): string =>
	numbersLabel([...new Set(rows.map(({ number }) => number))]);
