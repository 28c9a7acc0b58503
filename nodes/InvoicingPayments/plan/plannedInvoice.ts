import { toDecimal, toThousandths } from '../../shared/fields/decimal';
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

export const plannedLabel = ({ body, rows }: PlannedInvoice): string =>
	body.invoice_number === undefined ? rows : `${body.invoice_number} (${rows})`;

/** A relative due date counts as its number of days, which is the same tomorrow. */
const dueOf = ({ body, dueInDays }: PlannedInvoice) =>
	dueInDays === undefined ? body.due_date : `+${dueInDays}`;

const itemsOf = ({ body }: PlannedInvoice) =>
	body.items.map((item) => ({ ...item, amount: toDecimal(toThousandths(item.amount)) }));

const plain = (text: unknown) => String(text).normalize('NFKC').replace(/\s+/g, ' ').trim();

/** Customer, amounts, dates, title and items in any order (spec 4.1). */
export const identityOf = (planned: PlannedInvoice): string => {
	const { customer, currency, title = '', discount_percentage: discount = 0 } = planned.body;
	const { starts_at: start = '' } = planned.body;
	const items = itemsOf(planned)
		.map(({ name = '', amount, quantity }) => JSON.stringify([plain(name), amount, quantity]))
		.sort();
	return JSON.stringify([
		...[customer.toLowerCase(), currency, dueOf(planned), start, plain(title)],
		...[items, discount],
	]);
};

/** In a stable order. */
export const contentOf = (planned: PlannedInvoice): string => {
	const all = { ...planned.body, items: itemsOf(planned), due_date: dueOf(planned) };
	return JSON.stringify(sorted(all)).normalize('NFC');
};

function sorted(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(sorted);
	if (typeof value !== 'object' || value === null) return value;
	const entries = Object.entries(value).filter(([, one]) => one !== undefined);
	return entries.sort(([a], [b]) => Number(a > b) - Number(a < b)).map(([name, one]) => [name, sorted(one)]); // prettier-ignore
}

export const defaultPrefix = 'AUTO-';
/** Leaves room for the code and a counter: numbers have at most 30 characters (spec 4.1). */
export const maxPrefixLength = 12;
/** 60 bits: in a million invoices, two share a code with a probability of 1 in 2 million. */
const codeLength = 12;

/** The same invoice gets the same number in every run. Equal ones are counted: `-2`, `-3`. `taken`: comparable numbers. */
export function contentNumbers(
	planned: PlannedInvoice[],
	prefix = defaultPrefix,
	taken: ReadonlySet<string> = new Set(),
): string[] {
	const used = new Set(taken);
	return planned.map((one) => {
		const code = `${prefix}${codeOf(identityOf(one), codeLength)}`;
		let number = code;
		for (let count = 2; used.has(comparableNumber(number)); count++) number = `${code}-${count}`;
		used.add(comparableNumber(number));
		return number;
	});
}

/** `prefixes`: without them, any prefix will do. */
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

export interface Outlook {
	action: Action;
	existing?: Invoice;
	differences: string[];
	why?: string;
}

export function outlookOf(
	{ body, dueInDays }: PlannedInvoice,
	{ invoice, lostAt }: NumberLookup,
	ifExists: IfNumberExists,
): Outlook {
	if (!invoice) {
		if (lostAt === undefined) return { action: 'create', differences: [] };
		const sent = new Date(lostAt).toISOString();
		const why = `An earlier request with this number (sent at ${sent}) may have been processed. Wait ten minutes after it`;
		return { action: 'stop', differences: [], why };
	}
	const differences = differencesOf(invoice, withoutRelativeDueDate(body, dueInDays !== undefined));
	const outlook = { action: actionOf(invoice, differences), existing: invoice, differences };
	if (ifExists !== 'fail') return outlook;
	const why = `An invoice with this number already exists (${String(invoice.id)})`;
	return { ...outlook, action: 'stop', why };
}

function actionOf(invoice: Invoice, differences: string[]): Action {
	if (isCancelled(invoice)) return 'exists, cancelled';
	if (differences.length) return 'exists, differs';
	return /^paid$/i.test(String(invoice.status)) ? 'exists, paid' : 'exists';
}
