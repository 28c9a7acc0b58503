import { toDecimal, toThousandths } from '../../shared/fields/decimal';
import type { InvoiceBody } from '../invoices/invoiceRequest';

/** An invoice that a run would send. */
export interface PlannedInvoice {
	/** The request's body (spec 4.1). */
	body: InvoiceBody & Record<string, unknown>;
	/** What it comes to, a decimal string. */
	total: string;
	/** The rows that make it, for people: `row 2`, `rows 2 and 3`. */
	rows: string;
	/** Where the due date is counted from today: so many days. */
	dueInDays?: number;
}

/** `invoice A-1, row 2` */
export const nameOf = ({ body, rows }: PlannedInvoice): string =>
	body.invoice_number === undefined ? rows : `${body.invoice_number} (${rows})`;

/** The day that it is to be paid by; where that is counted from today, the number of days, which is the same tomorrow. */
const dueOf = ({ body, dueInDays }: PlannedInvoice) =>
	dueInDays === undefined ? body.due_date : `+${dueInDays}`;

/** Amounts are the same whatever zeros they end with. */
const itemsOf = ({ body }: PlannedInvoice) =>
	body.items.map((item) => ({ ...item, amount: toDecimal(toThousandths(item.amount)) }));

/** Texts are the same whatever spaces and Unicode form they are written with. */
const plain = (text: unknown) => String(text).normalize('NFKC').replace(/\s+/g, ' ').trim();

/** What makes an invoice another one (spec 4.1): who pays for what, how much, from when, until when, in whatever order of the items. */
export const essenceOf = (planned: PlannedInvoice): string => {
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

/** All that is sent for an invoice, in whatever order its cells stood. */
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
