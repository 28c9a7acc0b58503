import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { addTo } from '../../../shared/addTo';
import { isEmpty, toUuid, withoutApostrophe } from '../../../shared/fields/text';
import { asFailed } from '../../execution/execute';
import type { Batch } from '../../execution/operation';
import type { ItemOutcome, Outcomes } from '../../execution/run';
import { isCancelled } from '../../invoices/compareInvoice';
import { defaultPrefix, isContentNumber } from '../../plan/contentNumbers';
import type { Draft } from '../../reading/invoices';
import { problemText, rowsLabel } from '../../reading/cells';
import { headersIn } from '../../reading/table';

const addedHeaders = {
	problem: 'Problem',
	id: 'Invoice ID',
	number: 'Invoice Number',
	page: 'Payment Page',
};

const cellOf = (row: IDataObject, header: string) =>
	Object.prototype.hasOwnProperty.call(row, header) ? row[header] : undefined;

/** The first words of our Problem texts. A user's own Problem column contains other texts. */
const beginnings = { failed: 'Not created', unknown: 'May have been created', exists: 'Exists' };
const isProblem = (text: string) =>
	Object.values(beginnings).some((beginning) => text.startsWith(beginning)) && text.includes(': ');

/** Columns that this node adds, and how to recognize their cells. Not Invoice Number, which the user may have filled. */
const ownColumns: Array<[header: string, isOwn: (text: string) => boolean]> = [
	[addedHeaders.problem, isProblem],
	[addedHeaders.id, (text) => toUuid(text).ok],
	[addedHeaders.page, (text) => /^https?:\/\//i.test(text)],
];

/** Columns that an earlier run added. A single column of IDs or addresses may be the user's, so only a Problem column counts alone. */
export function returnedColumns(items: IDataObject[], prefix?: string): string[] {
	const headers = headersIn(items);
	const present = ownColumns.filter(([header]) => headers.includes(header));
	const isOwn = present.every(([header, isOwnCell]) =>
		items.every((json) => {
			const cell = cellOf(json, header);
			return isEmpty(cell) || (typeof cell === 'string' && isOwnCell(cell.trim()));
		}),
	);
	const isSure = present.length > 1 || present.some(([header]) => header === addedHeaders.problem);
	const own = isOwn && isSure ? present.map(([header]) => header) : [];
	return [...own, ...madeNumbers(items, own, prefix)];
}

/** The column of invoice numbers, if an earlier run has made all of them. */
function madeNumbers(items: IDataObject[], own: string[], prefix = defaultPrefix): string[] {
	const isMade = (json: IDataObject) => {
		const number = cellOf(json, addedHeaders.number);
		const wasBilled = own.includes(addedHeaders.id) && !isEmpty(cellOf(json, addedHeaders.id));
		return (
			isEmpty(number) ||
			isContentNumber(
				withoutApostrophe(String(number)),
				wasBilled ? undefined : [prefix, defaultPrefix],
			)
		);
	};
	const isFilled = items.some((json) => !isEmpty(cellOf(json, addedHeaders.number)));
	return isFilled && items.every(isMade) ? [addedHeaders.number] : [];
}

/** The numbers that an earlier run has made, by the index of their rows. Corrected rows keep them, so that they are not billed again. */
export function billedRows(items: IDataObject[], prefix?: string): Map<number, string> {
	if (!returnedColumns(items, prefix).includes(addedHeaders.number)) return new Map();
	return new Map(
		items.flatMap((json, index) => {
			const number = cellOf(json, addedHeaders.number);
			return isEmpty(number) ? [] : [[index, withoutApostrophe(String(number).trim())] as const];
		}),
	);
}

export function overwrittenProblems(items: IDataObject[]): string[] {
	const returned = returnedColumns(items);
	const headers = headersIn(items);
	return ownColumns.flatMap(([header]) =>
		headers.includes(header) && !returned.includes(header)
			? [`Return Rows would overwrite the column "${header}". Rename that column in the sheet`]
			: [],
	);
}

interface Result {
	problem?: string;
	id?: unknown;
	number?: unknown;
	page?: unknown;
	error?: Error;
}

/** The invoices of a sheet, in the order of the units. */
interface Billed {
	drafts: readonly Draft[];
	/** Whether no column has the invoice numbers. */
	makesNumbers: boolean;
}

/** Returns every input row with its problem or its invoice added. */
export function returnRows(
	context: IExecuteFunctions,
	{ input, units }: Batch,
	outcomes: Outcomes,
	{ drafts, makesNumbers }: Billed,
): INodeExecutionData[] {
	const results = new Map<number, Result>();
	units.forEach((unit, at) => {
		const outcome = outcomes.get(unit.items[0]);
		const problemOf = drafts[at] && rowProblems(drafts[at]);
		for (const item of unit.items) results.set(item, resultOf(outcome, problemOf?.(item)));
	});
	const isRouted = context.getNode().onError === 'continueErrorOutput';
	return input.map(({ json, binary }, item): INodeExecutionData => {
		const { problem = '', id = '', number = '', page = '', error } = results.get(item) ?? {};
		const returned: INodeExecutionData = {
			json: {
				...json,
				[addedHeaders.problem]: problem,
				[addedHeaders.id]: asCell(id),
				...(makesNumbers && {
					[addedHeaders.number]: cellOf(json, addedHeaders.number) || asCell(number),
				}),
				[addedHeaders.page]: asCell(page),
			} as IDataObject,
			...(binary && { binary }),
			pairedItem: { item },
		};
		return error && isRouted ? asFailed(returned, error) : returned;
	});
}

/** Spreadsheets calculate what begins like a formula, so it gets their sign for text. */
const asCell = (value: unknown) =>
	typeof value === 'string' && /^[=+@\t\r-]/.test(value) ? `'${value}` : (value as string);

function resultOf(outcome: ItemOutcome | undefined, rowProblem?: string): Result {
	if (!outcome) return {};
	if (!outcome.ok) {
		const { error, mayBeDone } = outcome.failure;
		const beginning = mayBeDone ? beginnings.unknown : beginnings.failed;
		return { problem: `${beginning}: ${rowProblem ?? error.message}`, error };
	}
	const [result = {}] = outcome.value as IDataObject[];
	if (result.action === 'stop') {
		return { problem: `${beginnings.failed}: ${String(rowProblem ?? result.why)}` };
	}
	if (result.action === 'create') return {};
	const invoice = (result.existing ?? result) as IDataObject;
	return {
		problem: existingWarnings(result, invoice),
		id: invoice.id,
		number: invoice.invoice_number ?? result.invoice_number,
		page: invoice.url,
	};
}

function existingWarnings({ differences, duplicates }: IDataObject, invoice: IDataObject): string {
	const { exists } = beginnings;
	return [
		isCancelled(invoice) &&
			`${exists}, but is cancelled: give it another invoice number to bill it`,
		Array.isArray(differences) && `${exists}, but differs: ${differences.join('; ')}`,
		Array.isArray(duplicates) && `${exists} several times: ${duplicates.join(', ')}`,
	]
		.filter(Boolean)
		.join('. ');
}

/** By item: the problems of the row and of its whole invoice, else a pointer to other rows of the invoice with problems. */
function rowProblems({
	rows,
	cellProblems,
	problems,
}: Draft): (item: number) => string | undefined {
	const byNumber = new Map<number, string[]>();
	for (const cell of cellProblems) addTo(byNumber, cell.row, problemText(cell));
	const numbers = new Map(rows.map(({ line, number }) => [line.index, number]));
	const others = rows.filter(({ number }) => byNumber.has(number));
	const pointer = others.length ? `Correct ${rowsLabel(others)} of this invoice first` : undefined;
	return (item) => {
		const all = [...(byNumber.get(numbers.get(item) ?? NaN) ?? []), ...problems];
		return all.length ? all.join('. ') : pointer;
	};
}
