import type { IDataObject, IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';
import type { Operation } from '../execution/operation';
import type { Plan, Unit } from '../execution/plan';
import { looksForNumber } from '../invoices/invoiceRequest';
import type { Draft } from './invoices';
import { unitOf } from './invoices';
import type { Ahead } from './lookAhead';
import { previewsOf } from './preview';
import { returnRows } from './returnedRows';
import { rowNumber } from './rowCells';
import type { RowSettings } from './rowSettings';
import { sheetErrorOf } from './sheetError';
import { warningHints } from './sheetHints';

/** One unit per invoice, with previews, hints and the error text. */
export function planOf(
	context: IExecuteFunctions,
	drafts: Draft[],
	operation: Operation,
	settings: RowSettings,
	report: {
		ahead?: Ahead;
		sources: IDataObject;
		warnings: Map<Draft, string[]>;
		hints: NodeExecutionHint[];
	},
): Plan {
	const { ahead, sources, warnings, hints } = report;
	const previews =
		settings.onlyValidate && ahead ? previewsOf(ahead, sources, warnings, settings) : undefined;
	const plan: Plan = {
		units: drafts.map((draft) => unitOf(draft, operation, settings, previews?.get(draft))),
		noun: 'invoice',
		explain: () => ({ ...sheetErrorOf(drafts), ...countedNote(context, settings) }),
		...(looksForNumber(settings) && { advice: fixAndRunAgain }),
		...(settings.previewOnly && { isPreview: true }),
		hints: [...hints, ...warningHints(warnings)],
	};
	return settings.returnRows ? withRows(context, plan, drafts) : plan;
}

const withRows = (context: IExecuteFunctions, plan: Plan, drafts?: Draft[]): Plan => ({
	...plan,
	output: (outcomes) => returnRows(context, plan, outcomes, drafts),
});

/** A single failed unit for all rows, used with Continue. */
export function planOfError(
	context: IExecuteFunctions,
	items: IDataObject[],
	problems: string[],
	{ firstRow = 2, returnRows: isReturned }: RowSettings,
): Plan {
	const numbers = items.map((json, index) => rowNumber(json, index, firstRow));
	const rows = numbers.join(', ');
	const unit: Unit = {
		items: items.map((_json, index) => index),
		name: `row${items.length === 1 ? '' : 's'} ${rows}`,
		fields: { rows },
		ready: { problems },
	};
	const plan: Plan = { units: [unit], noun: 'invoice', hints: [] };
	return isReturned ? withRows(context, plan) : plan;
}

function countedNote(context: IExecuteFunctions, { firstRow }: RowSettings): { note?: string } {
	const isCounted =
		firstRow === undefined && context.getInputData().every(({ json }) => !('row_number' in json));
	const note = 'Rows are counted from row 2; if your headers stand lower, set Options > First Row.';
	return isCounted ? { note } : {};
}

const fixAndRunAgain = ({ fields = {} }: Unit): string => {
	const rows = String(fields.rows);
	return `Correct row${rows.includes(',') ? 's' : ''} ${rows} and run again: the invoices that exist are found.`;
};
