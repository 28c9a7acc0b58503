import { clock } from '../shared/clock';
import type { Client, ServiceRequest } from '../shared/transport/client';
import { sendRequest } from '../shared/transport/client';
import { isTemporary } from '../shared/transport/failure';

type Answer = Awaited<ReturnType<typeof sendRequest>>;
type Send = typeof sendRequest;

const sharedForMs = 5000;
/** Enough for page 1 of many lists. Whole lists would fill the memory. */
const maxReads = 100;

interface SharedRead {
	answer: Promise<Answer>;
	/** Start of the request (monotonic clock). */
	startedAt: number;
}

const reads = new Map<string, SharedRead>();

function dropOld(now: number): void {
	for (const [key, { startedAt: at }] of reads) {
		if (now - at < sharedForMs && reads.size < maxReads) return;
		reads.delete(key);
	}
}

const requestKey = ({ account }: Client, { path, query }: ServiceRequest) =>
	JSON.stringify([account.id, path, Object.entries(query ?? {}).sort()]);

/** Other failures may concern only one poll, e.g. one that runs out of time. */
const mayShare = (answer: Answer) =>
	'body' in answer || (answer.failure.kind === 'status' && isTemporary(answer.failure));

/**
 * Many workflows poll the same list at the same moment, so they share answers. A poll that repeats a request gets a new answer.
 * `since`: end of the trigger's previous poll, because older answers show nothing new. `undefined`: share nothing.
 */
export function sharedReads(since: number | undefined): Send {
	const askedKeys = new Set<string>();
	return async (client, request, policy) => {
		const key = requestKey(client, request);
		const now = clock.elapsed();
		dropOld(now);
		const earlier = reads.get(key);
		const isUsable =
			earlier && since !== undefined && earlier.startedAt > since && !askedKeys.has(key);
		askedKeys.add(key);
		if (isUsable) {
			const answer = await earlier.answer;
			// Workflows may change the results.
			if (mayShare(answer)) return structuredClone(answer);
		}
		const answer = sendRequest(client, request, policy);
		reads.delete(key);
		reads.set(key, { answer, startedAt: now });
		return await answer;
	};
}
