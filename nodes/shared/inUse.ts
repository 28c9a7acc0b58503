import { clock } from './clock';

/** A day: whoever has not come back by then is gone. */
const keptFor = 24 * 3_600_000;

/**
 * What this process knows of somebody by a key. Forgets what nobody has asked for during a day: workflows are deleted and accounts
 * change, and n8n runs for months.
 */
export class InUse<T> {
	/** Those that were asked for last come last. */
	private readonly kept = new Map<string, { value: T; usedAt: number }>();

	get(key: string): T | undefined {
		const one = this.kept.get(key);
		if (one) this.set(key, one.value);
		return one?.value;
	}

	set(key: string, value: T): void {
		const now = clock.elapsed();
		this.kept.delete(key);
		this.kept.set(key, { value, usedAt: now });
		for (const [other, { usedAt }] of this.kept) {
			if (now - usedAt < keptFor) return;
			this.kept.delete(other);
		}
	}

	delete(key: string): void {
		this.kept.delete(key);
	}
}
