import { looksForNumber } from '../invoices/invoiceRequest';
import type { Columns } from './columns';
import { isMapped, listOf } from './columns';
import type { RowCells } from './rowCells';
import { bareAmount, otherHeaders, rowField } from './rowFields';
import type { RowSettings } from './rowSettings';
import type { SheetProblem } from './sheetError';

/** Fields that every invoice needs and that nothing fills. */
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
		customerId: "or set 'Default Customer'",
		currency: "or set 'Default Currency'",
		dueDate: "or Terms; or set 'Due in Days'",
		invoiceNumber:
			"required by 'If Invoice Number Exists'; or set 'Invoice Numbers' to 'From Content'",
	};
	const fields = missing.map((name) => rowField(name));
	const list = fields.map((field) => {
		const also = otherHeaders(field).slice(0, 4).join(', ');
		const way = waysOut[field.name] ? `; ${waysOut[field.name]}` : '';
		return `${field.displayName} (or: ${also}${way})`;
	});
	const count =
		missing.length === 1 ? 'A needed column was' : `${missing.length} needed columns were`;
	const isShifted = headers.some((header) => /^(?:__EMPTY.*|column_?\d+|)$/i.test(header.trim()));
	const shifted = isShifted
		? '. If the headers stand further down, set the header row in the node that reads the file'
		: '';
	return [
		{
			title: `${count} not found: ${fields.map(({ displayName }) => displayName).join(', ')}`,
			text: `${count} not found: ${list.join('; ')}. Rename columns of the sheet, or choose 'Map Each Column Manually'. ${listOf(headers)}${shifted}`,
		},
	];
}
