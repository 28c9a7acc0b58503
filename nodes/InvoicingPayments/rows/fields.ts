import type { INodeProperties } from 'n8n-workflow';
import type { Rule } from '../../shared/rules';
import { rule } from '../../shared/rules';
import type { FieldRouting } from '../../shared/send';
import { invoiceCreate } from '../resources/invoice/create';
import { itemFields } from '../resources/invoice/items';

/** A field of an invoice or of one of its items that a column of a sheet may fill. */
export interface RowField {
	/** As the node saves it: the parameter's name of Invoice: Create, or `itemName`, `itemAmount`, `itemQuantity`. */
	name: string;
	/** The field of the request (spec 4.1, 2.4). */
	field: string;
	isOfItem: boolean;
	rule: Rule;
	/** Headers that stand for it, the more telling ones first, without case, spaces and punctuation. */
	headers: string[];
}

/** A header without case, spaces and punctuation. */
export const plainHeader = (text: string) =>
	text
		.normalize('NFKC')
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]/gu, '');

const headersOf = (...names: string[]) => [...new Set(names.map(plainHeader))];

/** The fields of the invoice itself are those of Invoice: Create. */
const invoiceFields: RowField[] = invoiceCreate
	.flatMap((property) =>
		property.type === 'collection' ? ((property.options ?? []) as INodeProperties[]) : [property],
	)
	.flatMap(({ name, displayName, routing }) => {
		const { place, field, rule: own } = (routing ?? {}) as FieldRouting;
		if (place !== 'body' || field === 'items') return [];
		const headers = headersOf(displayName, name, field);
		return [{ name, field, isOfItem: false, rule: own, headers }];
	});

const itemField = (
	field: keyof typeof itemFields,
	label: string,
	kind: Rule['limits']['kind'],
	...headers: string[]
): RowField => ({
	name: `item${field[0].toUpperCase()}${field.slice(1)}`,
	field,
	isOfItem: true,
	rule: rule(label, { kind }, field !== 'quantity', itemFields[field]),
	headers: headersOf(label, ...headers),
});

/** All fields that rows may hold. */
export const rowFields: RowField[] = [
	...invoiceFields,
	itemField('name', 'Item Name', 'text', 'item'),
	itemField('amount', 'Item Amount', 'amount', 'amount'),
	itemField('quantity', 'Item Quantity', 'integer', 'quantity', 'qty'),
];
