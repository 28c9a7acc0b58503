import { clock } from '../shared/clock';
import type { ServiceRequest } from '../shared/transport/client';
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

/** Page 1 of the lists that triggers poll. A part of an account. */
class Reads {
	private readonly byRequest = new Map<string, SharedRead>();

	get(key: string, now: number): SharedRead | undefined {
		for (const [other, { startedAt }] of this.byRequest) {
			if (now - startedAt < sharedForMs && this.byRequest.size < maxReads) break;
			this.byRequest.delete(other);
		}
		return this.byRequest.get(key);
	}

	/** The newest comes last. */
	set(key: string, read: SharedRead): void {
		this.byRequest.delete(key);
		this.byRequest.set(key, read);
	}
}

const requestKey = ({ path, query }: ServiceRequest) =>
	JSON.stringify([path, Object.entries(query ?? {}).sort()]);

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
		const reads = client.account.part(Reads);
		const key = requestKey(request);
		const now = clock.elapsed();
		const earlier = reads.get(key, now);
		const isUsable =
			earlier && since !== undefined && earlier.startedAt > since && !askedKeys.has(key);
		askedKeys.add(key);
		if (isUsable) {
			const answer = await earlier.answer;
			// Workflows may change the results.
			if (mayShare(answer)) return structuredClone(answer);
		}
		const answer = sendRequest(client, request, policy);
		reads.set(key, { answer, startedAt: now });
		return await answer;
	};
}
