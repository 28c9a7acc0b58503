import fc from 'fast-check';
import type { EntryHistoryOptions } from './entryHistory';
import { anyListOptions } from './listModel';

const anyOptions: fc.Arbitrary<EntryHistoryOptions> = fc.record({
	...anyListOptions,
	order: fc.constantFrom('newest', 'oldest', 'fixed', 'entered', 'shuffled'),
	filter: fc.constantFrom('exact', 'exact', 'loose'),
	existing: fc.oneof(fc.nat(30), fc.integer({ min: 60, max: 300 })),
	entered: fc.constantFrom(0, 30, 80, 100),
	start: fc.constantFrom('newOnly', 'newOnly', 'newOnly', 'all'),
	maxEntries: fc.constantFrom(3, 20, 1000, 1000),
	pageSize: fc.constantFrom(5, 10, 25, 100),
	steps: fc.integer({ min: 1, max: 25 }),
	burst: fc.constantFrom(1, 1, 5, 40),
	changes: fc.constantFrom(0, 0, 10, 40),
	failures: fc.constantFrom(0, 0, 0, 10),
	hurry: fc.constantFrom(0, 0, 30, 100),
	rollbacks: fc.constantFrom(0, 0, 5),
	flicker: fc.constantFrom(0, 0, 0, 10),
	empty: fc.constantFrom(0, 0, 0, 10),
	concurrency: fc.constantFrom(1, 5),
});

/** A random history of invoices that get and lose a status. */
export const anyEntryHistory = anyOptions.map((options): EntryHistoryOptions => {
	// If every response is shuffled, the trigger needs a correct count, a list that does not change, and a whole reading in one poll.
	const isShuffled = options.order === 'shuffled';
	return {
		...options,
		...(isShuffled && {
			count: 'told' as const,
			rows: undefined,
			sizes: 'given' as const,
			cap: Math.max(options.cap, 25),
			pageSize: Math.max(options.pageSize, 25),
			changes: 0,
			failures: 0,
			hurry: 0,
		}),
	};
});
