import { Draw } from '../../simulator/draw';
import type { World } from '../../simulator/world';
import type { AddedCharge, Epoch } from './filters';
import { dutyOf } from './filters';
import type { Duty } from './ledger';
import { eventNames } from '../helpers/eventsWorkflow';
import { filtered, filteredPageSize } from './workflows';

export const currencies = ['EUR', 'SEK', 'USD'];
const minutes = 60_000;
/** More charges than 2,000 within Look Back are a limit of the trigger (docs/trigger.md). */
const mostPerHour = 1500;
/** So many showings of each entry are noted. */
const showings = 3;

/** What happens in the service, and who has to hear of it. Times are milliseconds since 1970 by n8n's clock, unless said otherwise. */
export class Happenings {
	readonly charges: AddedCharge[] = [];
	readonly epochs: Epoch[] = [];
	/** IDs by the trigger that they have to start. */
	private readonly events = new Map<string, string[]>(eventNames.map((name) => [name, []]));
	private readonly shown = new Map<string, number[]>();
	private readonly openInvoices: string[] = [];
	private readonly openCharges: string[] = [];
	private members = 0;
	/** How far the service's clock is ahead of n8n's, in milliseconds. */
	skew = 0;

	constructor(
		private readonly world: World,
		private readonly now: () => number,
		private readonly draw: Draw,
	) {
		this.watchLists();
	}

	/** Charges of customers, all at the same moment; made `ago` milliseconds before they are listed. */
	pay(count: number, ago = 0): string[] {
		const at = this.now();
		const left = mostPerHour - this.charges.filter((one) => one.at > at - 60 * minutes).length;
		return Array.from({ length: Math.max(0, Math.min(count, left)) }, () => {
			const currency = this.draw.pick(currencies);
			const created = at + this.skew - ago;
			const { account } = this.world;
			const id = String(account.addCharge({ currency, status: 'authorised' }, created).id);
			this.charges.push({ id, currency, created, at });
			this.openCharges.push(id);
			this.note('Charge', id);
			return id;
		});
	}

	/** A charge that was paid is paid back. */
	refund(): void {
		const id = this.take(this.openCharges);
		if (id === undefined) return;
		this.world.account.changeCharge(id, 'refunded');
		this.note('Refunded', id);
	}

	/** Somebody makes an invoice in the service itself; some are paid at once. */
	invoice(): void {
		const { id } = this.world.account.addInvoice({}, this.now() + this.skew);
		this.openInvoices.push(String(id));
		if (this.draw.chance(30)) this.changeInvoice(this.openInvoices.pop());
	}

	changeInvoice(id = this.take(this.openInvoices)): void {
		if (id === undefined) return;
		const [status, trigger] = this.draw.pick([
			['paid', 'Paid'],
			['paid', 'Paid'],
			['overdue', 'Overdue'],
			['cancelled', 'Cancelled'],
		] as const);
		this.world.account.changeInvoice(id, status);
		this.note(trigger, id);
	}

	join(): void {
		this.members += 1;
		const { id } = this.world.account.createMember({
			...{ first_name: 'Ada', last_name: 'Berg', email: `ada${this.members}@team.example` },
			...{ job_title: 'Sales', role: 'staff' },
		});
		this.world.account.changeMember(id, 'enabled');
		this.note('Joined', id);
	}

	/** What each trigger had to start, or may have started. */
	duties(): Duty[] {
		const { account } = this.world;
		const made = account.created.map(({ full }) => String(full.id));
		const events = [...this.events, ['New invoice', made] as const].flatMap(([trigger, ids]) =>
			ids.map((id) => ({ trigger, id, must: true })),
		);
		const charges = this.charges.flatMap((charge) => {
			const duty = dutyOf(charge, this.epochs);
			return duty === 'mustNot'
				? []
				: [{ trigger: filtered, id: charge.id, must: duty === 'must' }];
		});
		return [...events, ...charges].map((duty) => ({
			...duty,
			shownAt: this.shown.get(`${duty.trigger} ${duty.id}`) ?? [],
		}));
	}

	private note(trigger: string, id: string): void {
		this.events.get(trigger)?.push(id);
	}

	private take(ids: string[]): string | undefined {
		return ids.length ? ids.splice(this.draw.int(0, ids.length - 1), 1)[0] : undefined;
	}

	/** Notes when lists showed something: that is what tells whether n8n's end came right behind a poll. */
	private watchLists(): void {
		const { account } = this.world;
		const byStatus: Record<string, string> = {
			paid: 'Paid',
			overdue: 'Overdue',
			cancelled: 'Cancelled',
			refunded: 'Refunded',
		};
		const see = (trigger: string, { results }: { results: Array<{ id?: unknown }> }) => {
			for (const { id } of results) {
				const key = `${trigger} ${String(id)}`;
				const times = this.shown.get(key) ?? [];
				if (times.length < showings) this.shown.set(key, [...times, this.now()]);
			}
		};
		const listCharges = account.listCharges.bind(account);
		account.listCharges = (query, page, pageSize, ...rest) => {
			const listed = listCharges(query, page, pageSize, ...rest);
			const all = pageSize === filteredPageSize ? filtered : 'Charge';
			see(query.status === undefined ? all : byStatus[query.status], listed);
			return listed;
		};
		const listInvoices = account.listInvoices.bind(account);
		account.listInvoices = (query, ...rest) => {
			const listed = listInvoices(query, ...rest);
			const { status, invoice_number: number } = query;
			if (number === undefined)
				see(status === undefined ? 'New invoice' : byStatus[status], listed);
			return listed;
		};
	}
}
