import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { addTo } from '../../shared/addTo';
import { todayIn } from '../../shared/fields/dates';
import { mapYielding } from '../execution/planItems';
import type { Operation, Plan } from '../execution/operation';
import type { Run } from '../execution/run';
import { missingColumns, sourceProblems, typedHeaders } from './columnProblems';
import { columnsOf, headersIn, ignoredIn, isMappedByHand } from './columns';
import { withCustomers } from './customers';
import { readAgentRows } from './givenLists';
import { groupHeaderOf, groupsOf } from './groups';
import { cellsAbove, draftOf } from './invoices';
import { fillMergedCells, linesOf, withHeaderRow, withInvoiceTotals } from './layout';
import { changedSince, forecastRun, withContentNumbers } from './forecast';
import { planOf, planOfError } from './makePlan';
import type { SheetProblem } from './problems';
import { problemsOfInvoices, sheetError, sheetMessage, sheetProblem } from './problems';
import { proveDrafts } from './proof';
import { makesNumbers, overwrittenProblems, returnedColumns } from './returnedRows';
import { cellReader, isBlank, rowNumber } from './rowCells';
import { disagreeingTotals, warningsOf, whyNotBilled } from './rowRules';
import { rowOf } from './rows';
import { settingsOf } from './rowSettings';
import { settleColumns } from './settle';
import {
	agreementsHint,
	blankHint,
	columnHints,
	customerHints,
	equalRowsHint,
	headerRowHint,
	inferredFormatsHint,
	numbersHint,
	sideBySideHint,
	skippedHint,
	unbilledHint,
	zerosHint,
} from './sheetHints';

/**
 * Plans the invoices of a sheet (spec 4.1). Checks every row, and that every figure is billed or explained, before anything
 * is sent. Problems of the whole sheet throw a NodeApiError. With Continue, they become the error of all rows.
 */
export async function planSheet(
	context: IExecuteFunctions,
	operation: Operation,
	run: Run,
): Promise<Plan> {
	const zone = context.getTimezone();
	const byHand = isMappedByHand(context);
	const given = readAgentRows(context);
	const source = { input: given ?? context.getInputData(), ...(given && { isGiven: true }) };
	const input = source.input.map(({ json }) => json);
	const table = byHand ? { items: input, cellsAbove: [], problems: [] } : withHeaderRow(input);
	const returned = returnedColumns(table.items);
	const items = returned.length ? table.items.map((json) => without(json, returned)) : table.items;
	const { settings: read, problems } = settingsOf(context, operation, zone);
	const firstRow = read.firstRow ?? 2;
	const fail = (error: Error, details = [error.message]): Plan => {
		if (!context.continueOnFail()) throw error;
		return planOfError(context, source, items, details, read);
	};
	const refuse = (sheetProblems: SheetProblem[]): Plan => {
		const message = sheetMessage(sheetProblems);
		const rest = sheetProblems.map(({ text }) => text).filter((text) => !message.includes(text));
		return fail(sheetError(context.getNode(), sheetProblems), [message, ...rest]);
	};

	// Columns
	const headers = headersIn(items);
	const ignored = ignoredIn(headers, read);
	const grouping = read.groupBy === 'column' ? groupHeaderOf(read.groupColumn ?? '', headers) : {};
	const settingsProblems = [
		...problems,
		...(read.returnRows ? overwrittenProblems(input) : []),
		...(grouping.problem === undefined ? [] : [grouping.problem]),
	];
	if (settingsProblems.length) return refuse(settingsProblems.map((text) => sheetProblem(text)));
	if (table.problems.length) return refuse(table.problems);
	const headerProblems = byHand ? typedHeaders(context, headers) : sourceProblems(headers);
	if (headerProblems.length) return refuse(headerProblems);
	const usable = headers.filter((header) => !ignored.matched.includes(header));
	const lines = linesOf(items, byHand ? [] : usable, firstRow);
	if (lines.problems.length) return refuse(lines.problems);
	const allColumns = columnsOf(context, headersIn(lines.items), ignored, grouping.header);
	const mapped = lines.itemsPerRow ? withInvoiceTotals(allColumns) : allColumns;
	const settings = { ...read, makesNumbers: makesNumbers(mapped, read, table.items) };

	// Cells
	const usesSheet = mapped.fields.some(({ header }) => header !== undefined);
	const sheet = settings.fillMergedCells
		? fillMergedCells(lines.items, mapped, settings)
		: lines.items;
	const filled = sheet.flatMap((json, at) => (usesSheet && isBlank(json) ? [] : [at]));
	const reader = cellReader(mapped, sheet, settings, zone);
	const allCells = await mapYielding(context, filled.length, (at) => {
		const index = lines.origins[filled[at]];
		const number = rowNumber(items[index], index, firstRow);
		return { ...reader.read(filled[at]), index, number };
	});

	// Rows
	const skipped = new Map<string, number[]>();
	const keep = ({ number }: { number: number }, whyNot: string | undefined) => {
		if (whyNot !== undefined) addTo(skipped, whyNot, number);
		return whyNot === undefined;
	};
	const billable =
		settings.notBillableRows === 'skip'
			? allCells.filter((row) => keep(row, whyNotBilled(row, mapped.unmapped)))
			: allCells;
	const {
		columns,
		cells,
		problems: ambiguities,
	} = settleColumns(reader.columns, billable, settings);
	const missing = [...missingColumns(columns, cells, usable, settings), ...ambiguities];
	const allRows = await mapYielding(context, cells.length, (at) =>
		rowOf(cells[at], columns.fields, settings),
	);
	const skipsTotals = settings.totalRows === 'skip';
	const kept = allRows.filter((row) => {
		const isSkipped = skipsTotals && row.totalName !== undefined;
		return keep(row, isSkipped ? `called ${JSON.stringify(row.totalName)}` : undefined);
	});
	const comparesTotals =
		skipsTotals && settings.checkTotals !== false && cells.length === allCells.length;
	const disagreeing = comparesTotals ? disagreeingTotals(allRows) : [];
	const search = missing.length ? { rows: kept } : await withCustomers(context, kept, settings);
	if (search instanceof Error) return fail(search);
	const { rows, cutAfter } = search;

	// Invoices
	const groups = groupsOf(rows, settings, grouping.header);
	const today = todayIn(zone);
	const cellAbove = cellsAbove(rows);
	const uncheckedDrafts = await mapYielding(context, groups.length, (at) =>
		draftOf(groups[at], settings, today, cellAbove),
	);

	// Proof
	const proof = proveDrafts(uncheckedDrafts, columns, settings);
	const sheetProblems = [...proof.problems, ...disagreeing];
	if (missing.length || sheetProblems.length) {
		const others = missing.length ? [] : problemsOfInvoices(proof.drafts);
		return refuse([...missing, ...sheetProblems, ...others]);
	}

	// Plan
	const drafts = withContentNumbers(proof.drafts, settings);
	const isPlanned = settings.previewOnly === true || settings.onlyIfPlanIs !== undefined;
	const forecast = isPlanned
		? await forecastRun(context, operation, settings, drafts, run)
		: undefined;
	if (forecast instanceof Error) return fail(forecast);
	const changed =
		forecast && settings.onlyIfPlanIs ? changedSince(settings.onlyIfPlanIs, forecast) : [];
	if (changed.length) return refuse(changed);

	// Report
	const warnings = warningsOf(drafts, today, proof.warnings);
	for (const [draft, text] of forecast?.lookalikes ?? []) addTo(warnings, draft, text);
	const { headersAt, cellsAbove: aboveHeaders } = table;
	const rowsToHeaders = headersAt === undefined ? 0 : headersAt + 1;
	const headerRow =
		headersAt === undefined ? undefined : rowNumber(input[headersAt], headersAt, firstRow);
	const hints = [
		...unbilledHint(proof.unbilledSums),
		...columnHints(columns, headers, ignored, settings),
		...blankHint(sheet.length - filled.length - rowsToHeaders),
		...agreementsHint(proof.agreements),
		...headerRowHint(headerRow, aboveHeaders),
		...skippedHint(skipped),
		...sideBySideHint(lines.itemsPerRow),
		...inferredFormatsHint(reader.inferred),
		...numbersHint(drafts, settings),
		...zerosHint(columns, cells),
		...equalRowsHint(rows),
		...customerHints(rows, cutAfter),
	];
	return planOf(context, source, drafts, operation, settings, {
		columns,
		forecast,
		warnings,
		hints,
	});
}

const without = (json: IDataObject, headers: string[]): IDataObject =>
	Object.fromEntries(Object.entries(json).filter(([header]) => !headers.includes(header)));
