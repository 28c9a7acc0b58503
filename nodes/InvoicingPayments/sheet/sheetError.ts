import type { INode } from 'n8n-workflow';
import { addTo } from '../../shared/addTo';
import { bulletList, plainError } from '../../shared/errors/nodeErrors';
import type { Columns } from './columns';
import { isMapped } from './columns';
import type { Draft } from './invoices';
import type { OpenColumn, UnmappedColumn } from './openColumns';
import type { CellProblem } from './rows';
import { listNumbers, problemText } from './rows';

/** A problem that stops the whole sheet. */
export interface SheetProblem {
	title: string;
	text: string;
}

export const sheetMessage = (problems: SheetProblem[]): string =>
	problems
		.map(({ title }) => title)
		.filter(Boolean)
		.join('. ');

export const sheetError = (node: INode, problems: SheetProblem[]) =>
	plainError(
		node,
		sheetMessage(problems),
		['Nothing was sent.', ...bulletList(problems.map(({ text }) => text))].join('<br>'),
		'configuration-invalid',
	);

/** Cell problems to report along with those of the sheet. */
export function cellProblems(drafts: Draft[]): SheetProblem[] {
	if (drafts.every((draft) => !draft.problems.length && !draft.cellProblems.length)) return [];
	const { message, lines } = sheetErrorOf(drafts);
	return [
		{ title: message, text: lines[0] ?? message },
		...lines.slice(1).map((text) => ({ title: '', text })),
	];
}

export const ambiguousAmount = (header: string): SheetProblem => ({
	title: `Column "${header}" may be the unit price or the line total: set 'Amount Is'`,
	text: `Column "${header}" may be the unit price or the line total, and there are quantities other than 1. Options > Amount Is says which`,
});

/** Amounts above the headers belong to no row: leaving them out would go unnoticed. */
export const amountsAboveHeaders = (amounts: string[]): SheetProblem => ({
	title: `There are amounts above the headers: ${amounts.slice(0, 3).join(', ')}`,
	text: `There are amounts above the headers: ${amounts.slice(0, 10).join(', ')}. If the invoices are right without them, set Options > Range in the node that reads the file, so that it begins with the headers`,
});

/** A total used as the price does not say how much each row adds. */
export const totalOfSeveralRows = (header: string): SheetProblem => ({
	title: `Column "${header}" may be the amount of each row or of the whole invoice`,
	text: `Column "${header}" is the only amount, and an invoice has several rows: it may be the amount of each row or of the whole invoice. If it is the row's, rename it to Line Total; else add a Unit Price column`,
});

/** A header as an entry of a list in Ignore Columns. */
function toPaste(header: string): string {
	const text = header.replace(/\s+/g, ' ').trim();
	return text === '' || /[",]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

const named = (headers: string[], most = 5) => {
	const list = headers.slice(0, most).map((header) => `"${header}"`);
	const rest = headers.length - most;
	return rest > 0 ? `${list.join(', ')} and ${rest} more` : list.join(', ');
};

const longest = 40;
const shortened = (text: string) => (text.length > longest ? `${text.slice(0, longest)}…` : text);

/** Keeps the error within one screen. */
const mostListed = 10;

/**
 * Reports open columns, and columns that mark rows as not billable. The list to paste replaces Ignore Columns, so it
 * includes them.
 */
export function openProblems(
	open: OpenColumn[],
	notBilled: UnmappedColumn[],
	columns: Columns,
): SheetProblem[] {
	const all = [...new Set([...open, ...notBilled].map(({ header }) => header))];
	if (all.length === 0) return [];
	// Without a price, one of them may be it, and should not be ignored.
	const hasPrice = isMapped(columns, 'itemAmount') || isMapped(columns, 'itemTotal');
	const titles = [
		open.length &&
			`No field for the figures in ${named(open.map(({ header }) => header))}${hasPrice ? ": see 'Ignore Columns'" : ''}`,
		notBilled.length &&
			`${named(notBilled.map(({ header }) => header))} says that rows should not be billed`,
	];
	const listed = [...open.map(openText), ...notBilled.map(notBilledText)];
	const rest = listed.length - mostListed;
	const list = [
		...listed.slice(0, mostListed),
		...(rest > 0 ? [`… and ${rest} more columns`] : []),
	];
	const lines = [
		...list,
		...(hasPrice
			? waysOut(open, [...columns.ignored, ...all], all.length)
			: ['If one of these columns is the price, rename it to Unit Price, or map it under Columns']),
	];
	return lines.map((text, at) => ({ title: at ? '' : titles.filter(Boolean).join('. '), text }));
}

function waysOut(open: OpenColumn[], toIgnore: string[], count: number): string[] {
	return [
		`If the invoices are right without ${count === 1 ? 'this column' : 'these columns'}, paste into Options > Ignore Columns: ${toIgnore.map(toPaste).join(', ')}`,
		...(open.length
			? [
					'If a column belongs in the invoices, rename it to the field that it fills, or map it under Columns',
				]
			: []),
	];
}

function openText({ header, cells, mayBe }: OpenColumn): string {
	const [{ row, cell }] = cells;
	const rest = cells.length - 1;
	const more = rest > 0 ? `, and ${rest} more` : '';
	const hint = mayBe ? '. It may be the quantity: then rename it to Quantity' : '';
	return `"${header}": ${shortened(cell.text)} in row ${row.number}${more}${hint}`;
}

function notBilledText({ header, cells }: UnmappedColumn): string {
	const rows = listNumbers(cells.map(({ row }) => row.number));
	const values = [...new Set(cells.map(({ cell }) => shortened(cell.text)))].slice(0, 3).join(', ');
	const [row, it, those] =
		cells.length === 1 ? ['row', 'it', 'this row'] : ['rows', 'they', 'these rows'];
	return `"${header}" says ${values} in ${row} ${rows}, so ${it} should perhaps not be billed. Set 'Rows Marked as Not Billable' to Skip, delete ${those}, or ignore the column`;
}

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
		if (same.length === 1) return problemText(same[0]);
		const rows = `rows ${listNumbers(
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
	const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
	const counts = [
		cells.length &&
			`${plural(cells.length, 'cell')} in ${plural(rows, 'row')} need${cells.length === 1 ? 's' : ''} a correction`,
		others.length && plural(others.length, cells.length ? 'other issue' : 'issue'),
	].filter(Boolean);
	return { message: counts.join(', '), lines: all };
}
