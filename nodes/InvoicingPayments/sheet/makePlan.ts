import type { IDataObject, IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';
import { isEmpty } from '../../shared/fields/text';
import type { Operation, Plan, Unit } from '../execution/operation';
import { needsNumberLookup } from '../invoices/invoiceRequest';
import type { PlanLine } from '../plan/approval';
import { entryOf, fingerprintOf } from '../plan/approval';
import { summaryOf } from '../plan/summary';
import type { Columns } from './columns';
import type { Draft } from './invoices';
import { requestOf } from './invoices';
import type { Forecast } from './forecast';
import { invoicesError, problemText, rowsLabel } from './problems';
import { returnRows } from './returnedRows';
import { rowNumber } from './rowCells';
import type { RowSettings } from './rowSettings';
import { warningHints } from './sheetHints';

interface Report {
	columns: Columns;
	forecast?: Forecast;
	warnings: Map<Draft, string[]>;
	hints: NodeExecutionHint[];
}

type Source = Pick<Plan, 'input' | 'isGiven'>;

export function planOf(
	context: IExecuteFunctions,
	source: Source,
	drafts: Draft[],
	operation: Operation,
	settings: RowSettings,
	report: Report,
): Plan {
	const previews = previewsOf(report, settings);
	const plan: Plan = {
		...source,
		units: drafts.map((draft) => unitOf(draft, operation, settings, previews.get(draft))),
		noun: 'invoice',
		explain: () => ({ ...invoicesError(drafts), ...countedNote(source, settings) }),
		...(needsNumberLookup(settings) && { advice: fixAndRunAgain }),
		...(settings.previewOnly && { isPreview: true }),
		hints: [...report.hints, ...warningHints(report.warnings)],
	};
	return settings.returnRows ? withRows(context, plan, drafts) : plan;
}

/** With Continue, problems of the whole sheet fail all rows, as a single unit. */
export function planOfError(
	context: IExecuteFunctions,
	source: Source,
	items: IDataObject[],
	problems: string[],
	settings: RowSettings,
): Plan {
	const numbers = items.map((json, index) => rowNumber(json, index, settings.firstRow ?? 2));
	const rows = numbers.join(', ');
	const unit: Unit = {
		items: items.map((_json, index) => index),
		name: `row${items.length === 1 ? '' : 's'} ${rows}`,
		fields: { rows },
		prepared: { problems },
	};
	const plan: Plan = { ...source, units: [unit], noun: 'invoice', hints: [] };
	return settings.returnRows ? withRows(context, plan) : plan;
}

const withRows = (context: IExecuteFunctions, plan: Plan, drafts?: Draft[]): Plan => ({
	...plan,
	output: (outcomes) => returnRows(context, plan, outcomes, drafts),
});

function countedNote({ input }: Source, { firstRow }: RowSettings): { note?: string } {
	const isCounted = firstRow === undefined && input.every(({ json }) => !('row_number' in json));
	const note = 'Rows are counted from row 2; if your headers stand lower, set Options > First Row.';
	return isCounted ? { note } : {};
}

const fixAndRunAgain = ({ fields = {} }: Unit): string => {
	const rows = String(fields.rows);
	return `Correct row${rows.includes(',') ? 's' : ''} ${rows} and run again: the invoices that exist are found.`;
};

function unitOf(
	draft: Draft,
	operation: Operation,
	settings: RowSettings,
	preview?: IDataObject,
): Unit {
	const { rows, body, sums, match, blockedBy } = draft;
	const problems = [...draft.cellProblems.map(problemText), ...draft.problems];
	const reasons = problems.length || blockedBy === undefined ? problems : [blockedBy];
	const number = body.invoice_number as string | undefined;
	const showsProblems = settings.previewOnly === true && settings.returnRows === true;
	const stop =
		showsProblems && reasons.length ? { action: 'stop', why: reasons.join('. ') } : undefined;
	const results = reasons.length ? stop : preview;
	const fields = {
		...(settings.previewOnly && { action: 'stop' }),
		rows: numbersOf(draft),
		...(number !== undefined && { invoice_number: number }),
	};
	return {
		...(sums && !reasons.length && { sum: { currency: String(body.currency), total: sums.total } }),
		items: [...new Set(rows.map(({ index }) => index))],
		name: `${number === undefined ? '' : `invoice ${number}, `}${rowsLabel(rows)}`,
		// A preview already contains the row numbers.
		...(!results && { fields }),
		...(match && !results && { added: { customer_match: { ...match } } }),
		prepared:
			reasons.length && !stop
				? { problems: reasons }
				: settings.previewOnly
					? { results: results ? [results] : [] }
					: { request: requestOf(draft, operation, settings) },
	};
}

const numbersOf = ({ rows }: Draft) => [...new Set(rows.map(({ number }) => number))].join(', ');

/** The previews of invoices. The first preview contains the whole plan, so that a later run can be compared with it. */
function previewsOf(
	{ columns, forecast, warnings }: Report,
	{ previewOnly, returnRows, simplify = true }: RowSettings,
): Map<Draft, IDataObject> {
	if (!previewOnly || !forecast) return new Map();
	const { lines, account } = forecast;
	const all = [...lines.values()];
	const invoices = all.map(entryOf);
	const fingerprint = fingerprintOf(invoices, account);
	const whole = {
		fingerprint,
		account,
		summary: summaryOf(all),
		invoices: invoices as unknown as IDataObject[],
	};
	const sources = sourcesOf(columns);
	// Returned rows say how an existing invoice differs, which a flat preview only has as text.
	const isFlat = simplify && !returnRows;
	return new Map(
		[...lines].map(([draft, line], at) => {
			const notes = warnings.get(draft);
			const plan = at ? { fingerprint } : whole;
			const more = { columns: sources, ...(notes && { warnings: notes }), plan };
			return [draft, isFlat ? flatPreview(draft, line, notes, plan) : previewOf(draft, line, more)];
		}),
	);
}

function sourcesOf({ fields }: Columns): IDataObject {
	const sources: IDataObject = {};
	for (const { field, header } of fields) {
		if (header === undefined) continue;
		const others = sources[field.displayName];
		sources[field.displayName] = isEmpty(others) ? header : `${String(others)}, ${header}`;
	}
	return sources;
}

/** A planned invoice as a table row, for people. The first row also contains the plan's summary. */
function flatPreview(
	draft: Draft,
	{ comparison }: PlanLine,
	warnings: string[] = [],
	{ fingerprint, summary }: IDataObject,
): IDataObject {
	const { body, sums, match } = draft;
	const { action, differences, why } = comparison;
	const items = (body.items ?? []) as IDataObject[];
	const itemText = ({ name, amount, quantity }: IDataObject) =>
		`${String(quantity)} × ${String(name)} at ${String(amount)}`;
	return {
		action,
		invoice_number: body.invoice_number ?? '',
		customer: match?.name ?? match?.email ?? body.customer,
		total: sums?.total,
		currency: body.currency,
		due_date: body.due_date,
		items: items.map(itemText).join('; '),
		rows: numbersOf(draft),
		warnings: [...(why === undefined ? [] : [why]), ...differences, ...warnings].join('; '),
		fingerprint,
		...(summary !== undefined && { summary }),
	};
}

/** A planned invoice. The fields that people compare come first, then everything else that would be sent. */
function previewOf(draft: Draft, { comparison }: PlanLine, more: IDataObject): IDataObject {
	const { body, sums, match } = draft;
	const { customer, currency, due_date: dueDate, items, invoice_number: number, ...rest } = body;
	const { action, existing, differences, why } = comparison;
	const { id, status, amount, url } = existing ?? {};
	return {
		action,
		...(number !== undefined && { invoice_number: number }),
		customer: {
			id: customer,
			...(match?.name !== undefined && { name: match.name }),
			...(match?.email !== undefined && { email: match.email }),
		},
		total: sums?.total,
		currency,
		due_date: dueDate,
		rows: numbersOf(draft),
		...(why !== undefined && { why }),
		...(differences.length > 0 && { differences }),
		...(existing && { existing: { id, status, amount, url } as IDataObject }),
		subtotal: sums?.subtotal,
		discount: sums?.discount,
		items,
		...rest,
		...(match && { customer_match: { ...match } }),
		...more,
	};
}
