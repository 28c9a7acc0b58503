import type { Account } from '../../shared/transport/client';
import type { Invoice } from './invoiceNumbers';
import { comparableNumber, traitsOf } from './comparableNumber';
import { clock } from '../../shared/clock';

/** Milliseconds. How long creates of this process take precedence over lists. */
const retention = 10 * 60_000;
/** Milliseconds. How long a new invoice may be missing from lists, even after it was listed. */
const maxListLag = 60_000;

interface CreatedInvoice {
	invoice: Invoice;
	at: number;
	/** When a list last contained it. Missing from a later list means deleted. */
	listedAt?: number;
}

/** All times are milliseconds since 1970. */
interface Entry {
	created: CreatedInvoice[];
	lostAt?: number;
	at: number;
}

/** Shared by all executions of this n8n process: lists lag, and no execution can see lost responses of another. */
class RecentCreates {
	private readonly entries = new Map<string, Entry>();
	private storedTraits = new Set<string>();
	private maxStoredLength = 0;

	noteStoredAsSent(number: string): void {
		for (const trait of traitsOf(number)) this.storedTraits.add(trait);
		this.maxStoredLength = Math.max(this.maxStoredLength, number.length);
	}

	forgetStoredAsSent(): void {
		this.storedTraits = new Set();
		this.maxStoredLength = 0;
	}

	/** Whether the service stored all kinds of characters in this number unchanged before. */
	isStoredAsSent(number: string): boolean {
		return (
			number.length <= this.maxStoredLength &&
			traitsOf(number).every((trait) => this.storedTraits.has(trait))
		);
	}

	add(number: string, invoice: Invoice, listedAt?: number): void {
		const at = clock.now();
		const { created } = this.entryOf(number, at);
		this.store(number, { created: [...created, { invoice, at, listedAt }], at });
	}

	addLost(number: string, sentAt: number): void {
		const at = clock.now();
		this.store(number, { ...this.entryOf(number, at), lostAt: sentAt, at });
	}

	/** Oldest first. */
	createdUnder(number: string): Invoice[] {
		return this.entryOf(number, clock.now()).created.map(({ invoice }) => invoice);
	}

	tooNewToList(number: string): Invoice | undefined {
		const now = clock.now();
		return this.entryOf(number, now).created.find(({ at }) => now - at < maxListLag)?.invoice;
	}

	/**
	 * Forgets invoices that disappeared from the list: they were deleted. `lostAt`: a request sent then may still create one.
	 */
	reconcile(
		number: string,
		listed: Invoice[],
		readAt: number,
	): { invoices: Invoice[]; lostAt?: number } {
		const entry = this.entryOf(number, clock.now());
		const ids = new Set(listed.map(({ id }) => id));
		for (const created of entry.created) if (ids.has(created.invoice.id)) created.listedAt = readAt;
		entry.created = entry.created.filter(
			({ invoice, listedAt }) =>
				ids.has(invoice.id) || listedAt === undefined || listedAt >= readAt,
		);
		if (listed.length) return { invoices: listed };
		const { created, lostAt } = entry;
		return { invoices: created.map(({ invoice }) => invoice), lostAt };
	}

	private entryOf(number: string, now: number): Entry {
		const entry = this.entries.get(comparableNumber(number));
		// Also true if the clock was set back.
		const isKnown = entry && now - entry.at < retention;
		return isKnown ? entry : { created: [], at: now };
	}

	private store(number: string, entry: Entry): void {
		for (const [form, { at }] of this.entries) {
			if (entry.at - at < retention) break;
			this.entries.delete(form);
		}
		const form = comparableNumber(number);
		this.entries.delete(form);
		this.entries.set(form, entry);
	}
}

const recentCreates = new WeakMap<Account, RecentCreates>();

export function recentCreatesOf(account: Account): RecentCreates {
	const invoices = recentCreates.get(account) ?? new RecentCreates();
	recentCreates.set(account, invoices);
	return invoices;
}
