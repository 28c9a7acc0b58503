import { looksForNumber } from '../invoices/invoiceRequest';
import type { Columns } from './columns';
import { isMapped, listOf } from './columns';
import type { RowCells } from './rowCells';
import { bareAmount, otherHeaders, rowField } from './rowFields';
import type { RowSettings } from './rowSettings';
import type { SheetProblem } from './sheetError';

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
	return [...(isShifted ? [shifted] : []), ...lines, listOf(headers)].map((text, at) => ({
		title: at
			? ''
			: `${count} not found: ${fields.map(({ displayName }) => displayName).join(', ')}`,
		text,
	}));
}
