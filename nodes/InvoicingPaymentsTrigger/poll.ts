import type { INodeExecutionData, IPollFunctions, NodeApiError } from 'n8n-workflow';
import type { PollContextInfo } from './state/engine';
import { pollContextInfo } from './state/engine';
import type { PollMemory, Memory } from './state/memory';
import { recall, PendingCommits } from './state/memory';
import { scopeOf, startOf } from './state/start';
import { timeOf } from './watch/timed';
import type { TriggerSettings } from './settings';
import { checkSince, isTimed, readSettings } from './settings';
import { isTemporary, openService, toError, toItem, watchTask } from './watchTask';
import type { Cursor } from './watch/cursor';
import { findNew, clockMargin } from './watch/findNew';
import { UnreadablePageError } from './watch/errors';
import { clock } from '../shared/clock';
import { ExpiringMap } from '../shared/expiringMap';
import { isUsableId } from '../shared/pagination/page';

interface TriggerRun {
	/** When the running poll counts as stuck (milliseconds since 1970). */
	runningUntil?: number;
	/** Start of the last poll (milliseconds since 1970), and its end (monotonic clock). */
	last?: { at: number; endedAt: number };
	hadTimeout?: boolean;
	/** The last warning in n8n's log. */
	lastWarning?: string;
	/** The account and the list that it watches. */
	list?: string;
}

/** A poll that takes this many times its budget is stuck. It must not block others. */
const stuckFactor = 2;
const runs = new ExpiringMap<TriggerRun>();
const commits = new PendingCommits();

/**
 * One poll: returns what is new since the last one, or `null`. Throws a NodeApiError, from which n8n sees when to
 * retry. At activation it throws only what the user can fix, because n8n would not activate the workflow.
 */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const key = `${context.getWorkflow().id}:${context.getNode().id}`;
	const info = pollContextInfo(context);
	const { isActivation, isScheduled, isDurable, isWatched } = info;
	const memory = recall(context, info, key);
	const run = runs.get(key) ?? {};
	runs.set(key, run);
	// n8n may start a poll before the previous one has ended.
	const begin = clock.now();
	if ((run.runningUntil ?? 0) > begin) return null;
	// If the service is down, all triggers that watch the same list wait.
	const isWaiting = [key, run.list ?? ''].some((one) => backOff.isWaiting(one, begin));
	if (isWaiting && !isActivation && !(isScheduled && isDurable)) return null;
	const until = begin + info.time * stuckFactor;
	run.runningUntil = until;
	const items = await nextItems(context, info, memory, { key, run }).catch((error: Error) => error);
	if (run.runningUntil === until) run.runningUntil = undefined;
	const isOfService = items instanceof Error && isTemporary(items);
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

/** Logs the same warning once, not with every poll. */
function warnOnce(context: IPollFunctions, run: TriggerRun, notes: string[]): void {
	const text = notes.join('\n');
	if (!text || text === run.lastWarning) return;
	for (const note of notes) context.logger.warn(`${context.getNode().name}: ${note}`);
	run.lastWarning = text;
}

async function nextItems(
	context: IPollFunctions,
	{ time, limit: ownLimit, isActivation, isScheduled, isDurable }: PollContextInfo,
	{ memory, lookedAt, remember }: PollMemory,
	{ key, run }: { key: string; run: TriggerRun },
): Promise<INodeExecutionData[][] | null> {
	const now = clock.now();
	const limit = Math.min(ownLimit, time * stuckFactor);
	if (isActivation) commits.activated(key, memory);
	if (commits.isBehind(key, memory, clock.elapsed())) return null;
	const settings = readSettings(context);
	const client = await openService(context, settings, time);
	const scope = scopeOf(context.getNode(), settings, client);
	// Only at the start: a clock that is set back later must not stop the trigger.
	if (memory?.start !== scope.start) checkSince(context, settings, now);
	let saved: Memory | undefined;
	const save = (kept: Cursor, hasItems = false) => {
		saved = remember({ ...scope, lookedAt: now, cursor: kept }, hasItems);
	};
	run.list = `${client.account.id} ${settings.event.list.path}`;
	const interval = Math.max(0, now - (run.last?.at ?? now));
	// The poll at activation must not use answers from before the activation.
	const endedAt = isActivation ? undefined : run.last?.endedAt;
	const start = startOf(settings, { memory, scope, lookedAt, now });
	const polling = { client, settings, now, time, interval, endedAt };
	const hadTimeoutBefore = run.hadTimeout;
	const found = await findNew(watchTask(polling), start).catch((error: Error) => {
		run.hadTimeout = error instanceof UnreadablePageError && error.failure.kind === 'stopped';
		// A single timeout proves nothing: other polls may have been in the way.
		if (run.hadTimeout && !hadTimeoutBefore && !isActivation) return undefined;
		const shown = toError(context, error);
		// What is created from now on is new, even if the service cannot list anything yet.
		if (start.times && start.isBaseline && !start.after && isTemporary(shown))
			save({ ...start, after: now - clockMargin });
		throw shown;
	});
	if (!found) return null;
	run.hadTimeout = false;
	warnOnce(context, run, found.notes);
	// Do not save the many IDs of a long list for nothing.
	const isUnchanged = found.cursor === memory?.cursor && !isActivation && !isTimed(settings);
	const { entries } = found;
	const isUnsorted = settings.event.value === 'newCharge' && !isTimed(settings);
	const results = isUnsorted ? [...entries].sort(byAge) : entries;
	run.last = { at: now, endedAt: clock.elapsed() };
	if (clock.now() - now > limit) return null;
	const items = results.map((result) => toItem(result, settings));
	// Log first: an item may be logged twice, but is never missing.
	if (items.length) logDelivered(context, settings, results);
	// Save last: an earlier failure must leave everything as it was.
	if (!isUnchanged) save(found.cursor, items.length > 0);
	// Without items, state is only saved by n8n's scheduler with durable cursors.
	if (saved && (items.length || (isScheduled && isDurable)))
		commits.expect(key, saved, isScheduled && items.length > 0, clock.elapsed());
	return items.length ? [items] : null;
}

const byAge = (a: Record<string, unknown>, b: Record<string, unknown>) =>
	(timeOf(a) ?? Infinity) - (timeOf(b) ?? Infinity) || 0;

/** Consecutive failures, the time of the last one, and the end of the wait (milliseconds since 1970). */
interface Failures {
	failures: number;
	at: number;
	until: number;
}

const maxWait = 30 * 60_000;
/** A wait is up to this share shorter, so that several processes do not retry at once. */
const jitter = 0.2;

/**
 * Waits that grow with each failure, per trigger and per list. n8n's scheduler has its own with durable cursors.
 * Without them, an hour of downtime would mean sixty failed executions of each workflow.
 */
export class BackOff {
	private readonly failuresByKey = new ExpiringMap<Failures>();

	isWaiting(key: string, now: number): boolean {
		const wait = (this.failuresByKey.get(key)?.until ?? now) - now;
		// A wait longer than the maximum means that the clock was set back.
		return wait > 0 && wait <= maxWait;
	}

	/**
	 * No wait after the first failure, then 1, 2, 4, … minutes or a little less. Polls that began before the last
	 * failure count as one with it. `retryAfter`: requested by the service, in milliseconds.
	 */
	failed(key: string, { begin, now }: { begin: number; now: number }, retryAfter = 0): void {
		const before = this.failuresByKey.get(key);
		if (before && begin < before.at) return;
		const failures = (before?.failures ?? 0) + 1;
		const wait = failures === 1 ? 0 : Math.min(maxWait, 60_000 * 2 ** (failures - 2));
		const least = Math.min(maxWait, retryAfter);
		const until = now + Math.max(wait * (1 - jitter * Math.random()), least);
		this.failuresByKey.set(key, { failures, at: now, until });
	}

	succeeded(key: string): void {
		this.failuresByKey.delete(key);
	}
}

const backOff = new BackOff();

/** Logs may cut long lines. */
const idsPerLine = 100;
const longestId = 100;

/**
 * Logs the IDs of what starts the workflow, because n8n can lose the data of an execution whose worker was killed.
 * IDs and times only: others than the workflow's owner read logs.
 */
export function logDelivered(
	context: Pick<IPollFunctions, 'logger' | 'getNode' | 'getWorkflow'>,
	{ event }: Pick<TriggerSettings, 'event'>,
	results: Array<Record<string, unknown>>,
): void {
	const { id, name } = context.getWorkflow();
	const prefix = `${context.getNode().name} in workflow "${name ?? ''}" (ID ${id ?? ''})`;
	const summary = `${event.name}, ${results.length} handed over${periodOf(results)}`;
	for (let from = 0; from < results.length; from += idsPerLine) {
		const ids = results.slice(from, from + idsPerLine).map(idText);
		const range = `IDs ${from + 1} to ${from + ids.length}`;
		context.logger.info(onOneLine(`${prefix}: ${summary}, ${range}: ${ids.join(', ')}`));
	}
}

function periodOf(results: Array<Record<string, unknown>>): string {
	const times = results.flatMap((result) => timeOf(result) ?? []).sort((a, b) => a - b);
	if (!times.length) return '';
	const [first, last] = [times[0], times[times.length - 1]].map((time) =>
		new Date(time).toISOString(),
	);
	return `, created ${first} to ${last}`;
}

function idText({ id, reference_id: reference }: Record<string, unknown>): string {
	if (isUsableId(id)) return String(id).slice(0, longestId);
	return isUsableId(reference) ? `reference ${String(reference).slice(0, longestId)}` : 'no ID';
}

/** Names and IDs must not start a new line in the log. */
const onOneLine = (text: string) => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
