import { fieldsIn, isRuled } from '../../shared/fields/field';
import type { RuledValue } from '../../shared/fields/rules';
import { date, rule, text } from '../../shared/fields/rules';
import { invoiceFields } from '../invoices/invoiceFields';
import { itemFields } from '../invoices/items';
import { plainHeader } from './headers';
import { fallbacksFor, headersFor } from './words';
import { headersByField } from './words/fieldHeaders';
import { toTermDays } from './terms';

/** What a column of a sheet may say of an invoice or of one of its items. */
export interface RowField extends RuledValue {
	/** As the node saves it: the parameter's name of Invoice: Create, or `itemName`, `itemAmount`, `itemQuantity`, ... */
	name: string;
	/** The property of the request (spec 4.1, 2.4). `undefined`: another property is made of it. */
	property?: string;
	isOfItem: boolean;
	/** Whether it is an amount of money, in the currency of the invoice. */
	isMoney: boolean;
	/** Headers that stand for it, the more telling ones first, as `plainHeader` writes them. */
	headers: string[];
	/** Headers that stand for it where no column has one of the others. */
	fallbacks: string[];
}

/**
 * Names of fields that are something else in sheets: a column with the name that workflows save for the unit price is a line total
 * in other programs, and a Start Date is that of a job, a lease or a time entry.
 */
const meantOtherwise = ['itemamount', 'startdate'];

/** Its own names come last: where two columns stand for it, the table says which is the more telling one. */
const headersOf = (name: string, ...names: string[]) => [
	...new Set(
		[...headersFor(name), ...names, name]
			.map(plainHeader)
			.filter((header) => name === 'amount' || !meantOtherwise.includes(header)),
	),
];

const fallbacksOf = (name: string) => fallbacksFor(name).map(plainHeader);

/** What is taken for a customer: what it is the ID, email or name of is looked up. */
const customer = rule({ kind: 'text' }, (value) => text().check(value, '', ''));

/** The fields of the invoice itself are those of Invoice: Create. */
const ofInvoice: RowField[] = invoiceFields
	.flatMap((field) => (field.type === 'collection' ? fieldsIn(field) : [field]))
	.filter(isRuled)
	.flatMap(({ name, displayName, required, rule: own, routing }) => {
		const { property } = routing?.send ?? {};
		if (!property || property === 'items') return [];
		const shared = {
			name,
			property,
			isOfItem: false,
			isMoney: false,
			fallbacks: fallbacksOf(name),
		};
		if (name === 'customerId') {
			const headers = headersOf(name, property);
			return [{ ...shared, displayName: 'Customer', required, rule: customer, headers }];
		}
		const headers = headersOf(name, displayName, property);
		return [{ ...shared, displayName, required, rule: own, headers }];
	});

const invoiceField = (name: string, displayName: string, own: RowField['rule']): RowField => ({
	name,
	displayName,
	rule: own,
	isOfItem: false,
	isMoney: false,
	headers: headersOf(name),
	fallbacks: fallbacksOf(name),
});

const itemField = (
	name: string,
	displayName: string,
	own: RowField['rule'],
	property?: keyof typeof itemFields,
): RowField => ({
	name,
	displayName,
	required: property === 'name' || property === 'amount',
	rule: own,
	...(property && { property }),
	isOfItem: true,
	isMoney: own.limits.kind === 'amount',
	headers: headersOf(name),
	fallbacks: fallbacksOf(name),
});

const amount = () => rule({ kind: 'amount' }, itemFields.amount);

/** All fields that rows may hold. */
export const rowFields: RowField[] = [
	...ofInvoice,
	invoiceField('customerEmail', 'Customer Email', text()),
	invoiceField('terms', 'Terms', rule({ kind: 'text' }, toTermDays)),
	invoiceField('invoiceDate', 'Invoice Date', date()),
	itemField('itemName', 'Item Name', rule({ kind: 'text' }, itemFields.name), 'name'),
	itemField('itemAmount', 'Unit Price', amount(), 'amount'),
	itemField('itemTotal', 'Line Total', amount()),
	// Hours come in fractions: which quantities can be sent is decided with the price.
	itemField(
		'itemQuantity',
		'Item Quantity',
		rule({ kind: 'integer' }, (value) => ({ value })),
		'quantity',
	),
];

/** A column that is called just Amount: a unit price or a line total, which the rest of the sheet or the user settles. */
export const bareAmount: RowField = itemField('amount', 'Amount', amount());

/** The field of this name. Throws a TypeError where there is none. */
export function rowField(name: string): RowField {
	const found = rowFields.find((field) => field.name === name);
	if (!found) throw new TypeError(`No field of rows: ${name}`);
	return found;
}

/** Headers for errors: those that stand for a field, but for its own name. */
export const otherHeaders = ({ name, displayName }: RowField) =>
	(headersByField[name] ?? []).filter((header) => header !== displayName);
