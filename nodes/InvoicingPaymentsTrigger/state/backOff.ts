import { ExpiringMap } from '../../shared/expiringMap';

/** Consecutive failures, the time of the last one, and the end of the wait (milliseconds since 1970). */
interface Failures {
	failures: number;
	at: number;
	until: number;
}

const maxWait = 30 * 60_000;
/** A wait is up to this share shorter, so that several processes do not retry at once. */
const jitter = 0.2;

/**
 * Waits that grow with each failure, per trigger and per list. n8n's scheduler has its own with durable cursors.
 * Without them, an hour of downtime would mean sixty failed executions of each workflow.
 */
export class BackOff {
	private readonly failuresByKey = new ExpiringMap<Failures>();

	isWaiting(key: string, now: number): boolean {
		const wait = (this.failuresByKey.get(key)?.until ?? now) - now;
		// A wait longer than the maximum means that the clock was set back.
		return wait > 0 && wait <= maxWait;
	}

	/**
	 * No wait after the first failure, then 1, 2, 4, … minutes or a little less. Polls that began before the last
	 * failure count as one with it. `retryAfter`: requested by the service, in milliseconds.
	 */
	failed(key: string, { begin, now }: { begin: number; now: number }, retryAfter = 0): void {
		const before = this.failuresByKey.get(key);
		if (before && begin < before.at) return;
		const failures = (before?.failures ?? 0) + 1;
		const wait = failures === 1 ? 0 : Math.min(maxWait, 60_000 * 2 ** (failures - 2));
		const least = Math.min(maxWait, retryAfter);
		const until = now + Math.max(wait * (1 - jitter * Math.random()), least);
		this.failuresByKey.set(key, { failures, at: now, until });
	}

	succeeded(key: string): void {
		this.failuresByKey.delete(key);
	}
}
