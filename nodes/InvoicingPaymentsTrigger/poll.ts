import type { INodeExecutionData, IPollFunctions, NodeApiError } from 'n8n-workflow';
import type { PollContextInfo } from './state/pollContext';
import { pollContextInfo } from './state/pollContext';
import type { Recalled } from './state/memory';
import { recall, remember } from './state/memory';
import { scopeOf, startOf } from './start';
import type { Memory, Trigger } from './state/trigger';
import { ListBackOffs, triggerOf } from './state/trigger';
import { creationTimeOf } from './watch/creationTimes';
import type { TriggerSettings } from './settings';
import { checkSince, isTimed, readSettings } from './settings';
import { isTemporaryError, openService, toError, toItem, watchTask } from './watchTask';
import type { Cursor } from './watch/cursor';
import { findNew, clockMargin } from './watch/findNew';
import { UnreadablePageError } from './watch/errors';
import { clock } from '../shared/clock';
import { isUsableId } from '../shared/pagination/page';

/** A poll that takes this many times its budget is stuck, and must not block the next one. */
const stuckFactor = 2;

/** Throws a NodeApiError. At activation, an error ends the trigger (N7), so only errors that the user can fix are thrown. */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const trigger = triggerOf(context);
	const info = pollContextInfo(context);
	const { isActivation, isScheduled, isDurable, isWatched } = info;
	const recalled = recall(context, info, trigger);
	// n8n may start a poll before the previous one has ended (N8).
	const begin = clock.now();
	if ((trigger.runningUntil ?? 0) > begin) return null;
	// With durable cursors, n8n itself delays scheduled polls after errors.
	const ignoresBackOff = isActivation || (isScheduled && isDurable);
	const backOffs = () => [trigger.backOff, ...(trigger.listBackOff ? [trigger.listBackOff] : [])];
	if (!ignoresBackOff && backOffs().some((backOff) => backOff.isWaiting(begin))) return null;
	const until = begin + info.budgetMs * stuckFactor;
	trigger.runningUntil = until;
	const polling = { context, info, trigger };
	const items = await nextItems(polling, recalled).catch((error: Error) => error);
	if (trigger.runningUntil === until) trigger.runningUntil = undefined;
	if (!(items instanceof Error)) {
		for (const backOff of backOffs()) backOff.succeeded();
		return items;
	}
	const isTemporary = isTemporaryError(items);
	if (isActivation && (isTemporary || !isWatched)) {
		context.logger.warn(`${context.getNode().name}: ${items.message}`);
		return null;
	}
	const { failure } = items as Partial<NodeApiError>;
	const retryAfter = failure && 'retryAfterMs' in failure ? failure.retryAfterMs : undefined;
	const times = { begin, now: clock.now() };
	trigger.backOff.failed(times, retryAfter);
	if (isTemporary) trigger.listBackOff?.failed(times, retryAfter);
	throw items;
}

function warnOnce(context: IPollFunctions, trigger: Trigger, notes: string[]): void {
	const text = notes.join('\n');
	if (!text || text === trigger.lastWarning) return;
	for (const note of notes) context.logger.warn(`${context.getNode().name}: ${note}`);
	trigger.lastWarning = text;
}

interface Polling {
	context: IPollFunctions;
	info: PollContextInfo;
	trigger: Trigger;
}

async function nextItems(
	polling: Polling,
	recalled: Recalled,
): Promise<INodeExecutionData[][] | null> {
	const { context, info, trigger } = polling;
	const { budgetMs, maxDurationMs, isActivation, isScheduled, isDurable } = info;
	const { memory, lookedAt } = recalled;
	const now = clock.now();
	const dropAfterMs = Math.min(maxDurationMs, budgetMs * stuckFactor);
	if (isActivation) trigger.commit.activated(memory);
	if (trigger.commit.isBehind(memory, clock.elapsed())) return null;
	const settings = readSettings(context);
	const client = await openService(context, settings, budgetMs);
	const scope = scopeOf(context.getNode(), settings, client);
	// Check Since only once: a clock that is set back later must not stop the trigger.
	if (memory?.start !== scope.start) checkSince(context, settings, now);
	let savedMemory: Memory | undefined;
	const save = (cursor: Cursor, hasItems = false) => {
		savedMemory = remember(polling, recalled, { ...scope, lookedAt: now, cursor }, hasItems);
	};
	trigger.listBackOff = client.account.part(ListBackOffs).of(settings.event.list.path);
	const interval = Math.max(0, now - (trigger.last?.at ?? now));
	// At activation, do not share a response that another trigger read before.
	const endedAt = isActivation ? undefined : trigger.last?.endedAt;
	const start = startOf(settings, { memory, scope, lookedAt, now });
	const input = { client, settings, now, budgetMs, interval, endedAt };
	const hadTimeoutBefore = trigger.hadTimeout;
	const found = await findNew(watchTask(input), start).catch((error: Error) => {
		trigger.hadTimeout = error instanceof UnreadablePageError && error.failure.kind === 'stopped';
		// One timeout proves nothing: other polls may have kept the service busy.
		if (trigger.hadTimeout && !hadTimeoutBefore && !isActivation) return undefined;
		const nodeError = toError(context, error);
		// Results created from now on are new, even if the service cannot list anything yet.
		if (start.times && start.isBaseline && !start.after && isTemporaryError(nodeError))
			save({ ...start, after: now - clockMargin });
		throw nodeError;
	});
	if (!found) return null;
	trigger.hadTimeout = false;
	warnOnce(context, trigger, found.notes);
	// Saving a long list in each poll would cost too much.
	const isUnchanged = found.cursor === memory?.cursor && !isActivation && !isTimed(settings);
	const { entries } = found;
	const isUnsorted = settings.event.value === 'newCharge' && !isTimed(settings);
	const results = isUnsorted ? [...entries].sort(byAge) : entries;
	trigger.last = { at: now, endedAt: clock.elapsed() };
	if (clock.now() - now > dropAfterMs) return null;
	const items = results.map((result) => toItem(result, settings));
	// Log first: better log an item twice than not at all.
	if (items.length) logDelivered(context, settings, results);
	// Save last: after a failure, everything must be as before.
	if (!isUnchanged) save(found.cursor, items.length > 0);
	// Without items, n8n saves the state only if its scheduler runs the poll and cursors are durable.
	if (savedMemory && (items.length || (isScheduled && isDurable)))
		trigger.commit.expect(savedMemory, isScheduled && items.length > 0, clock.elapsed());
	return items.length ? [items] : null;
}

const byAge = (a: Record<string, unknown>, b: Record<string, unknown>) =>
	(creationTimeOf(a) ?? Infinity) - (creationTimeOf(b) ?? Infinity) || 0;

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
