import type { Cursor } from '../../../nodes/InvoicingPaymentsTrigger/watch/cursor';
import {
	cursorFrom,
	freshCursor,
	freshTimes,
} from '../../../nodes/InvoicingPaymentsTrigger/watch/cursor';
import { findNew } from '../../../nodes/InvoicingPaymentsTrigger/watch/findNew';
import type { WatchTask } from '../../../nodes/InvoicingPaymentsTrigger/watch/task';
import type { FetchPage } from '../../../nodes/shared/pagination/page';
import { ok } from '../../../nodes/shared/result';
import { enough, minute } from './history';
import type { Listed, ListOptions } from './list';
import { isEntryOf, leftOf, List } from './list';
import { progressOf } from './progress';

/** What a trigger can poll. */
export interface Polled {
	/** Milliseconds since 1970. A request takes some. */
	now: number;
	requests: number;
	readonly fetchPage: FetchPage;
}

type Options = Partial<Omit<ListOptions, 'kind'>>;

/** A poll without results may only have searched. After this many in a row, nothing more comes. */
const silentPolls = 3;

/** 12 for `charge-1-12`. */
export const numberOf = ({ id }: Listed): number => Number(String(id).split('-').pop());

/** The core of the trigger, and a list that it polls. The test moves time on. */
export class Watch<L extends Polled = List> {
	readonly notes: string[] = [];
	/** Requests of the last poll. */
	requests = 0;
	/** How long a poll may take, and the time from poll to poll, in milliseconds. */
	time = enough;
	interval = minute;
	lookBack = 60 * minute;
	maxEntries = 1000;
	/** Changes a result as the service shows it. */
	shown: (result: Listed) => Listed = (result) => result;
	/** Replaces the answers of the list. */
	answers: FetchPage | undefined;
	private polledAt: number;

	constructor(
		readonly list: L,
		private readonly kind: ListOptions['kind'],
		/** At first, all charges are new, and no invoices. */
		public cursor: Cursor = kind === 'charges' ? cursorFrom(null) : freshCursor(true),
	) {
		this.polledAt = list.now;
	}

	/** A list of this many charges, a minute apart. */
	static charges(count: number, options: Options = {}, maxEntries = 1000): Watch {
		const list = new List({ kind: 'charges', order: 'newestFirst', ...options });
		list.fill(count, minute);
		return Object.assign(new Watch(list, 'charges'), { maxEntries });
	}

	/** A list of this many paid invoices. */
	static invoices(count: number, options: Options = {}): Watch {
		const list = new List({ kind: 'invoices', order: 'none', ...options });
		list.latency = 1;
		const watch = new Watch(list, 'invoices');
		list.pay(count, 0);
		return watch;
	}

	get task(): WatchTask {
		const { list, kind, maxEntries, lookBack, interval } = this;
		return {
			fetchPage: async (page, size) => await this.fetchPage(page, size),
			isEntry: isEntryOf(kind),
			noun: kind,
			settings: { maxEntries, lookBack: kind === 'charges' ? lookBack : 0, pageSize: 100 },
			concurrency: 5,
			now: () => list.now,
			left: leftOf(list, this.time),
			interval,
		};
	}

	private readonly fetchPage: FetchPage = async (page, size) => {
		const outcome = await (this.answers ?? this.list.fetchPage)(page, size);
		if (!outcome.ok) return outcome;
		return ok({ ...outcome.value, results: outcome.value.results.map(this.shown) });
	};

	/** What was there when the workflow was published is known. */
	get isBegun(): boolean {
		return progressOf(this.cursor).isBegun;
	}

	/** Size of the cursor. */
	get bytes(): number {
		return JSON.stringify(this.cursor).length;
	}

	/** Existing charges count as known. */
	async beginWithNew(): Promise<void> {
		await this.pollFrom(freshTimes(true));
	}

	/** Waits for the next minute, and polls. */
	async poll(): Promise<Listed[]> {
		this.list.now = Math.max(this.list.now, this.polledAt + this.interval);
		return await this.pollFrom(this.cursor);
	}

	async pollIds(): Promise<string[]> {
		return (await this.poll()).map(({ id }) => String(id));
	}

	/** The IDs of several polls. */
	async polls(count: number): Promise<string[]> {
		const ids: string[] = [];
		for (let left = count; left > 0; left--) ids.push(...(await this.pollIds()));
		return ids;
	}

	/** Polls until nothing more comes. */
	async drain(most = 80): Promise<Listed[]> {
		const all: Listed[] = [];
		for (let polls = 0, silence = 0; silence < silentPolls; polls++) {
			if (polls === most) throw new Error(`Something still comes after ${most} polls`);
			const found = await this.poll();
			silence = found.length ? 0 : silence + 1;
			all.push(...found);
		}
		return all;
	}

	private async pollFrom(cursor: Cursor): Promise<Listed[]> {
		this.polledAt = this.list.now;
		const before = this.list.requests;
		const found = await findNew(this.task, cursor);
		this.requests = this.list.requests - before;
		this.cursor = JSON.parse(JSON.stringify(found.cursor)) as Cursor;
		this.notes.push(...found.notes);
		return found.entries;
	}
}
