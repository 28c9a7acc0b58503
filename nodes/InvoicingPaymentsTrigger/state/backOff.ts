/** Polls that fail one after the other: how many, and until when there is no use in another. */
interface Trouble {
	failures: number;
	until: number;
}

const longest = 30 * 60_000;

/**
 * Waits that grow with every failure. n8n's scheduler with durable cursors has its own; otherwise every poll would be made, and a
 * service that is down for an hour would mean sixty failed executions.
 */
export class BackOff {
	private readonly troubles = new Map<string, Trouble>();

	isWaiting(key: string, now: number): boolean {
		const wait = (this.troubles.get(key)?.until ?? now) - now;
		// Where the clock was set back, it is not waited for.
		return wait > 0 && wait <= longest;
	}

	/** The first failure costs no poll; then it is 1, 2, 4, … minutes. `retryAfter`: what the service asks for, in milliseconds. */
	failed(key: string, now: number, retryAfter = 0): void {
		const failures = (this.troubles.get(key)?.failures ?? 0) + 1;
		const wait = failures === 1 ? 0 : Math.min(longest, 60_000 * 2 ** (failures - 2));
		this.troubles.set(key, {
			failures,
			until: now + Math.max(wait, Math.min(longest, retryAfter)),
		});
	}

	succeeded(key: string): void {
		this.troubles.delete(key);
	}
}
