import type { INodeExecutionData, IPollFunctions, NodeApiError } from 'n8n-workflow';
import { BackOff } from './backOff';
import type { Occasion } from './engine';
import { occasionOf } from './engine';
import type { Recollection } from './memory';
import { recall } from './memory';
import type { Cursor } from './newCharges/cursor';
import { findNewCharges, skipCharges } from './newCharges/poll';
import { everything, OutOfTime } from './newCharges/skip';
import { PendingCommits } from './pendingCommits';
import { scopeOf, startOf } from './start';
import { open, taskOf, toError, toItem } from './task';
import { wishesOf } from './wishes';

/** When the polls that are running are given up, by the key of their trigger (milliseconds since 1970). */
const busy = new Map<string, number>();
/** What n8n's log was told of a trigger last. */
const told = new Map<string, string>();
/** A poll that has not ended after so many times its time never will: it must not keep the others from beginning. */
const patience = 2;
const backOff = new BackOff();
const commits = new PendingCommits();

/**
 * One scheduled poll of n8n, or the one at activation: the charges that are new since the last one, or `null`. Throws a
 * NodeApiError that says why it failed, in the terms in which n8n decides when to try again; at activation only what the user can
 * mend, because n8n gives up a trigger that cannot be activated.
 */
export async function pollCharges(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const key = `${context.getWorkflow().id}:${context.getNode().id}`;
	const occasion = occasionOf(context);
	const { isActivation, isScheduled, isDurable, isWatched } = occasion;
	const recollection = recall(context, occasion, key);
	// n8n begins a poll while the one before it is still running.
	const begin = Date.now();
	if ((busy.get(key) ?? 0) > begin) return null;
	const isLeftToN8n = isScheduled && isDurable;
	if (!isActivation && !isLeftToN8n && backOff.isWaiting(key, Date.now())) return null;
	const until = begin + occasion.time * patience;
	busy.set(key, until);
	const charges = await nextCharges(context, occasion, recollection, key).catch(
		(error: Error) => error,
	);
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

/** What whoever runs n8n should know, once and not with every poll. */
function tell(context: IPollFunctions, key: string, notes: string[]): void {
	const text = notes.join('\n');
	if (text && text !== told.get(key)) {
		for (const note of notes) context.logger.warn(`${context.getNode().name}: ${note}`);
		told.set(key, text);
	}
}

async function nextCharges(
	context: IPollFunctions,
	{ time, limit: ownLimit, isActivation }: Occasion,
	{ memory, lookedAt, remember }: Recollection,
	key: string,
): Promise<INodeExecutionData[][] | null> {
	const now = Date.now();
	const limit = Math.min(ownLimit, time * patience);
	if (isActivation && !memory) commits.forget(key);
	if (commits.isBehind(key, memory, now)) return null;
	const wishes = wishesOf(context);
	const service = await open(context, time);
	const task = taskOf(service, wishes, now, time);
	const scope = scopeOf(context.getNode(), wishes, service.baseURL);
	const save = (kept: Cursor, hasCharges = false) =>
		remember({ ...scope, lookedAt: now, cursor: kept }, hasCharges);

	const start = startOf(memory, scope, wishes, { now, lookedAt });
	let { cursor } = start;
	if (start.skip) {
		const begun = await skipCharges(task, start.skip).catch((error: Error) =>
			toError(context, error),
		);
		const isNew = start.skip === everything;
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
	const items = found.charges.map((charge) => toItem(charge, wishes));
	// The last thing that happens: whatever fails before leaves everything as it was.
	const saved = save(found.cursor, items.length > 0);
	if (!items.length) return null;
	commits.expect(key, saved, Date.now());
	return [items];
}
