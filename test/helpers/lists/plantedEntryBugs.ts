import { findNew } from '../../../nodes/InvoicingPaymentsTrigger/watch/findNew';
import { packSet, unpackIds } from '../../../nodes/InvoicingPaymentsTrigger/watch/ids';

/** Bugs that random histories of invoices must reveal, each as if it were in the trigger. */
export const plantedEntryBugs: Record<string, typeof findNew> = {
	// If one invoice enters and another leaves between two polls, the count stays the same.
	'no periodic full reading': async (task, cursor) =>
		await findNew(task, {
			...cursor,
			...(cursor.wholeAt !== undefined && { wholeAt: task.now() }),
		}),
	'invoices that left stay known': async (task, cursor) => {
		const found = await findNew(task, cursor);
		const ids = [cursor, found.cursor].flatMap(({ known }) => unpackIds(known));
		return { ...found, cursor: { ...found.cursor, known: packSet(ids) } };
	},
	'invoices that left are forgotten at once': async (task, cursor) => {
		const found = await findNew(task, cursor);
		const { missing = [], ...kept } = found.cursor;
		const gone = new Set(missing.flatMap(({ ids }) => unpackIds(ids)));
		const known = unpackIds(kept.known).filter((id) => !gone.has(id));
		return { ...found, cursor: { ...kept, known: packSet(known) } };
	},
	'an unchanged count means an unchanged list': async (task, cursor) => {
		const first = await task.fetchPage(1, undefined);
		const count = 'page' in first ? first.page.count : undefined;
		const isQuiet = count !== undefined && count === cursor.seen;
		return isQuiet ? { entries: [], cursor, notes: [] } : await findNew(task, cursor);
	},
	'the cursor is sometimes not saved': async (task, cursor) => {
		const found = await findNew(task, cursor);
		const isLost = found.entries.length > 0 && Math.floor(task.now() / 1000) % 10 === 0;
		return isLost ? { ...found, cursor } : found;
	},
	'a partial reading counts as complete': async (task, cursor) => {
		const found = await findNew(task, cursor);
		return { ...found, cursor: { ...found.cursor, reading: undefined, isBaseline: undefined } };
	},
	'results are not checked against the filter': async (task, cursor) =>
		await findNew({ ...task, isEntry: () => true }, cursor),
};
