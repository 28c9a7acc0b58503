import type { IExecuteFunctions } from 'n8n-workflow';
import { looksForNumber } from '../invoices/invoiceRequest';
import type { Columns } from './columns';
import { columnIn, columnList, isMapped, lowerHeader, mappingOf } from './columns';
import type { RowCells } from './rowCells';
import { bareAmount, otherHeaders, rowField, rowFields } from './rowFields';
import type { RowSettings } from './rowSettings';
import type { SheetProblem } from './sheetError';

const delimiters: Record<string, string> = { ';': ';', '\t': '\\t (a tab)' };

/** Detects mistakes in the previous nodes by the headers that arrive. */
export function sourceProblems(headers: string[]): SheetProblem[] {
	if (headers.length === 0) {
		const title = 'No rows arrived';
		return [{ title, text: `${title}. Put Extract from File or Google Sheets before this node` }];
	}
	const garbled = headers.find((header) => header.includes('\uFFFD'));
	const encoding =
		garbled === undefined
			? []
			: [
					{
						title: "Letters were lost: set 'Encoding'",
						text: `Letters were lost in "${garbled.slice(0, 60)}". Set Options > Encoding to ISO-8859-1 in Extract from File`,
					},
				];
	const unsplit = headers.find((header) => header.split(/[;\t]/).length > 2);
	if (unsplit === undefined) return encoding;
	const [, delimiter = ';'] = /([;\t])/.exec(unsplit) ?? [];
	const title = `Several columns arrived as one: set 'Delimiter' to ${delimiters[delimiter]}`;
	const text = `Several columns arrived as one, "${unsplit.replace(/\t/g, ' ')}". Set Options > Delimiter to ${delimiters[delimiter]} in Extract from File`;
	return [{ title, text }, ...encoding];
}

/** Fields that contain a column's name as plain text, although its cells are meant. */
export function typedHeaders(context: IExecuteFunctions, headers: string[]): SheetProblem[] {
	const values = mappingOf(context).value ?? {};
	const used = Object.values(values).map((value) => columnIn(String(value)));
	return rowFields.flatMap(({ name, displayName }) => {
		const typed = values[name];
		const isFixed = typeof typed === 'string' && !typed.startsWith('=');
		const header = isFixed && headers.find((one) => lowerHeader(one) === lowerHeader(typed));
		if (!header || used.includes(header)) return [];
		const title = `${displayName} contains the text "${typed}", which is the name of a column`;
		return [{ title, text: `${title}. Drag the column from the left` }];
	});
}

/** Required fields that no column, default or fixed value fills. */
export function missingColumns(
	columns: Columns,
	cells: RowCells[],
	headers: string[],
	settings: RowSettings,
): SheetProblem[] {
	const has = (...names: string[]) => names.some((name) => isMapped(columns, name));
	const hasMarks = () =>
		columns.fields.some(
			({ field, currency }, at) =>
				field.isMoney &&
				(currency !== undefined ||
					cells.some(({ fields }) => {
						const cell = fields[at];
						return cell && ('problems' in cell || cell.mark !== undefined);
					})),
		);
	const isThere: Record<string, boolean> = {
		customerId: has('customerId', 'customerEmail') || settings.customerId !== undefined,
		currency: has('currency') || settings.currency !== undefined || hasMarks(),
		dueDate: has('dueDate', 'terms') || settings.dueInDays !== undefined,
		itemName: has('itemName'),
		itemAmount: has('itemAmount', 'itemTotal', bareAmount.name),
		invoiceNumber:
			has('invoiceNumber') || !looksForNumber(settings) || settings.makesNumbers === true,
	};
	const missing = Object.keys(isThere).filter((name) => !isThere[name]);
	if (missing.length === 0) return [];
	const waysOut: Record<string, string> = {
		customerId: "set 'Default Customer'",
		currency: "set 'Default Currency'",
		dueDate: "set 'Due in Days'",
		invoiceNumber: "set 'Invoice Numbers' to 'From Content'",
	};
	const fields = missing.map((name) => rowField(name));
	const lines = fields.map((field) => {
		const also = otherHeaders(field).slice(0, 3).join(', ');
		const way = waysOut[field.name] ?? 'map it under Columns';
		return `${field.displayName}: rename a column to ${field.displayName} (or ${also}), or ${way}`;
	});
	const count =
		missing.length === 1 ? 'A needed column was' : `${missing.length} needed columns were`;
	const isShifted = headers.some((header) => /^(?:__EMPTY.*|column_?\d+|)$/i.test(header.trim()));
	const shifted =
		'If your headers stand further down, set Options > Range (Excel, e.g. A3:F100) or Starting Line (CSV) in the node that reads the file';
	return [...(isShifted ? [shifted] : []), ...lines, columnList(headers)].map((text, at) => ({
		title: at
			? ''
			: `${count} not found: ${fields.map(({ displayName }) => displayName).join(', ')}`,
		text,
	}));
}
