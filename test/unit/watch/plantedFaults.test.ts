import type { Cursor, Times } from '../../../nodes/InvoicingPaymentsTrigger/watch/cursor';
import { findNew } from '../../../nodes/InvoicingPaymentsTrigger/watch/findNew';
import { packSet, unpackIds } from '../../../nodes/InvoicingPaymentsTrigger/watch/ids';
import type { WatchTask } from '../../../nodes/InvoicingPaymentsTrigger/watch/task';
import { anyFails } from '../../helpers/lists/anyHistory';

/** What the random histories of newCharges and listEntries can find: with each of these faults in the trigger, one of them fails. */

describe('random histories of charges reveal', () => {
	/** The core with another cursor before or after each poll. */
	const withCursor =
		(
			before: (cursor: Cursor, task: WatchTask) => Cursor,
			after = (cursor: Cursor) => cursor,
		): typeof findNew =>
		async (task, cursor) => {
			const found = await findNew(task, before(cursor, task));
			return { ...found, cursor: after(found.cursor) };
		};
	const unchanged = (cursor: Cursor) => cursor;
	const withTimes = (cursor: Cursor, change: (times: Times) => Partial<Times>): Cursor =>
		cursor.times ? { ...cursor, times: { ...cursor.times, ...change(cursor.times) } } : cursor;
	/** No list grows longer than this. */
	const uncompared = { seen: 1e9 };

	const bugs: Record<string, typeof findNew> = {
		'a half-delivered moment that counts as delivered': withCursor(unchanged, (cursor) =>
			withTimes(cursor, ({ floor, bottom }) => ({ floor: bottom ?? floor })),
		),
		'that nobody looks for late charges': withCursor((cursor, task) => ({
			...withTimes(cursor, () => ({ passedAt: task.now() })),
			...uncompared,
		})),
		'delivered charges that are forgotten': withCursor(unchanged, (cursor) =>
			withTimes(cursor, () => ({ known: [] })),
		),
		'a cursor that is sometimes not saved': async (task, cursor) => {
			const found = await findNew(task, cursor);
			const isLost = found.entries.length > 0 && Math.floor(task.now() / 1000) % 10 === 0;
			return isLost ? { ...found, cursor } : found;
		},
		'a list that is trusted to be sorted': withCursor((cursor) => ({
			...withTimes(cursor, () => ({ order: { direction: 'newestFirst', slack: 0 } })),
			...uncompared,
		})),
		'a growth of the list that is not checked': withCursor((cursor) => ({
			...cursor,
			...uncompared,
		})),
		'a backlog whose rest is dropped': withCursor(unchanged, (cursor) =>
			withTimes(cursor, ({ floor, listed }) =>
				cursor.hasMore ? { bottom: listed, floor: listed } : { floor },
			),
		),
	};

	test.each(Object.entries(bugs))('%s', async (_, core) => {
		expect(await anyFails('charges', core)).toBe(true);
	});
});

describe('random histories of invoices reveal', () => {
	const bugs: Record<string, typeof findNew> = {
		// If one invoice enters and another leaves between two polls, the count stays the same.
		'that nothing reads the whole list': async (task, cursor) =>
			await findNew(task, {
				...cursor,
				...(cursor.wholeAt !== undefined && { wholeAt: task.now() }),
			}),
		'invoices that left and stay known': async (task, cursor) => {
			const found = await findNew(task, cursor);
			const ids = [cursor, found.cursor].flatMap(({ known }) => unpackIds(known));
			return { ...found, cursor: { ...found.cursor, known: packSet(ids) } };
		},
		'invoices that left and are forgotten at once': async (task, cursor) => {
			const found = await findNew(task, cursor);
			const { missing = [], ...kept } = found.cursor;
			const gone = new Set(missing.flatMap(({ ids }) => unpackIds(ids)));
			const known = unpackIds(kept.known).filter((id) => !gone.has(id));
			return { ...found, cursor: { ...kept, known: packSet(known) } };
		},
		'an unchanged count that means an unchanged list': async (task, cursor) => {
			const first = await task.fetchPage(1, undefined);
			const count = first.ok ? first.value.count : undefined;
			const isQuiet = count !== undefined && count === cursor.seen;
			return isQuiet ? { entries: [], cursor, notes: [] } : await findNew(task, cursor);
		},
		'a partial reading that counts as complete': async (task, cursor) => {
			const found = await findNew(task, cursor);
			return { ...found, cursor: { ...found.cursor, reading: undefined, isBaseline: undefined } };
		},
		'results that are not checked against the filter': async (task, cursor) =>
			await findNew({ ...task, isEntry: () => true }, cursor),
	};

	test.each(Object.entries(bugs))('%s', async (_, core) => {
		expect(await anyFails('invoices', core)).toBe(true);
	});
});
