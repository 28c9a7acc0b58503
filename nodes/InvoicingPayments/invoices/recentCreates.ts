import { clock } from '../../shared/clock';
import { comparableNumber } from './comparableNumber';
import type { Invoice } from './invoiceNumbers';

/** Milliseconds. How long creates are remembered, also those whose response was lost. */
const retention = 10 * 60_000;

/** All times are milliseconds since 1970. */
interface RecentCreate {
	/** Oldest first. */
	invoices: Invoice[];
	/** What was asked for. */
	body: Invoice;
	/** When the request was sent whose response was lost. */
	lostAt?: number;
	/** When the service refused a request. It may have created the invoice all the same. */
	refusedAt?: number;
	updatedAt: number;
}

/** A request with the number of its invoice. */
type NumberedBody = Invoice & { invoice_number: string };

/** Still, if the clock was set back. */
const isKnown = ({ updatedAt }: RecentCreate) => clock.now() - updatedAt < retention;

/** Shared by all executions of this n8n process: lists lag, and an execution does not know which responses others lost. */
export class RecentCreates {
	private readonly creates = new Map<string, RecentCreate>();

	add(body: NumberedBody, invoice: Invoice): void {
		const { invoices } = this.get(body.invoice_number);
		this.set(body, { invoices: [...invoices, invoice] });
	}

	addLost(body: NumberedBody, sentAt: number): void {
		const { invoices } = this.get(body.invoice_number);
		this.set(body, { invoices, lostAt: sentAt });
	}

	addRefused(body: NumberedBody): void {
		this.set(body, { ...this.get(body.invoice_number), refusedAt: clock.now() });
	}

	get(number: string): Pick<RecentCreate, 'invoices' | 'lostAt' | 'refusedAt'> {
		const create = this.creates.get(comparableNumber(number));
		return create && isKnown(create) ? create : { invoices: [] };
	}

	/** What was created, or may have been because its response was lost, as the service would list it. Of an invoice whose response has no items, they are those of the request. */
	all(): Invoice[] {
		const known = [...this.creates.values()].filter(isKnown);
		return known.flatMap(({ body, invoices, lostAt }) => {
			const asked = { ...body, customer: { id: body.customer } };
			if (invoices.length) return invoices.map((one) => ({ ...asked, ...one }));
			return lostAt === undefined ? [] : [asked];
		});
	}

	private set(body: NumberedBody, about: Omit<RecentCreate, 'body' | 'updatedAt'>): void {
		const create = { ...about, body, updatedAt: clock.now() };
		// The oldest come first. An update keeps its place, which only delays this.
		for (const [key, { updatedAt }] of this.creates) {
			if (create.updatedAt - updatedAt < retention) break;
			this.creates.delete(key);
		}
		this.creates.set(comparableNumber(body.invoice_number), create);
	}
}
