import { isEmpty, visibleText } from '../../shared/fields/text';
import { codeOf } from '../../shared/hash';
import { sorted } from '../../shared/sorted';
import { comparableNumber } from '../invoices/comparableNumber';
import { defaultsByProperty } from '../invoices/invoiceFields';
import { lineTotalOf } from '../invoices/items';
import type { ReadyDraft } from '../reading/invoices';
import { dueOf } from './dueDate';

type Content = Pick<ReadyDraft, 'body' | 'items' | 'dueInDays'>;

const isDefault = (property: string, value: unknown) =>
	isEmpty(value) ||
	(Array.isArray(value) && value.length === 0) ||
	value === defaultsByProperty.get(property);

/**
 * What makes an invoice the same as another: all that it says but its number (spec 4.1), and of each item its name and what it comes to.
 * So it does not matter whether a sheet states a line total or a price and a quantity, nor in which order its items stand.
 */
const identityOf = (draft: Content): string => {
	const items = draft.items.map((item) =>
		JSON.stringify([visibleText(item.name), `${lineTotalOf(item)}`]),
	);
	const identity = {
		...draft.body,
		invoice_number: undefined,
		customer: draft.body.customer.toLowerCase(),
		due_date: dueOf(draft),
		items: items.sort(),
	};
	const stated = Object.entries(identity).filter(
		([property, value]) => !isDefault(property, value),
	);
	return JSON.stringify(sorted(Object.fromEntries(stated), visibleText));
};

export const defaultPrefix = 'AUTO-';
/** Leaves room for the code and a counter: numbers have at most 30 characters (spec 4.1). */
export const maxPrefixLength = 12;
/** 60 bits: in a million invoices, two share a code with a probability of 1 in 2 million. */
const codeLength = 12;

/**
 * The numbers of invoices, one after the other. An invoice gets the same number in every run. Identical invoices get a suffix: `-2`, `-3`.
 * `taken`: comparable numbers.
 */
export function* contentNumbers(
	drafts: readonly Content[],
	prefix = defaultPrefix,
	taken: ReadonlySet<string> = new Set(),
): Generator<string, void> {
	/** How many numbers with the same code were tried, so that none is tried twice. */
	const tried = new Map<string, number>();
	for (const draft of drafts) {
		const base = `${prefix}${codeOf(identityOf(draft), codeLength)}`;
		let count = tried.get(base) ?? 0;
		let number: string;
		do number = ++count === 1 ? base : `${base}-${count}`;
		while (taken.has(comparableNumber(number)));
		tried.set(base, count);
		yield number;
	}
}

/** Without `prefixes`, accepts any prefix. */
export function isContentNumber(number: string, prefixes?: string[]): boolean {
	const prefix = /^(.{0,12}?)[0-9A-Z]{12}(?:-\d+)?$/i.exec(number.trim())?.[1];
	if (prefix === undefined || !prefixes) return prefix !== undefined;
	return prefixes.some((one) => one.toUpperCase() === prefix.toUpperCase());
}
