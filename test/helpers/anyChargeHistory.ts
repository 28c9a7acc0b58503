import fc from 'fast-check';
import type { ChargeHistoryOptions } from './chargeHistory';

const minutes = 60_000;

const anyOptions: fc.Arbitrary<ChargeHistoryOptions> = fc.record({
	seed: fc.integer(),
	order: fc.constantFrom(
		'newestFirst',
		'oldestFirst',
		'newestFirst',
		'oldestFirst',
		'grouped',
		'none',
	),
	cap: fc.oneof(fc.integer({ min: 3, max: 9 }), fc.integer({ min: 10, max: 30 }), fc.constant(100)),
	sizes: fc.constantFrom('given', 'given', 'ignored'),
	count: fc.constantFrom(
		...(['told', 'told', 'told', 'told', 'missing'] as const),
		...(['pageLength', 'zero', 'capped', 'oneTooMany'] as const),
	),
	equals: fc.constantFrom('stable', 'stable', 'perPage', 'perRequest'),
	pastTheEnd: fc.constantFrom('empty', 'notFound'),
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
 * Equal moments that are ordered anew for each page or request are settled where the service heeds the sizes that it is asked for, and
 * does not lie about how many there are; and where pages are long enough to lie a little different.
 */
function equalsOf(options: Omit<ChargeHistoryOptions, 'granularity'>): ChargeHistoryOptions['equals'] {
	const { equals, undatedEvery, start, count, cap, sizes, pageSize, hurry } = options;
	const length = Math.min(cap, pageSize);
	const isHonest = sizes === 'given' && ['told', 'missing'].includes(count);
	// Without dates nothing but a count that is right tells that some charges were not seen.
	const isDated = undatedEvery === 0 || start === 'since' || count === 'told';
	if (!isHonest || !isDated || length < 10) return 'stable';
	if (equals !== 'perPage') return equals;
	// A list that is read whole in parts, over several polls, is not looked at in other pages.
	const isReadInParts = hurry > 0 && (undatedEvery > 0 || length >= 100);
	if (isReadInParts) return 'stable';
	return length >= 25 ? 'perPage' : 'perRequest';
}

/** Of those without a date it cannot be told whether they were made since a moment, or by a wrong count how many there are. */
const mayBeUndated = ({ start, order, count }: Pick<ChargeHistoryOptions, 'start' | 'order' | 'count'>) =>
	start !== 'since' && order !== 'grouped' && ['told', 'missing'].includes(count);

/** Any history of charges and polls. A date that is rounded down makes a charge look as late as that. */
export const anyChargeHistory = anyOptions.map(({ granularity, ...options }) => ({
	...options,
	// In a list that is grouped, only the service's count tells that one came where nobody looked.
	...(options.order === 'grouped' && { count: 'told' as const, isGrowing: true, changes: 0 }),
	existing: Math.min(options.existing, 60 * options.maxCharges),
	equals: options.order === 'grouped' ? ('stable' as const) : equalsOf(options),
	granularity: Math.min(granularity, Math.floor(options.lookBack / 6)),
	undatedEvery: mayBeUndated(options) ? options.undatedEvery : 0,
}));
