import type { ILoadOptionsFunctions, ResourceMapperFields } from 'n8n-workflow';
import { itemsField, sheetFields } from '../reading/columns';

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

export async function getInvoiceFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	// A stated total is compared, not filled. Amounts side by side are columns, not a value.
	const fields = sheetFields
		.filter(({ name }) => name !== 'total' && name !== itemsField)
		.map(({ name, displayName }) => ({
			id: name,
			displayName,
			// A field that is left empty is recognized.
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
