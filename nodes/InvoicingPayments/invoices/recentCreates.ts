import type { Invoice } from './invoiceNumbers';
import { comparableNumber, characterKindsOf } from './comparableNumber';
import { clock } from '../../shared/clock';

/** Milliseconds. How long creates are remembered, also those whose response was lost. */
const retention = 10 * 60_000;
/** Milliseconds. How long a new invoice may be missing from lists, even if an earlier list contained it. */
const maxListLag = 60_000;

interface CreatedInvoice {
	invoice: Invoice;
	createdAt: number;
	/** When a list last contained it. If a list that was read later lacks it, it counts as deleted, unless it is new. */
	listedAt?: number;
}

const isNew = ({ createdAt }: CreatedInvoice, now: number) => now - createdAt < maxListLag;

/** All times are milliseconds since 1970. */
interface Entry {
	created: CreatedInvoice[];
	/** When the request was sent whose response was lost. */
	lostAt?: number;
	updatedAt: number;
}

/** Shared by all executions of this n8n process: lists lag, and an execution does not know which responses others lost. */
export class RecentCreates {
	private readonly entries = new Map<string, Entry>();
	private storedKinds = new Set<string>();
	private maxStoredLength = 0;

	noteStoredAsSent(number: string): void {
		for (const kind of characterKindsOf(number)) this.storedKinds.add(kind);
		this.maxStoredLength = Math.max(this.maxStoredLength, number.length);
	}

	forgetStoredAsSent(): void {
		this.storedKinds = new Set();
		this.maxStoredLength = 0;
	}

	/** Whether the service has already stored numbers like it unchanged: as long, and with the same kinds of characters. */
	keepsAsSent(number: string): boolean {
		return (
			number.length <= this.maxStoredLength &&
			characterKindsOf(number).every((kind) => this.storedKinds.has(kind))
		);
	}

	add(number: string, invoice: Invoice, listedAt?: number): void {
		const now = clock.now();
		const entry = this.entryOf(number, now);
		const created = [...entry.created, { invoice, createdAt: now, listedAt }];
		this.store(number, { created, updatedAt: now });
	}

	addLost(number: string, sentAt: number): void {
		const now = clock.now();
		this.store(number, { ...this.entryOf(number, now), lostAt: sentAt, updatedAt: now });
	}

	/** Oldest first. */
	createdWith(number: string): Invoice[] {
		return this.entryOf(number, clock.now()).created.map(({ invoice }) => invoice);
	}

	/** The first invoice that lists may not show yet. */
	findNew(number: string): Invoice | undefined {
		const now = clock.now();
		return this.entryOf(number, now).created.find((one) => isNew(one, now))?.invoice;
	}

	/** Forgets older invoices that disappeared from the list. `lostAt`: when a request was sent that may still create an invoice. */
	reconcile(
		number: string,
		listed: Invoice[],
		readAt: number,
	): { invoices: Invoice[]; lostAt?: number } {
		const now = clock.now();
		const entry = this.entryOf(number, now);
		const ids = new Set(listed.map(({ id }) => id));
		for (const created of entry.created)
			if (ids.has(created.invoice.id))
				created.listedAt = Math.max(readAt, created.listedAt ?? readAt);
		entry.created = entry.created.filter(
			(one) => ids.has(one.invoice.id) || (one.listedAt ?? readAt) >= readAt || isNew(one, now),
		);
		if (listed.length) return { invoices: listed };
		const { created, lostAt } = entry;
		return { invoices: created.map(({ invoice }) => invoice), lostAt };
	}

	private entryOf(number: string, now: number): Entry {
		const entry = this.entries.get(comparableNumber(number));
		// Still known if the clock was set back.
		const isKnown = entry && now - entry.updatedAt < retention;
		return isKnown ? entry : { created: [], updatedAt: now };
	}

	private store(number: string, entry: Entry): void {
		// The oldest come first, because updates move an entry to the end.
		for (const [key, { updatedAt }] of this.entries) {
			if (entry.updatedAt - updatedAt < retention) break;
			this.entries.delete(key);
		}
		const key = comparableNumber(number);
		this.entries.delete(key);
		this.entries.set(key, entry);
	}
}
