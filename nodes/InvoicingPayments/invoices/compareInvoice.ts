import { addTo } from '../../shared/addTo';
import type { InvoiceBody } from './invoiceRequest';
import { totalOf } from './items';
import { Decimal } from '../../shared/fields/decimal';
import { shorten, visibleText } from '../../shared/fields/text';
import { hideCardNumbers } from '../../shared/secrets/cardData';

/**
 * Compares all of an invoice of the service (spec 2.3, 2.5) with the request, items one by one. Skips what is missing in one of them, or
 * unreadable.
 */
export function differencesOf(invoice: Record<string, unknown>, requested: InvoiceBody): string[] {
	const { invoice_number: number } = requested;
	return [
		...(number !== undefined && isRenumbered(invoice, number)
			? [differenceText('invoice number', String(invoice.invoice_number), number)]
			: []),
		...billedDifferences(invoice, requested, itemDifferences),
		...otherDifferences(invoice, { ...requested }),
	];
}

/** What else an invoice says, and the request too, in comparable form. */
const otherFields: Array<[property: string, name: string, read: (value: unknown) => unknown]> = [
	['title', 'title', (value) => (typeof value === 'string' ? visibleText(value) : undefined)],
	['note', 'note', (value) => (typeof value === 'string' ? visibleText(value) : undefined)],
	['custom_fields', 'custom fields', customFieldNames],
	...[
		'shipping_address_required',
		'allow_installment_a',
		'allow_installment_b',
		'allow_service_fee',
	].map((property): (typeof otherFields)[0] => [
		property,
		property.replace(/_/g, ' '),
		(value) => (typeof value === 'boolean' ? String(value) : undefined),
	]),
];

const otherDifferences = (
	invoice: Record<string, unknown>,
	requested: Record<string, unknown>,
): string[] =>
	otherFields.flatMap(([property, name, read]) => {
		const [stored, sent] = [read(invoice[property]), read(requested[property])];
		return stored === undefined || sent === undefined || stored === sent
			? []
			: [differenceText(name, String(stored), String(sent))];
	});

function customFieldNames(value: unknown): string | undefined {
	if (!Array.isArray(value)) return undefined;
	const names = value.map((one: unknown) => (one as { name?: unknown } | null)?.name);
	return names.every((name) => typeof name === 'string')
		? names.map(visibleText).sort().join(', ')
		: undefined;
}

const maxNamedItems = 5;

/** By name: `item Design: 100.00 x 2 in the service, 100.00 x 3 here`. If the service gives no names, the amounts alone. */
function itemDifferences(stored: unknown, sent: InvoiceBody['items']): string[] {
	const [theirs, ours] = [itemsByName(stored), itemsByName(sent)];
	if (!theirs || !ours) return amountDifferences(stored, sent);
	const names = [...new Set([...ours.keys(), ...theirs.keys()])];
	const textOf = (items: Map<string, string[]>, name: string) =>
		items.get(name)?.sort().join(' + ') ?? 'none';
	const different = names.filter((name) => textOf(theirs, name) !== textOf(ours, name));
	const more = different.length - maxNamedItems;
	return [
		...different
			.slice(0, maxNamedItems)
			.map((name) =>
				differenceText(`item ${shown(name)}`, textOf(theirs, name), textOf(ours, name)),
			),
		...(more > 0 ? [`${more} more items differ`] : []),
	];
}

function amountDifferences(stored: unknown, sent: InvoiceBody['items']): string[] {
	const theirs = itemTexts(stored)?.join(' + ');
	const ours = itemTexts(sent)?.join(' + ') ?? '';
	return theirs === undefined || theirs === ours ? [] : [differenceText('items', theirs, ours)];
}

/** `undefined` if an item has no name, or no exact amount. */
function itemsByName(items: unknown): Map<string, string[]> | undefined {
	if (!Array.isArray(items)) return undefined;
	const byName = new Map<string, string[]>();
	for (const item of items) {
		const { name } = (item ?? {}) as { name?: unknown };
		const text = itemText(item);
		if (typeof name !== 'string' || text === undefined) return undefined;
		addTo(byName, visibleText(name), text);
	}
	return byName;
}

/** Characters. Bounds messages, because a service may return anything. */
const maxShown = 200;

const differenceText = (field: string, stored: string, sent: string) =>
	`${field}: ${shown(stored)} in the service, ${shown(sent)} here`;

const shown = (text: string) => shorten(hideCardNumbers(text.slice(0, 2 * maxShown)), maxShown);

const amountDifference = 'amount';

/** Whether a difference is one of the whole amount, which taxes and fees of the account may change. */
export const isAmountDifference = (text: string) => text.startsWith(`${amountDifference}: `);

/** Differences in customer, currency, items, amounts and due date. By default, items' names are not compared: a service may write them otherwise. */
export function billedDifferences(
	invoice: Record<string, unknown>,
	requested: InvoiceBody,
	compareItems = amountDifferences,
): string[] {
	const { discount_percentage: discount, due_date: due } = invoice;
	const differences = customerAndItemDifferences(invoice, requested, compareItems);
	const amount = readDecimal(invoice.amount);
	if (amount && !amountFits(amount, invoice, requested)) {
		differences.push(
			differenceText(amountDifference, `${amount}`, `${discountedTotal(requested)}`),
		);
	}
	const percent = readDecimal(discount);
	const requestedPercent = requested.discount_percentage ?? 0;
	if (percent && !percent.equals(Decimal.of(requestedPercent))) {
		differences.push(differenceText('discount', `${percent}%`, `${requestedPercent}%`));
	}
	if (
		typeof due === 'string' &&
		requested.due_date !== undefined &&
		isOtherDay(due, requested.due_date)
	) {
		differences.push(differenceText('due date', due.slice(0, 10), requested.due_date));
	}
	return differences;
}

function customerAndItemDifferences(
	invoice: Record<string, unknown>,
	requested: InvoiceBody,
	compareItems: typeof amountDifferences,
): string[] {
	const { currency, customer, items } = invoice;
	const differences: string[] = [];
	const compare = (field: string, stored: string, sent: string) => {
		if (stored.toLowerCase() !== sent.toLowerCase())
			differences.push(differenceText(field, stored, sent));
	};
	if (typeof currency === 'string') compare('currency', currency, requested.currency);
	const { id } = (customer ?? {}) as { id?: unknown };
	if (typeof id === 'string') compare('customer', id, requested.customer);
	return [...differences, ...compareItems(items, requested.items)];
}

/** `undefined` if it is no decimal. */
function readDecimal(value: unknown): Decimal | undefined {
	if (typeof value !== 'string' && typeof value !== 'number') return undefined;
	try {
		return Decimal.of(value);
	} catch {
		return undefined;
	}
}

/** What an invoice comes to, before taxes and fees. */
export const discountedTotal = ({
	items,
	discount_percentage: percent = 0,
}: Pick<InvoiceBody, 'items' | 'discount_percentage'>) => totalOf(items).percent(100 - percent);

const cent = Decimal.of('0.01');

/** The spec (2.3) does not say whether `amount` includes the discount (rounded to cents), the tax, the fee or the tip. */
function amountFits(
	amount: Decimal,
	invoice: Record<string, unknown>,
	requested: InvoiceBody,
): boolean {
	const total = totalOf(requested.items);
	const withDiscount = discountedTotal(requested);
	const tolerance = withDiscount.isMultipleOf(cent) ? Decimal.zero : cent;
	const additions = [invoice.tax, invoice.service_fee, invoice.tip]
		.flatMap((one) => readDecimal(one) ?? [])
		.reduce((sums, one) => [...sums, ...sums.map((sum) => sum.plus(one))], [Decimal.zero]);
	return additions.some((addition) => {
		const base = amount.minus(addition);
		return base.equals(total) || base.isNear(withDiscount, tolerance);
	});
}

const hour = 3_600_000;

/** A moment other than midnight may be `day` in another time zone. */
function isOtherDay(moment: string, day: string): boolean {
	if (moment.slice(0, 10) === day || Number.isNaN(Date.parse(moment))) return false;
	const isMidnight = /^\d{4}-\d{2}-\d{2}(?:T00:00(?::00(?:\.0+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/.test(
		moment,
	);
	const distance = Date.parse(moment) - Date.parse(day);
	return isMidnight || distance < -14 * hour || distance > 36 * hour;
}

export const isCancelled = ({ status }: Record<string, unknown>): boolean =>
	/^cancell?ed$/i.test(String(status));

/** Also `true` if only case or spaces changed. */
export function isRenumbered({ invoice_number: stored }: Record<string, unknown>, sent: string) {
	return (typeof stored === 'string' || typeof stored === 'number') && String(stored) !== sent;
}

/** `false` if the items are unknown. */
export function hasSameCustomerAndItems(
	invoice: Record<string, unknown>,
	requested: InvoiceBody,
): boolean {
	return (
		itemTexts(invoice.items) !== undefined &&
		customerAndItemDifferences(invoice, requested, itemDifferences).length === 0
	);
}

function itemTexts(items: unknown): string[] | undefined {
	if (!Array.isArray(items)) return undefined;
	const texts = items.map(itemText);
	return texts.every((text) => text !== undefined) ? texts.sort() : undefined;
}

/** `100.00 x 2`. `undefined` if it cannot be read exactly. */
function itemText(item: unknown): string | undefined {
	const { amount, quantity } = (item ?? {}) as { amount?: unknown; quantity?: unknown };
	try {
		return `${Decimal.of(String(amount))} x ${BigInt(String(quantity))}`;
	} catch {
		return undefined;
	}
}
