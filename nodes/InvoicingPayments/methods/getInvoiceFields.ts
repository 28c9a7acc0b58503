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

/** Fields without which there is no invoice, unless a default or another field fills them. */
const needed = ['customerId', 'currency', 'dueDate', 'itemName', 'itemAmount'];

export async function getInvoiceFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const fields = rowFields.map(({ name, displayName }) => ({
		id: name,
		// Not n8n's own mark: its error would name the field by its ID, and a default may fill the others.
		displayName: needed.includes(name) ? `${displayName} *` : displayName,
		required: false,
		display: true,
		defaultMatch: false,
		canBeUsedToMatch: false,
		removed: !shown.includes(name),
	}));
	const order = (id: string) => (shown.includes(id) ? shown.indexOf(id) : shown.length);
	return { fields: fields.sort((a, b) => order(a.id) - order(b.id)) };
}
