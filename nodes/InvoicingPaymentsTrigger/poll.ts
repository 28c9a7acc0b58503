import type { INodeExecutionData, IPollFunctions, NodeApiError } from 'n8n-workflow';
import { BackOff } from './state/backOff';
import type { PollContextInfo } from './state/engine';
import { pollContextInfo } from './state/engine';
import type { PollMemory } from './state/recall';
import { recall } from './state/recall';
import { PendingCommits } from './state/pendingCommits';
import type { Memory } from './state/memory';
import { scopeOf, startOf } from './state/start';
import { timeOf } from './watch/timeOf';
import { logHandOver } from './handOver';
import { checkSince, isTimed, readSettings } from './settings';
import { mayPass, open, toError, toItem, watchTask } from './task';
import type { Cursor } from './watch/cursor';
import { findNew, margin } from './watch/findNew';
import { clock } from '../shared/clock';

/** When the polls that are running are given up, by the key of their trigger (milliseconds since 1970). */
const busy = new Map<string, number>();
/** What n8n's log was told of a trigger last. */
const told = new Map<string, string>();
/** A poll that takes this many times its time will never end; it must not block the others. */
const givenUpAfter = 2;
/** When triggers were polled last (milliseconds since 1970), and when that ended, by the clock that only moves forward. */
const polls = new Map<string, { at: number; endedAt: number }>();
const backOff = new BackOff();
const commits = new PendingCommits();

/**
 * One scheduled poll of n8n, or the one at activation: what is new since the last one, or `null`. Throws a
 * NodeApiError that says why it failed, in the terms in which n8n decides when to try again; at activation only what the user can
 * mend, because n8n gives up a trigger that cannot be activated.
 */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const key = `${context.getWorkflow().id}:${context.getNode().id}`;
	const info = pollContextInfo(context);
	const { isActivation, isScheduled, isDurable, isWatched } = info;
	const memory = recall(context, info, key);
	// n8n begins a poll while the one before it is still running.
	const begin = clock.now();
	if ((busy.get(key) ?? 0) > begin) return null;
	const isLeftToN8n = isScheduled && isDurable;
	if (!isActivation && !isLeftToN8n && backOff.isWaiting(key, clock.now())) return null;
	const until = begin + info.time * givenUpAfter;
	busy.set(key, until);
	const items = await nextItems(context, info, memory, key).catch((error: Error) => error);
	if (busy.get(key) === until) busy.delete(key);
	if (!(items instanceof Error)) {
		backOff.succeeded(key);
		return items;
	}
	if (isActivation && (mayPass(items) || !isWatched)) {
		context.logger.warn(`${context.getNode().name}: ${items.message}`);
		return null;
	}
	const { failure } = items as Partial<NodeApiError>;
	const retryAfter = failure && 'retryAfterMs' in failure ? failure.retryAfterMs : undefined;
	backOff.failed(key, clock.now(), retryAfter);
	throw items;
}

/** Tells the administrator of n8n in its log, once and not with every poll. */
function tell(context: IPollFunctions, key: string, notes: string[]): void {
	const text = notes.join('\n');
	if (text && text !== told.get(key)) {
		for (const note of notes) context.logger.warn(`${context.getNode().name}: ${note}`);
		told.set(key, text);
	}
}

async function nextItems(
	context: IPollFunctions,
	{ time, limit: ownLimit, isActivation, isScheduled, isDurable }: PollContextInfo,
	{ memory, lookedAt, remember }: PollMemory,
	key: string,
): Promise<INodeExecutionData[][] | null> {
	const now = clock.now();
	const limit = Math.min(ownLimit, time * givenUpAfter);
	if (isActivation) commits.activated(key, memory);
	if (commits.isBehind(key, memory, clock.elapsed())) return null;
	const settings = readSettings(context);
	const client = await open(context, settings, time);
	const scope = scopeOf(context.getNode(), settings, client);
	// Only where it begins there: a clock that is set back later must not end it.
	if (memory?.start !== scope.start) checkSince(context, settings, now);
	let saved: Memory | undefined;
	const save = (kept: Cursor, hasItems = false) => {
		saved = remember({ ...scope, lookedAt: now, cursor: kept }, hasItems);
	};
	const last = polls.get(key);
	const interval = Math.max(0, now - (last?.at ?? now));
	// Nothing that the poll at activation notes may be older than the activation.
	const endedAt = isActivation ? undefined : last?.endedAt;
	const start = startOf(settings, { memory, scope, lookedAt, now });
	const polling = { client, settings, now, time, interval, endedAt };
	const found = await findNew(watchTask(polling), start).catch((error: Error) => {
		const shown = toError(context, error);
		// What is made from now on is new, even where the service cannot say yet what there is.
		if (start.times && start.isBaseline && !start.after && mayPass(shown))
			save({ ...start, after: now - margin });
		throw shown;
	});
	tell(context, key, found.notes);
	// The IDs of a long list are much to save for nothing.
	const isSame = found.cursor === memory?.cursor && !isActivation && !isTimed(settings);
	const { entries } = found;
	const isUnsorted = settings.event.value === 'newCharge' && !isTimed(settings);
	const results = isUnsorted ? [...entries].sort(byAge) : entries;
	polls.set(key, { at: now, endedAt: clock.elapsed() });
	if (clock.now() - now > limit) return null;
	const items = results.map((result) => toItem(result, settings));
	// In the log before anything else knows of it: what is handed over twice is there twice, and nothing is missing.
	if (items.length) logHandOver(context, settings, results);
	// The last thing that happens: whatever fails before leaves everything as it was.
	if (!isSame) save(found.cursor, items.length > 0);
	// What a poll without items remembers is saved by n8n's scheduler with durable cursors only.
	if (saved && (items.length || (isScheduled && isDurable)))
		commits.expect(key, saved, isScheduled && items.length > 0, clock.elapsed());
	return items.length ? [items] : null;
}

/** Oldest first, and those that do not say when they were made last. */
const byAge = (a: Record<string, unknown>, b: Record<string, unknown>) =>
	(timeOf(a) ?? Infinity) - (timeOf(b) ?? Infinity) || 0;
