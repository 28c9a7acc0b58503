import type { Cursor, Times } from '../../nodes/InvoicingPaymentsTrigger/watch/cursor';
import { findNew } from '../../nodes/InvoicingPaymentsTrigger/watch/findNew';
import type { WatchTask } from '../../nodes/InvoicingPaymentsTrigger/watch/task';
import type { Core, HistoryOptions } from './chargeHistory';
import { liveThrough } from './chargeHistory';

/** A core whose polls begin with, and leave, other cursors than they should. */
const withCursor =
	(before: (cursor: Cursor, task: WatchTask) => Cursor, after = (cursor: Cursor) => cursor): Core =>
	async (task, cursor) => {
		const found = await findNew(task, before(cursor, task));
		return { ...found, cursor: after(found.cursor) };
	};
const as = (cursor: Cursor) => cursor;
const withTimes = (cursor: Cursor, change: (times: Times) => Partial<Times>): Cursor =>
	cursor.times ? { ...cursor, times: { ...cursor.times, ...change(cursor.times) } } : cursor;
/** No list grows beyond it. */
const uncompared = { seen: 1e9 };

/** Mistakes that the histories of charges have to find, each as if it had been made in the trigger. */
export const plantedChargeBugs: Record<string, Core> = {
	'a moment that is cut in two counts as done': withCursor(as, (cursor) =>
		withTimes(cursor, ({ floor, newest }) => ({ floor: cursor.hasMore ? newest : floor })),
	),
	'late charges are not looked for': withCursor((cursor, task) => ({
		...withTimes(cursor, ({ deep }) => (deep ? { deep: { ...deep, at: task.now() } } : {})),
		...uncompared,
	})),
	'what was delivered is forgotten': withCursor(as, (cursor) =>
		withTimes(cursor, () => ({ known: [] })),
	),
	'delivered before it is saved': async (task, cursor) => {
		const found = await findNew(task, cursor);
		const isLost = found.entries.length > 0 && Math.floor(task.now() / 1000) % 10 === 0;
		return isLost ? { ...found, cursor } : found;
	},
	'the order is believed at once': withCursor((cursor) => ({
		...withTimes(cursor, () => ({ order: { direction: 'newestFirst', slack: 0 } })),
		...uncompared,
	})),
	'what the list has grown by is not compared': withCursor((cursor) => ({
		...cursor,
		...uncompared,
	})),
	'a backlog is left where a poll ends': withCursor(as, (cursor) =>
		withTimes(cursor, ({ newest, listed }) => ({ newest: cursor.hasMore ? listed : newest })),
	),
};

/** Lives through a history with a planted bug. Throws where it is found. */
export const liveThroughChargesWith = async (bug: string, history: HistoryOptions) =>
	await liveThrough(history, plantedChargeBugs[bug]);
