import { clock } from '../../shared/clock';
import { comparableNumber } from './comparableNumber';
import type { Invoice } from './invoiceNumbers';

/** Milliseconds. How long creates are remembered, also those whose response was lost. */
const retention = 10 * 60_000;

/** All times are milliseconds since 1970. */
interface RecentCreate {
	/** Oldest first. */
	invoices: Invoice[];
	/** When the request was sent whose response was lost. */
	lostAt?: number;
	/** When the service refused a request. It may have created the invoice all the same. */
	refusedAt?: number;
	updatedAt: number;
}

/** Shared by all executions of this n8n process: lists lag, and an execution does not know which responses others lost. */
export class RecentCreates {
	private readonly creates = new Map<string, RecentCreate>();

	add(number: string, invoice: Invoice): void {
		const { invoices } = this.get(number);
		this.set(number, { invoices: [...invoices, invoice], updatedAt: clock.now() });
	}

	addLost(number: string, sentAt: number): void {
		const { invoices } = this.get(number);
		this.set(number, { invoices, lostAt: sentAt, updatedAt: clock.now() });
	}

	addRefused(number: string): void {
		const now = clock.now();
		this.set(number, { ...this.get(number), refusedAt: now, updatedAt: now });
	}

	get(number: string): RecentCreate {
		const now = clock.now();
		const create = this.creates.get(comparableNumber(number));
		// Still known if the clock was set back.
		const isKnown = create && now - create.updatedAt < retention;
		return isKnown ? create : { invoices: [], updatedAt: now };
	}

	private set(number: string, create: RecentCreate): void {
		// The oldest come first. An update keeps its place, which only delays this.
		for (const [key, { updatedAt }] of this.creates) {
			if (create.updatedAt - updatedAt < retention) break;
			this.creates.delete(key);
		}
		this.creates.set(comparableNumber(number), create);
	}
}
