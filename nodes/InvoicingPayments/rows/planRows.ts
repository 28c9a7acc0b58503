import type { IDataObject, IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';
import { invalidFieldsError } from '../../shared/errors/nodeErrors';
import { parametersOf, readFields } from '../../shared/fields/readFields';
import type { Plan, Unit } from '../execution/plan';
import { looksForNumber } from '../invoices/invoiceRequest';
import { inSlices } from '../execution/inSlices';
import type { Operation } from '../execution/operation';
import { isEmpty } from '../../shared/fields/text';
import type { Columns } from './columns';
import { columnsOf, headersIn, listOf } from './columns';
import { rowFields } from './rowFields';
import { groupByColumn, groupByNumber, groupHeaderOf, groupRows } from './group';
import { checkNumbers, dueDateOf, unitOf } from './invoice';
import type { RowSettings } from './rowSettings';
import { readRow, rowNumber } from './row';

/**
 * Plans the invoices of the rows that the input items are (spec 4.1): reads every cell, groups the rows, and checks all there is to
 * check before anything is sent. With Only Validate the plan is what would be sent, and nothing is.
 *
 * What is wrong with all rows (a column that is missing, settings) is thrown as a NodeApiError; with Continue every row gets it.
 */
export async function planRows(context: IExecuteFunctions, operation: Operation): Promise<Plan> {
	const zone = context.getTimezone();
	const items = context.getInputData().map(({ json }) => json);
	const { settings, problems } = settingsOf(context, operation, zone);
	const headers = headersIn(items);
	const columns = columnsOf(context, headers);
	const { groupBy: by, groupColumn = '', firstRow = 2 } = settings;
	const groupHeader = by === 'column' ? groupHeaderOf(groupColumn, headers) : undefined;
	problems.push(...columns.problems, ...unmapped(columns, settings, headers));
	if (typeof groupHeader === 'object') problems.push(groupHeader.problem);
	if (problems.length || typeof groupHeader === 'object') {
		if (!context.continueOnFail()) throw invalidFieldsError(context.getNode(), problems);
		return { units: items.map(allWrong(problems, firstRow)), noun: 'invoice', hints: [] };
	}
	const isOfSheet = columns.columns.some(({ header }) => header !== undefined);
	const filled = items.flatMap((json, index) => (isOfSheet && isBlank(json) ? [] : [index]));
	const rows = await inSlices(context, filled.length, (at) => {
		const index = filled[at];
		const number = rowNumber(items[index], index, firstRow);
		return readRow(columns.columns, items[index], { index, number }, settings, zone);
	});
	const groups = {
		invoiceNumber: () => groupByNumber(rows),
		column: () => groupByColumn(rows, items, groupHeader ?? ''),
		row: () => groupRows(rows, () => undefined, ''),
	}[by]();
	checkNumbers(groups, settings);
	const dueDate = dueDateOf(settings, zone);
	return {
		units: groups.map((group) => unitOf(group, operation, settings, dueDate)),
		noun: 'invoice',
		hints: hintsOf(columns, headers, groupHeader, items.length - filled.length),
	};
}

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

/** A row without any value: sheets often end with some. */
const isBlank = (json: IDataObject) =>
	Object.entries(json).every(([header, cell]) => header === 'row_number' || isEmpty(cell));

/** With Continue every row gets the error of what is wrong with all of them. */
const allWrong =
	(problems: string[], firstRow: number) =>
	(json: IDataObject, index: number): Unit => {
		const number = rowNumber(json, index, firstRow);
		return {
			items: [index],
			name: `row ${number}`,
			fields: { rows: [number] },
			ready: { problems },
		};
	};

const isMapped = ({ columns }: Columns, name: string) =>
	columns.some(({ field }) => field.name === name);

/** Fields that every invoice needs and that nothing fills. */
function unmapped(columns: Columns, settings: RowSettings, headers: string[]): string[] {
	const { currency, dueInDays: days } = settings;
	const hasDefault: Record<string, boolean> = {
		currency: currency !== undefined,
		dueDate: days !== undefined,
	};
	const missing = rowFields
		.filter(({ required, name }) => required && !hasDefault[name] && !isMapped(columns, name))
		.map(({ displayName }) => displayName);
	const problems: string[] = [];
	if (missing.length) {
		problems.push(`Columns: required fields not mapped: ${missing.join(', ')}. ${listOf(headers)}`);
	}
	if (looksForNumber(settings) && !isMapped(columns, 'invoiceNumber')) {
		problems.push(
			"Columns: Invoice Number is not mapped, but 'If Invoice Number Exists' needs it. Map it, or choose 'Create Anyway'",
		);
	}
	return problems;
}

function hintsOf(
	{ columns, unused }: Columns,
	headers: string[],
	groupHeader: string | undefined,
	blank: number,
): NodeExecutionHint[] {
	const hints: NodeExecutionHint[] = [];
	const note = (type: 'info' | 'warning', message: string) =>
		hints.push({ message, type, location: 'outputPane' });
	const namesOf = (names: string[]) => names.map((name) => `"${name}"`).join(', ');
	const left = unused.filter((header) => header !== groupHeader && header !== 'row_number');
	if (left.length) {
		note('info', `Columns not used because they match no field: ${namesOf(left)}.`);
	}
	const nowhere = columns.flatMap(({ header }) =>
		header === undefined || headers.includes(header) ? [] : [header],
	);
	if (nowhere.length) {
		note('warning', `Mapped columns that no row has: ${namesOf(nowhere)}.`);
	}
	if (blank) note('info', `Empty rows skipped: ${blank}.`);
	return hints;
}
