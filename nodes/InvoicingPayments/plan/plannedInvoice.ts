import { Decimal } from '../../shared/fields/decimal';
import { normalize } from '../../shared/fields/text';
import { codeOf } from '../../shared/hash';
import { comparableNumber } from '../invoices/comparableNumber';
import { differencesOf, isCancelled } from '../invoices/compareInvoice';
import type { Invoice } from '../invoices/invoiceNumbers';
import type { IfNumberExists, InvoiceBody } from '../invoices/invoiceRequest';
import { withoutRelativeDueDate } from '../invoices/invoiceRequest';
import type { NumberLookup } from '../invoices/lookUpNumbers';

export interface PlannedInvoice {
	/** spec 4.1 */
	body: InvoiceBody & Record<string, unknown>;
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

const normalized = (text: unknown) => normalize(String(text), 'NFKC').replace(/\s+/g, ' ').trim();

/**
 * What makes an invoice the same as another: customer, dates, discount, the amounts of its lines, and its texts (spec 4.1). Which
 * column of a sheet fed which field does not count: reading a text as the title instead of an item's name, or a line total instead
 * of a price and a quantity, must not bill a sheet again.
 */
const identityOf = (planned: PlannedInvoice): string => {
	const { customer, currency, title, note, discount_percentage: discount = 0 } = planned.body;
	const { starts_at: start = '', items } = planned.body;
	const lines = items.map(
		({ amount, quantity }) => `${Decimal.of(amount).times(Decimal.of(quantity))}`,
	);
	const texts = [title, note, ...items.map(({ name = '' }) => withoutCount(name))]
		.filter((text) => text !== undefined && text !== null && text !== '')
		.map(normalized);
	return JSON.stringify([
		...[customer.toLowerCase(), currency, dueOf(planned), start],
		...[lines.sort(), [...new Set(texts)].sort(), discount],
	]);
};

/** `Design (1.5 x 80.00)` is called Design: the count stands there only because the service takes no fractions. */
const withoutCount = (name: string) => name.replace(/ \(-?[\d.]+(?: x -?[\d.]+)?\)$/, '');

/** The whole request, with its fields sorted by name. */
export const contentOf = (planned: PlannedInvoice): string => {
	const content = { ...planned.body, items: itemsOf(planned), due_date: dueOf(planned) };
	return normalize(JSON.stringify(sorted(content)), 'NFC');
};

function sorted(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(sorted);
	if (typeof value !== 'object' || value === null) return value;
	return Object.entries(value)
		.filter(([, field]) => field !== undefined)
		.sort(([a], [b]) => Number(a > b) - Number(a < b))
		.map(([name, field]) => [name, sorted(field)]);
}

export const defaultPrefix = 'AUTO-';
/** Leaves room for the code and a counter: numbers have at most 30 characters (spec 4.1). */
export const maxPrefixLength = 12;
/** 60 bits: in a million invoices, two share a code with a probability of 1 in 2 million. */
const codeLength = 12;

/** An invoice gets the same number in every run. Identical invoices get a suffix: `-2`, `-3`. `taken`: comparable numbers. */
export function contentNumbers(
	planned: PlannedInvoice[],
	prefix = defaultPrefix,
	taken: ReadonlySet<string> = new Set(),
): string[] {
	/** How many numbers with the same code were tried, so that none is tried twice. */
	const tried = new Map<string, number>();
	return planned.map((invoice) => {
		const base = `${prefix}${codeOf(identityOf(invoice), codeLength)}`;
		let count = tried.get(base) ?? 0;
		let number: string;
		do number = ++count === 1 ? base : `${base}-${count}`;
		while (taken.has(comparableNumber(number)));
		tried.set(base, count);
		return number;
	});
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
