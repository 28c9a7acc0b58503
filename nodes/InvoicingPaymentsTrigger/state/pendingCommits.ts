import type { Saved } from './memory';
import { isSame } from './memory';

/** So long a poll has its task, in milliseconds, unless n8n is set up otherwise. Then n8n gives it to another one. */
const lease = 60_000;

/**
 * The items that polls have given to n8n, which it may not have saved yet: its scheduler reads what a poll begins with before
 * that poll, and saves what comes of it after. A poll that begins with what was remembered before another one, whose
 * items are on their way, would give the same items again. Its times are those of a clock that is never put forward
 * (`performance.now()`): a computer that wakes up has saved nothing meanwhile.
 */
export class PendingCommits {
	private readonly given = new Map<string, Saved & { at: number }>();

	/** A poll gave items. `saved`: what it remembered with them. */
	expect(key: string, { saves, lookedAt }: Saved, now: number): void {
		this.given.set(key, { saves, lookedAt, at: now });
	}

	/**
	 * Whether what a poll begins with does not know of what was given last. What n8n has dropped is waited for no longer than a
	 * lease.
	 */
	isBehind(key: string, memory: Saved | undefined, now: number): boolean {
		const given = this.given.get(key);
		if (!given || now - given.at >= lease) return false;
		return (memory?.saves ?? 0) <= given.saves && !isSame(memory, given);
	}

	forget(key: string): void {
		this.given.delete(key);
	}
}
