import { toDecimal, toThousandths } from '../../shared/fields/decimal';
import type { InvoiceBody } from '../invoices/invoiceRequest';

export interface PlannedInvoice {
	/** Spec 4.1. */
	body: InvoiceBody & Record<string, unknown>;
	/** A decimal string. */
	total: string;
	/** Its rows for people, `rows 2 and 3`. */
	rows: string;
	/** Days from today, if the due date is relative. */
	dueInDays?: number;
}

/** `A-1 (row 2)` */
export const plannedLabel = ({ body, rows }: PlannedInvoice): string =>
	body.invoice_number === undefined ? rows : `${body.invoice_number} (${rows})`;

/** A relative due date is written as its number of days, which is the same tomorrow. */
const dueOf = ({ body, dueInDays }: PlannedInvoice) =>
	dueInDays === undefined ? body.due_date : `+${dueInDays}`;

/** Normalizes trailing zeros of amounts. */
const itemsOf = ({ body }: PlannedInvoice) =>
	body.items.map((item) => ({ ...item, amount: toDecimal(toThousandths(item.amount)) }));

/** Normalizes spaces and Unicode form. */
const plain = (text: unknown) => String(text).normalize('NFKC').replace(/\s+/g, ' ').trim();

/** Identifies an invoice (spec 4.1): customer, amounts, dates, title and items in any order. */
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

/** Everything that is sent, in canonical order. */
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
