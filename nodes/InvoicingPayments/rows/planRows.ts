import type { IDataObject, IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';
import { openDirectory, searchDirectory } from '../../shared/customers/directory';
import { toNodeError } from '../../shared/errors/nodeErrors';
import { parametersOf, readFields } from '../../shared/fields/readFields';
import { isEmpty } from '../../shared/fields/text';
import { inSlices } from '../execution/inSlices';
import type { Operation } from '../execution/operation';
import type { Plan, Unit } from '../execution/plan';
import { policyOf } from '../execution/settings';
import { looksForNumber } from '../invoices/invoiceRequest';
import { resolveItem } from './amounts';
import { formatOf } from './cells';
import type { Columns } from './columns';
import { columnsOf, headersIn } from './columns';
import { findCustomers } from './customers';
import { todayIn } from './dueDate';
import type { Group } from './group';
import { groupByColumn, groupByNumber, groupHeaderOf, groupRows } from './group';
import { checkNumbers, draftOf, unitOf } from './invoice';
import type { Row } from './row';
import { isBlank, readRow, rowNumber } from './row';
import { sheetErrorOf } from './rowProblems';
import { cellProblems, sheetError } from './sheetError';
import { sumRow, sumWordIn } from './sumRows';
import type { RowSettings } from './rowSettings';
import { columnHints, customerHints, warningHints, zerosHint } from './sheetHints';
import type { SheetProblem } from './sheet';
import { ignoredIn, settleColumns, sheetProblems } from './sheet';
import { checkTotals } from './totals';
import { unexplainedColumns } from './unexplained';
import { warningsOf } from './warnings';

/**
 * Plans the invoices of the rows that the input items are (spec 4.1): reads every cell, finds the customers, groups the rows, and
 * checks all there is to check before anything is sent. A sheet makes invoices with the totals that it says itself, or an error.
 * With Only Validate the plan is what would be sent, and nothing is.
 *
 * What is wrong with all rows (a column that is missing, settings) is thrown as a NodeApiError; with Continue every row gets it.
 */
export async function planRows(context: IExecuteFunctions, operation: Operation): Promise<Plan> {
	const zone = context.getTimezone();
	const items = context.getInputData().map(({ json }) => json);
	const { settings, problems } = settingsOf(context, operation, zone);
	const headers = headersIn(items);
	const ignored = ignoredIn(headers, settings);
	const seen = headers.filter((header) => !ignored.used.includes(header));
	const columns = settleColumns(columnsOf(context, seen), items, settings);
	const { groupBy: by, groupColumn = '', firstRow = 2 } = settings;
	const groupHeader = by === 'column' ? groupHeaderOf(groupColumn, headers) : undefined;
	const wrong: SheetProblem[] = [...problems, ...groupProblem(groupHeader)]
		.map((text) => ({ title: text, text }))
		.concat(sheetProblems(columns, items, seen, settings));
	const allFail = (all: string[]): Plan => ({
		units: items.map(allWrong(all, firstRow)),
		noun: 'invoice',
		hints: [],
	});
	if (wrong.length || typeof groupHeader === 'object') {
		if (!context.continueOnFail()) throw sheetError(context.getNode(), wrong);
		return allFail(wrong.map(({ text }) => text));
	}

	const isOfSheet = columns.columns.some(({ header }) => header !== undefined);
	const filled = items.flatMap((json, index) => (isOfSheet && isBlank(json) ? [] : [index]));
	const formatted = columns.columns.map((column) => {
		const { header } = column;
		const cells = header === undefined ? [] : items.map((json, index) => column.read(json, index));
		return { ...column, format: formatOf(cells, settings, header) };
	});
	const rows = await inSlices(context, filled.length, (at) => {
		const index = filled[at];
		const number = rowNumber(items[index], index, firstRow);
		const row = readRow(formatted, items[index], { index, number }, zone);
		const sum = sumWordIn(row, items[index]);
		return sum === undefined ? row : sumRow(row, sum);
	});
	for (const row of rows) if (!row.isSum) resolveItem(row, settings);
	const failed = await searchCustomers(context, rows, settings);
	if (failed) {
		if (!context.continueOnFail()) throw failed;
		return allFail([failed.message]);
	}
	const groups = {
		invoiceNumber: () => groupByNumber(rows),
		column: () => groupByColumn(rows, items, groupHeader ?? ''),
		row: () => groupRows(rows, () => undefined, ''),
	}[by]();
	checkNumbers(groups, settings);
	const today = todayIn(zone);
	const drafts = groups.map((group) => draftOf(group, settings, today));
	const currencies = new Map(drafts.map(({ group, body }) => [group, body.currency as string]));
	const currencyOf = (group: Group) => currencies.get(group);
	const agreeing = checkTotals(groups, columns.totals, items, settings, ignored.used, currencyOf);
	const warnings = warningsOf(drafts, today);
	const strange = unexplainedColumns(columns, drafts, items, settings, zone);
	if (strange.length) {
		if (!context.continueOnFail())
			throw sheetError(context.getNode(), [...strange, ...cellProblems(drafts)]);
		return allFail(strange.map(({ text }) => text));
	}
	const sources = sourcesOf(columns);
	return {
		units: drafts.map((draft) => {
			const own = warnings.get(draft);
			return unitOf(draft, operation, settings, {
				columns: sources,
				...(own && { warnings: own }),
			});
		}),
		noun: 'invoice',
		explain: () => sheetErrorOf(drafts),
		...(looksForNumber(settings) && { advice: fixAndRunAgain }),
		hints: [
			...columnHints(columns, { headers, groupHeader, ignored }, items.length - filled.length),
			...totalsHint(agreeing),
			...zerosHint(columns, items),
			...customerHints(rows),
			...warningHints(warnings),
		],
	};
}

const groupProblem = (header: string | { problem: string } | undefined): string[] =>
	typeof header === 'object' ? [header.problem] : [];

/** The numbers tell which invoices exist. */
const fixAndRunAgain = ({ fields = {} }: Unit): string => {
	const rows = String(fields.rows);
	return `Correct row${rows.includes(',') ? 's' : ''} ${rows} and run again: the invoices that exist are found.`;
};

const totalsHint = (agreeing: string[]): NodeExecutionHint[] =>
	agreeing.length
		? [{ message: `${agreeing.join('. ')}.`, type: 'info', location: 'outputPane' }]
		: [];

/** The settings are the same for all rows, so expressions in them are evaluated for the first. */
function settingsOf(context: IExecuteFunctions, { fields }: Operation, zone: string) {
	try {
		const { settings, problems } = readFields(
			parametersOf(context.getNode(), fields),
			(name, fallback) => context.getNodeParameter(name, 0, fallback),
			zone,
		);
		return { settings: settings as unknown as RowSettings, problems };
	} catch (error) {
		return { settings: {} as RowSettings, problems: [(error as Error).message] };
	}
}

/** With Continue every row gets the error of what is wrong with all of them. */
const allWrong =
	(problems: string[], firstRow: number) =>
	(json: IDataObject, index: number): Unit => {
		const number = rowNumber(json, index, firstRow);
		return {
			items: [index],
			name: `row ${number}`,
			fields: { rows: String(number) },
			ready: { problems },
		};
	};

/** Finds the customers of all rows; the service is asked only where one of them needs it. Returns the error of that request. */
async function searchCustomers(
	context: IExecuteFunctions,
	rows: Row[],
	settings: RowSettings,
): Promise<Error | undefined> {
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
	search.finish();
	return undefined;
}

/** Which column each field came from, for the preview. */
function sourcesOf({ columns }: Columns): IDataObject {
	const sources: IDataObject = {};
	for (const { field, header } of columns) {
		if (header === undefined) continue;
		const before = sources[field.displayName];
		sources[field.displayName] = isEmpty(before) ? header : `${String(before)}, ${header}`;
	}
	return sources;
}
