import type { Cursor, Times } from '../../../nodes/InvoicingPaymentsTrigger/watch/cursor';
import { findNew } from '../../../nodes/InvoicingPaymentsTrigger/watch/findNew';
import type { WatchTask } from '../../../nodes/InvoicingPaymentsTrigger/watch/task';

/** Changes the cursor before or after each poll. */
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

/** Bugs that random histories of charges must reveal, each as if it were in the trigger. */
export const plantedChargeBugs: Record<string, typeof findNew> = {
	'a half-delivered moment counts as delivered': withCursor(unchanged, (cursor) =>
		withTimes(cursor, ({ floor, bottom }) => ({ floor: bottom ?? floor })),
	),
	'nobody looks for late charges': withCursor((cursor, task) => ({
		...withTimes(cursor, () => ({ deepAt: task.now() })),
		...uncompared,
	})),
	'delivered charges are forgotten': withCursor(unchanged, (cursor) =>
		withTimes(cursor, () => ({ known: [] })),
	),
	'the cursor is sometimes not saved': async (task, cursor) => {
		const found = await findNew(task, cursor);
		const isLost = found.entries.length > 0 && Math.floor(task.now() / 1000) % 10 === 0;
		return isLost ? { ...found, cursor } : found;
	},
	'the list is trusted to be sorted': withCursor((cursor) => ({
		...withTimes(cursor, () => ({ order: { direction: 'newestFirst', slack: 0 } })),
		...uncompared,
	})),
	'the growth of the list is not checked': withCursor((cursor) => ({ ...cursor, ...uncompared })),
	'the rest of a backlog is dropped': withCursor(unchanged, (cursor) =>
		withTimes(cursor, ({ floor, listed }) =>
			cursor.hasMore ? { bottom: listed, floor: listed } : { floor },
		),
	),
};
