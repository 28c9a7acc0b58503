import { clock } from '../shared/clock';
import type { Client, ServiceRequest } from '../shared/transport/client';
import { sendRequest } from '../shared/transport/client';
import { isTemporary } from '../shared/transport/retryPolicy';

type Answer = Awaited<ReturnType<typeof sendRequest>>;
type Send = typeof sendRequest;

/** For how long the answer to one poll answers others as well, in milliseconds. */
const lasting = 5000;
/** So many are kept: page 1 is what polls share, and whole lists would fill the memory. */
const most = 100;

interface Read {
	answer: Promise<Answer>;
	/** When it was asked for, by the clock that only moves forward. */
	at: number;
}

/** Reads that are under way or a few seconds old, by what was asked for; the oldest first. */
const reads = new Map<string, Read>();

function forget(now: number): void {
	for (const [key, { at }] of reads) {
		if (now - at < lasting && reads.size < most) return;
		reads.delete(key);
	}
}

const keyOf = ({ account }: Client, { path, query }: ServiceRequest) =>
	JSON.stringify([account.id, path, Object.entries(query ?? {}).sort()]);

/** Whether another poll can go by it: a failure of this one alone says nothing of the service. */
const isForAll = (answer: Answer) =>
	'body' in answer || (answer.failure.kind === 'status' && isTemporary(answer.failure));

/**
 * Sends the reads of one poll. Many workflows poll the same lists at the same moment: what another poll of the account asks for, or
 * asked for a few seconds ago, is not asked for again. `since`: when the poll before this one ended, for nothing older may answer it;
 * `undefined`: it is not known, and nothing is shared. What a poll asks for twice, it wants to see anew.
 */
export function sharedReads(since: number | undefined): Send {
	const asked = new Set<string>();
	return async (client, request, policy) => {
		const key = keyOf(client, request);
		const now = clock.elapsed();
		forget(now);
		const known = reads.get(key);
		const mayShare = since !== undefined && !asked.has(key);
		asked.add(key);
		if (mayShare && known && known.at > since) {
			const answer = await known.answer;
			// Each has results of its own, which n8n hands to workflows.
			if (isForAll(answer)) return structuredClone(answer);
		}
		const answer = sendRequest(client, request, policy);
		reads.delete(key);
		reads.set(key, { answer, at: now });
		return await answer;
	};
}
