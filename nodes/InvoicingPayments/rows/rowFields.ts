import { fieldsIn, isRuled } from '../../shared/fields/field';
import type { Limits, RuledValue } from '../../shared/fields/rules';
import { rule } from '../../shared/fields/rules';
import { invoiceFields } from '../invoices/invoiceFields';
import { itemFields } from '../invoices/items';

/** A field of an invoice or of one of its items that a column of a sheet may fill. */
export interface RowField extends RuledValue {
	/** As the node saves it: the parameter's name of Invoice: Create, or `itemName`, `itemAmount`, `itemQuantity`. */
	name: string;
	/** The property of the request (spec 4.1, 2.4). */
	property: string;
	isOfItem: boolean;
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
const ofInvoice: RowField[] = invoiceFields
	.flatMap((field) => (field.type === 'collection' ? fieldsIn(field) : [field]))
	.filter(isRuled)
	.flatMap(({ name, displayName, required, rule: own, routing }) => {
		const { property } = routing?.send ?? {};
		if (!property || property === 'items') return [];
		const headers = headersOf(displayName, name, property);
		return [{ name, displayName, required, rule: own, property, isOfItem: false, headers }];
	});

const itemField = (
	property: keyof typeof itemFields,
	displayName: string,
	kind: Limits['kind'],
	...headers: string[]
): RowField => ({
	name: `item${property[0].toUpperCase()}${property.slice(1)}`,
	displayName,
	required: property !== 'quantity',
	rule: rule({ kind }, itemFields[property]),
	property,
	isOfItem: true,
	headers: headersOf(displayName, ...headers),
});

/** All fields that rows may hold. */
export const rowFields: RowField[] = [
	...ofInvoice,
	itemField('name', 'Item Name', 'text', 'item'),
	itemField('amount', 'Item Amount', 'amount', 'amount'),
	itemField('quantity', 'Item Quantity', 'integer', 'quantity', 'qty'),
];
