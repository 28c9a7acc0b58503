import type { Account } from '../../shared/transport/account';
import type { Invoice } from './invoiceNumbers';
import { comparableNumber, traitsOf } from './comparableNumber';
import { clock } from '../../shared/clock';

/** For ten minutes, invoices that this process created, or may have, take precedence over lists. */
const memory = 10 * 60_000;
/** How long lists may lag, in milliseconds: a new invoice may be missing, even after it was listed. */
const lag = 60_000;

interface Made {
	invoice: Invoice;
	at: number;
	/** The last time a list contained it. If a later list does not, it was deleted. */
	listedAt?: number;
}

/** All times are milliseconds since 1970. */
interface Entry {
	made: Made[];
	/** When the last request with a lost response was sent. */
	lostAt?: number;
	at: number;
}

/** Recent creates of this n8n process by number, for all executions: lists lag, and a lost response is lost for everyone. */
export class RememberedInvoices {
	private readonly entries = new Map<string, Entry>();
	/** Traits of numbers that this service stored unchanged. */
	private kept = new Set<string>();
	private keptLength = 0;

	noteKept(number: string): void {
		for (const trait of traitsOf(number)) this.kept.add(trait);
		this.keptLength = Math.max(this.keptLength, number.length);
	}

	/** Call it if the service changed a number. */
	forgetKept(): void {
		this.kept = new Set();
		this.keptLength = 0;
	}

	/** Whether the service stored every trait of this number unchanged before. */
	isKept(number: string): boolean {
		return (
			number.length <= this.keptLength && traitsOf(number).every((trait) => this.kept.has(trait))
		);
	}

	add(number: string, invoice: Invoice, listedAt?: number): void {
		const at = clock.now();
		const { made } = this.entryOf(number, at);
		this.store(number, { made: [...made, { invoice, at, listedAt }], at });
	}

	/** Notes that a request with this number may have created an invoice. */
	addLost(number: string, sentAt: number): void {
		const at = clock.now();
		this.store(number, { ...this.entryOf(number, at), lostAt: sentAt, at });
	}

	/** The created invoices, oldest first. */
	of(number: string): Invoice[] {
		return this.entryOf(number, clock.now()).made.map(({ invoice }) => invoice);
	}

	/** An invoice that is too new to be in a list. */
	fresh(number: string): Invoice | undefined {
		const now = clock.now();
		return this.entryOf(number, now).made.find(({ at }) => now - at < lag)?.invoice;
	}

	/**
	 * Merges a list that was read at `readAt` with the memory. Returns the existing invoices, and when a request was lost that
	 * may still create one. An invoice that disappeared from the list was deleted.
	 */
	reconcile(
		number: string,
		listed: Invoice[],
		readAt: number,
	): { invoices: Invoice[]; lostAt?: number } {
		const entry = this.entryOf(number, clock.now());
		const ids = new Set(listed.map(({ id }) => id));
		for (const made of entry.made) if (ids.has(made.invoice.id)) made.listedAt = readAt;
		entry.made = entry.made.filter(
			({ invoice, listedAt }) =>
				ids.has(invoice.id) || listedAt === undefined || listedAt >= readAt,
		);
		if (listed.length) return { invoices: listed };
		const { made, lostAt } = entry;
		return { invoices: made.map(({ invoice }) => invoice), lostAt };
	}

	private entryOf(number: string, now: number): Entry {
		const entry = this.entries.get(comparableNumber(number));
		// If the clock was set back, the entry stays valid.
		const isKnown = entry && now - entry.at < memory;
		return isKnown ? entry : { made: [], at: now };
	}

	private store(number: string, entry: Entry): void {
		for (const [form, { at }] of this.entries) {
			if (entry.at - at < memory) break;
			this.entries.delete(form);
		}
		const form = comparableNumber(number);
		this.entries.delete(form);
		this.entries.set(form, entry);
	}
}

const remembered = new WeakMap<Account, RememberedInvoices>();

export function rememberedOf(account: Account): RememberedInvoices {
	const invoices = remembered.get(account) ?? new RememberedInvoices();
	remembered.set(account, invoices);
	return invoices;
}
