import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import type { FetchPage, Result } from '../shared/pagination/page';
import { isEnd, isPastTheEnd } from '../shared/pagination/page';
import { checkSince, isTimed, readSettings } from './settings';
import type { PollInput } from './watchTask';
import { openService, toError, toItem, watchTask } from './watchTask';
import { Pages } from './watch/pages';
import { UnreadablePageError, WrongCountError } from './watch/errors';
import { clock } from '../shared/clock';
import { findBoundary } from './watch/window';
import { Budget, reservedRequests } from './watch/budget';
import { cursorFrom } from './watch/cursor';
import type { WatchTask } from './watch/task';
import { deliver, maxMiscounts, openPoll } from './watch/task';

const maxItems = 10;
/** If the service ignores a filter, the list may be long. */
const maxPages = 5;
/** The user is waiting. */
const timeLimitMs = 60_000;

/** Returns results that would start the workflow, or else a sample. Saves nothing. Throws a NodeApiError. */
export async function fetchTestEvent(context: IPollFunctions): Promise<INodeExecutionData[][]> {
	const settings = readSettings(context);
	checkSince(context, settings, clock.now());
	const client = await openService(context, settings, timeLimitMs);
	const polling = { client, settings, now: clock.now(), budgetMs: timeLimitMs };
	const read = isTimed(settings) ? newestOf(watchTask(polling), maxItems) : firstEntries(polling);
	const results = await read.catch((error: Error) => error);
	if (results instanceof Error) throw toError(context, results);
	if (results.length) return [results.map((result) => toItem(result, settings))];
	const { event, status } = settings;
	const sample = { ...event.list.sample, ...(status !== undefined && { status }) };
	const { json } = toItem(sample, settings);
	const isFiltered = Object.keys(settings.filters).length > 0;
	const reason = isFiltered ? 'nothing matches yet' : `there are no ${event.list.noun} yet`;
	return [[{ json: { sample: `This is a sample, because ${reason}`, ...json } }]];
}

async function firstEntries(polling: PollInput): Promise<Result[]> {
	const { fetchPage, isEntry } = watchTask(polling);
	const entries: Result[] = [];
	for (let page = 1; page <= maxPages && entries.length < maxItems; page++) {
		const outcome = await readPage(fetchPage, page);
		entries.push(...outcome.page.results.filter(isEntry));
		if (isEnd(outcome.page)) break;
	}
	return entries.slice(0, maxItems);
}

async function readPage(fetchPage: FetchPage, page: number) {
	const outcome = await fetchPage(page);
	if (page > 1 && isPastTheEnd(outcome)) return { page: { count: 0, next: null, results: [] } };
	if ('failure' in outcome) throw new UnreadablePageError(outcome.failure);
	return outcome;
}

/** The newest entries, oldest first. Throws UnreadablePageError. */
export async function newestOf(task: WatchTask, count: number): Promise<Result[]> {
	return await newestAtEnds(task, count).catch(async (error: Error) => {
		if (error instanceof WrongCountError) return await newestAtEnds(task, count, maxMiscounts);
		throw error;
	});
}

async function newestAtEnds(task: WatchTask, count: number, miscounts = 0): Promise<Result[]> {
	const budget = new Budget(task.now, task.until);
	const settings = { ...task.settings, maxEntries: Infinity };
	const cursor = { ...cursorFrom(null), miscounts };
	const poll = openPoll({ ...task, settings }, cursor, {
		notes: [],
		isSecondReading: false,
		budget,
	});
	const pages = new Pages(poll.search);
	const { page } = await pages.readFirst();
	// The newest may be at either end. If the list has no order, take the newest of both ends.
	const end = page.next ? (lastPage(page.count) ?? (await findEnd())) : 1;
	for (const number of [end, end - 1]) if (number > 1) await pages.peek(number);
	return deliver(poll, pages).entries.slice(-count);

	function lastPage(count = NaN): number | undefined {
		const number = Math.ceil(count / pages.pageLength);
		return number > 1 ? number : undefined;
	}

	async function findEnd(): Promise<number> {
		const search = { low: 1, reserve: reservedRequests };
		return (await findBoundary(pages, budget, ({ results }) => results.length > 0, search)).low;
	}
}
