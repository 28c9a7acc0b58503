import { shorten } from '../../shared/fields/text';
import { overlookedColumns, otherUnits } from './columnProblems';
import type { Columns } from './columns';
import { isMapped } from './columns';
import type { Draft } from './invoices';
import type { ColumnCell, UnexplainedColumn, UnmappedColumn } from './unexplainedColumns';
import { unmappedColumns, unexplainedColumns } from './unexplainedColumns';
import type { SheetProblem } from './problems';
import { listNumbers, problemInLines, quotedList } from './problems';
import { doubtfulRows, notBilledColumns } from './rowRules';
import type { RowSettings } from './rowSettings';
import { checkTotals } from './totals';

/**
 * Checks that no figure was overlooked: the sheet's own totals agree, or every column with figures is explained. Rows that
 * look like sums, or that a column marks as not billable, are problems too.
 */
export function proveDrafts(drafts: Draft[], columns: Columns, settings: RowSettings) {
	const totals = checkTotals(drafts, columns, settings);
	const rows = doubtfulRows(drafts, settings, totals.isProved);
	const unmapped = settings.otherColumns === 'ignore' ? [] : unmappedColumns(columns, drafts);
	const unexplained = unexplainedColumns(unmapped, columns, totals);
	const notBilled = notBilledColumns(unmapped);
	const reported = new Set([...unexplained, ...notBilled].map(({ header }) => header));
	const others = unmapped.filter(({ header }) => !reported.has(header));
	const problemsOf = (draft: Draft) =>
		[totals.problems, rows.problems].flatMap((found) => found.get(draft) ?? []);
	return {
		drafts: drafts.map((draft) => ({
			...draft,
			cellProblems: [...draft.cellProblems, ...(totals.cellProblems.get(draft) ?? [])],
			problems: [...draft.problems, ...problemsOf(draft)],
		})),
		problems: [
			...totalOfSeveralRows(drafts, columns),
			...unexplainedProblems(unexplained, notBilled, columns),
			...otherUnits(unmapped, columns),
			...overlookedColumns(others, columns, settings),
		],
		warnings: rows.warnings,
		agreements: totals.agreements,
		unbilledSums: totals.unbilledSums,
	};
}

/** If a total is the only amount of an invoice with several rows, the amount of each row is unknown. */
function totalOfSeveralRows(drafts: Draft[], { fields }: Columns): SheetProblem[] {
	const whole = fields.find(({ role }) => role === 'wholeTotal');
	if (!whole || drafts.every(({ rows }) => rows.length === 1)) return [];
	const title = `Column "${whole.header ?? ''}" may be the amount of each row or of the whole invoice`;
	const text = `Column "${whole.header ?? ''}" is the only amount, and an invoice has several rows: it may be the amount of each row or of the whole invoice. If it is the row's, rename it to Line Total; else add a Unit Price column`;
	return [{ title, text }];
}

/** So that the error fits on one screen. */
const maxLines = 10;
const maxNames = 5;

/** Suggests a list for Ignore Columns. The user replaces the option with it, so it repeats the columns ignored already. */
function unexplainedProblems(
	unexplained: UnexplainedColumn[],
	notBilled: UnmappedColumn[],
	columns: Columns,
): SheetProblem[] {
	const all = [...new Set([...unexplained, ...notBilled].map(({ header }) => header))];
	if (all.length === 0) return [];
	// If no column is the price, one of these may be. Do not suggest ignoring it.
	const hasPrice = isMapped(columns, 'itemAmount') || isMapped(columns, 'itemTotal');
	const titles = [
		unexplained.length &&
			`No field for the figures in ${firstNames(unexplained)}${hasPrice ? ": see 'Ignore Columns'" : ''}`,
		notBilled.length && `${firstNames(notBilled)} says that rows should not be billed`,
	];
	const listed = [...unexplained.map(unexplainedText), ...notBilled.map(notBilledText)];
	const rest = listed.length - maxLines;
	const toIgnore = [...columns.ignored, ...all].map(toPaste).join(', ');
	const theseColumns = all.length === 1 ? 'this column' : 'these columns';
	const lines = [
		...listed.slice(0, maxLines),
		rest > 0 && `… and ${rest} more columns`,
		!hasPrice &&
			'If one of these columns is the price, rename it to Unit Price, or map it under Columns',
		hasPrice &&
			`If the invoices are right without ${theseColumns}, paste into Options > Ignore Columns: ${toIgnore}`,
		hasPrice &&
			unexplained.length > 0 &&
			'If a column belongs in the invoices, rename it to the field that it fills, or map it under Columns',
	];
	const title = titles.filter(Boolean).join('. ');
	return problemInLines(
		title,
		lines.filter((line) => line !== false),
	);
}

function firstNames(columns: UnmappedColumn[]): string {
	const list = quotedList(columns.slice(0, maxNames).map(({ header }) => header));
	const rest = columns.length - maxNames;
	return rest > 0 ? `${list} and ${rest} more` : list;
}

function toPaste(header: string): string {
	const text = header.replace(/\s+/g, ' ').trim();
	return text === '' || /[",]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

const shortText = ({ cell }: ColumnCell) => shorten(cell.text, 40);

function unexplainedText({ header, cells, mayBe }: UnexplainedColumn): string {
	const [first, ...others] = cells;
	const more = others.length ? `, and ${others.length} more` : '';
	const hint = mayBe ? '. It may be the quantity: then rename it to Quantity' : '';
	return `"${header}": ${shortText(first)} in row ${first.row.number}${more}${hint}`;
}

function notBilledText({ header, cells }: UnmappedColumn): string {
	const rows = listNumbers(cells.map(({ row }) => row.number));
	const values = [...new Set(cells.map(shortText))].slice(0, 3).join(', ');
	const [row, it, those] =
		cells.length === 1 ? ['row', 'it', 'this row'] : ['rows', 'they', 'these rows'];
	return `"${header}" says ${values} in ${row} ${rows}, so ${it} should perhaps not be billed. Set 'Rows Marked as Not Billable' to Skip, delete ${those}, or ignore the column`;
}
