import type { Cursor } from '../../../nodes/InvoicingPaymentsTrigger/watch/cursor';
import { freshCursor } from '../../../nodes/InvoicingPaymentsTrigger/watch/cursor';
import type { PollResult } from '../../../nodes/InvoicingPaymentsTrigger/watch/task';
import { enough, History, minute } from './history';
import type { Stay } from './list';
import { progressOf } from './progress';

/** A stay this long is delivered. All durations are in milliseconds. */
const promisedStay = 16 * minute;
/** An invoice that returns within this time is not delivered again. */
const shortAbsence = 14 * minute;
/** One that returns after this time is delivered again. It takes longer if pages do not overlap. */
const longAbsences = { overlapping: 60 * minute, other: 120 * minute };
/** A shorter stay may escape all polls. */
const briefStay = 20 * minute;

/** An event that starts the workflow. Stays with a short absence in between count as one. */
interface Event extends Stay {
	/** May be delivered or not: it may be older than the trigger, or count as the previous one. */
	isDoubtful: boolean;
	/** Older than the trigger. */
	isOld: boolean;
	/** End of the last stay that was not brief (milliseconds since 1970). */
	awaySince: number;
}

/** Each invoice comes once for each time that it gets the status and keeps it, and none that had it before the start. */
export class InvoiceHistory extends History {
	protected readonly slowest = 1500;
	/** An invoice that returns to another place looks like another order. Then only the count is reliable. */
	private readonly isMoving = this.options.order === 'entered' && this.options.count !== 'told';
	private readonly overlaps =
		this.options.sizes === 'given' &&
		Math.min(this.options.cap, this.options.pageSize) >= 10 &&
		!this.isMoving;
	private readonly isStable = this.overlaps && this.options.order !== 'shuffled';
	private readonly longAbsence = longAbsences[this.isStable ? 'overlapping' : 'other'];
	/** Every poll can read everything. */
	private readonly isSteady =
		this.options.failures === 0 &&
		this.options.hurry === 0 &&
		!this.options.flicker &&
		!this.options.empty;
	/** Invoices whose next event may count as the previous one, because an older cursor was restored. */
	private readonly doubtful = new Set<string>();
	private readonly beginning = this.list.now;
	private begun = this.options.start === 'all' ? this.list.now : Infinity;
	/** Number of polls of the first reading. If there are several, pages that do not overlap may miss something. */
	private beginnings = 0;
	private lastWhole = this.list.now;
	/** Whether a part was hidden from this reading of the whole list, perhaps in an earlier poll. */
	private lacksSome = false;
	/** Whether a reading has seen everything since a part was hidden. */
	private wasClear = false;
	/** Times of polls that could not read everything. */
	private readonly unsettled: number[] = [];
	private quietHours = 0;
	/** On n8n's clock. */
	private pollBegan = 0;

	protected get mostCursor(): number {
		return 2000 + 40 * (this.list.stays.length + this.options.existing);
	}

	protected async begin(): Promise<void> {
		for (let left = this.options.existing; left > 0; left--) {
			const { id } = this.list.add();
			if (this.list.chance(this.options.entered ?? 100)) this.list.enter(id);
		}
		this.cursor = JSON.stringify(freshCursor(this.options.start === 'newOnly'));
	}

	private pay(): void {
		const { list } = this;
		const other = list.chance(50) ? undefined : list.any(false);
		const id = other ?? list.add().id;
		const before = list.stays.filter((stay) => stay.id === id).pop();
		const absence = list.now - (before?.to ?? -Infinity);
		// After an absence in between, it may count or not.
		if (absence > shortAbsence && absence < this.longAbsence) return;
		list.enter(id);
	}

	private drop(): void {
		const id = this.list.any(true);
		if (id) this.list.leave(id);
	}

	protected change(): void {
		const what = this.list.draw(1, 10);
		if (what <= 4) this.pay();
		else if (what <= 6) this.drop();
		else if (what <= 8) {
			// The count does not change.
			this.drop();
			this.pay();
		} else this.list.add();
	}

	protected override mayChange(): boolean {
		return this.overlaps || this.begun !== Infinity;
	}

	protected async step(): Promise<void> {
		const { list } = this;
		const what = list.draw(1, 10);
		const times = list.draw(1, this.options.burst);
		for (let left = times; left > 0 && what <= 6; left--) {
			if (what <= 3) this.pay();
			else if (what === 4) this.drop();
			else this.change();
		}
		// n8n is off for a while.
		if (what === 7) list.now += list.draw(1, 10) * minute;
		// In two quiet hours, the trigger notices what has left.
		if (what === 8 && (this.quietHours += 1) <= 2) {
			list.latency = 10;
			for (let polls = 0; polls < 26; polls++) {
				await this.poll(enough);
				list.now += 5 * minute;
			}
		}
	}

	protected override beforePoll(): void {
		const { list } = this;
		const { flicker = 0, empty = 0 } = this.options;
		this.pollBegan = list.machineTime();
		// If no poll ever sees a hidden invoice in between, the trigger must think that it has left.
		if (this.begun === Infinity || !this.wasClear) return;
		if (list.chance(flicker)) list.hidden = 'some';
		if (list.chance(empty)) list.hidden = 'everything';
	}

	protected look(found: PollResult | Error, from: number): void {
		const { list } = this;
		const isHidden = list.hidden !== 'nothing';
		list.hidden = 'nothing';
		if (isHidden || found instanceof Error) this.unsettled.push(from);
		if (isHidden) this.wasClear = false;
		this.lacksSome ||= isHidden;
		if (found instanceof Error) return;
		const ids = found.entries.map(({ id }) => String(id));
		for (const id of ids) this.note(id, from);
		if (ids.length) this.check(new Set(ids));
		const { isBegun, isOpen, wholeAt, mayBeMistaken } = progressOf(found.cursor);
		if (this.begun === Infinity) {
			this.beginnings += 1;
			if (isBegun) this.begun = list.now;
		}
		if (!isOpen) this.lastWhole = from;
		if (isOpen || mayBeMistaken) this.unsettled.push(from);
		const isWhole = !isOpen && (wholeAt ?? this.pollBegan) >= this.pollBegan;
		if (!isWhole) return;
		this.wasClear ||= !this.lacksSome;
		this.lacksSome = false;
	}

	protected override restored(cursor: Cursor): void {
		this.wasClear = false;
		if (!progressOf(cursor).isBegun) this.begun = Infinity;
		for (const { id, to } of this.list.stays) if (to < Infinity) this.doubtful.add(id);
	}

	protected override afterStep(step: number): void {
		if (step % 5 === 4) this.checkNotLate();
	}

	private checkNotLate(): void {
		const { maxEntries, rollbacks } = this.options;
		// If pages do not overlap, a reading of a changing list may miss something. The next one finds it.
		if (!this.isSteady || !this.isStable || maxEntries < 1000 || rollbacks > 0) return;
		const isLate = ({ from }: Event) =>
			this.list.now - from > promisedStay + 3 * minute &&
			!this.unsettled.some((time) => time >= from);
		const late = this.undelivered().find(isLate);
		if (late) throw new Error(`${late.id} is late`);
	}

	/** The events that must or may start the workflow. `ids`: only of these invoices. */
	private events(ids?: Set<string>): Event[] {
		const byId = new Map<string, Event[]>();
		for (const stay of this.list.stays) {
			if (ids && !ids.has(stay.id)) continue;
			const before = byId.get(stay.id) ?? [];
			this.append(before, stay);
			byId.set(stay.id, before);
		}
		return [...byId.values()].flat().map((event) => ({
			...event,
			isDoubtful: event.isDoubtful || this.doubtful.has(event.id),
		}));
	}

	/** Adds a stay to the events of an invoice. */
	private append(events: Event[], stay: Stay): void {
		const isFromNow = this.options.start === 'newOnly';
		const last = events[events.length - 1];
		if (last && stay.from - last.to < this.longAbsence) {
			// The first reading may have missed an invoice that left meanwhile.
			last.isDoubtful ||= last.to <= this.begun && isFromNow;
			last.to = stay.to;
			// Polls that could not read everything may not have seen it leave and return.
			last.isDoubtful ||= stay.from - last.awaySince > shortAbsence || !this.isSteady;
			if (stay.to - stay.from > briefStay) last.awaySince = stay.to;
			return;
		}
		const isOld = isFromNow && stay.from <= this.beginning;
		const isInBaseline = isFromNow && stay.from > this.beginning && stay.from <= this.begun;
		// Only a complete reading shows that an invoice left.
		const isUnseen = this.unsettled.some((time) => last && time >= last.to && time <= stay.from);
		events.push({ ...stay, isOld, isDoubtful: isInBaseline || isUnseen, awaySince: stay.to });
	}

	private deliveriesOf({ id, from, to }: Stay): number {
		const all = this.delivered.get(id) ?? [];
		return all.filter((one) => one.to >= from && one.from <= to).length;
	}

	private check(ids: Set<string>): void {
		const events = this.events(ids);
		for (const event of events) {
			const times = this.deliveriesOf(event);
			if (event.isDoubtful) continue;
			if (times > 1) throw new Error(`${event.id} was delivered ${times} times`);
			if (event.isOld && times > 0 && (this.overlaps || this.beginnings <= 1))
				throw new Error(`${event.id} is not new`);
		}
		const known = new Set(events.map(({ id }) => id));
		const strange = [...ids].find((id) => !known.has(id));
		if (strange) throw new Error(`${strange} never had the status`);
	}

	private undelivered(): Event[] {
		return this.events().filter(
			(event) =>
				event.to === Infinity &&
				!event.isOld &&
				!event.isDoubtful &&
				this.deliveriesOf(event) === 0,
		);
	}

	protected missing(): string[] {
		return this.undelivered().map(({ id }) => id);
	}

	protected async settle(): Promise<void> {
		const most = 40 + Math.ceil((3 * this.list.length) / this.options.maxEntries);
		for (let polls = 0; polls < 25 || this.missing().length > 0; polls++) {
			if (polls > most)
				throw new Error(`lost: ${this.missing().join(', ')}; last read ${this.lastWhole}`);
			await this.poll(enough);
			this.list.now += minute;
		}
	}
}
