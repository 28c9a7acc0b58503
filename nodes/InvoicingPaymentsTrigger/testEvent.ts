import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import type { FetchPage } from '../shared/pagination/page';
import { isEnd, isPastTheEnd } from '../shared/pagination/page';
import { sampleOf } from './samples';
import { checkSince, isTimed, readSettings } from './settings';
import type { PollInput } from './task';
import { openService, toError, toItem, watchTask } from './task';
import { newestOf } from './watch/newestOf';
import type { Entry } from './watch/pages';
import { UnreadablePageError } from './watch/errors';
import { clock } from '../shared/clock';

const maxItems = 10;
/** Maximum pages read: the service may ignore a filter. */
const maxPages = 5;
/** In milliseconds. The user is waiting. */
const timeLimit = 60_000;

/** Shows what would start the workflow, or a marked sample. Saves no state. Throws a NodeApiError. */
export async function fetchTestEvent(context: IPollFunctions): Promise<INodeExecutionData[][]> {
	const settings = readSettings(context);
	checkSince(context, settings, clock.now());
	const client = await openService(context, settings, timeLimit);
	const polling = { client, settings, now: clock.now(), time: timeLimit };
	const read = isTimed(settings) ? newestOf(watchTask(polling), maxItems) : someEntries(polling);
	const found = await read.catch((error: Error) => error);
	if (found instanceof Error) throw toError(context, found);
	if (found.length) return [found.map((result) => toItem(result, settings))];
	const sample = sampleOf(settings.event, settings.status);
	const { json } = toItem(sample, settings);
	const isFiltered = Object.keys(settings.filters).length > 0;
	const reason = isFiltered
		? 'nothing matches yet'
		: `there are no ${settings.event.list.noun} yet`;
	return [[{ json: { sample: `This is a sample, because ${reason}`, ...json } }]];
}

async function someEntries(polling: PollInput): Promise<Entry[]> {
	const { fetchPage, isEntry } = watchTask(polling);
	const found: Entry[] = [];
	for (let page = 1; page <= maxPages && found.length < maxItems; page++) {
		const outcome = await readPage(fetchPage, page);
		found.push(...outcome.page.results.filter(isEntry));
		if (isEnd(outcome.page)) break;
	}
	return found.slice(0, maxItems);
}

async function readPage(fetchPage: FetchPage, page: number) {
	const outcome = await fetchPage(page);
	if (page > 1 && isPastTheEnd(outcome)) return { page: { count: 0, next: null, results: [] } };
	if ('failure' in outcome) throw new UnreadablePageError(outcome.failure);
	return outcome;
}
