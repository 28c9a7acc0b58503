import { clock } from './clock';

/** A day, in milliseconds. */
const lifetime = 24 * 3_600_000;

/** A map that drops entries nobody has used for a day. Workflows are deleted and accounts change, but n8n runs for months. */
export class ExpiringMap<T> {
	/** Least recently used first. */
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
			if (now - usedAt < lifetime) return;
			this.kept.delete(other);
		}
	}

	delete(key: string): void {
		this.kept.delete(key);
	}
}
