import { ExpiringMap } from '../../shared/expiringMap';
import type { Saved } from './memory';
import { isSame } from './memory';

/** So long a task of n8n's scheduler has its lease, in milliseconds, unless n8n is set up otherwise. */
const lease = 60_000;
/**
 * How long n8n may take to save items that a poll gave, and to begin a poll with what it read before that, in milliseconds. It takes
 * seconds on a machine that is busy, and on one that is far too busy longer than a lease.
 */
const longest = 3 * lease;

interface Left extends Saved {
	at: number;
	/** When it is waited for no longer. */
	until: number;
}

/**
 * What polls have left to n8n, which it may not have saved yet: its scheduler reads what a poll begins with before that poll, and
 * saves what comes of it after. A poll that begins with what was remembered before another one would give the
 * items of that one again, and n8n could save what the two remember in either order. Its times are those of a clock that is
 * never put forward (`performance.now()`): a computer that wakes up has saved nothing meanwhile.
 */
export class PendingCommits {
	private readonly left = new ExpiringMap<Left>();

	/** A poll has ended. `saved`: what it remembered; `isGiven`: with items, to n8n's scheduler. */
	expect(key: string, { saves, lookedAt }: Saved, isGiven: boolean, now: number): void {
		const before = this.left.get(key)?.until ?? now;
		const until = Math.max(before, now + (isGiven ? longest : lease));
		this.left.set(key, { saves, lookedAt, at: now, until });
	}

	/** Whether what a poll begins with does not know of the last poll, which n8n may still save. */
	isBehind(key: string, memory: Saved | undefined, now: number): boolean {
		const left = this.left.get(key);
		if (!left || now >= left.until) return false;
		return (memory?.saves ?? 0) <= left.saves && !isSame(memory, left);
	}

	/**
	 * The workflow is activated, with what n8n has kept: `undefined` is nothing. What polls left before is waited for no longer than
	 * a lease, because n8n drops what comes of a poll during which a workflow is deactivated.
	 */
	activated(key: string, memory: Saved | undefined): void {
		const left = this.left.get(key);
		if (!memory) this.left.delete(key);
		else if (left) left.until = Math.min(left.until, left.at + lease);
	}
}
