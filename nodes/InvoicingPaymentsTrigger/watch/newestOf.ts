import { findBoundary } from './boundary';
import { Budget, reserve } from './budget';
import { cursorFrom } from './cursor';
import type { Entry } from './pages';
import { Pages } from './pages';
import { WrongCountError } from './errors';
import type { WatchTask } from './task';
import { deliver, maxMiscounts, openPoll } from './task';

/** The newest results of a list, oldest first. Throws UnreadablePageError. */
export async function newestOf(task: WatchTask, count: number): Promise<Entry[]> {
	return await newestIn(task, count).catch(async (error: Error) => {
		if (error instanceof WrongCountError) return await newestIn(task, count, maxMiscounts);
		throw error;
	});
}

async function newestIn(task: WatchTask, count: number, miscounts = 0): Promise<Entry[]> {
	const budget = new Budget(task.now, task.until);
	const settings = { ...task.settings, maxEntries: Infinity };
	const cursor = { ...cursorFrom(null), miscounts };
	const begun = { notes: [], isConfirmed: false, budget };
	const poll = openPoll({ ...task, settings }, cursor, begun);
	const pages = new Pages(poll.search);
	const { page } = await pages.first();
	// They may be at either end. If there is no order, the newest of both ends will do.
	const end = page.next ? (lastPage(page.count) ?? (await findEnd())) : 1;
	for (const number of [end, end - 1]) if (number > 1) await pages.peek(number);
	return deliver(poll, pages).entries.slice(-count);

	function lastPage(count = NaN): number | undefined {
		const number = Math.ceil(count / pages.pageLength);
		return number > 1 ? number : undefined;
	}

	async function findEnd(): Promise<number> {
		const search = { low: 1, reserve };
		return (await findBoundary(pages, budget, ({ results }) => results.length > 0, search)).low;
	}
}
