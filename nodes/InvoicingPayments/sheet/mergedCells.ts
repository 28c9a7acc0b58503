import type { IDataObject } from 'n8n-workflow';
import { isEmpty } from '../../shared/fields/text';
import type { Columns } from './columns';
import { own } from './columns';
import { isBlank } from './rowCells';
import type { RowSettings } from './rowSettings';

/** Fields to fill if no column says which rows form an invoice. */
const repeated = ['customerId', 'customerEmail', 'currency', 'dueDate', 'terms', 'invoiceDate'];

/**
 * Fills the cells that a merged cell leaves empty with the value above. If a column groups the rows, only that column is
 * filled: the invoice takes the rest from its first row.
 */
export function fillMergedCells(
	items: IDataObject[],
	{ fields, group }: Columns,
	{ groupBy, makesNumbers }: RowSettings,
): IDataObject[] {
	const headersOf = (names: string[]) =>
		fields.flatMap(({ field, header }) =>
			header !== undefined && names.includes(field.name) ? [header] : [],
		);
	const numbers = groupBy === 'invoiceNumber' && !makesNumbers ? headersOf(['invoiceNumber']) : [];
	const grouping = group === undefined ? numbers : [group];
	const headers = grouping.length ? grouping : headersOf(repeated);
	const above = new Map<string, unknown>();
	return items.map((json) => {
		if (isBlank(json)) return json;
		const filled = { ...json };
		for (const header of headers) {
			const cell = own(json, header);
			if (!isEmpty(cell)) above.set(header, cell);
			else if (above.has(header)) filled[header] = above.get(header) as IDataObject[string];
		}
		return filled;
	});
}
