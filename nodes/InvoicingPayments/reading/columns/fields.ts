import { fieldsIn, isRuled } from '../../../shared/fields/field';
import type { RuledValue } from '../../../shared/fields/rules';
import { date, rule, text } from '../../../shared/fields/rules';
import { ok } from '../../../shared/result';
import { invoiceFields } from '../../invoices/invoiceFields';
import { itemFields } from '../../invoices/items';
import { toTermDays } from '../cells';
import { addNames } from '../table';

export interface SheetField extends RuledValue {
	/** The parameter's name in Invoice: Create, or `itemName`, `itemAmount`, `itemQuantity`, ... */
	name: string;
	/** The request property (spec 4.1, 2.4). `undefined`: another property is derived from it. */
	property?: string;
	isOfItem: boolean;
	isMoney: boolean;
}

const field = (
	name: string,
	displayName: string,
	fieldRule: SheetField['rule'],
	{
		property,
		required = property === 'name' || property === 'amount',
	}: { property?: string; required?: boolean } = {},
): SheetField => ({
	name,
	displayName,
	rule: fieldRule,
	property,
	required,
	isOfItem: /^item|^total$/.test(name),
	isMoney: fieldRule.limits.kind === 'amount',
});

const invoiceSheetFields: SheetField[] = invoiceFields
	.flatMap((one) => (one.type === 'collection' ? fieldsIn(one) : [one]))
	.filter(isRuled)
	.flatMap(({ name, displayName, required, rule: fieldRule, routing }) => {
		const { property } = routing?.send ?? {};
		if (!property || property === 'items') return [];
		// A customer may be named, not only identified.
		const isCustomer = name === 'customerId';
		const [label, own] = isCustomer ? ['Customer', text()] : [displayName, fieldRule];
		return [field(name, label, own, { property, required: required === true })];
	});

const amount = () => rule({ kind: 'amount' }, itemFields.amount);
// Quantities may be fractions here; the price decides whether they can be sent.
const quantity = rule({ kind: 'integer' }, (value) => ok(value));

export const itemsField = 'items';

/** The fields of an item that numbers fill: its unit price, its quantity and its total. */
export const itemNumbers = ['itemAmount', 'itemQuantity', 'itemTotal'] as const;

/** Every field that a column can fill. */
export const sheetFields: SheetField[] = [
	...invoiceSheetFields,
	field('customerEmail', 'Customer Email', text()),
	field('terms', 'Terms', rule({ kind: 'text' }, toTermDays)),
	field('invoiceDate', 'Invoice Date', date()),
	field('itemName', 'Item Name', rule({ kind: 'text' }, itemFields.name), { property: 'name' }),
	field('itemAmount', 'Unit Price', amount(), { property: 'amount' }),
	field('itemTotal', 'Line Total', amount()),
	field('itemQuantity', 'Quantity', quantity, { property: 'quantity' }),
	// A second count: 3 people x 2 days.
	field('itemTimes', 'Times', quantity),
	// Taken off this row alone: `10%`, or an amount.
	field(
		'itemDiscount',
		'Line Discount',
		rule({ kind: 'text' }, (value) => ok(value)),
	),
	// Several amounts side by side. Each is an item that is called like its column.
	field(itemsField, 'Items', amount()),
	// A stated total is compared, not sent.
	field('total', 'Total', amount()),
];

/** Texts of an invoice that only people read. They change neither who pays, nor what, nor when. */
export const wordFields = invoiceSheetFields.flatMap(({ name, rule: { limits } }) =>
	limits.kind === 'text' && !limits.identifies && name !== 'customerId' ? [name] : [],
);

export const dateFields = ['dueDate', 'invoiceDate', 'startsAt'];

/** Fields that say something without a cell: a quantity of 1, once, and no discount. Others are missing, or have a default. */
export const meansWithoutCells = [
	'itemQuantity',
	'itemTimes',
	'itemDiscount',
	'discountPercentage',
];

const fieldsByName = new Map(sheetFields.map((field) => [field.name, field]));

export function sheetField(name: string): SheetField {
	const found = fieldsByName.get(name);
	if (!found) throw new TypeError(`No field of a sheet: ${name}`);
	return found;
}

for (const { name, displayName, property } of sheetFields) {
	if (name === itemsField) continue;
	// `itemAmount`, `name` and `amount` mean something else in sheets of other programs.
	const own = [displayName, property ?? '', name].filter(
		(one) => one && !['itemAmount', 'name', 'amount'].includes(one),
	);
	addNames(name, own);
}
/** A column called just Amount: a unit price or a line total. Sums or a person decide. */
addNames('amount', ['Amount', 'Item Amount']);
