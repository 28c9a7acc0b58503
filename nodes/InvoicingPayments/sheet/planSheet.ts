import type { IDataObject, IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';
import { addTo } from '../../shared/addTo';
import { openDirectory, searchDirectory } from '../../shared/customers/directory';
import { toNodeError } from '../../shared/errors/nodeErrors';
import { todayIn } from '../../shared/fields/dueDay';
import { parametersOf, readFields } from '../../shared/fields/readFields';
import { isEmpty } from '../../shared/fields/text';
import { inSlices } from '../execution/inSlices';
import type { Operation } from '../execution/operation';
import type { Plan, Unit } from '../execution/plan';
import { policyOf } from '../execution/settings';
import { looksForNumber } from '../invoices/invoiceRequest';
import { entryOf, fingerprintOf } from '../plan/approval';
import { defaultPrefix, isContentNumber } from '../plan/contentNumbers';
import { summaryOf } from '../plan/summary';
import { changedSince } from './changedPlan';
import type { Columns } from './columns';
import { columnsOf, headersIn, ignoredIn, isMappedByHand, own } from './columns';
import { findCustomers } from './customers';
import { groupByColumn, groupByNumber, groupHeaderOf, groupRows } from './groups';
import type { Draft } from './invoices';
import { draftOf, emptyBelow, numberProblems, unitOf } from './invoices';
import type { Ahead } from './lookAhead';
import { lookAhead, withContentNumbers } from './lookAhead';
import { fillMergedCells } from './mergedCells';
import { withHeaderRow } from './headerRow';
import { missingColumns } from './neededColumns';
import { flatPreview, previewOf } from './preview';
import { proveDrafts } from './proof';
import { cellReader, isBlank, rowNumber } from './rowCells';
import { sheetErrorOf } from './rowProblems';
import { addedHeaders, overwrittenProblems, returnRows, returnedColumns } from './returnedRows';
import type { Row } from './rows';
import { rowOf } from './rows';
import { whyNotBilled } from './rowRules';
import type { RowSettings } from './rowSettings';
import { settleColumns, settleDueDates } from './settle';
import { linesOf } from './sideBySide';
import type { SheetProblem } from './sheetError';
import { sourceProblems, typedHeaders } from './sourceProblems';
import { ambiguousAmount, cellProblems, sheetError, sheetMessage } from './sheetError';
import {
	columnHints,
	customerHints,
	equalRowsHint,
	hint,
	numbersHint,
	shownHint,
	skippedHint,
	warningHints,
	zerosHint,
} from './sheetHints';
import { warningsOf } from './warnings';

/**
 * Plans the invoices of a sheet (spec 4.1). Every row is checked, and every figure accounted for, before anything is sent.
 * Throws a NodeApiError for problems of the whole sheet; with Continue they become the error of all rows.
 */
export async function planSheet(context: IExecuteFunctions, operation: Operation): Promise<Plan> {
	const zone = context.getTimezone();
	const input = context.getInputData().map(({ json }) => json);
	const { items: whole, at: headersAt } = isMappedByHand(context)
		? { items: input, at: undefined }
		: withHeaderRow(input);
	const returned = returnedColumns(whole);
	const items = returned.length ? whole.map((json) => without(json, returned)) : whole;
	const { settings: set, problems } = settingsOf(context, operation, zone, input);
	const refuse = (wrong: SheetProblem[]): Plan => {
		if (!context.continueOnFail()) throw sheetError(context.getNode(), wrong);
		const message = sheetMessage(wrong);
		const rest = wrong.map(({ text }) => text).filter((text) => !message.includes(text));
		return planOfError(context, items, [message, ...rest], set);
	};

	// Columns
	const headers = headersIn(items);
	const ignored = ignoredIn(headers, set);
	const { groupBy: by, groupColumn = '' } = set;
	const groupHeader = by === 'column' ? groupHeaderOf(groupColumn, headers) : undefined;
	if (problems.length || typeof groupHeader === 'object') {
		const all = [...problems, ...(typeof groupHeader === 'object' ? [groupHeader.problem] : [])];
		return refuse(all.map((text) => ({ title: text, text })));
	}
	const source = isMappedByHand(context) ? typedHeaders(context, headers) : sourceProblems(headers);
	if (source.length) return refuse(source);
	const usable = headers.filter((header) => !ignored.used.includes(header));
	const lines = linesOf(items, isMappedByHand(context) ? [] : usable, set.firstRow ?? 2);
	if (lines.problems.length) return refuse(lines.problems);
	const found = columnsOf(context, headersIn(lines.items), ignored, groupHeader);
	const dated = settleDueDates(found, lines.items);
	const named = lines.sets ? withTotalsOfRows(dated) : dated;
	const settings = { ...set, makesNumbers: makesNumbers(named, set, whole) };

	// Cells
	const isOfSheet = named.fields.some(({ header }) => header !== undefined);
	const sheet = settings.fillMergedCells
		? fillMergedCells(lines.items, named, settings)
		: lines.items;
	const filled = sheet.flatMap((json, at) => (isOfSheet && isBlank(json) ? [] : [at]));
	const reader = cellReader(named, sheet, settings, zone);
	const read = await inSlices(context, filled.length, (at) => {
		const index = lines.origins[filled[at]];
		const number = rowNumber(items[index], index, settings.firstRow ?? 2);
		return { ...reader.read(filled[at]), index, number };
	});

	// Rows
	const skipped = new Map<string, number[]>();
	const billed = read.filter((row) => {
		const why = settings.notBillableRows === 'skip' ? whyNotBilled(row, named.left) : undefined;
		if (why !== undefined) addTo(skipped, why, row.number);
		return why === undefined;
	});
	const { columns, cells, ambiguous } = settleColumns(named, billed, settings);
	const missing = [
		...missingColumns(columns, cells, usable, settings),
		...(ambiguous === undefined ? [] : [ambiguousAmount(ambiguous)]),
	];
	const drawnRows = await inSlices(context, cells.length, (at) =>
		rowOf(cells[at], columns.fields, settings),
	);
	const made = drawnRows.filter((row) => {
		const { totalName, number } = row;
		if (totalName === undefined || settings.totalRows !== 'skip') return true;
		addTo(skipped, `called ${JSON.stringify(totalName)}`, number);
		return false;
	});
	const looked = missing.length ? { rows: made } : await withCustomers(context, made, settings);
	if (looked instanceof Error) {
		if (!context.continueOnFail()) throw looked;
		return planOfError(context, items, [looked.message], settings);
	}
	const { rows, cutAfter } = looked;

	// Invoices
	const groups = {
		invoiceNumber: () => groupByNumber(rows, settings.makesNumbers),
		column: () => groupByColumn(rows, groupHeader ?? ''),
		row: () => groupRows(rows, () => undefined, ''),
	}[by]();
	const wrongNumbers = numberProblems(groups, settings);
	const today = todayIn(zone);
	const below = emptyBelow(rows);
	const drawn = await inSlices(context, groups.length, (at) => {
		const { problems: own } = groups[at];
		const problem = wrongNumbers.get(groups[at]);
		const all = problem === undefined ? own : [...own, problem];
		return draftOf({ ...groups[at], problems: all }, settings, today, below);
	});

	// Proof
	const proof = proveDrafts(drawn, columns, settings);
	if (missing.length || proof.wrong.length) {
		const others = missing.length ? [] : cellProblems(proof.drafts);
		return refuse([...missing, ...proof.wrong, ...others]);
	}

	// Plan
	const drafts = withContentNumbers(proof.drafts, settings);
	const isPlanned = settings.onlyValidate === true || settings.onlyIfPlanIs !== undefined;
	const ahead = isPlanned ? await lookAhead(context, operation, settings, drafts) : undefined;
	if (ahead instanceof Error) {
		if (!context.continueOnFail()) throw ahead;
		return planOfError(context, items, [ahead.message], settings);
	}
	const changed = ahead && settings.onlyIfPlanIs ? changedSince(settings.onlyIfPlanIs, ahead) : [];
	if (changed.length) return refuse(changed);

	// Report
	const warnings = warningsOf(drafts, today, proof.warnings);
	for (const [draft, alike] of ahead?.alike ?? []) addTo(warnings, draft, alike);
	return planOf(context, drafts, operation, settings, {
		ahead,
		sources: sourcesOf(columns),
		warnings,
		hints: [
			...proof.unbilled.map((text) => hint('warning', `${text}.`)),
			...columnHints(
				columns,
				{ headers, ignored, isWaived: proof.isWaived },
				sheet.length - filled.length - (headersAt === undefined ? 0 : headersAt + 1),
			),
			...(proof.agreeing.length ? [hint('info', `${proof.agreeing.join('. ')}.`)] : []),
			...(headersAt === undefined
				? []
				: [
						hint(
							'info',
							`The headers were found in row ${rowNumber(input[headersAt], headersAt, settings.firstRow ?? 2)}.`,
						),
					]),
			...skippedHint(skipped),
			...(lines.sets
				? [hint('info', `Up to ${lines.sets} items stand side by side in a row.`)]
				: []),
			...shownHint(reader.shown),
			...numbersHint(drafts, settings),
			...zerosHint(columns, cells),
			...equalRowsHint(rows),
			...customerHints(rows, cutAfter),
		],
	});
}

function planOf(
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

const without = (json: IDataObject, headers: string[]): IDataObject =>
	Object.fromEntries(Object.entries(json).filter(([header]) => !headers.includes(header)));

/** The results of Only Validate. The first one carries the whole plan, so that a later run can be compared with it. */
function previewsOf(
	{ lines, account }: Ahead,
	sources: IDataObject,
	warnings: Map<Draft, string[]>,
	{ isFlat }: RowSettings,
): Map<Draft, IDataObject> {
	const all = [...lines.values()];
	const invoices = all.map((line) => entryOf(line));
	const fingerprint = fingerprintOf(invoices, account);
	const whole = {
		fingerprint,
		account,
		summary: summaryOf(all),
		invoices: invoices as unknown as IDataObject[],
	};
	return new Map(
		[...lines].map(([draft, line], at) => {
			const own = warnings.get(draft);
			const plan = at ? { fingerprint } : whole;
			const more = { columns: sources, ...(own && { warnings: own }), plan };
			return [draft, isFlat ? flatPreview(draft, line, own, plan) : previewOf(draft, line, more)];
		}),
	);
}

/** A note that explains counted row numbers, unless the items bring their own. */
function countedNote(context: IExecuteFunctions, { firstRow }: RowSettings): { note?: string } {
	const isCounted =
		firstRow === undefined && context.getInputData().every(({ json }) => !('row_number' in json));
	const note = 'Rows are counted from row 2; if your headers stand lower, set Options > First Row.';
	return isCounted ? { note } : {};
}

/** If items stand side by side, a total belongs to the whole row, not to one of its items. */
const withTotalsOfRows = (columns: Columns): Columns => ({
	...columns,
	totals: columns.totals.map((one) =>
		one.kind === 'invoiceOrRow' ? { ...one, kind: 'invoice' } : one,
	),
});

/** Whether to make invoice numbers: they are needed and allowed, and the sheet has none but those of an earlier run. */
function makesNumbers({ fields }: Columns, settings: RowSettings, items: IDataObject[]): boolean {
	const prefixes = [settings.numberPrefix ?? defaultPrefix, defaultPrefix];
	const returned = returnedColumns(items);
	const wasBilled = (json: IDataObject) =>
		returned.includes(addedHeaders.id) && !isEmpty(own(json, addedHeaders.id));
	const isMade = (json: IDataObject, header: string) => {
		const cell = own(json, header);
		const number = String(cell);
		return isEmpty(cell) || isContentNumber(number, wasBilled(json) ? undefined : prefixes);
	};
	const hasNumbers = fields.some(
		({ field, header }) =>
			field.name === 'invoiceNumber' &&
			(header === undefined || !items.every((json) => isMade(json, header))),
	);
	return looksForNumber(settings) && settings.invoiceNumbers !== 'fromSheet' && !hasNumbers;
}

const fixAndRunAgain = ({ fields = {} }: Unit): string => {
	const rows = String(fields.rows);
	return `Correct row${rows.includes(',') ? 's' : ''} ${rows} and run again: the invoices that exist are found.`;
};

/** Reads the settings. They are the same for all rows, so expressions are evaluated for the first one. */
function settingsOf(
	context: IExecuteFunctions,
	{ fields }: Operation,
	zone: string,
	items: IDataObject[],
) {
	try {
		const { settings, problems } = readFields(
			parametersOf(context.getNode(), fields),
			(name, fallback) => context.getNodeParameter(name, 0, fallback),
			zone,
		);
		const set = inAllVersions(settings as unknown as RowSettings);
		const overwritten = set.returnRows ? overwrittenProblems(items) : [];
		return {
			settings: set,
			problems: [...problems, ...approvalProblems(context, set), ...overwritten],
		};
	} catch (error) {
		return { settings: {} as RowSettings, problems: [(error as Error).message] };
	}
}

/** Maps the setting names of version 1.1 to those of version 1. */
const inAllVersions = (settings: RowSettings): RowSettings =>
	settings.previewOnly === undefined
		? settings
		: { ...settings, onlyValidate: settings.previewOnly, isFlat: settings.simplify !== false };

/** Rejects an empty approval, and one without invoice numbers: neither would bind the run to a plan. */
function approvalProblems(
	context: IExecuteFunctions,
	{ onlyIfPlanIs, ...settings }: RowSettings,
): string[] {
	const { options = {} } = context.getNode().parameters as { options?: IDataObject };
	if (!('onlyIfPlanIs' in options)) return [];
	const name = 'Only If Plan Is';
	if (!looksForNumber(settings)) {
		return [
			`${name} needs invoices that can be found again: set 'If Invoice Number Exists' to 'Return Existing'`,
		];
	}
	return onlyIfPlanIs === undefined
		? [
				`${name} is empty. Enter the fingerprint of the plan, e.g. {{ $json.fingerprint }}, or remove the option`,
			]
		: [];
}

/** A single failed unit for all rows, used with Continue. */
function planOfError(
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

/** Finds the customers of all rows. Asks the service only if a row needs it; returns the error of that request. */
async function withCustomers(
	context: IExecuteFunctions,
	rows: Row[],
	settings: RowSettings,
): Promise<{ rows: Row[]; cutAfter?: number } | Error> {
	const search = findCustomers(rows, settings);
	if (search.isNeeded) {
		const client = await openDirectory(context, context.getExecutionCancelSignal?.());
		const failed =
			'failure' in client
				? client
				: await searchDirectory(client, policyOf(settings), (directory) =>
						search.search(directory),
					);
		if (failed) return toNodeError(context.getNode(), failed.failure);
	}
	return { rows: search.finish(), cutAfter: search.cutAfter() };
}

/** The column that each field came from, for the preview. */
function sourcesOf({ fields }: Columns): IDataObject {
	const sources: IDataObject = {};
	for (const { field, header } of fields) {
		if (header === undefined) continue;
		const before = sources[field.displayName];
		sources[field.displayName] = isEmpty(before) ? header : `${String(before)}, ${header}`;
	}
	return sources;
}
