import type { FetchPage, Page, PageOutcome, Result } from '../../shared/pagination/page';
import { emptyPage, isPastTheEnd, isUsableId } from '../../shared/pagination/page';
import type { PageWithRange } from '../../shared/pagination/overlap';
import { rangeOf } from '../../shared/pagination/overlap';
import type { Failure } from '../../shared/transport/failure';
import type { Budget } from './budget';
import { requiredTimeOf } from './creationTimes';
import type { IdHash } from './ids';
import { idHash } from './ids';
import {
	isDepthRefusal,
	minRefusedDepth,
	MissingFieldError,
	UnreadablePageError,
	WrongCountError,
} from './errors';
import type { WatchTask } from './task';

export interface NewEntry {
	entry: Result;
	/** Number of results before it in the list. */
	index: number;
	/** 0 if the list has no creation times. */
	time: number;
}

/** Its results only have a hashed ID and a time. */
export type ListPage = PageWithRange & { ids: IdHash[] };

interface ListOptions {
	isTimed: boolean;
	isNew: (id: IdHash, time: number, result: Result) => boolean;
	ignoresCount: boolean;
	/** A reading ends when this many new entries are found. */
	maxNew: number;
}

const stopped: PageOutcome = { failure: { kind: 'stopped', method: 'GET', path: '' } };
/** The poll has no time left for another page. */
export const isOutOfTime = ({ kind, path }: Failure) => kind === 'stopped' && path === '';

export const timesOf = ({ results }: Pick<Page, 'results'>) =>
	results.map(({ time }) => time as number);

const idOf = ({ id }: Result) => String(id);

/** The list of the service as one poll sees it: fetches pages, and remembers what was on them. */
export class List {
	/** Number of results on a full page. */
	pageLength: number;
	/** Latest count of the service. `undefined`: there is none that can be used. */
	count: number | undefined;
	/** All counts of this poll, as the service gave them. */
	readonly counts = new Set<number | undefined>();
	readonly newEntries = new Map<IdHash, NewEntry>();
	/** Entries that this poll has seen, with their creation times. */
	readonly shown = new Map<IdHash, number>();
	/** Entries that this reading of the whole list has seen, also in earlier polls. */
	readonly entryIds = new Set<IdHash>();
	/** Results that are no entries. */
	readonly otherIds = new Set<IdHash>();
	readonly indexes = new Map<IdHash, number>();
	/** The service refuses pages that begin after `from` results. Lists with creation times can do without them. */
	refusal: { from: number; failure: Failure } | undefined;
	private readonly peeked = new Map<number, ListPage>();
	private reusable = new Map<number, Page>();

	constructor(
		private readonly task: WatchTask,
		readonly budget: Budget,
		private readonly options: ListOptions,
	) {
		this.pageLength = task.settings.pageSize;
	}

	/** Throws UnreadablePageError and WrongCountError. */
	async readFirst(): Promise<ListPage> {
		const first = await this.peek(1);
		const { length } = first.results;
		this.pageLength = Math.max(first.next ? 1 : this.pageLength, length);
		return { ...first, ...rangeOf(1, this.pageLength) };
	}

	/** A single page, read once in a poll. Past the end, it is empty. Throws UnreadablePageError and WrongCountError. */
	async peek(number: number): Promise<ListPage> {
		const known = this.peeked.get(number);
		if (known) return known;
		const outcome = await this.fetch(number, undefined, true);
		if ('failure' in outcome && !isPastTheEnd(outcome))
			throw new UnreadablePageError(outcome.failure);
		const read = 'page' in outcome ? outcome.page : emptyPage;
		if ('page' in outcome) this.reusable.set(number, read);
		const ids = read.results.map(({ id }) => id as IdHash);
		const page = { ...read, ...rangeOf(number, this.pageLength), ids };
		this.peeked.set(number, page);
		return page;
	}

	/** For readings that begin on page `start`. A reading may reuse no page that is older than the one before it. */
	fetcherFrom(start: number): FetchPage {
		const page = this.reusable.get(start);
		this.reusable = new Map(page && [[start, page]]);
		return this.nextPage;
	}

	private readonly nextPage: FetchPage = async (number, size) => {
		const known = size === undefined ? this.reusable.get(number) : undefined;
		if (known && this.reusable.delete(number)) return { page: known };
		const isEnough = this.newEntries.size >= this.options.maxNew;
		return isEnough || this.budget.left <= 0 ? stopped : await this.fetch(number, size);
	};

	/** Number of the last page, by the service's count. */
	get lastPage(): number | undefined {
		const { count, pageLength } = this;
		return count === undefined ? undefined : Math.max(1, Math.ceil(count / pageLength));
	}

	get seenCount(): number {
		// A result may have changed since an earlier poll.
		const others = [...this.otherIds].filter((id) => !this.entryIds.has(id));
		return this.entryIds.size + others.length;
	}

	private async fetch(number: number, size?: number, isProbe = false): Promise<PageOutcome> {
		const start = (number - 1) * (size ?? this.pageLength);
		if (start >= (this.refusal?.from ?? Infinity)) return { page: emptyPage };
		const request = async (mayFail = isProbe && start >= minRefusedDepth) =>
			await this.budget.spend(async () => await this.task.fetchPage(number, size, mayFail));
		let outcome = await request();
		// The list may have changed during the request.
		if (this.contradictsCount(outcome, start)) outcome = await request();
		if (this.contradictsCount(outcome, start)) throw new WrongCountError();
		// One failure does not mean that the service refuses deep pages, least of all a server error (5xx).
		for (let again = 0; this.isRefused(outcome, start) && again < 3; again++) {
			if (again > 0 && (outcome.failure.status ?? 0) < 500) break;
			outcome = await request(false);
		}
		if (this.isRefused(outcome, start)) {
			const { failure } = outcome;
			if (start < (this.refusal?.from ?? Infinity)) this.refusal = { from: start, failure };
			return { page: emptyPage };
		}
		return 'failure' in outcome ? outcome : { page: this.remember(outcome.page, start) };
	}

	/** Whether a page says that more results follow than the service counts. */
	private contradictsCount(outcome: PageOutcome, start: number): boolean {
		if (!('page' in outcome) || this.options.ignoresCount) return false;
		const { results, next, count } = outcome.page;
		return count !== undefined && next !== null && start + results.length > count;
	}

	private isRefused(outcome: PageOutcome, start: number): outcome is { failure: Failure } {
		return this.options.isTimed && 'failure' in outcome && isDepthRefusal(outcome.failure, start);
	}

	private remember(page: Page, start: number): Page {
		const { isTimed, isNew, ignoresCount } = this.options;
		const { isEntry, keyOf = idOf, noun } = this.task;
		this.count = ignoresCount ? undefined : page.count;
		this.counts.add(page.count);
		if (!page.results.every(({ id }) => isUsableId(id)))
			throw new MissingFieldError(
				`The service lists ${noun} without an id, so the trigger cannot tell new ones from old ones`,
			);
		const results = page.results.map((entry, at) => {
			const id = idHash(keyOf(entry));
			const time = isTimed ? requiredTimeOf(entry) : 0;
			this.indexes.set(id, start + at);
			if (!isEntry(entry)) this.otherIds.add(id);
			else {
				this.entryIds.add(id);
				this.shown.set(id, time);
				if (isNew(id, time, entry)) this.newEntries.set(id, { entry, index: start + at, time });
			}
			return { id, time };
		});
		return { ...page, count: this.refusal ? undefined : this.count, results };
	}
}
