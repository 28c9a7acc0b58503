import type { Cursor } from '../../../nodes/InvoicingPaymentsTrigger/watch/cursor';
import {
	PagingError,
	UnreadablePageError,
} from '../../../nodes/InvoicingPaymentsTrigger/watch/errors';
import { findNew } from '../../../nodes/InvoicingPaymentsTrigger/watch/findNew';
import type { PollResult, WatchTask } from '../../../nodes/InvoicingPaymentsTrigger/watch/task';
import type { ListOptions } from './list';
import { isEntryOf, leftOf, List } from './list';

/**
 * A history is a list that changes at random while the core of the trigger polls it, with failures, pauses and restored cursors. It ends
 * with an Error as soon as something is lost, comes twice, comes late or was never new. What has to come is not the same for charges, which
 * have dates (chargeHistory.ts), and for invoices, which get a status and lose it (invoiceHistory.ts).
 */
export interface HistoryOptions extends ListOptions {
	/** Length of the list at the start. Of invoices, `entered` percent have the status. */
	existing: number;
	entered?: number;
	start: 'newOnly' | 'since' | 'all';
	maxEntries: number;
	pageSize: number;
	/** Only of charges, in milliseconds. */
	lookBack?: number;
	steps: number;
	/** Most changes at once. */
	burst: number;
	/** Percent of requests before which something changes, and percent that fail. */
	changes: number;
	failures: number;
	/** Percent of polls with very little time. */
	hurry: number;
	/** Most requests of a poll at the end, when nothing changes any more. Without it, there are enough. */
	atMost?: number;
	/** Percent of polls after which an older cursor is restored. */
	rollbacks: number;
	/** Parallel requests. */
	concurrency?: number;
	/** Percent of the charges in a pause whose date is ten days ahead. */
	future?: number;
	/** Charges never disappear. */
	isGrowing?: boolean;
	/** The trigger must not take the count for wrong. */
	keepsCount?: boolean;
	/** Percent of polls that see a lagging list, which lacks a part, and percent that see an empty one by mistake. */
	flicker?: number;
	empty?: number;
}

export const minute = 60_000;
/** A poll that has enough time, in milliseconds. */
export const enough = 4 * minute;

/** Milliseconds that a request takes at the end. */
export const lastLatency = 10;

/** When the trigger gave it. Milliseconds since 1970. */
interface Delivery {
	from: number;
	to: number;
}

type Core = typeof findNew;

export abstract class History {
	readonly list: List;
	protected cursor = '';
	/** By ID. */
	protected delivered = new Map<string, Delivery[]>();
	private readonly saved: Array<{ cursor: string; delivered: Map<string, Delivery[]> }> = [];

	constructor(
		readonly options: HistoryOptions,
		protected readonly core: Core = findNew,
	) {
		this.list = new List(options);
	}

	/** Fills the list, and makes the first cursor. */
	protected abstract begin(): Promise<void>;
	/** Changes the list between two polls. */
	protected abstract step(): Promise<void>;
	/** Changes the list before a request. */
	protected abstract change(): void;
	/** Milliseconds that the slowest request takes. */
	protected abstract readonly slowest: number;
	protected beforePoll?(): void;
	/** Looks at a poll. May change its cursor. */
	protected abstract look(found: PollResult | Error, from: number, wasListed: Set<string>): void;
	protected restored?(cursor: Cursor): void;
	/** Looks at a step. */
	protected afterStep?(step: number): void;
	/** What has to come, and did not. */
	protected abstract missing(): string[];
	/** Polls until everything has come, and then some more. */
	protected abstract settle(): Promise<void>;
	/** Most characters of a cursor. */
	protected abstract readonly mostCursor: number;

	/** Throws an Error that says what went wrong. */
	async run(): Promise<void> {
		const { list } = this;
		const { steps, hurry } = this.options;
		await this.begin();
		for (let step = 0; step < steps; step++) {
			await this.step();
			list.setBack();
			list.latency = list.draw(1, this.slowest);
			list.beforeRequest = () => this.disturb();
			await this.poll(list.chance(hurry) ? list.draw(0, 3000) : enough);
			list.beforeRequest = () => {};
			this.afterStep?.(step);
			list.now += minute;
			this.restore();
		}
		// Nothing changes any more: everything missing must come, and then nothing.
		list.latency = lastLatency;
		list.failing = 0;
		await this.settle();
		if (this.cursor.length > this.mostCursor) throw new Error('the cursor is too large');
	}

	protected task(time: number): WatchTask {
		const { kind, maxEntries, pageSize, lookBack = 0, concurrency = 5 } = this.options;
		return {
			fetchPage: this.list.fetchPage,
			isEntry: isEntryOf(kind),
			noun: kind,
			settings: { maxEntries, pageSize, lookBack },
			concurrency,
			now: this.list.machineTime,
			left: leftOf(this.list, time),
			interval: minute,
		};
	}

	/** Gives nothing if the poll failed, as polls of such a service may. */
	protected async poll(time: number): Promise<PollResult | undefined> {
		const { list } = this;
		const from = list.now;
		this.beforePoll?.();
		const wasListed = new Set(this.options.kind === 'charges' ? list.listed : []);
		const found = await this.core(this.task(time), JSON.parse(this.cursor) as Cursor).catch(
			(error: Error) => error,
		);
		if (found instanceof Error) {
			this.look(found, from, wasListed);
			if (this.mayFail(found)) return undefined;
			throw found;
		}
		if (found.entries.length > this.options.maxEntries) throw new Error('more than Max per Run');
		this.look(found, from, wasListed);
		this.cursor = JSON.stringify(found.cursor);
		this.save();
		return found;
	}

	private mayFail(error: Error): boolean {
		const { failures, changes, order, timestampTies } = this.options;
		const isChanging = changes > 0 || order === 'shuffled' || timestampTies === 'perRequest';
		return (
			(error instanceof UnreadablePageError && failures > 0) ||
			(error instanceof PagingError && isChanging)
		);
	}

	protected note(id: string, from: number): void {
		const before = this.delivered.get(id) ?? [];
		this.delivered.set(id, [...before, { from, to: this.list.now }]);
	}

	private disturb(): void {
		const { changes, failures } = this.options;
		if (this.mayChange() && this.list.chance(changes)) this.change();
		if (this.list.chance(failures)) this.list.failing = 1;
	}

	protected mayChange(): boolean {
		return true;
	}

	protected save(): void {
		if (this.options.rollbacks > 0)
			this.saved.push({ cursor: this.cursor, delivered: new Map(this.delivered) });
	}

	/** n8n may give back an older cursor. */
	private restore(): void {
		const { list, saved } = this;
		if (!list.chance(this.options.rollbacks) || !saved.length) return;
		const { cursor, delivered } = saved[list.draw(0, saved.length - 1)];
		this.cursor = cursor;
		this.delivered = new Map(delivered);
		this.restored?.(JSON.parse(cursor) as Cursor);
	}
}
