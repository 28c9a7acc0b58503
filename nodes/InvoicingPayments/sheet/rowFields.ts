import { fieldsIn, isRuled } from '../../shared/fields/field';
import type { RuledValue } from '../../shared/fields/rules';
import { date, rule, text } from '../../shared/fields/rules';
import { invoiceFields } from '../invoices/invoiceFields';
import { itemFields } from '../invoices/items';
import { toTermDays } from './dateCells';
import { foldedWords, plainHeader } from './headers';
import { fallbacksFor, headersFor, numberWords } from './words';
import { headersByField } from './words/fieldHeaders';

export interface RowField extends RuledValue {
	/** The parameter's name in Invoice: Create, or `itemName`, `itemAmount`, `itemQuantity`, ... */
	name: string;
	/** The request property (spec 4.1, 2.4). `undefined`: another property is derived from it. */
	property?: string;
	isOfItem: boolean;
	isMoney: boolean;
	/** Headers that stand for it in the form of `plainHeader`, the most specific first. */
	headers: string[];
	/** Headers that stand for it if no column has one of `headers`. */
	fallbacks: string[];
}

/** Field names that mean something else in sheets: a Start Date is that of a job, `itemAmount` is a line total in other programs. */
const otherMeanings = ['itemamount', 'startdate'];

/** `Invoice No` is also known as `invoiceno`, because the words of `INVOICENO` cannot be told. */
function plainForms(header: string): string[] {
	const words = foldedWords(header);
	const isNumber = numberWords.has(words[words.length - 1]);
	return isNumber ? [plainHeader(header), words.join('')] : [plainHeader(header)];
}

const named = (name: string, ...others: string[]) => ({
	name,
	// The field's own names come last: the table ranks the headers.
	headers: [...new Set([...headersFor(name), ...others, name].flatMap(plainForms))].filter(
		(header) => name === 'amount' || !otherMeanings.includes(header),
	),
	fallbacks: fallbacksFor(name).flatMap(plainForms),
});

const invoiceRowFields: RowField[] = invoiceFields
	.flatMap((field) => (field.type === 'collection' ? fieldsIn(field) : [field]))
	.filter(isRuled)
	.flatMap(({ name, displayName, required, rule: fieldRule, routing }) => {
		const { property } = routing?.send ?? {};
		if (!property || property === 'items') return [];
		const shared = { property, required, isOfItem: false, isMoney: false };
		// A customer may be named, not only identified.
		return name === 'customerId'
			? { ...shared, ...named(name, property), displayName: 'Customer', rule: text() }
			: { ...shared, ...named(name, displayName, property), displayName, rule: fieldRule };
	});

const invoiceField = (
	name: string,
	displayName: string,
	fieldRule: RowField['rule'],
): RowField => ({ ...named(name), displayName, rule: fieldRule, isOfItem: false, isMoney: false });

const itemField = (
	name: string,
	displayName: string,
	fieldRule: RowField['rule'],
	property?: keyof typeof itemFields,
): RowField => ({
	...named(name),
	displayName,
	required: property === 'name' || property === 'amount',
	rule: fieldRule,
	property,
	isOfItem: true,
	isMoney: fieldRule.limits.kind === 'amount',
});

const amount = () => rule({ kind: 'amount' }, itemFields.amount);

export const rowFields: RowField[] = [
	...invoiceRowFields,
	invoiceField('customerEmail', 'Customer Email', text()),
	invoiceField('terms', 'Terms', rule({ kind: 'text' }, toTermDays)),
	invoiceField('invoiceDate', 'Invoice Date', date()),
	itemField('itemName', 'Item Name', rule({ kind: 'text' }, itemFields.name), 'name'),
	itemField('itemAmount', 'Unit Price', amount(), 'amount'),
	itemField('itemTotal', 'Line Total', amount()),
	// Quantities may be fractions here; the price decides whether they can be sent.
	itemField(
		'itemQuantity',
		'Item Quantity',
		rule({ kind: 'integer' }, (value) => ({ value })),
		'quantity',
	),
];

/** A column called just Amount: a unit price or a line total. Other columns or the user decide. */
export const bareAmount: RowField = itemField('amount', 'Amount', amount());

export function rowField(name: string): RowField {
	const found = rowFields.find((field) => field.name === name);
	if (!found) throw new TypeError(`No field of rows: ${name}`);
	return found;
}

export const suggestedHeaders = ({ name, displayName }: RowField) =>
	(headersByField[name] ?? []).filter((header) => header !== displayName);
