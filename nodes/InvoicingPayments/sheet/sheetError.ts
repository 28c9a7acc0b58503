import type { INode } from 'n8n-workflow';
import { bulletList, plainError } from '../../shared/errors/nodeErrors';
import type { Columns } from './columns';
import { isMapped } from './columns';
import type { Draft } from './invoices';
import type { LeftColumn, OpenColumn } from './openColumns';
import { sheetErrorOf } from './rowProblems';
import { numbersOf } from './rows';

/** What keeps all rows from being sent. */
export interface SheetProblem {
	/** In a few words, for the error's first line. */
	title: string;
	/** All there is to say, and what to do. */
	text: string;
}

/** The first line of the error. */
export const sheetMessage = (problems: SheetProblem[]): string =>
	problems
		.map(({ title }) => title)
		.filter(Boolean)
		.join('. ');

/** The error of a sheet of which no row can be sent. */
export const sheetError = (node: INode, problems: SheetProblem[]) =>
	plainError(
		node,
		sheetMessage(problems),
		['Nothing was sent.', ...bulletList(problems.map(({ text }) => text))].join('<br>'),
		'configuration-invalid',
	);

/** What is wrong with cells besides, so that all is told at once. */
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

/** Amounts above the headers belong to no row, and nobody would see that they are left out. */
export const amountsAboveHeaders = (amounts: string[]): SheetProblem => ({
	title: `There are amounts above the headers: ${amounts.slice(0, 3).join(', ')}`,
	text: `There are amounts above the headers: ${amounts.slice(0, 10).join(', ')}. If the invoices are right without them, set Options > Range in the node that reads the file, so that it begins with the headers`,
});

/** A column of sums that stands for the price does not say which row of an invoice adds how much. */
export const totalOfSeveralRows = (header: string): SheetProblem => ({
	title: `Column "${header}" may be the amount of each row or of the whole invoice`,
	text: `Column "${header}" is the only amount, and an invoice has several rows: it may be the amount of each row or of the whole invoice. If it is the row's, rename it to Line Total; else add a Unit Price column`,
});

/** A header as it can be pasted into Ignore Columns among others. */
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

/** So many columns are listed, so that no error is longer than a screen. */
const mostListed = 10;

/**
 * The columns that stand open and those that say that rows are not to be billed, each with the first of its cells, and the ways out.
 * The value to paste holds all columns that are ignored already as well: it replaces them.
 */
export function openProblems(
	open: OpenColumn[],
	notBilled: LeftColumn[],
	columns: Columns,
): SheetProblem[] {
	const all = [...new Set([...open, ...notBilled].map(({ header }) => header))];
	if (all.length === 0) return [];
	// One of them may be the price, which nobody should ignore.
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

function notBilledText({ header, cells }: LeftColumn): string {
	const rows = numbersOf(cells.map(({ row }) => row.number));
	const values = [...new Set(cells.map(({ cell }) => shortened(cell.text)))].slice(0, 3).join(', ');
	const [row, it, those] =
		cells.length === 1 ? ['row', 'it', 'this row'] : ['rows', 'they', 'these rows'];
	return `"${header}" says ${values} in ${row} ${rows}, so ${it} should perhaps not be billed. Set 'Rows Marked as Not Billable' to Skip, delete ${those}, or ignore the column`;
}
