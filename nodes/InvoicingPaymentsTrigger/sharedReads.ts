import { clock } from '../shared/clock';
import type { ServiceRequest } from '../shared/transport/client';
import { sendRequest } from '../shared/transport/client';
import { isTemporary } from '../shared/transport/failure';

type Answer = Awaited<ReturnType<typeof sendRequest>>;
type Send = typeof sendRequest;

const sharedForMs = 5000;
/** Enough for the first pages of many lists. Long lists would fill the memory. */
const maxReads = 100;

interface SharedRead {
	answer: Promise<Answer>;
	/** Start and end of the request (monotonic clock). */
	startedAt: number;
	endedAt: number;
}

/** Pages that triggers read. A part of an account. */
class Reads {
	private readonly byRequest = new Map<string, SharedRead>();

	get(key: string, now: number): SharedRead | undefined {
		for (const [other, { endedAt }] of this.byRequest) {
			if (now - endedAt < sharedForMs && this.byRequest.size < maxReads) break;
			this.byRequest.delete(other);
		}
		return this.byRequest.get(key);
	}

	/** The newest comes last. */
	set(key: string, answer: Promise<Answer>, now: number): void {
		const read = { answer, startedAt: now, endedAt: Infinity };
		this.byRequest.delete(key);
		this.byRequest.set(key, read);
		void answer.then(() => (read.endedAt = clock.elapsed()));
	}
}

const requestKey = ({ path, query }: ServiceRequest) =>
	JSON.stringify([path, Object.entries(query ?? {}).sort()]);

/** Other failures may concern only one poll, e.g. one that runs out of time. */
const mayShare = (answer: Answer) =>
	answer.ok || (answer.failure.kind === 'status' && isTemporary(answer.failure));

/**
 * Many workflows read the same list at the same moment, so they share answers: those that are on their way, and those of the last five
 * seconds. A poll that repeats a request gets a new answer. `since`: older answers may show nothing new (monotonic clock).
 */
export function sharedReads(since: number): Send {
	const askedKeys = new Set<string>();
	return async (client, request, policy) => {
		const reads = client.account.part(Reads);
		const key = requestKey(request);
		const earlier = reads.get(key, clock.elapsed());
		const isUsable = earlier && earlier.startedAt > since && !askedKeys.has(key);
		askedKeys.add(key);
		if (isUsable) {
			const answer = await earlier.answer;
			// Workflows may change the results.
			if (mayShare(answer)) return structuredClone(answer);
		}
		const answer = sendRequest(client, request, policy);
		reads.set(key, answer, clock.elapsed());
		return await answer;
	};
}
