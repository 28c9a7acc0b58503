import type { IDataObject, IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';
import { invalidFieldsError } from '../../shared/errors';
import type { Operation } from '../../shared/operation';
import { readFields } from '../../shared/operation';
import type { Plan, Unit } from '../../shared/plan';
import { inSlices } from '../../shared/plan';
import { isEmpty } from '../../shared/values';
import type { Columns } from './columns';
import { columnsOf, headersIn, listOf } from './columns';
import { rowFields } from './fields';
import { groupByColumn, groupByNumber, groupHeaderOf, groupRows } from './group';
import { checkNumbers, dueDateOf, unitOf } from './invoice';
import type { Settings } from './settings';
import { readRow, rowNumber } from './table';

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
	const { group_by: by, group_column: groupColumn = '', first_row: firstRow = 2 } = settings;
	const groupHeader = by === 'column' ? groupHeaderOf(groupColumn, headers) : undefined;
	problems.push(...columns.problems, ...missing(columns, settings, headers));
	if (typeof groupHeader === 'object') problems.push(groupHeader.problem);
	if (problems.length || typeof groupHeader === 'object') {
		if (!context.continueOnFail()) throw invalidFieldsError(context.getNode(), problems);
		return { units: items.map(allWrong(problems, firstRow)), noun: 'invoice', notes: [] };
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
		notes: notesOf(columns, headers, groupHeader, items.length - filled.length),
	};
}

/** The settings are the same for all rows, so expressions in them are evaluated for the first. */
function settingsOf(context: IExecuteFunctions, { parameters }: Operation, zone: string) {
	try {
		const { places, problems } = readFields(
			parameters,
			(name, fallback) => context.getNodeParameter(name, 0, fallback),
			zone,
		);
		return { settings: places.setting as unknown as Settings, problems };
	} catch (error) {
		return { settings: {} as Settings, problems: [(error as Error).message] };
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
function missing(columns: Columns, settings: Settings, headers: string[]): string[] {
	const { default_currency: currency, due_in_days: days, if_number_exists: ifExists } = settings;
	const hasDefault: Record<string, boolean> = {
		currency: currency !== undefined,
		dueDate: days !== undefined,
	};
	const required = rowFields
		.filter(({ rule, name }) => rule.required && !hasDefault[name] && !isMapped(columns, name))
		.map(({ rule }) => rule.label);
	const problems: string[] = [];
	if (required.length) {
		problems.push(
			`Columns: nothing is mapped to ${required.join(', ')}, without which there is no invoice. ${listOf(headers)}`,
		);
	}
	if (ifExists !== 'create' && !isMapped(columns, 'invoiceNumber')) {
		problems.push(
			'Columns: nothing is mapped to Invoice Number, by which If Invoice Number Exists looks for invoices. Map it, or choose Create Anyway',
		);
	}
	return problems;
}

function notesOf(
	{ columns, unused }: Columns,
	headers: string[],
	groupHeader: string | undefined,
	blank: number,
): NodeExecutionHint[] {
	const notes: NodeExecutionHint[] = [];
	const note = (type: 'info' | 'warning', message: string) =>
		notes.push({ message, type, location: 'outputPane' });
	const namesOf = (names: string[]) => names.map((name) => `"${name}"`).join(', ');
	const left = unused.filter((header) => header !== groupHeader && header !== 'row_number');
	if (left.length) {
		note('info', `Columns that belong to no field and were not used: ${namesOf(left)}.`);
	}
	const nowhere = columns.flatMap(({ header }) =>
		header === undefined || headers.includes(header) ? [] : [header],
	);
	if (nowhere.length) {
		note('warning', `Columns that are mapped but that no row has: ${namesOf(nowhere)}.`);
	}
	if (blank) note('info', `Rows without any value that were left out: ${blank}.`);
	return notes;
}
