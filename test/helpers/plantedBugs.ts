import { findNew } from '../../nodes/InvoicingPaymentsTrigger/watch/findNew';
import { packSet, unpackIds } from '../../nodes/InvoicingPaymentsTrigger/watch/ids';
import type { EntryCore, EntryHistoryOptions } from './entryHistory';
import { liveThroughEntries } from './entryHistory';

/** Mistakes that the histories have to find, each as if it had been made in the trigger. */
export const plantedBugs: Record<string, EntryCore> = {
	/** An entry and a departure between two polls leave the count as it was. */
	'no periodic reading': async (task, cursor) =>
		await findNew(task, {
			...cursor,
			...(cursor.wholeAt !== undefined && { wholeAt: task.now() }),
		}),
	'what left stays known': async (task, cursor) => {
		const found = await findNew(task, cursor);
		const ids = [cursor, found.cursor].flatMap(({ known }) => unpackIds(known));
		return { ...found, cursor: { ...found.cursor, known: packSet(ids) } };
	},
	'what left is forgotten at once': async (task, cursor) => {
		const found = await findNew(task, cursor);
		const { missing = [], ...kept } = found.cursor;
		const gone = new Set(missing.flatMap(({ ids }) => unpackIds(ids)));
		const known = unpackIds(kept.known).filter((id) => !gone.has(id));
		return { ...found, cursor: { ...kept, known: packSet(known) } };
	},
	'the count alone decides': async (task, cursor) => {
		const first = await task.fetchPage(1, undefined);
		const count = 'page' in first ? first.page.count : undefined;
		const isQuiet = count !== undefined && count === cursor.seen;
		return isQuiet ? { entries: [], cursor, notes: [] } : await findNew(task, cursor);
	},
	'delivered before it is saved': async (task, cursor) => {
		const found = await findNew(task, cursor);
		const isLost = found.entries.length > 0 && Math.floor(task.now() / 1000) % 10 === 0;
		return isLost ? { ...found, cursor } : found;
	},
	'a part of the list counts as all of it': async (task, cursor) => {
		const found = await findNew(task, cursor);
		return { ...found, cursor: { ...found.cursor, reading: undefined, isBaseline: undefined } };
	},
	'the filter is believed': async (task, cursor) =>
		await findNew({ ...task, isEntry: () => true }, cursor),
};

/** Lives through a history with a planted bug. Throws where it is found. */
export const liveThroughWith = async (bug: string, history: EntryHistoryOptions) =>
	await liveThroughEntries(history, plantedBugs[bug]);
