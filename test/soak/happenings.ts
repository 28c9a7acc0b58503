import { endpoints } from '../../contract';
import { Draw } from '../../simulator/draw';
import type { World } from '../../simulator/world';
import type { Duty } from '../helpers/service/ledgers';
import { keyOf } from '../helpers/service/ledgers';

/** Name in the ledger of the trigger whose filters change. */
export const filtered = 'Filtered charge';
/** Only this trigger asks for pages of this size, so the service can recognize it. */
export const filteredPageSize = 50;
export const currencies = ['EUR', 'SEK', 'USD'];
const triggerFor = {
	paid: 'Paid',
	overdue: 'Overdue',
	cancelled: 'Cancelled',
	refunded: 'Refunded',
} as const;
const minutes = 60_000;
/** The trigger has a limit of 2,000 charges within Look Back (docs/trigger.md). */
const mostPerHour = 1500;
/** Of this machine's milliseconds, which no jump of n8n's clock shortens. */
const longestPoll = 5 * minutes;
/** Number of listings to record for each item. */
const showings = 3;

/** Events in the service, and the duties that follow for each trigger. Times are milliseconds since 1970 on n8n's clock. */
export class Happenings {
	/** Current filter of the trigger whose filters change. */
	private filter: { currency?: string; since: number } = { since: 0 };
	private readonly charges: Array<{ id: string; currency: string; madeAt: number }> = [];
	/** Milliseconds by which the service's clock is ahead of n8n's. */
	skew = 0;
	/** Times of payments. */
	readonly paidAt: number[] = [];
	private readonly noted: Array<Omit<Duty, 'shownAt'>> = [];
	/** Charges that the trigger whose filters change may deliver. */
	private readonly allowed = new Set<string>();
	private readonly shown = new Map<string, number[]>();
	private readonly openInvoices: string[] = [];
	private readonly openCharges: string[] = [];
	private members = 0;

	constructor(
		private readonly world: World,
		private readonly now: () => number,
		private readonly draw: Draw,
	) {
		this.watchLists();
	}

	/** Returns whether the filter is another one. `since`: when n8n got it. */
	changeFilter(currency: string | undefined, since: number): boolean {
		if (currency === this.filter.currency) return false;
		this.filter = { currency, since };
		// New Charge goes on from the beginning of its last poll, which may have waited long for the service (docs/trigger.md).
		const from = Date.now() - longestPoll;
		for (const { id, currency: own, madeAt } of this.charges)
			if (this.matches(own) && madeAt >= from && !this.allowed.has(id))
				this.note(filtered, id, false);
		return true;
	}

	private matches(currency: string): boolean {
		return (this.filter.currency ?? currency) === currency;
	}

	/** Adds charges that were made `ago` milliseconds before. */
	pay(count: number, ago = 0): string[] {
		const at = this.now();
		const left = mostPerHour - this.paidAt.filter((one) => one > at - 60 * minutes).length;
		return Array.from({ length: Math.max(0, Math.min(count, left)) }, () => {
			const currency = this.draw.pick(currencies);
			const { account } = this.world;
			const charge = { currency, status: 'authorised' };
			const id = String(account.addCharge(charge, at + this.skew - ago).id);
			this.paidAt.push(at);
			this.openCharges.push(id);
			this.note('Charge', id);
			this.charges.push({ id, currency, madeAt: Date.now() });
			// A trigger may skip charges from before a filter change (docs/trigger.md).
			if (this.matches(currency)) this.note(filtered, id, at - ago >= this.filter.since);
			return id;
		});
	}

	refund(): void {
		const id = this.take(this.openCharges);
		if (id === undefined) return;
		this.world.account.changeCharge(id, 'refunded');
		this.note('Refunded', id);
	}

	/** Adds an invoice. Some are paid at once. */
	invoice(): void {
		const { id } = this.world.account.addInvoice({}, this.now() + this.skew);
		this.openInvoices.push(String(id));
		if (this.draw.chance(30)) this.changeInvoice(this.openInvoices.pop());
	}

	changeInvoice(id = this.take(this.openInvoices)): void {
		if (id === undefined) return;
		const status = this.draw.pick(['paid', 'paid', 'overdue', 'cancelled'] as const);
		this.world.account.changeInvoice(id, status);
		this.note(triggerFor[status], id);
	}

	join(): void {
		this.members += 1;
		const { id } = this.world.account.createMember({
			...{ first_name: 'Ada', last_name: 'Berg', email: `ada${this.members}@team.example` },
			...{ job_title: 'Sales', role: 'staff' },
		});
		this.world.account.changeMember(id, 'enabled');
		this.note('Invited', id);
		this.note('Joined', id);
	}

	duties(): Duty[] {
		const made = this.world.account.created.map(({ full }) => full.id);
		const invoices = made.map((id) => ({ trigger: 'New invoice', id, must: true }));
		return [...this.noted, ...invoices].map((duty) => ({
			...duty,
			shownAt: this.shown.get(keyOf(duty)) ?? [],
		}));
	}

	private note(trigger: string, id: string, must = true): void {
		if (trigger === filtered) this.allowed.add(id);
		this.noted.push({ trigger, id, must });
	}

	private take(ids: string[]): string | undefined {
		return ids.length ? ids.splice(this.draw.int(0, ids.length - 1), 1)[0] : undefined;
	}

	/** Records when lists showed an item, to know whether n8n ended right after a poll. */
	private watchLists(): void {
		const { account } = this.world;
		const see = (trigger: string, { results }: { results: ReadonlyArray<{ id?: unknown }> }) => {
			for (const { id } of results) {
				const key = keyOf({ trigger, id: String(id) });
				const times = this.shown.get(key) ?? [];
				if (times.length < showings) this.shown.set(key, [...times, this.now()]);
			}
		};
		const triggerOf = (status: string | undefined, all: string) =>
			status === undefined ? all : triggerFor[status as keyof typeof triggerFor];
		const listCharges = account.listCharges.bind(account);
		account.listCharges = (query, page, pageSize, ...rest) => {
			const listed = listCharges(query, page, pageSize, ...rest);
			see(triggerOf(query.status, pageSize === filteredPageSize ? filtered : 'Charge'), listed);
			return listed;
		};
		const listInvoices = account.listInvoices.bind(account);
		account.listInvoices = (query, ...rest) => {
			const listed = listInvoices(query, ...rest);
			if (query.invoice_number === undefined) see(triggerOf(query.status, 'New invoice'), listed);
			return listed;
		};
		const at = account.at.bind(account);
		account.at = (path) => {
			const results = at(path);
			if (path === endpoints.listMembers.path)
				for (const trigger of ['Invited', 'Joined']) see(trigger, { results });
			return results;
		};
	}
}
