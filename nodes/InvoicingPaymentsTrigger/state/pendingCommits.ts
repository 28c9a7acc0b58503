import { ExpiringMap } from '../../shared/expiringMap';
import type { MemoryVersion } from './memory';
import { isSameVersion } from './memory';

/** Default lease of tasks in n8n's scheduler, in milliseconds. */
const lease = 60_000;
/** How long n8n may take to save items, in milliseconds. Usually seconds; more than a lease under heavy load. */
const maxSaveTime = 3 * lease;

interface PendingState extends MemoryVersion {
	at: number;
	until: number;
}

/**
 * State that n8n may not have saved yet. Its scheduler reads the state before a poll and saves it afterwards. A poll
 * that starts from older state would deliver items again, and n8n could save both states in either order. Times are
 * of the monotonic clock (`performance.now()`): a computer that wakes up has saved nothing meanwhile.
 */
export class PendingCommits {
	private readonly pending = new ExpiringMap<PendingState>();

	/** A poll has ended. `isGiven`: it gave items to n8n's scheduler. */
	expect(key: string, { saves, lookedAt }: MemoryVersion, isGiven: boolean, now: number): void {
		const before = this.pending.get(key)?.until ?? now;
		const until = Math.max(before, now + (isGiven ? maxSaveTime : lease));
		this.pending.set(key, { saves, lookedAt, at: now, until });
	}

	/** Whether a poll starts from older state than the last poll left, and n8n may still save that. */
	isBehind(key: string, memory: MemoryVersion | undefined, now: number): boolean {
		const state = this.pending.get(key);
		if (!state || now >= state.until) return false;
		return (memory?.saves ?? 0) <= state.saves && !isSameVersion(memory, state);
	}

	/** The workflow was activated. Wait a lease at most: n8n drops polls during which a workflow is deactivated. */
	activated(key: string, memory: MemoryVersion | undefined): void {
		const state = this.pending.get(key);
		if (!memory) this.pending.delete(key);
		else if (state) state.until = Math.min(state.until, state.at + lease);
	}
}
