import type { Cursor } from '../../../nodes/InvoicingPaymentsTrigger/watch/cursor';
import { freshCursor } from '../../../nodes/InvoicingPaymentsTrigger/watch/cursor';
import { findNew } from '../../../nodes/InvoicingPaymentsTrigger/watch/findNew';
import type { PollResult, WatchTask } from '../../../nodes/InvoicingPaymentsTrigger/watch/task';
import type { FetchPage } from '../../../nodes/shared/pagination/page';
import type { EntryModelOptions } from './entryModel';
import { EntryModel } from './entryModel';
import { leftOf } from './listModel';

const minute = 60_000;

/** A poll for the paid invoices of a list. `time`: how long it may take, in milliseconds. */
export const entryTask = (
	list: { now: number; fetchPage: FetchPage },
	time = 4 * minute,
	interval = minute,
): WatchTask => ({
	fetchPage: list.fetchPage,
	isEntry: ({ status }) => status === 'paid',
	noun: 'invoices',
	settings: { maxEntries: 1000, pageSize: 100, lookBack: 0 },
	concurrency: 5,
	now: () => list.now,
	left: leftOf(list, time),
	interval,
});

/** The core of the trigger, and a list of paid invoices that it polls once a minute. */
export class EntryWatch {
	readonly model: EntryModel;
	cursor: Cursor = freshCursor(true);

	constructor(
		count: number,
		order: 'fixed' | 'newest' = 'fixed',
		options: Partial<EntryModelOptions> = {},
	) {
		this.model = new EntryModel({
			...({ seed: 1, order, cap: 100, sizes: 'given' } as const),
			...({ count: 'told', pastTheEnd: 'empty', filter: 'exact' } as const),
			...options,
		});
		this.model.latency = 1;
		this.pay(count);
	}

	pay(count = 1): string[] {
		return Array.from({ length: count }, () => {
			const id = this.model.add();
			this.model.enter(id);
			return id;
		});
	}

	async poll(fetchPage: FetchPage = this.model.fetchPage): Promise<string[]> {
		const { entries } = await this.pollAll(fetchPage);
		return entries.map(({ id }) => String(id));
	}

	async pollAll(fetchPage: FetchPage = this.model.fetchPage): Promise<PollResult> {
		this.model.requests = 0;
		const found = await findNew({ ...entryTask(this.model), fetchPage }, this.cursor);
		this.cursor = JSON.parse(JSON.stringify(found.cursor)) as Cursor;
		this.model.now += minute;
		return found;
	}
}
