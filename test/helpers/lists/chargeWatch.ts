import type { Cursor } from '../../../nodes/InvoicingPaymentsTrigger/watch/cursor';
import { cursorFrom, freshTimes } from '../../../nodes/InvoicingPaymentsTrigger/watch/cursor';
import { findNew } from '../../../nodes/InvoicingPaymentsTrigger/watch/findNew';
import type { WatchTask } from '../../../nodes/InvoicingPaymentsTrigger/watch/task';
import type { FetchPage } from '../../../nodes/shared/pagination/page';
import type { Charge, ModelOptions } from './chargeModel';
import { ChargeModel } from './chargeModel';
import { leftOf } from './listModel';

const minute = 60_000;
/** A poll without charges may only have searched. After this many in a row, nothing more comes. */
const silentPolls = 3;

/** The core of the trigger, and a list of charges that it polls once a minute. The test moves time on. */
export class ChargeWatch {
	readonly model: ChargeModel;
	readonly notes: string[] = [];
	/** At first, all listed charges are new. */
	cursor: Cursor = cursorFrom(null);
	/** Requests of the last poll. */
	requests = 0;
	/** How long a poll may take, in milliseconds. */
	time = 240_000;
	lookBack = 60 * minute;
	/** Changes a charge as the service shows it. */
	shown: ((charge: Charge) => Charge) | undefined;

	constructor(
		options: Partial<ModelOptions> = {},
		private readonly maxCharges = 1000,
	) {
		this.model = new ChargeModel({
			...({ cap: 100, sizes: 'given', count: 'told', pastTheEnd: 'empty' } as const),
			...({ seed: 1, order: 'newestFirst', granularity: 1, skew: 0, undatedEvery: 0 } as const),
			...options,
		});
	}

	/** A list of this many charges, a minute apart. */
	static filled(count: number, options: Partial<ModelOptions> = {}, maxCharges?: number) {
		const watch = new ChargeWatch(options, maxCharges);
		watch.model.fill(count, minute);
		return watch;
	}

	get task(): WatchTask {
		const { model, maxCharges: maxEntries, fetchPage } = this;
		const settings = { maxEntries, lookBack: this.lookBack, pageSize: 100 };
		const left = leftOf(model, this.time);
		const now = () => model.now;
		const isEntry = () => true;
		return { fetchPage, isEntry, noun: 'charges', settings, concurrency: 5, now, left };
	}

	/** Size of the cursor. */
	get bytes(): number {
		return JSON.stringify(this.cursor).length;
	}

	/** All IDs, oldest first. */
	get byAge(): string[] {
		const { listed, options } = this.model;
		return options.order === 'newestFirst' ? [...listed].reverse() : listed;
	}

	/** Existing charges count as known. */
	async beginWithNew(): Promise<void> {
		this.keep(await findNew(this.task, freshTimes(true)));
	}

	async poll(): Promise<Charge[]> {
		this.model.now += minute;
		this.model.requests = 0;
		const found = await findNew(this.task, this.cursor);
		this.requests = this.model.requests;
		this.keep(found);
		return found.entries;
	}

	async pollIds(): Promise<string[]> {
		return (await this.poll()).map(({ id }) => String(id));
	}

	/** Polls until nothing more comes. */
	async drain(most = 80): Promise<Charge[]> {
		const charges: Charge[] = [];
		for (let polls = 0, silence = 0; silence < silentPolls; polls++) {
			if (polls === most) throw new Error(`Charges still come after ${most} polls`);
			const found = await this.poll();
			silence = found.length ? 0 : silence + 1;
			charges.push(...found);
		}
		return charges;
	}

	/** Adds new charges, each `apart` milliseconds after the previous one. */
	pay(count = 1, apart = 1000): string[] {
		return Array.from({ length: count }, () => {
			this.model.now += apart;
			return this.model.add().id;
		});
	}

	private readonly fetchPage: FetchPage = async (page, size) => {
		const outcome = await this.model.fetchPage(page, size);
		if (!this.shown || !('page' in outcome)) return outcome;
		return { page: { ...outcome.page, results: outcome.page.results.map(this.shown) } };
	};

	private keep({ cursor, notes }: { cursor: Cursor; notes: string[] }): void {
		this.cursor = JSON.parse(JSON.stringify(cursor)) as Cursor;
		this.notes.push(...notes);
	}
}
