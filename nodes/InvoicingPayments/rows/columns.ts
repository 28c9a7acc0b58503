import type { IDataObject, IExecuteFunctions, ResourceMapperValue } from 'n8n-workflow';
import type { RowField } from './rowFields';
import { plainHeader, rowFields } from './rowFields';

/** Where the values of a field come from. */
export interface Column {
	field: RowField;
	/** The column of the sheet, where it is one and the same. */
	header?: string;
	read(row: IDataObject, index: number): unknown;
}

export interface Columns {
	columns: Column[];
	/** Columns of the sheet that belong to no field. */
	unused: string[];
	/** What keeps all rows from being read. */
	problems: string[];
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
	return mappingMode === 'autoMapInputData'
		? mapByHeader(headers)
		: mapByHand(context, value ?? {});
}

/** Finds the column of each field by its header, whatever its case, spaces and punctuation. */
export function mapByHeader(headers: string[]): Columns {
	const byHeader = new Map<string, string[]>();
	for (const header of headers) {
		const plain = plainHeader(header);
		byHeader.set(plain, [...(byHeader.get(plain) ?? []), header]);
	}
	const columns: Column[] = [];
	const problems: string[] = [];
	for (const field of rowFields) {
		const found = field.headers
			.map((plain) => byHeader.get(plain) ?? [])
			.find(({ length }) => length);
		if (!found) continue;
		const [header] = found;
		columns.push({ field, header, read: (row) => own(row, header) });
		if (found.length > 1) {
			const names = found.map((one) => `"${one}"`).join(' and ');
			problems.push(`The columns ${names} both match ${field.displayName}. Rename one of them`);
		}
	}
	const used = new Set(columns.map(({ header }) => header));
	return { columns, problems, unused: headers.filter((header) => !used.has(header)) };
}

/** `{{ $json.Amount }}` or `{{ $json["Due Date"] }}` and nothing else: the name of the column. */
function columnIn(expression: string): string | undefined {
	const match =
		/^=\s*\{\{\s*\$json\s*(?:\.\s*([A-Za-z_]\w*)|\[\s*(?:"([^"\\]*)"|'([^'\\]*)')\s*\])\s*\}\}\s*$/.exec(
			expression,
		);
	return match ? (match[1] ?? match[2] ?? match[3]) : undefined;
}

/** Fields with the values or expressions that the user gave them. */
function mapByHand(context: IExecuteFunctions, values: IDataObject): Columns {
	const columns = rowFields.flatMap((field): Column[] => {
		const value = values[field.name];
		if (value === undefined || value === null || value === '') return [];
		if (typeof value !== 'string' || !value.startsWith('=')) return [{ field, read: () => value }];
		const header = columnIn(value);
		// Evaluating takes n8n about a millisecond, and what this expression gives is known.
		if (header !== undefined) return [{ field, header, read: (row) => own(row, header) }];
		const name = `columns.value.${field.name}`;
		return [{ field, read: (_row, index) => context.getNodeParameter(name, index, '') }];
	});
	return { columns, unused: [], problems: [] };
}

const own = (row: IDataObject, header: string) =>
	Object.prototype.hasOwnProperty.call(row, header) ? row[header] : undefined;
