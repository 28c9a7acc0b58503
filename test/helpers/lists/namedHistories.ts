import type { ChargeHistoryOptions } from './chargeHistory';
import type { EntryHistoryOptions } from './entryHistory';

const smallPages = {
	...({ order: 'entered', cap: 3, sizes: 'given', count: 'told', pastTheEnd: 'empty' } as const),
	...({ filter: 'loose', maxEntries: 1000, changes: 40, concurrency: 5 } as const),
	...{ failures: 0, hurry: 0, flicker: 0 },
};

/** Histories that once failed. */
export const namedEntryHistories: Record<string, EntryHistoryOptions> = {
	'reads a growing list in pages of three, the last one full': {
		...smallPages,
		...{ seed: -168226476, existing: 122, entered: 0, start: 'newOnly', pageSize: 25 },
		...{ steps: 23, burst: 1, rollbacks: 0, empty: 0 },
	},
	'reads a growing list in pages of three if the known invoices would fill whole pages': {
		...smallPages,
		...{ seed: -3, existing: 291, entered: 30, start: 'all', pageSize: 5 },
		...{ steps: 13, burst: 5, rollbacks: 5, empty: 10 },
	},
};

export const namedChargeHistories: Record<string, ChargeHistoryOptions> = {
	'reads a growing list with undated charges that shuffles charges of the same moment': {
		seed: 2,
		order: 'newestFirst',
		cap: 13,
		sizes: 'given',
		count: 'told',
		timestampTies: 'perRequest',
		pastTheEnd: 'empty',
		skew: 0,
		undatedEvery: 7,
		existing: 162,
		start: 'newOnly',
		maxCharges: 20,
		pageSize: 100,
		lookBack: 3_600_000,
		steps: 15,
		burst: 60,
		changes: 10,
		failures: 0,
		future: 0,
		hurry: 30,
		rollbacks: 5,
		misplaced: 0,
		granularity: 1000,
	},
	'remembers the length of a page if page 1 is always shorter': {
		...({ seed: -173451285, cap: 21, sizes: 'given', count: 'told', rows: 'dropped' } as const),
		...({ order: 'newestFirst', timestampTies: 'stable', pastTheEnd: 'empty' } as const),
		...{ skew: -180_000, undatedEvery: 0, existing: 277, maxCharges: 1000 },
		...({ start: 'all' } as const),
		...{ pageSize: 25, lookBack: 3_600_000, steps: 9, burst: 60, changes: 40, failures: 0 },
		...{ future: 0, hurry: 30, rollbacks: 0, misplaced: 0, granularity: 1, setBack: 0 },
	},
};
