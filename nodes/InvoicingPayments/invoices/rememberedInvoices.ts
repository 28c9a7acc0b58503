import type { Account } from '../../shared/transport/account';
import type { Invoice } from './invoiceNumbers';
import { comparableNumber, traitsOf } from './comparableNumber';
import { clock } from '../../shared/clock';

/** For so many milliseconds what this process created, or may have created, counts before what a list says. */
const memory = 10 * 60_000;
/** So long after an invoice was created a list may still be without it, or without it again. */
const lag = 60_000;

/** An invoice that this process created. */
interface Made {
	invoice: Invoice;
	at: number;
	/** When a list had it, so that it is known to have been deleted where a later list does not. */
	listedAt?: number;
}

/** What is known of a number. Times are milliseconds since 1970. */
interface Entry {
	made: Made[];
	/** When the last request was sent whose answer was lost. */
	lostAt?: number;
	at: number;
}

/**
 * The invoices of an account that this n8n process created lately or may have created, by number, for all executions: a list may lag
 * behind, and an answer that was lost for one execution is lost for all.
 */
export class RememberedInvoices {
	private readonly entries = new Map<string, Entry>();
	/** What services change in numbers, and this one was seen to keep. */
	private kept = new Set<string>();
	private keptLength = 0;

	/** Notes that the service stored a number as it was sent. */
	noteKept(number: string): void {
		for (const trait of traitsOf(number)) this.kept.add(trait);
		this.keptLength = Math.max(this.keptLength, number.length);
	}

	/** Notes that it stored one that was changed. */
	forgetKept(): void {
		this.kept = new Set();
		this.keptLength = 0;
	}

	/** Whether there is nothing in a number that the service was not seen to keep. */
	isKept(number: string): boolean {
		return (
			number.length <= this.keptLength && traitsOf(number).every((trait) => this.kept.has(trait))
		);
	}

	/** Notes an invoice that was created under this number. */
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

	/** The invoices that were created under this number, oldest first. */
	of(number: string): Invoice[] {
		return this.entryOf(number, clock.now()).made.map(({ invoice }) => invoice);
	}

	/** One that was created so lately that a list has nothing to say of it. */
	fresh(number: string): Invoice | undefined {
		const now = clock.now();
		return this.entryOf(number, now).made.find(({ at }) => now - at < lag)?.invoice;
	}

	/**
	 * Puts together what a list says of a number, read at `readAt`, and what is remembered: the invoices that there are, and since
	 * when another one may be on its way. An invoice that a list had and has no more was deleted.
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
		// A clock that was set back must not make it older than it is.
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
