import type { ILoadOptionsFunctions, ResourceMapperFields } from 'n8n-workflow';
import { rowFields } from '../sheet/rowFields';

/** The fields that Columns offers: those that most invoices need are there from the beginning, the others can be added. */
const shown = [
	'customerId',
	'currency',
	'dueDate',
	'invoiceNumber',
	'title',
	'itemName',
	'itemAmount',
	'itemQuantity',
];

export async function getInvoiceFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const fields = rowFields.map(({ name, displayName }) => ({
		id: name,
		displayName,
		// Anything else may come from the defaults or from another field, such as the line total.
		required: name === 'itemName',
		display: true,
		defaultMatch: false,
		canBeUsedToMatch: false,
		removed: !shown.includes(name),
	}));
	const order = (id: string) => (shown.includes(id) ? shown.indexOf(id) : shown.length);
	return { fields: fields.sort((a, b) => order(a.id) - order(b.id)) };
}
