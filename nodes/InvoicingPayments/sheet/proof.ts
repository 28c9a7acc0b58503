import type { Columns } from './columns';
import type { Draft } from './invoices';
import { meantColumns, otherUnits } from './meantColumns';
import { leftColumns, openColumns } from './openColumns';
import { doubtfulRows, notBilledColumns } from './rowRules';
import type { RowSettings } from './rowSettings';
import type { SheetProblem } from './sheetError';
import { openProblems, totalOfSeveralRows } from './sheetError';
import { checkTotals } from './totals';

/** Whether all figures of a sheet are accounted for. */
export interface Proof {
	/** The invoices, with what the sheet's totals and the looks of its rows say against them. */
	drafts: Draft[];
	/** What keeps the whole sheet from being sent. */
	wrong: SheetProblem[];
	/** By the rows of an invoice. */
	warnings: Map<Draft['rows'], string[]>;
	/** Which totals agreed, in words. */
	agreeing: string[];
	/** What the sheet's totals contain and the invoices do not, in words. */
	unbilled: string[];
	/** Whether columns stand open that the user lets pass (Other Columns). */
	isWaived: boolean;
}

/**
 * A sheet may be billed in two ways: its own totals prove its invoices, or every column with figures is accounted for. Rows that look
 * as if they were not meant to be billed stop it as well.
 */
export function proveDrafts(drafts: Draft[], columns: Columns, settings: RowSettings): Proof {
	const totals = checkTotals(drafts, columns, settings);
	const rows = doubtfulRows(drafts, settings, totals.isProved);
	const left = leftColumns(columns, drafts);
	const isWaived = settings.otherColumns === 'ignore';
	const open = isWaived ? [] : openColumns(left, columns, totals);
	const notBilled = isWaived ? [] : notBilledColumns(left);
	const asked = new Set([...open, ...notBilled].map(({ header }) => header));
	const others = left.filter(({ header }) => !asked.has(header));
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
			...otherUnits(isWaived ? [] : left, columns),
			...(isWaived ? [] : meantColumns(others, columns, settings)),
		],
		warnings: rows.warnings,
		agreeing: totals.agreeing,
		unbilled: totals.unbilled,
		isWaived,
	};
}
