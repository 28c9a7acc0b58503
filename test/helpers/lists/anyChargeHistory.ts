import fc from 'fast-check';
import type { ChargeHistoryOptions } from './chargeHistory';
import { anyListOptions } from './listModel';

const minutes = 60_000;

const anyOptions: fc.Arbitrary<ChargeHistoryOptions> = fc.record({
	...anyListOptions,
	order: fc.constantFrom(
		'newestFirst',
		'oldestFirst',
		'newestFirst',
		'oldestFirst',
		'grouped',
		'none',
	),
	timestampTies: fc.constantFrom('stable', 'stable', 'perPage', 'perRequest'),
	granularity: fc.constantFrom(1, 1, 1000, 10 * minutes),
	skew: fc.constantFrom(0, 0, -3 * minutes, 3 * minutes),
	undatedEvery: fc.constantFrom(0, 0, 0, 0, 0, 7),
	existing: fc.oneof(fc.nat(30), fc.integer({ min: 60, max: 300 })),
	start: fc.constantFrom('newOnly', 'newOnly', 'since', 'all'),
	maxCharges: fc.constantFrom(3, 20, 20, 1000),
	pageSize: fc.constantFrom(5, 25, 100, 100),
	lookBack: fc.constantFrom(5 * minutes, 60 * minutes),
	steps: fc.integer({ min: 1, max: 15 }),
	burst: fc.constantFrom(1, 5, 60),
	changes: fc.constantFrom(0, 0, 10, 40),
	failures: fc.constantFrom(0, 0, 0, 10),
	future: fc.constantFrom(0, 0, 0, 3),
	hurry: fc.constantFrom(0, 30, 100),
	rollbacks: fc.constantFrom(0, 0, 5),
	misplaced: fc.constantFrom(0, 0, 50),
});

/**
 * Charges of one moment may only be shuffled if the trigger can find them all: the service honors page sizes, states the
 * right count, and its pages are long enough to overlap.
 */
function tiesOf(
	options: Omit<ChargeHistoryOptions, 'granularity'>,
): ChargeHistoryOptions['timestampTies'] {
	const { timestampTies, undatedEvery, count, rows, cap, sizes, pageSize, hurry } = options;
	const length = Math.min(cap, pageSize);
	const isHonest = sizes === 'given' && count === 'told' && rows === undefined;
	if (!isHonest || length < 10) return 'stable';
	if (timestampTies !== 'perPage') return timestampTies;
	// A list that takes several polls is not read again with other page sizes.
	const isReadInParts = hurry > 0 && (undatedEvery > 0 || length >= 100);
	if (isReadInParts) return 'stable';
	return length >= 25 ? 'perPage' : 'perRequest';
}

/** Without a date, the trigger cannot know whether a charge is older than the start. A wrong count would hide it. */
const mayBeUndated = ({
	start,
	order,
	count,
	rows,
}: Pick<ChargeHistoryOptions, 'start' | 'order' | 'count' | 'rows'>) =>
	start !== 'since' &&
	order !== 'grouped' &&
	rows === undefined &&
	['told', 'missing'].includes(count);

/** A random history of charges and polls. */
export const anyChargeHistory = anyOptions.map(({ granularity, ...options }) => ({
	...options,
	// In a grouped list, only the count reveals a charge in an unexpected place.
	...(options.order === 'grouped' && { count: 'told' as const, isGrowing: true, changes: 0 }),
	existing: Math.min(options.existing, 60 * options.maxCharges),
	timestampTies: options.order === 'grouped' ? ('stable' as const) : tiesOf(options),
	// Rounding a date down makes a charge look late.
	granularity: Math.min(granularity, Math.floor(options.lookBack / 6)),
	undatedEvery: mayBeUndated(options) ? options.undatedEvery : 0,
}));
