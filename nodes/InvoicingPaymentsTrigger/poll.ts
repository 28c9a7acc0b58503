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
import { Unreadable } from './watch/problems';
import { clock } from '../shared/clock';
import { ExpiringMap } from '../shared/expiringMap';

/** What this process knows of the polls of a trigger. */
interface Run {
	/** When the poll that is running is given up (milliseconds since 1970). */
	busyUntil?: number;
	/** When it was polled last (milliseconds since 1970), and when that ended, by the clock that only moves forward. */
	last?: { at: number; endedAt: number };
	/** Whether the service did not answer in the time of the last poll. */
	wasTooSlow?: boolean;
	/** What n8n's log was told last. */
	told?: string;
	/** The list that it watches, and of which account. */
	list?: string;
}

/** A poll that takes this many times its time will never end; it must not block the others. */
const givenUpAfter = 2;
const runs = new ExpiringMap<Run>();
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
	const run = runs.get(key) ?? {};
	runs.set(key, run);
	// n8n begins a poll while the one before it is still running.
	const begin = clock.now();
	if ((run.busyUntil ?? 0) > begin) return null;
	// A service that is down keeps all waiting that watch the same list.
	const isWaiting = [key, run.list ?? ''].some((one) => backOff.isWaiting(one, begin));
	if (isWaiting && !isActivation && !(isScheduled && isDurable)) return null;
	const until = begin + info.time * givenUpAfter;
	run.busyUntil = until;
	const items = await nextItems(context, info, memory, { key, run }).catch((error: Error) => error);
	if (run.busyUntil === until) run.busyUntil = undefined;
	const isOfService = items instanceof Error && mayPass(items);
	if (!(items instanceof Error)) {
		for (const one of [key, run.list ?? '']) backOff.succeeded(one);
		return items;
	}
	if (isActivation && (isOfService || !isWatched)) {
		context.logger.warn(`${context.getNode().name}: ${items.message}`);
		return null;
	}
	const { failure } = items as Partial<NodeApiError>;
	const retryAfter = failure && 'retryAfterMs' in failure ? failure.retryAfterMs : undefined;
	const when = { begin, now: clock.now() };
	backOff.failed(key, when, retryAfter);
	if (isOfService && run.list !== undefined) backOff.failed(run.list, when, retryAfter);
	throw items;
}

/** Tells the administrator of n8n in its log, once and not with every poll. */
function tell(context: IPollFunctions, run: Run, notes: string[]): void {
	const text = notes.join('\n');
	if (!text || text === run.told) return;
	for (const note of notes) context.logger.warn(`${context.getNode().name}: ${note}`);
	run.told = text;
}

async function nextItems(
	context: IPollFunctions,
	{ time, limit: ownLimit, isActivation, isScheduled, isDurable }: PollContextInfo,
	{ memory, lookedAt, remember }: PollMemory,
	{ key, run }: { key: string; run: Run },
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
	run.list = `${client.account.id} ${settings.event.list.path}`;
	const interval = Math.max(0, now - (run.last?.at ?? now));
	// Nothing that the poll at activation notes may be older than the activation.
	const endedAt = isActivation ? undefined : run.last?.endedAt;
	const start = startOf(settings, { memory, scope, lookedAt, now });
	const polling = { client, settings, now, time, interval, endedAt };
	const wasTooSlow = run.wasTooSlow;
	const found = await findNew(watchTask(polling), start).catch((error: Error) => {
		run.wasTooSlow = error instanceof Unreadable && error.failure.kind === 'stopped';
		// One poll that gets no answer in its time says nothing: others may have been in its way.
		if (run.wasTooSlow && !wasTooSlow && !isActivation) return undefined;
		const shown = toError(context, error);
		// What is made from now on is new, even where the service cannot say yet what there is.
		if (start.times && start.isBaseline && !start.after && mayPass(shown))
			save({ ...start, after: now - margin });
		throw shown;
	});
	if (!found) return null;
	run.wasTooSlow = false;
	tell(context, run, found.notes);
	// The IDs of a long list are much to save for nothing.
	const isSame = found.cursor === memory?.cursor && !isActivation && !isTimed(settings);
	const { entries } = found;
	const isUnsorted = settings.event.value === 'newCharge' && !isTimed(settings);
	const results = isUnsorted ? [...entries].sort(byAge) : entries;
	run.last = { at: now, endedAt: clock.elapsed() };
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
