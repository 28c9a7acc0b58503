import { InUse } from '../../shared/inUse';
import type { Saved } from './memory';
import { isSame } from './memory';

/** Default lease of tasks in n8n's scheduler, in milliseconds. */
const lease = 60_000;
/** How long n8n may take to save items, in milliseconds. Usually seconds; more than a lease under heavy load. */
const longest = 3 * lease;

interface Left extends Saved {
	at: number;
	until: number;
}

/**
 * State that n8n may not have saved yet. Its scheduler reads the state before a poll and saves it afterwards. A poll
 * that starts from older state would deliver items again, and n8n could save both states in either order. Times are
 * of the monotonic clock (`performance.now()`): a computer that wakes up has saved nothing meanwhile.
 */
export class PendingCommits {
	private readonly left = new InUse<Left>();

	/** A poll has ended. `isGiven`: it gave items to n8n's scheduler. */
	expect(key: string, { saves, lookedAt }: Saved, isGiven: boolean, now: number): void {
		const before = this.left.get(key)?.until ?? now;
		const until = Math.max(before, now + (isGiven ? longest : lease));
		this.left.set(key, { saves, lookedAt, at: now, until });
	}

	/** Whether a poll starts from older state than the last poll left, and n8n may still save that. */
	isBehind(key: string, memory: Saved | undefined, now: number): boolean {
		const left = this.left.get(key);
		if (!left || now >= left.until) return false;
		return (memory?.saves ?? 0) <= left.saves && !isSame(memory, left);
	}

	/** The workflow was activated. Wait a lease at most: n8n drops polls during which a workflow is deactivated. */
	activated(key: string, memory: Saved | undefined): void {
		const left = this.left.get(key);
		if (!memory) this.left.delete(key);
		else if (left) left.until = Math.min(left.until, left.at + lease);
	}
}
