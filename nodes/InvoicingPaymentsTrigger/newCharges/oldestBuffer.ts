import type { Dated } from './charge';
import { byAge } from './charge';

/** Collects new charges and keeps only the oldest, so that memory does not grow with their number. */
export class OldestBuffer {
	/** Whether there were more. */
	hasLeftOut = false;
	private kept = new Map<string, Dated & { at: number }>();
	private added = 0;

	/** `isReversed`: of charges made at the same moment, what was added last is older. */
	constructor(
		private readonly most: number,
		private readonly isReversed = false,
	) {}

	add(charges: Dated[]): void {
		for (const one of charges) {
			if (!this.kept.has(one.hash)) this.kept.set(one.hash, { ...one, at: (this.added += 1) });
		}
		if (this.kept.size > 2 * this.most + 100) this.cut();
	}

	get isEmpty(): boolean {
		return this.kept.size === 0;
	}

	/** Whether there are more than wanted. */
	get isFull(): boolean {
		return this.hasLeftOut || this.kept.size > this.most;
	}

	/** Oldest first. */
	get charges(): Dated[] {
		this.cut();
		return [...this.kept.values()];
	}

	private cut(): void {
		const sign = this.isReversed ? -1 : 1;
		const sorted = [...this.kept.values()].sort((a, b) => byAge(a, b) || sign * (a.at - b.at));
		this.hasLeftOut ||= sorted.length > this.most;
		this.kept = new Map(sorted.slice(0, this.most).map((one) => [one.hash, one]));
	}
}
