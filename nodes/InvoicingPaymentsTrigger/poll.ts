import type { INodeExecutionData, IPollFunctions, NodeApiError } from 'n8n-workflow';
import { BackOff } from './state/backOff';
import type { PollContextInfo } from './state/engine';
import { pollContextInfo } from './state/engine';
import type { PollMemory } from './state/recall';
import { recall } from './state/recall';
import type { Cursor } from './newCharges/cursor';
import { findNewCharges, takeBaseline } from './newCharges/poll';
import { everything, OutOfTime } from './newCharges/baseline';
import { PendingCommits } from './state/pendingCommits';
import { scopeOf, startOf } from './state/start';
import { open, taskOf, toError, toItem } from './task';
import { readSettings } from './settings';

/** When the polls that are running are given up, by the key of their trigger (milliseconds since 1970). */
const busy = new Map<string, number>();
/** What n8n's log was told of a trigger last. */
const told = new Map<string, string>();
/** A poll that takes this many times its time will never end; it must not block the others. */
const givenUpAfter = 2;
const backOff = new BackOff();
const commits = new PendingCommits();

/**
 * One scheduled poll of n8n, or the one at activation: the charges that are new since the last one, or `null`. Throws a
 * NodeApiError that says why it failed, in the terms in which n8n decides when to try again; at activation only what the user can
 * mend, because n8n gives up a trigger that cannot be activated.
 */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const key = `${context.getWorkflow().id}:${context.getNode().id}`;
	const info = pollContextInfo(context);
	const { isActivation, isScheduled, isDurable, isWatched } = info;
	const memory = recall(context, info, key);
	// n8n begins a poll while the one before it is still running.
	const begin = Date.now();
	if ((busy.get(key) ?? 0) > begin) return null;
	const isLeftToN8n = isScheduled && isDurable;
	if (!isActivation && !isLeftToN8n && backOff.isWaiting(key, Date.now())) return null;
	const until = begin + info.time * givenUpAfter;
	busy.set(key, until);
	const charges = await nextCharges(context, info, memory, key).catch((error: Error) => error);
	if (busy.get(key) === until) busy.delete(key);
	if (!(charges instanceof Error)) {
		backOff.succeeded(key);
		return charges;
	}
	if (isActivation && (mayPass(charges) || !isWatched)) {
		context.logger.warn(`${context.getNode().name}: ${charges.message}`);
		return null;
	}
	const { failure } = charges as Partial<NodeApiError>;
	const retryAfter = failure && 'retryAfterMs' in failure ? failure.retryAfterMs : undefined;
	backOff.failed(key, Date.now(), retryAfter);
	throw charges;
}

/** Whether it is the service's trouble and not the user's. */
function mayPass(error: Error & Partial<Pick<NodeApiError, 'failure'>>): boolean {
	return /unavailable|limited/.test(error.failure?.cause ?? '');
}

/** Tells the administrator of n8n in its log, once and not with every poll. */
function tell(context: IPollFunctions, key: string, notes: string[]): void {
	const text = notes.join('\n');
	if (text && text !== told.get(key)) {
		for (const note of notes) context.logger.warn(`${context.getNode().name}: ${note}`);
		told.set(key, text);
	}
}

async function nextCharges(
	context: IPollFunctions,
	{ time, limit: ownLimit, isActivation }: PollContextInfo,
	{ memory, lookedAt, remember }: PollMemory,
	key: string,
): Promise<INodeExecutionData[][] | null> {
	const now = Date.now();
	const limit = Math.min(ownLimit, time * givenUpAfter);
	if (isActivation && !memory) commits.forget(key);
	if (commits.isBehind(key, memory, now)) return null;
	const settings = readSettings(context);
	const client = await open(context, time);
	const task = taskOf(client, settings, now, time);
	const scope = scopeOf(context.getNode(), settings, client.baseURL);
	const save = (kept: Cursor, hasCharges = false) =>
		remember({ ...scope, lookedAt: now, cursor: kept }, hasCharges);

	const start = startOf(memory, scope, settings, { now, lookedAt });
	let { cursor } = start;
	if (start.baseline) {
		const begun = await takeBaseline(task, start.baseline).catch((error: Error) =>
			toError(context, error),
		);
		const isNew = start.baseline === everything;
		const isFailure = begun instanceof Error && !(begun instanceof OutOfTime);
		if (!(begun instanceof Error)) {
			cursor = begun.cursor;
			tell(context, key, begun.notes);
		}
		// What is made from now on is new, even where the service cannot say yet what there is.
		if (isNew && !(isFailure && !mayPass(begun))) save(cursor);
		if (isFailure) throw begun;
		if (isNew && !(begun instanceof Error)) return null;
	}
	const found = await findNewCharges(task, cursor).catch((error: Error) => toError(context, error));
	if (found instanceof Error) throw found;
	tell(context, key, found.notes);
	if (Date.now() - now > limit) return null;
	const items = found.charges.map((charge) => toItem(charge, settings));
	// The last thing that happens: whatever fails before leaves everything as it was.
	const saved = save(found.cursor, items.length > 0);
	if (!items.length) return null;
	commits.expect(key, saved, Date.now());
	return [items];
}
