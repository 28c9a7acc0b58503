import type { Columns } from './columns';
import type { Draft } from './invoices';
import { overlookedColumns, otherUnits } from './overlookedColumns';
import { unmappedColumns, openColumns } from './openColumns';
import { doubtfulRows, notBilledColumns } from './rowRules';
import type { RowSettings } from './rowSettings';
import type { SheetProblem } from './sheetError';
import { openProblems, totalOfSeveralRows } from './sheetError';
import { checkTotals } from './totals';

export interface Proof {
	drafts: Draft[];
	wrong: SheetProblem[];
	/** Warnings by the rows of an invoice. */
	warnings: Map<Draft['rows'], string[]>;
	agreeing: string[];
	unbilled: string[];
	/** Whether Other Columns is set to ignore unexplained columns. */
	isWaived: boolean;
}

/**
 * Proves that no figure was overlooked: the sheet's own totals agree, or every column with figures is accounted for. Rows
 * that look like sums or are marked as not billable stop the sheet too.
 */
export function proveDrafts(drafts: Draft[], columns: Columns, settings: RowSettings): Proof {
	const totals = checkTotals(drafts, columns, settings);
	const rows = doubtfulRows(drafts, settings, totals.isProved);
	const unmapped = unmappedColumns(columns, drafts);
	const isWaived = settings.otherColumns === 'ignore';
	const open = isWaived ? [] : openColumns(unmapped, columns, totals);
	const notBilled = isWaived ? [] : notBilledColumns(unmapped);
	const asked = new Set([...open, ...notBilled].map(({ header }) => header));
	const others = unmapped.filter(({ header }) => !asked.has(header));
	const whole = columns.fields.find(({ isWholeTotal }) => isWholeTotal);
	const isOfSeveral = drafts.some((draft) => draft.rows.length > 1);
	return {
		drafts: drafts.map((draft) => ({
			...draft,
			cellProblems: [...draft.cellProblems, ...(totals.cellProblems.get(draft) ?? [])],
			problems: [
				...draft.problems,
				...(totals.problems.get(draft) ?? []),
				...(rows.problems.get(draft) ?? []),
			],
		})),
		wrong: [
			...(whole && isOfSeveral ? [totalOfSeveralRows(whole.header ?? '')] : []),
			...openProblems(open, notBilled, columns),
			...otherUnits(isWaived ? [] : unmapped, columns),
			...(isWaived ? [] : overlookedColumns(others, columns, settings)),
		],
		warnings: rows.warnings,
		agreeing: totals.agreeing,
		unbilled: totals.unbilled,
		isWaived,
	};
}
