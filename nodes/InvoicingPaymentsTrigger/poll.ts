import type { INodeExecutionData, IPollFunctions, NodeApiError } from 'n8n-workflow';
import { clock } from '../shared/clock';
import type { Client } from '../shared/transport/client';
import { logDelivered } from './handedOver';
import type { TriggerSettings } from './settings';
import { checkId, checkSince, isTimed, readSettings } from './settings';
import { scopeOf, startOf } from './start';
import type { Recalled } from './state/memory';
import { recall, remember } from './state/memory';
import type { PollContextInfo } from './state/pollContext';
import { pollContextInfo } from './state/pollContext';
import type { Memory, Scope, Trigger } from './state/trigger';
import { ListBackOffs, triggerOf } from './state/trigger';
import { creationTimeOf } from './watch/creationTimes';
import type { Cursor } from './watch/cursor';
import { UnreadablePageError } from './watch/errors';
import { clockMargin, findNew } from './watch/findNew';
import type { PollResult } from './watch/task';
import { countdown, isTemporaryError, openService, toError, toItem, watchTask } from './watchTask';

/** A poll that takes this many times its budget is stuck, and must not block the next one. */
const stuckFactor = 2;
/** Workflows that are published within this time share their first reading (milliseconds). */
const publishedTogether = 10_000;

interface Polling {
	context: IPollFunctions;
	info: PollContextInfo;
	trigger: Trigger;
	recalled: Recalled;
}

/** Throws a NodeApiError. At activation, an error ends the trigger (N7), so only errors that the user can fix are thrown. */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const trigger = triggerOf(context);
	const info = pollContextInfo(context);
	const begin = clock.elapsed();
	// With durable cursors, n8n itself delays scheduled polls after errors.
	const ignoresBackOff = info.isActivation || (info.isScheduled && info.isDurable);
	if (!ignoresBackOff && trigger.isWaiting(begin)) return null;
	try {
		const polling = { context, info, trigger, recalled: recall(context, info, trigger) };
		const items = await trigger.runAlone(
			info.budgetMs * stuckFactor,
			async () => await nextItems(polling),
		);
		if (items) trigger.succeeded();
		return items?.length ? [items] : null;
	} catch (error) {
		return afterFailure({ context, info, trigger }, begin, error as Error);
	}
}

/** Throws the error, unless n8n would end the trigger because of it. */
function afterFailure(
	{ context, info, trigger }: Omit<Polling, 'recalled'>,
	begin: number,
	error: Error,
): null {
	const isTemporary = isTemporaryError(error);
	if (info.isActivation && (isTemporary || !info.isWatched)) {
		context.logger.warn(`${context.getNode().name}: ${error.message}`);
		return null;
	}
	const { failure } = error as Partial<NodeApiError>;
	const retryAfter = failure && 'retryAfterMs' in failure ? failure.retryAfterMs : undefined;
	trigger.failed(begin, retryAfter, isTemporary);
	throw error;
}

/** Items that start the workflow. `undefined`: n8n has not saved the last poll yet. Throws a NodeApiError. */
async function nextItems(polling: Polling): Promise<INodeExecutionData[] | undefined> {
	const { context, info, trigger, recalled } = polling;
	if (info.isActivation) {
		checkId(context);
		trigger.commit.activated(recalled.memory);
	}
	if (trigger.commit.isBehind(recalled.memory, clock.elapsed())) return undefined;
	const now = clock.now();
	const duration = countdown(Math.min(info.maxDurationMs, info.budgetMs * stuckFactor));
	const settings = readSettings(context);
	const client = await openService(context, settings, info.budgetMs);
	const scope = scopeOf(context.getNode(), settings, client);
	// Check Since only once: a clock that is set back later must not stop the trigger.
	if (!recalled.isDamaged && recalled.memory?.start !== scope.start)
		checkSince(context, settings, now);
	const saving = new Saving(polling, scope, now);
	const found = await readList(polling, saving, { client, settings });
	if (!found) return [];
	warnOnce(context, trigger, found.notes);
	trigger.last = { at: now, endedAt: clock.elapsed() };
	// n8n drops the items of a poll that takes too long.
	if (duration() < 0) return [];
	const { entries } = found;
	const isUnsorted = settings.event.value === 'newCharge' && !isTimed(settings);
	const results = isUnsorted ? [...entries].sort(byAge) : entries;
	const items = results.map((result) => toItem(result, settings));
	// Log first: better log an item twice than not at all.
	if (items.length) logDelivered(context, settings, results);
	// Saving a long list in each poll would cost too much.
	const isUnchanged = found.cursor === recalled.memory?.cursor && !info.isActivation;
	// Save last: after a failure, everything must be as before.
	if (!isUnchanged || isTimed(settings)) saving.save(found.cursor, items.length > 0);
	saving.expectCommit(items.length > 0);
	return items;
}

/** `undefined`: the service did not answer in time, for the first time. Throws a NodeApiError. */
async function readList(
	{ context, info, trigger, recalled }: Polling,
	saving: Saving,
	{ client, settings }: { client: Client; settings: TriggerSettings },
): Promise<PollResult | undefined> {
	const { memory, isDamaged, lookedAt } = recalled;
	const { budgetMs, isActivation } = info;
	const { scope, now } = saving;
	trigger.listBackOff = client.account.part(ListBackOffs).of(settings.event.list.path);
	const interval = Math.max(0, now - (trigger.last?.at ?? now));
	const start = startOf(settings, { memory, isDamaged, scope, lookedAt, now });
	const task = watchTask({
		client,
		settings,
		left: countdown(budgetMs),
		budgetMs,
		interval,
		sharedSince: sharedSince(info, trigger, start),
	});
	const hadTimeoutBefore = trigger.hadTimeout;
	try {
		const found = await findNew(task, start);
		trigger.hadTimeout = false;
		return found;
	} catch (error) {
		trigger.hadTimeout = error instanceof UnreadablePageError && error.failure.kind === 'stopped';
		// One timeout proves nothing: other polls may have kept the service busy.
		if (trigger.hadTimeout && !hadTimeoutBefore && !isActivation) return undefined;
		const nodeError = toError(context, error as Error);
		// Results created from now on are new, even if the service cannot list anything yet.
		if (start.times && start.isBaseline && !start.after && isTemporaryError(nodeError))
			saving.save({ ...start, after: now - clockMargin }, false);
		throw nodeError;
	}
}

/** Older answers show less than the trigger has seen, or what was there before it was published (monotonic clock). */
function sharedSince(
	{ isActivation }: PollContextInfo,
	{ last }: Trigger,
	{ isBaseline }: Cursor,
): number {
	const now = clock.elapsed();
	if (!isActivation) return last?.endedAt ?? now;
	return isBaseline ? Math.max(last?.endedAt ?? -Infinity, now - publishedTogether) : now;
}

/** The end of a poll: gives n8n the new state. */
class Saving {
	private saved: Memory | undefined;

	constructor(
		private readonly polling: Polling,
		readonly scope: Scope,
		/** Start of the poll (milliseconds since 1970). */
		readonly now: number,
	) {}

	save(cursor: Cursor, hasItems: boolean): void {
		const news = { ...this.scope, lookedAt: this.now, cursor };
		this.saved = remember(this.polling, this.polling.recalled, news, { hasItems });
	}

	/** Without items, n8n saves the state only if its scheduler runs the poll and cursors are durable. */
	expectCommit(hasItems: boolean): void {
		const { isScheduled, isDurable } = this.polling.info;
		if (!this.saved || !(hasItems || (isScheduled && isDurable))) return;
		this.polling.trigger.commit.expect(this.saved, isScheduled && hasItems, clock.elapsed());
	}
}

function warnOnce(context: IPollFunctions, trigger: Trigger, notes: string[]): void {
	const text = notes.join('\n');
	if (!text || text === trigger.lastWarning) return;
	for (const note of notes) context.logger.warn(`${context.getNode().name}: ${note}`);
	trigger.lastWarning = text;
}

const byAge = (a: Record<string, unknown>, b: Record<string, unknown>) =>
	(creationTimeOf(a) ?? Infinity) - (creationTimeOf(b) ?? Infinity) || 0;
