import type { INodeExecutionData, IPollFunctions, NodeApiError } from 'n8n-workflow';
import type { PollContextInfo } from './state/pollContext';
import { pollContextInfo } from './state/pollContext';
import type { PollMemory, Memory } from './state/memory';
import { recall, PendingCommits } from './state/memory';
import { scopeOf, startOf } from './state/start';
import { creationTimeOf } from './watch/creationTimes';
import type { TriggerSettings } from './settings';
import { checkSince, isTimed, readSettings } from './settings';
import { isTemporaryError, openService, toError, toItem, watchTask } from './watchTask';
import type { Cursor } from './watch/cursor';
import { findNew, clockMargin } from './watch/findNew';
import { UnreadablePageError } from './watch/errors';
import { clock } from '../shared/clock';
import { ExpiringMap } from '../shared/expiringMap';
import { isUsableId } from '../shared/pagination/page';

interface TriggerRun {
	/** From this time on, the running poll counts as stuck (milliseconds since 1970). */
	runningUntil?: number;
	/** `at`: start (milliseconds since 1970). `endedAt`: end (monotonic clock). */
	last?: { at: number; endedAt: number };
	hadTimeout?: boolean;
	lastWarning?: string;
	listKey?: string;
}

/** A poll that takes this many times its budget is stuck, and must not block the next one. */
const stuckFactor = 2;
const triggerRuns = new ExpiringMap<TriggerRun>();
const commits = new PendingCommits();

/** Throws a NodeApiError. At activation, an error makes n8n refuse the workflow, so only errors that the user can fix are thrown. */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const key = `${context.getWorkflow().id}:${context.getNode().id}`;
	const info = pollContextInfo(context);
	const { isActivation, isScheduled, isDurable, isWatched } = info;
	const memory = recall(context, info, key);
	const run = triggerRuns.get(key) ?? {};
	triggerRuns.set(key, run);
	// n8n may start a poll before the previous one has ended.
	const begin = clock.now();
	if ((run.runningUntil ?? 0) > begin) return null;
	// If the service is down, all triggers on the same list wait. With durable cursors, n8n itself delays scheduled polls after errors.
	const isWaiting = [key, run.listKey ?? ''].some((one) => backOff.isWaiting(one, begin));
	if (isWaiting && !isActivation && !(isScheduled && isDurable)) return null;
	const until = begin + info.budgetMs * stuckFactor;
	run.runningUntil = until;
	const items = await nextItems(context, info, memory, { key, run }).catch((error: Error) => error);
	if (run.runningUntil === until) run.runningUntil = undefined;
	const isTemporary = items instanceof Error && isTemporaryError(items);
	if (!(items instanceof Error)) {
		for (const one of [key, run.listKey ?? '']) backOff.succeeded(one);
		return items;
	}
	if (isActivation && (isTemporary || !isWatched)) {
		context.logger.warn(`${context.getNode().name}: ${items.message}`);
		return null;
	}
	const { failure } = items as Partial<NodeApiError>;
	const retryAfter = failure && 'retryAfterMs' in failure ? failure.retryAfterMs : undefined;
	const times = { begin, now: clock.now() };
	backOff.failed(key, times, retryAfter);
	if (isTemporary && run.listKey !== undefined) backOff.failed(run.listKey, times, retryAfter);
	throw items;
}

function warnOnce(context: IPollFunctions, run: TriggerRun, notes: string[]): void {
	const text = notes.join('\n');
	if (!text || text === run.lastWarning) return;
	for (const note of notes) context.logger.warn(`${context.getNode().name}: ${note}`);
	run.lastWarning = text;
}

async function nextItems(
	context: IPollFunctions,
	{ budgetMs, maxDurationMs, isActivation, isScheduled, isDurable }: PollContextInfo,
	{ memory, lookedAt, remember }: PollMemory,
	{ key, run }: { key: string; run: TriggerRun },
): Promise<INodeExecutionData[][] | null> {
	const now = clock.now();
	const dropAfterMs = Math.min(maxDurationMs, budgetMs * stuckFactor);
	if (isActivation) commits.activated(key, memory);
	if (commits.isBehind(key, memory, clock.elapsed())) return null;
	const settings = readSettings(context);
	const client = await openService(context, settings, budgetMs);
	const scope = scopeOf(context.getNode(), settings, client);
	// Check Since only once: a clock that is set back later must not stop the trigger.
	if (memory?.start !== scope.start) checkSince(context, settings, now);
	let savedMemory: Memory | undefined;
	const save = (cursor: Cursor, hasItems = false) => {
		savedMemory = remember({ ...scope, lookedAt: now, cursor }, hasItems);
	};
	run.listKey = `${client.account.id} ${settings.event.list.path}`;
	const interval = Math.max(0, now - (run.last?.at ?? now));
	// At activation, do not share a response that another trigger read before.
	const endedAt = isActivation ? undefined : run.last?.endedAt;
	const start = startOf(settings, { memory, scope, lookedAt, now });
	const polling = { client, settings, now, budgetMs, interval, endedAt };
	const hadTimeoutBefore = run.hadTimeout;
	const found = await findNew(watchTask(polling), start).catch((error: Error) => {
		run.hadTimeout = error instanceof UnreadablePageError && error.failure.kind === 'stopped';
		// One timeout proves nothing: other polls may have kept the service busy.
		if (run.hadTimeout && !hadTimeoutBefore && !isActivation) return undefined;
		const nodeError = toError(context, error);
		// Results created from now on are new, even if the service cannot list anything yet.
		if (start.times && start.isBaseline && !start.after && isTemporaryError(nodeError))
			save({ ...start, after: now - clockMargin });
		throw nodeError;
	});
	if (!found) return null;
	run.hadTimeout = false;
	warnOnce(context, run, found.notes);
	// Saving a long list in each poll would cost too much.
	const isUnchanged = found.cursor === memory?.cursor && !isActivation && !isTimed(settings);
	const { entries } = found;
	const isUnsorted = settings.event.value === 'newCharge' && !isTimed(settings);
	const results = isUnsorted ? [...entries].sort(byAge) : entries;
	run.last = { at: now, endedAt: clock.elapsed() };
	if (clock.now() - now > dropAfterMs) return null;
	const items = results.map((result) => toItem(result, settings));
	// Log first: better log an item twice than not at all.
	if (items.length) logDelivered(context, settings, results);
	// Save last: after a failure, everything must be as before.
	if (!isUnchanged) save(found.cursor, items.length > 0);
	// Without items, n8n saves the state only if its scheduler runs the poll and cursors are durable.
	if (savedMemory && (items.length || (isScheduled && isDurable)))
		commits.expect(key, savedMemory, isScheduled && items.length > 0, clock.elapsed());
	return items.length ? [items] : null;
}

const byAge = (a: Record<string, unknown>, b: Record<string, unknown>) =>
	(creationTimeOf(a) ?? Infinity) - (creationTimeOf(b) ?? Infinity) || 0;

/** Times are milliseconds since 1970. */
interface FailureStreak {
	failures: number;
	lastAt: number;
	waitUntil: number;
}

const maxWait = 30 * 60_000;
/** Each wait is shortened by a random share of up to this, so that processes do not all retry at once. */
const jitter = 0.2;

/** Without back-off, an hour of downtime would mean sixty failed executions of each workflow. Keys are triggers and lists. */
class BackOff {
	private readonly streaks = new ExpiringMap<FailureStreak>();

	isWaiting(key: string, now: number): boolean {
		const wait = (this.streaks.get(key)?.waitUntil ?? now) - now;
		// A wait longer than the maximum means that the clock was set back.
		return wait > 0 && wait <= maxWait;
	}

	/** No wait after the first failure, then about 1, 2, 4, ... minutes. Polls that ran at the same time count as one failure. */
	failed(key: string, { begin, now }: { begin: number; now: number }, retryAfterMs = 0): void {
		const streak = this.streaks.get(key);
		if (streak && begin < streak.lastAt) return;
		const failures = (streak?.failures ?? 0) + 1;
		const wait = failures === 1 ? 0 : Math.min(maxWait, 60_000 * 2 ** (failures - 2));
		const minWait = Math.min(maxWait, retryAfterMs);
		const waitUntil = now + Math.max(wait * (1 - jitter * Math.random()), minWait);
		this.streaks.set(key, { failures, lastAt: now, waitUntil });
	}

	succeeded(key: string): void {
		this.streaks.delete(key);
	}
}

const backOff = new BackOff();

/** Loggers may cut long lines. */
const idsPerLine = 100;
const maxIdLength = 100;

/** Makes items traceable that n8n loses, e.g. if a worker is killed. Logs only IDs and times, because many people may read logs. */
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
	const times = results.flatMap((result) => creationTimeOf(result) ?? []).sort((a, b) => a - b);
	if (!times.length) return '';
	const [first, last] = [times[0], times[times.length - 1]].map((time) =>
		new Date(time).toISOString(),
	);
	return `, created ${first} to ${last}`;
}

function idText({ id, reference_id: reference }: Record<string, unknown>): string {
	if (isUsableId(id)) return String(id).slice(0, maxIdLength);
	return isUsableId(reference) ? `reference ${String(reference).slice(0, maxIdLength)}` : 'no ID';
}

/** Names and IDs must not start a new line in the log. */
const onOneLine = (text: string) => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
