import { clock, dayMs } from './clock';

/** Drops entries that were not used for a day. n8n runs for months, while workflows are deleted and accounts change. */
export class ExpiringMap<T> {
	/** Least recently used first. */
	private readonly entries = new Map<string, { value: T; usedAt: number }>();

	get(key: string): T | undefined {
		const entry = this.entries.get(key);
		if (entry) this.set(key, entry.value);
		return entry?.value;
	}

	set(key: string, value: T): void {
		const now = clock.elapsed();
		this.entries.delete(key);
		this.entries.set(key, { value, usedAt: now });
		for (const [other, { usedAt }] of this.entries) {
			if (now - usedAt < dayMs) return;
			this.entries.delete(other);
		}
	}

	delete(key: string): void {
		this.entries.delete(key);
	}
}
