import { ExpiringMap } from '../../shared/expiringMap';

/** Polls that fail one after the other: how many, when the last one did, and until when there is no use in another. */
interface Trouble {
	failures: number;
	at: number;
	until: number;
}

const longest = 30 * 60_000;
/** By so much of itself a wait may be shorter, so that processes which failed together do not try again together. */
const jitter = 0.2;

/**
 * Waits that grow with every failure, of a trigger, and of all that watch a list of an account. n8n's scheduler with durable cursors
 * has its own for each trigger; otherwise every poll would be made, and a service that is down for an hour would mean sixty failed
 * executions of each workflow.
 */
export class BackOff {
	private readonly troubles = new ExpiringMap<Trouble>();

	isWaiting(key: string, now: number): boolean {
		const wait = (this.troubles.get(key)?.until ?? now) - now;
		// Where the clock was set back, it is not waited for.
		return wait > 0 && wait <= longest;
	}

	/**
	 * The first failure costs no poll; then it is 1, 2, 4, … minutes, or a little less. Polls that had begun before the last failure
	 * count as one with it. `retryAfter`: what the service asks for, in milliseconds.
	 */
	failed(key: string, { begin, now }: { begin: number; now: number }, retryAfter = 0): void {
		const before = this.troubles.get(key);
		if (before && begin < before.at) return;
		const failures = (before?.failures ?? 0) + 1;
		const wait = failures === 1 ? 0 : Math.min(longest, 60_000 * 2 ** (failures - 2));
		const least = Math.min(longest, retryAfter);
		const until = now + Math.max(wait * (1 - jitter * Math.random()), least);
		this.troubles.set(key, { failures, at: now, until });
	}

	succeeded(key: string): void {
		this.troubles.delete(key);
	}
}
