import { Decimal } from '../../shared/fields/decimal';
import { isEmpty, normalize, visibleText } from '../../shared/fields/text';
import { codeOf } from '../../shared/hash';
import { sorted } from '../../shared/sorted';
import { comparableNumber } from '../invoices/comparableNumber';
import { differencesOf, isCancelled } from '../invoices/compareInvoice';
import { defaultsByProperty } from '../invoices/invoiceFields';
import type { Invoice } from '../invoices/invoiceNumbers';
import type { IfNumberExists, InvoiceBody } from '../invoices/invoiceRequest';
import { withoutRelativeDueDate } from '../invoices/invoiceRequest';
import type { CountedItem } from '../invoices/items';
import { lineTotalOf } from '../invoices/items';
import type { NumberLookup } from '../invoices/lookUpNumbers';

export interface PlannedInvoice {
	/** spec 4.1 */
	body: InvoiceBody & Record<string, unknown>;
	/** Those of `body`, with the counts apart that stand behind their names there. */
	items: readonly CountedItem[];
	/** Decimal text. */
	total: string;
	/** `rows 2 and 3` */
	rows: string;
	/** Set if the due date is relative to today. */
	dueInDays?: number;
}

/** A relative due date is represented by its number of days, which stays the same tomorrow. */
const dueOf = ({ body, dueInDays }: PlannedInvoice) =>
	dueInDays === undefined ? body.due_date : `+${dueInDays}`;

const itemsOf = ({ body }: PlannedInvoice) =>
	body.items.map((item) => ({ ...item, amount: `${Decimal.of(item.amount)}` }));

const isDefault = (property: string, value: unknown) =>
	isEmpty(value) ||
	(Array.isArray(value) && value.length === 0) ||
	value === defaultsByProperty.get(property);

/**
 * What makes an invoice the same as another: all that it says but its number (spec 4.1), and of each item its name and what it comes to.
 * So it does not matter whether a sheet states a line total or a price and a quantity, nor in which order its items stand.
 */
const identityOf = (planned: PlannedInvoice): string => {
	const items = planned.items.map((item) =>
		JSON.stringify([visibleText(item.name), `${lineTotalOf(item)}`]),
	);
	const identity = {
		...planned.body,
		invoice_number: undefined,
		customer: planned.body.customer.toLowerCase(),
		due_date: dueOf(planned),
		items: items.sort(),
	};
	const stated = Object.entries(identity).filter(
		([property, value]) => !isDefault(property, value),
	);
	return JSON.stringify(sorted(Object.fromEntries(stated), visibleText));
};

/** The whole request, with its fields sorted by name. */
export const contentOf = (planned: PlannedInvoice): string => {
	const content = { ...planned.body, items: itemsOf(planned), due_date: dueOf(planned) };
	return normalize(JSON.stringify(sorted(content)), 'NFC');
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
	planned: readonly PlannedInvoice[],
	prefix = defaultPrefix,
	taken: ReadonlySet<string> = new Set(),
): Generator<string, void> {
	/** How many numbers with the same code were tried, so that none is tried twice. */
	const tried = new Map<string, number>();
	for (const invoice of planned) {
		const base = `${prefix}${codeOf(identityOf(invoice), codeLength)}`;
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
	const [, prefix] = /^(.{0,12}?)[0-9A-Z]{12}(?:-\d+)?$/i.exec(number.trim()) ?? [];
	if (prefix === undefined || !prefixes) return prefix !== undefined;
	return prefixes.some((one) => one.toUpperCase() === prefix.toUpperCase());
}

export type Action =
	| 'create'
	| 'exists'
	| 'exists, differs'
	| 'exists, paid'
	| 'exists, cancelled'
	| 'stop';

export interface Comparison {
	action: Action;
	existing?: Invoice;
	differences: string[];
	/** Why the run stops. */
	why?: string;
}

export function comparisonOf(
	{ body, dueInDays }: PlannedInvoice,
	{ invoice, lostAt }: NumberLookup,
	ifExists: IfNumberExists,
): Comparison {
	if (!invoice) {
		if (lostAt === undefined) return { action: 'create', differences: [] };
		const sent = new Date(lostAt).toISOString();
		const why = `An earlier request with this number (sent at ${sent}) may have been processed. Wait ten minutes after it`;
		return { action: 'stop', differences: [], why };
	}
	const differences = differencesOf(invoice, withoutRelativeDueDate(body, dueInDays !== undefined));
	const comparison = { action: actionOf(invoice, differences), existing: invoice, differences };
	if (ifExists !== 'fail') return comparison;
	const why = `An invoice with this number already exists (${String(invoice.id)})`;
	return { ...comparison, action: 'stop', why };
}

function actionOf(invoice: Invoice, differences: string[]): Action {
	if (isCancelled(invoice)) return 'exists, cancelled';
	if (differences.length) return 'exists, differs';
	return /^paid$/i.test(String(invoice.status)) ? 'exists, paid' : 'exists';
}
