/** The time during which a trigger had one filter. All times are milliseconds since 1970 by n8n's clock. */
export interface Epoch {
	/** The currency that it was filtered by, if any. */
	currency?: string;
	/** When it was about to be published, and when its first request came. */
	publishedAt: number;
	effectiveAt: number;
	/** Until when everything that was there had come for certain, while it was in force. */
	settledAt: number;
}

/** A charge as the ledger knows it. `created`: as the service says, by its own clock; `at`: when it appeared. */
export interface AddedCharge {
	id: string;
	currency: string;
	created: number;
	at: number;
}

const minutes = 60_000;
/** Other filters go on from so long before the last poll (docs/trigger.md). */
const margin = 5 * minutes;
/** How far the clocks of n8n and the service are apart at most. */
const maxSkew = 3 * minutes;

/**
 * Whether a charge must start a trigger whose filters were changed, may, or must not. It must where its filter was in force
 * when the charge was there, and where the last poll before the change cannot have been more than five minutes after it.
 */
export function dutyOf({ currency, created, at }: AddedCharge, epochs: readonly Epoch[]) {
	const fits = (epoch: Epoch) => epoch.currency === undefined || epoch.currency === currency;
	const first = epochs.findLastIndex(({ publishedAt }) => publishedAt <= at);
	let may = first > 0 && at < epochs[first].effectiveAt && fits(epochs[first - 1]);
	for (const [index, epoch] of epochs.entries()) {
		if (index < first || !fits(epoch)) continue;
		const isLast = index === epochs.length - 1;
		const before = epochs[index - 1];
		const isAfterStart = created >= epoch.publishedAt - margin + 1000;
		if (isAfterStart && (isLast || epoch.settledAt >= at)) return 'must';
		may ||= index === first || created >= before.settledAt - margin - maxSkew;
	}
	return may ? 'may' : 'mustNot';
}
