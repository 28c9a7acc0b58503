import { clock } from '../shared/clock';
import type { Client, ServiceRequest } from '../shared/transport/client';
import { sendRequest } from '../shared/transport/client';
import { isTemporary } from '../shared/transport/failure';

type Answer = Awaited<ReturnType<typeof sendRequest>>;
type Send = typeof sendRequest;

/** How long other polls may use an answer, in milliseconds. */
const sharedFor = 5000;
/** Answers to keep. Polls share page 1; whole lists would fill the memory. */
const maxReads = 100;

interface SharedRead {
	answer: Promise<Answer>;
	/** Start of the request (monotonic clock). */
	at: number;
}

/** Requests that are running or a few seconds old, oldest first. */
const reads = new Map<string, SharedRead>();

function forget(now: number): void {
	for (const [key, { at }] of reads) {
		if (now - at < sharedFor && reads.size < maxReads) return;
		reads.delete(key);
	}
}

const requestKey = ({ account }: Client, { path, query }: ServiceRequest) =>
	JSON.stringify([account.id, path, Object.entries(query ?? {}).sort()]);

/** Whether other polls may use it. Some failures concern one poll only. */
const isForAll = (answer: Answer) =>
	'body' in answer || (answer.failure.kind === 'status' && isTemporary(answer.failure));

/**
 * Sends the requests of one poll. Many workflows poll the same lists at the same moment, so polls of one account
 * share answers for a few seconds. `since`: end of the previous poll, as older answers are useless; if it is
 * `undefined`, nothing is shared. If a poll repeats a request, it gets a new answer.
 */
export function sharedReads(since: number | undefined): Send {
	const asked = new Set<string>();
	return async (client, request, policy) => {
		const key = requestKey(client, request);
		const now = clock.elapsed();
		forget(now);
		const earlier = reads.get(key);
		const mayShare = since !== undefined && !asked.has(key);
		asked.add(key);
		if (mayShare && earlier && earlier.at > since) {
			const answer = await earlier.answer;
			// Copied, because n8n passes the results on to workflows.
			if (isForAll(answer)) return structuredClone(answer);
		}
		const answer = sendRequest(client, request, policy);
		reads.delete(key);
		reads.set(key, { answer, at: now });
		return await answer;
	};
}
