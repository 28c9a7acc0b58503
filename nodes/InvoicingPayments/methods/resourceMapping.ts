import type { ILoadOptionsFunctions, ResourceMapperFields } from 'n8n-workflow';
import { rowFields } from '../sheet/rowFields';

/** The others are hidden until the user adds them. */
const initialFields = [
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
const requiredFields = ['customerId', 'currency', 'dueDate', 'itemName', 'itemAmount'];

export async function getInvoiceFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const fields = rowFields.map(({ name, displayName }) => ({
		id: name,
		// Not n8n's `required`: its error names the field by ID, and a default may fill the field.
		displayName: requiredFields.includes(name) ? `${displayName} *` : displayName,
		required: false,
		display: true,
		defaultMatch: false,
		canBeUsedToMatch: false,
		removed: !initialFields.includes(name),
	}));
	const position = (id: string) =>
		initialFields.includes(id) ? initialFields.indexOf(id) : initialFields.length;
	return { fields: fields.sort((a, b) => position(a.id) - position(b.id)) };
}
