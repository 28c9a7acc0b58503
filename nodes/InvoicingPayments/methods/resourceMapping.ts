import type { ILoadOptionsFunctions, ResourceMapperFields } from 'n8n-workflow';
import { rowFields } from '../sheet/rowFields';

/** Shown at first. Users can add the others. */
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

/** Required, unless a default or another field fills them. */
const needed = ['customerId', 'currency', 'dueDate', 'itemName', 'itemAmount'];

export async function getInvoiceFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const fields = rowFields.map(({ name, displayName }) => ({
		id: name,
		// Not n8n's `required`: its error names the field by ID, and a default may fill the field.
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
