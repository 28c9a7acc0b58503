import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { addTo } from '../../shared/addTo';
import { todayIn } from '../../shared/fields/dates';
import { mapYielding } from '../execution/planItems';
import type { Operation } from '../execution/operation';
import type { Plan } from '../execution/plan';
import { missingColumns, sourceProblems, typedHeaders } from './columnProblems';
import { columnsOf, headersIn, ignoredIn, isMappedByHand } from './columns';
import { withCustomers } from './customers';
import { isAmount } from './figures';
import { groupByColumn, groupByNumber, groupHeaderOf, groupRows } from './groups';
import { cellsAbove, draftOf, numberProblems } from './invoices';
import { fillMergedCells, linesOf, withHeaderRow, withTotalsOfRows } from './layout';
import { changedSince, lookAhead, withContentNumbers } from './lookAhead';
import { planOf, planOfError } from './makePlan';
import { sourcesOf } from './preview';
import { proveDrafts } from './proof';
import { returnedColumns } from './returnedRows';
import { cellReader, isBlank, rowNumber } from './rowCells';
import { disagreeingTotals, warningsOf, whyNotBilled } from './rowRules';
import { rowOf } from './rows';
import { settleColumns, settleDueDates } from './settle';
import type { SheetProblem } from './sheetError';
import {
	ambiguousAmount,
	amountsAboveHeaders,
	cellProblems,
	sheetError,
	sheetMessage,
} from './sheetError';
import {
	agreeingHint,
	columnHints,
	customerHints,
	equalRowsHint,
	headerRowHint,
	hint,
	inferredFormatsHint,
	numbersHint,
	sideBySideHint,
	skippedHint,
	zerosHint,
} from './sheetHints';
import { makesNumbers, settingsOf } from './sheetSettings';

/**
 * Plans the invoices of a sheet (spec 4.1). Every row is checked, and every figure accounted for, before anything is sent.
 * Throws a NodeApiError for problems of the whole sheet; with Continue they become the error of all rows.
 */
export async function planSheet(context: IExecuteFunctions, operation: Operation): Promise<Plan> {
	const zone = context.getTimezone();
	const byHand = isMappedByHand(context);
	const input = context.getInputData().map(({ json }) => json);
	const {
		items: table,
		at: headersAt,
		above = [],
	} = byHand ? { items: input } : withHeaderRow(input);
	const returned = returnedColumns(table);
	const items = returned.length ? table.map((json) => without(json, returned)) : table;
	const { settings: given, problems } = settingsOf(context, operation, zone, input);
	const firstRow = given.firstRow ?? 2;
	const fail = (error: Error, details = [error.message]): Plan => {
		if (!context.continueOnFail()) throw error;
		return planOfError(context, items, details, given);
	};
	const refuse = (wrong: SheetProblem[]): Plan => {
		const message = sheetMessage(wrong);
		const rest = wrong.map(({ text }) => text).filter((text) => !message.includes(text));
		return fail(sheetError(context.getNode(), wrong), [message, ...rest]);
	};

	// Columns
	const headers = headersIn(items);
	const ignored = ignoredIn(headers, given);
	const { groupBy, groupColumn = '' } = given;
	const groupHeader = groupBy === 'column' ? groupHeaderOf(groupColumn, headers) : undefined;
	if (problems.length || typeof groupHeader === 'object') {
		const all = [...problems, ...(typeof groupHeader === 'object' ? [groupHeader.problem] : [])];
		return refuse(all.map((text) => ({ title: text, text })));
	}
	const amounts = above.filter(isAmount).map((cell) => JSON.stringify(cell));
	if (amounts.length) return refuse([amountsAboveHeaders(amounts)]);
	const source = byHand ? typedHeaders(context, headers) : sourceProblems(headers);
	if (source.length) return refuse(source);
	const usable = headers.filter((header) => !ignored.used.includes(header));
	const lines = linesOf(items, byHand ? [] : usable, firstRow);
	if (lines.problems.length) return refuse(lines.problems);
	const found = columnsOf(context, headersIn(lines.items), ignored, groupHeader);
	const dated = settleDueDates(found, lines.items);
	const mapped = lines.sets ? withTotalsOfRows(dated) : dated;
	const settings = { ...given, makesNumbers: makesNumbers(mapped, given, table) };

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
	const billable = allCells.filter((row) => {
		const why =
			settings.notBillableRows === 'skip' ? whyNotBilled(row, mapped.unmapped) : undefined;
		if (why !== undefined) addTo(skipped, why, row.number);
		return why === undefined;
	});
	const { columns, cells, ambiguous } = settleColumns(mapped, billable, settings);
	const missing = [
		...missingColumns(columns, cells, usable, settings),
		...(ambiguous === undefined ? [] : [ambiguousAmount(ambiguous)]),
	];
	const allRows = await mapYielding(context, cells.length, (at) =>
		rowOf(cells[at], columns.fields, settings),
	);
	const kept = allRows.filter(({ totalName, number }) => {
		if (totalName === undefined || settings.totalRows !== 'skip') return true;
		addTo(skipped, `called ${JSON.stringify(totalName)}`, number);
		return false;
	});
	const comparesTotals =
		settings.totalRows === 'skip' &&
		settings.checkTotals !== false &&
		billable.length === allCells.length;
	const disagreeing = comparesTotals ? disagreeingTotals(allRows) : [];
	const search = missing.length ? { rows: kept } : await withCustomers(context, kept, settings);
	if (search instanceof Error) return fail(search);
	const { rows, cutAfter } = search;

	// Invoices
	const groups = {
		invoiceNumber: () => groupByNumber(rows, settings.makesNumbers),
		column: () => groupByColumn(rows, groupHeader ?? ''),
		row: () => groupRows(rows, () => undefined, ''),
	}[groupBy]();
	const clashes = numberProblems(groups, settings);
	const today = todayIn(zone);
	const cellAbove = cellsAbove(rows);
	const unproved = await mapYielding(context, groups.length, (at) => {
		const clash = clashes.get(groups[at]) ?? [];
		const group = { ...groups[at], problems: groups[at].problems.concat(clash) };
		return draftOf(group, settings, today, cellAbove);
	});

	// Proof
	const proof = proveDrafts(unproved, columns, settings);
	const wrong = [...proof.wrong, ...disagreeing.map((text) => ({ title: text, text }))];
	if (missing.length || wrong.length) {
		const others = missing.length ? [] : cellProblems(proof.drafts);
		return refuse([...missing, ...wrong, ...others]);
	}

	// Plan
	const drafts = withContentNumbers(proof.drafts, settings);
	const isPlanned = settings.onlyValidate === true || settings.onlyIfPlanIs !== undefined;
	const ahead = isPlanned ? await lookAhead(context, operation, settings, drafts) : undefined;
	if (ahead instanceof Error) return fail(ahead);
	const changed = ahead && settings.onlyIfPlanIs ? changedSince(settings.onlyIfPlanIs, ahead) : [];
	if (changed.length) return refuse(changed);

	// Report
	const warnings = warningsOf(drafts, today, proof.warnings);
	for (const [draft, text] of ahead?.lookalikes ?? []) addTo(warnings, draft, text);
	const aboveHeaders = headersAt === undefined ? 0 : headersAt + 1;
	const blank = sheet.length - filled.length - aboveHeaders;
	const headerRow =
		headersAt === undefined ? undefined : rowNumber(input[headersAt], headersAt, firstRow);
	return planOf(context, drafts, operation, settings, {
		ahead,
		sources: sourcesOf(columns),
		warnings,
		hints: [
			...proof.unbilled.map((text) => hint('warning', `${text}.`)),
			...columnHints(columns, { headers, ignored, isWaived: proof.isWaived }, blank),
			...agreeingHint(proof.agreeing),
			...headerRowHint(headerRow, above),
			...skippedHint(skipped),
			...sideBySideHint(lines.sets),
			...inferredFormatsHint(reader.inferred),
			...numbersHint(drafts, settings),
			...zerosHint(columns, cells),
			...equalRowsHint(rows),
			...customerHints(rows, cutAfter),
		],
	});
}

const without = (json: IDataObject, headers: string[]): IDataObject =>
	Object.fromEntries(Object.entries(json).filter(([header]) => !headers.includes(header)));
