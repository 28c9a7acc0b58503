import type { IDataObject, IExecuteFunctions, ResourceMapperValue } from 'n8n-workflow';
import { moneyHeader, plainHeader, totalHeaders } from './headers';
import type { RowField } from './rowFields';
import { bareAmount, rowField, rowFields } from './rowFields';

/** Where the values of a field come from. */
export interface Column {
	field: RowField;
	/** The column of the sheet, where it is one and the same. */
	header?: string;
	/** The currency that the header names: `Unit Price (EUR)`. */
	currency?: string;
	read(row: IDataObject, index: number): unknown;
}

/** A column with sums, which are compared with what the items come to. */
export interface TotalColumn {
	header: string;
	/** Whether it may leave the discount out. */
	isSubtotal?: boolean;
	/** Whether it may hold the sum of each row. */
	mayBeOfRow?: boolean;
}

export interface Columns {
	/** The more telling column of a field stands before others of it. */
	columns: Column[];
	totals: TotalColumn[];
	/** Columns of the sheet that belong to no field. */
	unused: string[];
}

/** The headers of all rows, in the order in which they come: a reader of sheets leaves out empty cells. */
export function headersIn(rows: IDataObject[]): string[] {
	const headers = new Set<string>();
	for (const row of rows) for (const header of Object.keys(row)) headers.add(header);
	return [...headers];
}

/** For errors: the columns that there are. */
export const listOf = (headers: string[]) =>
	`The columns are ${headers.map((header) => `"${header}"`).join(', ') || 'none'}`;

/** The columns as the parameter Columns maps them: by their headers, or each by a value or an expression. */
export function columnsOf(context: IExecuteFunctions, headers: string[]): Columns {
	const { mappingMode, value } = (context.getNode().parameters.columns ??
		{}) as ResourceMapperValue;
	return mappingMode === 'defineBelow'
		? mapByHand(context, value ?? {}, headers)
		: mapByHeader(headers);
}

const fields = [...rowFields, bareAmount];
const totals = new Map(
	Object.entries(totalHeaders).map(([header, kind]) => [plainHeader(header), kind] as const),
);

/** The field that a header stands for, and how telling it is: 0 is best. */
export function fieldOf(
	header: string,
): { field: RowField; rank: number; currency?: string } | undefined {
	const plain = plainHeader(header);
	const money = moneyHeader(header);
	for (const field of fields) {
		const own = field.isMoney ? money?.plain : plain;
		const rank = own === undefined ? -1 : field.headers.indexOf(own);
		if (rank >= 0) {
			const currency = field.isMoney ? money?.currency : undefined;
			return { field, rank, ...(currency && { currency }) };
		}
	}
	return undefined;
}

/** Finds the columns of each field by their headers, whatever their case, spaces and punctuation. */
export function mapByHeader(headers: string[]): Columns {
	const found = headers.flatMap((header) => {
		const match = fieldOf(header);
		return match ? [{ header, ...match }] : [];
	});
	const columns = fields.flatMap((field) =>
		found
			.filter((one) => one.field === field)
			.sort((a, b) => a.rank - b.rank)
			.map(({ header, currency }): Column => {
				const read: Column['read'] = (row) => own(row, header);
				return { field, header, ...(currency && { currency }), read };
			}),
	);
	return { columns, ...leftOf(headers, new Set(found.map(({ header }) => header))) };
}

/** What is left of the headers: sums, and what belongs to no field. */
function leftOf(headers: string[], used: Set<string>): Pick<Columns, 'totals' | 'unused'> {
	const left = headers.filter((header) => !used.has(header));
	const kindOf = (header: string) => totals.get(moneyHeader(header)?.plain ?? '');
	return {
		totals: left.flatMap((header) => {
			const kind = kindOf(header);
			return kind ? [{ header, ...kind }] : [];
		}),
		unused: left.filter((header) => !kindOf(header)),
	};
}

/** `{{ $json.Amount }}` or `{{ $json["Due Date"] }}` and nothing else: the name of the column. */
function columnIn(expression: string): string | undefined {
	const match =
		/^=\s*\{\{\s*\$json\s*(?:\.\s*([A-Za-z_]\w*)|\[\s*(?:"([^"\\]*)"|'([^'\\]*)')\s*\])\s*\}\}\s*$/.exec(
			expression,
		);
	return match ? (match[1] ?? match[2] ?? match[3]) : undefined;
}

/** The columns that an expression names; `undefined` where it may use any. */
function columnsIn(expression: string): string[] | undefined {
	const names: string[] = [];
	const rest = expression.replace(
		/\bjson\s*(?:\?\.|\.)?\s*(?:([A-Za-z_$][\w$]*)|\[\s*(?:"([^"\\]*)"|'([^'\\]*)')\s*\])/g,
		(_all, ...found: Array<string | undefined>) => {
			names.push(...found.slice(0, 3).filter((name): name is string => typeof name === 'string'));
			return '';
		},
	);
	return /\bjson\b/.test(rest) ? undefined : names;
}

/** Fields with the values or expressions that the user gave them. */
function mapByHand(context: IExecuteFunctions, values: IDataObject, headers: string[]): Columns {
	const used = new Set<string>();
	const columns = rowFields.flatMap((field): Column[] => {
		const value = values[field.name];
		if (value === undefined || value === null || value === '') return [];
		if (typeof value !== 'string' || !value.startsWith('=')) return [{ field, read: () => value }];
		for (const name of columnsIn(value) ?? headers) used.add(name);
		const header = columnIn(value);
		// Evaluating takes n8n about a millisecond, and what this expression gives is known.
		if (header !== undefined) {
			const currency = field.isMoney ? moneyHeader(header)?.currency : undefined;
			const read: Column['read'] = (row) => own(row, header);
			return [{ field, header, ...(currency && { currency }), read }];
		}
		const name = `columns.value.${field.name}`;
		return [{ field, read: (_row, index) => context.getNodeParameter(name, index, '') }];
	});
	return { columns, ...leftOf(headers, used) };
}

/** Whether a field is filled by a column, a value or an expression. */
export const isMapped = ({ columns }: Pick<Columns, 'columns'>, name: string) =>
	columns.some(({ field }) => field.name === name);

/** The columns with those that are called just Amount taken for the given field. */
export const withAmountAs = (
	{ columns, ...rest }: Columns,
	name: 'itemAmount' | 'itemTotal',
): Columns => ({
	...rest,
	columns: columns.map((column) =>
		column.field === bareAmount ? { ...column, field: rowField(name) } : column,
	),
});

/** A cell of a row; never what every object has. */
export const own = (row: IDataObject, header: string) =>
	Object.prototype.hasOwnProperty.call(row, header) ? row[header] : undefined;
