import { creationTimeOf } from '../../../nodes/InvoicingPaymentsTrigger/watch/creationTimes';
import type { Cursor } from '../../../nodes/InvoicingPaymentsTrigger/watch/cursor';
import { cursorFrom, freshTimes } from '../../../nodes/InvoicingPaymentsTrigger/watch/cursor';
import { ignoredCountNote } from '../../../nodes/InvoicingPaymentsTrigger/watch/sweep';
import type { PollResult } from '../../../nodes/InvoicingPaymentsTrigger/watch/task';
import { minOverlapping } from '../../../nodes/shared/pagination/overlap';
import { enough, History, lastLatency, minute } from './history';
import type { Listed } from './list';
import { progressOf } from './progress';

const day = 24 * 60 * minute;

/** Each charge comes once, oldest first; whatever is listed within Look Back comes, and nothing that was there before the start. */
export class ChargeHistory extends History {
	protected readonly slowest = 2000;
	protected readonly mostCursor = 3000 + 40 * (2000 + this.options.existing);
	private readonly lookBack = this.options.lookBack ?? 0;
	private readonly expected = new Set<string>();
	/** These may be delivered or not. */
	private readonly uncertain = new Set<string>();
	/** Charges that were listed at once, and when. */
	private readonly onTime = new Map<string, number>();
	private readonly isFrom = this.list.now + (this.options.skew ?? 0);
	private readonly since =
		this.options.start === 'since' ? this.list.rounded(this.isFrom) : -Infinity;
	/** If pages cannot overlap, an addition and a removal between the same two requests hide each other. A dropped row shortens page 1. */
	private readonly mayExchange =
		this.options.sizes === 'given' &&
		Math.min(this.options.cap, this.options.pageSize) >=
			minOverlapping + (this.options.rows === 'dropped' ? 1 : 0);
	/** False if the list has no known order: then a list that is read in parts is delivered as it is found. */
	private isInOrder =
		!['none', 'grouped'].includes(this.options.order) &&
		this.options.hurry === 0 &&
		(this.options.timestampTies === 'stable' || this.options.changes === 0);

	private add(ago = 0): void {
		const { order, rows, start } = this.options;
		const { id, time, isLate } = this.list.add(ago);
		if (time < this.since) return;
		// In a list that only looks sorted, or with pages of unknown length, it may have been there when the workflow was published.
		const isUncertain = order === 'grouped' || rows === 'dropped';
		if (isUncertain && start === 'newOnly' && time < this.isFrom) {
			this.uncertain.add(id);
			return;
		}
		this.expected.add(id);
		if (!isLate) this.onTime.set(id, time);
	}

	private addLate(): void {
		this.add(this.list.draw(0, Math.floor(this.lookBack * 0.7)));
	}

	private remove(): void {
		const { listed } = this.list;
		if (!listed.length) return;
		const id = listed[this.list.draw(0, listed.length - 1)];
		this.list.leave(id);
		// Polls may or may not have seen it.
		this.expected.delete(id);
	}

	protected async begin(): Promise<void> {
		const { list } = this;
		const { existing, start } = this.options;
		for (let left = existing; left > 0; left--) list.add(list.draw(1, 30 * 24 * 60) * minute);
		if (start === 'all') list.listed.forEach((id) => this.expected.add(id));
		this.cursor = JSON.stringify(await this.firstCursor());
		this.save();
	}

	private async firstCursor(): Promise<Cursor> {
		if (this.options.start === 'all') return cursorFrom(null);
		if (this.options.start === 'since') return cursorFrom(this.since);
		let { cursor } = await this.core(this.task(10 * minute), freshTimes(true));
		for (let polls = 0; !progressOf(cursor).isBegun; polls++) {
			if (polls > 5) throw new Error('it does not begin');
			const again = { ...cursor, after: undefined };
			({ cursor } = await this.core(this.task(10 * minute), again));
		}
		return cursor;
	}

	protected async step(): Promise<void> {
		const { list } = this;
		const what = list.draw(1, 10);
		const times = (most: number) => list.draw(1, most);
		if (what <= 3) for (let left = times(this.options.burst); left > 0; left--) this.add();
		if (what === 4) for (let left = times(5); left > 0; left--) this.addLate();
		if (what === 5 && !this.options.isGrowing)
			for (let left = times(3); left > 0; left--) this.remove();
		if (what === 6) list.now += list.draw(1, 3 * this.lookBack);
		if (what >= 9) this.pause();
	}

	/** n8n is off for a while, and customers keep paying. */
	private pause(): void {
		const { list } = this;
		for (let left = list.draw(1, 2 * this.options.burst); left > 0; left--) {
			if (list.chance(70)) list.now += list.draw(0, this.lookBack);
			if (list.chance(this.options.future ?? 0)) this.add(-10 * day);
			else this.add();
			if (list.chance(20)) this.addLate();
		}
	}

	protected change(): void {
		const what = this.list.draw(1, 10);
		if (what <= 6) this.add();
		else if (what <= 8) this.addLate();
		else if (this.mayExchange && !this.options.isGrowing) this.remove();
	}

	protected look(found: PollResult | Error, from: number, wasListed: Set<string>): void {
		if (found instanceof Error) return;
		if (this.options.keepsCount && found.notes.includes(ignoredCountNote))
			throw new Error('the count is right, but ignored');
		for (const { id } of found.entries) this.check(String(id), from);
		checkOldestFirst(found.entries);
		this.isInOrder &&= progressOf(found.cursor).isOldestFirst;
		// Charges of the same moment in another order for each page can come some polls later.
		this.isInOrder &&= (this.options.timestampTies ?? 'stable') === 'stable';
		// Without a count, nothing shows how many results the pages lack.
		this.isInOrder &&= this.options.rows !== 'dropped' || this.options.count !== 'missing';
		if (this.isInOrder) this.checkPassedOver(wasListed);
	}

	private check(id: string, from: number): void {
		if (this.delivered.has(id)) throw new Error(`${id} was delivered twice`);
		// In a grouped list, a slightly older charge may count as late.
		const mustBeNew = this.options.start === 'newOnly' && this.options.order !== 'grouped';
		const mayBeNew = this.expected.has(id) || this.uncertain.has(id);
		if (mustBeNew && !mayBeNew && this.list.isIn(id)) throw new Error(`${id} is not new`);
		this.note(id, from);
	}

	private checkPassedOver(wasListed: Set<string>): void {
		const times = [...this.delivered.keys()].map((id) => this.onTime.get(id) ?? 0);
		const newest = times.reduce((most, time) => Math.max(most, time), 0);
		for (const [id, time] of this.onTime) {
			const isPassedOver = time < newest && wasListed.has(id) && !this.delivered.has(id);
			if (isPassedOver && this.list.isIn(id)) throw new Error(`${id} was passed over`);
		}
	}

	protected missing(): string[] {
		return [...this.expected].filter((id) => this.list.isIn(id) && !this.delivered.has(id));
	}

	protected async settle(): Promise<void> {
		const { list, lookBack } = this;
		const { atMost, maxEntries, cap, pageSize } = this.options;
		const time = atMost ? atMost * lastLatency : enough;
		const perPoll = atMost ? Math.min(maxEntries, cap, pageSize) : maxEntries;
		const most = 40 + Math.ceil((6 * list.length) / perPoll);
		for (let polls = 0; this.missing().length > 0; polls++) {
			if (polls > most) throw new Error(`lost: ${this.missing().slice(0, 5).join(', ')}`);
			const found = await this.poll(time);
			// Then polls look for late charges.
			if (!found?.entries.length) list.now += lookBack / 4;
			list.now += minute;
		}
		for (let polls = 0; polls < 3; polls++) {
			const found = await this.poll(time);
			if (found?.entries.some(({ id }) => this.expected.has(String(id))))
				throw new Error('some came late');
			list.now += lookBack / 4;
		}
	}
}

function checkOldestFirst(charges: Listed[]): void {
	const times = charges.map((charge) => creationTimeOf(charge) ?? Infinity);
	if (times.some((time, at) => at > 0 && time < times[at - 1])) throw new Error('not oldest first');
}
