import fc from 'fast-check';
import type { findNew } from '../../../nodes/InvoicingPaymentsTrigger/watch/findNew';
import { nodeProcess } from '../../../tools/node';
import { ChargeHistory } from './chargeHistory';
import type { HistoryOptions } from './history';
import { minute } from './history';
import { InvoiceHistory } from './invoiceHistory';

const { HISTORIES = '24', SEED = '2026' } = nodeProcess.env;

/** Suffix for titles. */
export const drawn = `${HISTORIES} random histories, seed ${SEED}`;

/** Of all lists. A value that stands several times is drawn more often. */
const anyList = {
	seed: fc.integer(),
	cap: fc.oneof(fc.integer({ min: 3, max: 9 }), fc.integer({ min: 10, max: 30 }), fc.constant(100)),
	sizes: fc.constantFrom('given', 'given', 'ignored'),
	count: fc.constantFrom(
		...(['told', 'told', 'told', 'told', 'missing'] as const),
		...(['pageLength', 'zero', 'capped', 'oneTooMany'] as const),
	),
	pastTheEnd: fc.constantFrom('empty', 'notFound'),
	setBack: fc.constantFrom(0, 0, 0, 10),
	rows: fc.constantFrom(...Array<undefined>(8).fill(undefined), 'twice', 'dropped'),
	existing: fc.oneof(fc.nat(30), fc.integer({ min: 60, max: 300 })),
	changes: fc.constantFrom(0, 0, 10, 40),
	failures: fc.constantFrom(0, 0, 0, 10),
	rollbacks: fc.constantFrom(0, 0, 5),
} as const;

const anyCharges: fc.Arbitrary<HistoryOptions> = fc.record({
	...anyList,
	kind: fc.constant('charges'),
	order: fc.constantFrom(
		...(['newestFirst', 'oldestFirst', 'newestFirst', 'oldestFirst'] as const),
		...(['grouped', 'none'] as const),
	),
	timestampTies: fc.constantFrom('stable', 'stable', 'perPage', 'perRequest'),
	granularity: fc.constantFrom(1, 1, 1000, 10 * minute),
	skew: fc.constantFrom(0, 0, -3 * minute, 3 * minute),
	start: fc.constantFrom('newOnly', 'newOnly', 'since', 'all'),
	maxEntries: fc.constantFrom(3, 20, 20, 1000),
	pageSize: fc.constantFrom(5, 25, 100, 100),
	lookBack: fc.constantFrom(5 * minute, 60 * minute),
	steps: fc.integer({ min: 1, max: 15 }),
	burst: fc.constantFrom(1, 5, 60),
	future: fc.constantFrom(0, 0, 0, 3),
	hurry: fc.constantFrom(0, 30, 100),
	atMost: fc.constantFrom(undefined, undefined, 8, 12),
});

/**
 * Charges of one moment may only be shuffled if the trigger can find them all: the service honors page sizes, states the
 * right count, and its pages are long enough to overlap.
 */
function tiesOf(options: HistoryOptions): HistoryOptions['timestampTies'] {
	const { order, timestampTies, count, rows, cap, sizes, pageSize, hurry } = options;
	const length = Math.min(cap, pageSize);
	const isHonest = sizes === 'given' && count === 'told' && rows === undefined;
	if (order === 'grouped' || !isHonest || length < 10) return 'stable';
	if (timestampTies !== 'perPage') return timestampTies;
	// A list that takes several polls is not read again with other page sizes.
	const isReadInParts = hurry > 0 && length >= 100;
	if (isReadInParts) return 'stable';
	return length >= 25 ? 'perPage' : 'perRequest';
}

/** Whether one page holds what is made at a moment. */
const isMomentShort = ({ cap, pageSize, burst, granularity = 1 }: HistoryOptions) =>
	Math.min(cap, pageSize) >= Math.max(10, burst) && granularity <= 1000;

/** A poll that has time for so few requests cannot read pages again, and only a count leads it past many charges of one moment. */
function atMostOf(options: HistoryOptions): number | undefined {
	const { atMost, count, rows } = options;
	const isPossible = tiesOf(options) === 'stable' && !rows;
	return isPossible && (isMomentShort(options) || count === 'told') ? atMost : undefined;
}

/** Whether only the count reveals a charge. What leaves would hide as many from it. */
const needsCount = (options: HistoryOptions) =>
	options.order === 'grouped' ||
	tiesOf(options) !== 'stable' ||
	(atMostOf(options) !== undefined && !isMomentShort(options));

const possibleCharges = (options: HistoryOptions): HistoryOptions => ({
	...options,
	...(options.order === 'grouped' && ({ count: 'told', changes: 0 } as const)),
	isGrowing: needsCount(options),
	existing: Math.min(options.existing, 60 * options.maxEntries),
	timestampTies: tiesOf(options),
	atMost: atMostOf(options),
	// Rounding a date down makes a charge look late.
	granularity: Math.min(options.granularity ?? 1, Math.floor((options.lookBack ?? 0) / 6)),
});

const anyInvoices: fc.Arbitrary<HistoryOptions> = fc.record({
	...anyList,
	kind: fc.constant('invoices'),
	order: fc.constantFrom('newestFirst', 'oldestFirst', 'none', 'entered', 'shuffled'),
	filter: fc.constantFrom('exact', 'exact', 'loose'),
	entered: fc.constantFrom(0, 30, 80, 100),
	start: fc.constantFrom('newOnly', 'newOnly', 'newOnly', 'all'),
	maxEntries: fc.constantFrom(3, 20, 1000, 1000),
	pageSize: fc.constantFrom(5, 10, 25, 100),
	steps: fc.integer({ min: 1, max: 25 }),
	burst: fc.constantFrom(1, 1, 5, 40),
	hurry: fc.constantFrom(0, 0, 30, 100),
	flicker: fc.constantFrom(0, 0, 0, 10),
	empty: fc.constantFrom(0, 0, 0, 10),
	concurrency: fc.constantFrom(1, 5),
});

/** If every response is shuffled, the trigger needs a correct count, a list that does not change, and a whole reading in one poll. */
const possibleInvoices = (options: HistoryOptions): HistoryOptions => ({
	...options,
	...(options.order === 'shuffled' && {
		...({ count: 'told', rows: undefined, sizes: 'given' } as const),
		cap: Math.max(options.cap, 25),
		pageSize: Math.max(options.pageSize, 25),
		...{ changes: 0, failures: 0, hurry: 0 },
	}),
});

/** Random histories of both kinds. */
export const anyHistory = {
	charges: anyCharges.map(possibleCharges),
	invoices: anyInvoices.map(possibleInvoices),
};

/** Throws an Error that says what went wrong. */
export async function runHistory(options: HistoryOptions, core?: typeof findNew): Promise<void> {
	const history =
		options.kind === 'charges'
			? new ChargeHistory(options, core)
			: new InvoiceHistory(options, core);
	await history.run();
}

const property = (kind: keyof typeof anyHistory, core?: typeof findNew) =>
	fc.asyncProperty(anyHistory[kind], async (options) => await runHistory(options, core));

/** Asserts that every random history passes. The nightly run tries more, with another seed. */
export const runHistories = async (kind: keyof typeof anyHistory): Promise<void> =>
	await fc.assert(property(kind), {
		numRuns: Number(HISTORIES),
		seed: Number(SEED),
		endOnFailure: true,
	});

/** Whether one of 500 histories fails with this core. The seed is arbitrary; this one exposes all planted bugs early. */
export const anyFails = async (
	kind: keyof typeof anyHistory,
	core: typeof findNew,
): Promise<boolean> =>
	(await fc.check(property(kind, core), { numRuns: 500, seed: 15, endOnFailure: true })).failed;
