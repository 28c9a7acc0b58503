import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import type { FetchPage, Page, Result } from '../shared/pagination/page';
import { emptyPage, isEnd, isPastTheEnd } from '../shared/pagination/page';
import { checkSince, isTimed, readSettings } from './settings';
import type { PollInput } from './watchTask';
import { countdown, openService, toError, toItem, watchTask } from './watchTask';
import { UnreadablePageError, WrongCountError } from './watch/errors';
import { clock } from '../shared/clock';
import { findBoundary } from './watch/boundary';
import { Budget } from './watch/budget';
import { cursorFrom } from './watch/cursor';
import { Poll } from './watch/poll';
import type { WatchTask } from './watch/task';

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
	const left = countdown(timeLimitMs);
	const polling = { client, settings, left, budgetMs: timeLimitMs, sharedSince: clock.elapsed() };
	const read = isTimed(settings) ? newestOf(watchTask(polling), maxItems) : firstEntries(polling);
	const results = await read.catch((error: Error) => {
		throw toError(context, error);
	});
	if (results.length) return [results.map((result) => toItem(result, settings))];
	const { event, status } = settings;
	const sample = { ...event.list.sample, ...(status !== undefined && { status }) };
	const { json } = toItem(sample, settings);
	const isFiltered = Object.keys(settings.filters).length > 0;
	const { noun } = event.list;
	const nothing =
		status === undefined ? `there are no ${noun} yet` : `no ${noun} have the status ${status} yet`;
	const reason = isFiltered ? 'nothing matches yet' : nothing;
	return [[{ json: { sample: `This is a sample, because ${reason}`, ...json } }]];
}

async function firstEntries(polling: PollInput): Promise<Result[]> {
	const { fetchPage, isEntry } = watchTask(polling);
	const entries: Result[] = [];
	for (let page = 1; page <= maxPages && entries.length < maxItems; page++) {
		const read = await readPage(fetchPage, page);
		entries.push(...read.results.filter(isEntry));
		if (isEnd(read)) break;
	}
	return entries.slice(0, maxItems);
}

async function readPage(fetchPage: FetchPage, page: number): Promise<Page> {
	const outcome = await fetchPage(page);
	if (page > 1 && isPastTheEnd(outcome)) return emptyPage;
	if (!outcome.ok) throw new UnreadablePageError(outcome.failure);
	return outcome.value;
}

/** The newest entries, oldest first. Throws UnreadablePageError. */
export async function newestOf(task: WatchTask, count: number): Promise<Result[]> {
	return await newestAtEnds(task, count).catch(async (error: Error) => {
		if (error instanceof WrongCountError) return await newestAtEnds(task, count, true);
		throw error;
	});
}

/** They may be at either end of the list. If it has no order, takes the newest of both ends. */
async function newestAtEnds(
	task: WatchTask,
	count: number,
	ignoresCount = false,
): Promise<Result[]> {
	const settings = { ...task.settings, maxEntries: Infinity };
	const cursor = { ...cursorFrom(null), ignoresCount };
	const poll = new Poll({ ...task, settings }, cursor, new Budget(task.left));
	const first = await poll.readFirst();
	const counted = Math.ceil((poll.count ?? 0) / poll.pageLength);
	const isListed = ({ results }: { results: unknown[] }) => results.length > 0;
	const isCounted = !first.next || counted > 1;
	const end = isCounted ? counted : (await findBoundary(poll, isListed, { low: 1 })).bracket.low;
	for (const number of [end, end - 1]) if (number > 1) await poll.peek(number);
	return poll.deliver().entries.slice(-count);
}
