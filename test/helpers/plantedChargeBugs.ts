import type { Cursor } from '../../nodes/InvoicingPaymentsTrigger/newCharges/cursor';
import { findNewCharges, takeBaseline } from '../../nodes/InvoicingPaymentsTrigger/newCharges/poll';
import type { PollTask } from '../../nodes/InvoicingPaymentsTrigger/newCharges/reading';
import type { Core, HistoryOptions } from './chargeHistory';
import { liveThrough } from './chargeHistory';

type Find = Core['findNewCharges'];

/** A core whose polls begin with, and leave, other cursors than they should. */
const withCursor =
	(before: (cursor: Cursor, task: PollTask) => Cursor, after = (cursor: Cursor) => cursor): Find =>
	async (task, cursor) => {
		const found = await findNewCharges(task, before(cursor, task));
		return { ...found, cursor: after(found.cursor) };
	};
const as = (cursor: Cursor) => cursor;
/** No list grows beyond it. */
const uncompared = { counted: { count: 1e9 } };

/** Mistakes that the histories of charges have to find, each as if it had been made in the trigger. */
export const plantedChargeBugs: Record<string, Find> = {
	'a moment that is cut in two counts as done': withCursor(as, (cursor) => ({
		...cursor,
		floor: cursor.hasMore ? cursor.newest : cursor.floor,
	})),
	'late charges are not looked for': withCursor((cursor, task) => ({
		...cursor,
		deepAt: task.now(),
	})),
	'what was delivered is forgotten': withCursor(as, (cursor) => ({ ...cursor, known: '' })),
	'delivered before it is saved': async (task, cursor) => {
		const found = await findNewCharges(task, cursor);
		const isLost = found.charges.length > 0 && Math.floor(task.now() / 1000) % 10 === 0;
		return isLost ? { ...found, cursor } : found;
	},
	'the order is believed at once': withCursor((cursor) => ({
		...cursor,
		order: { direction: 'newestFirst', agreed: 50, isTrusted: true },
		...uncompared,
	})),
	'what the list has grown by is not compared': withCursor((cursor) => ({
		...cursor,
		...uncompared,
	})),
	'a backlog is left where a poll ends': withCursor(as, (cursor) => ({
		...cursor,
		newest: cursor.hasMore ? cursor.seen : cursor.newest,
	})),
};

/** Lives through a history with a planted bug. Throws where it is found. */
export const liveThroughChargesWith = async (bug: string, history: HistoryOptions) =>
	await liveThrough(history, { findNewCharges: plantedChargeBugs[bug], takeBaseline });
