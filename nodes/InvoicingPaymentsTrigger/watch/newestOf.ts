import { findBoundary } from './boundary';
import { Budget, reserve } from './budget';
import { cursorFrom } from './cursor';
import type { Entry } from './pages';
import { Pages } from './pages';
import { WrongCount } from './problems';
import type { WatchTask } from './task';
import { deliver, mostMiscounts, openPoll } from './task';

/** The newest results of a list, oldest first. Throws Unreadable. */
export async function newestOf(task: WatchTask, most: number): Promise<Entry[]> {
	return await newestIn(task, most).catch(async (error: Error) => {
		if (error instanceof WrongCount) return await newestIn(task, most, mostMiscounts);
		throw error;
	});
}

async function newestIn(task: WatchTask, most: number, miscounts = 0): Promise<Entry[]> {
	const budget = new Budget(task.now, task.until);
	const settings = { ...task.settings, most: Infinity };
	const cursor = { ...cursorFrom(null), miscounts };
	const begun = { notes: [], isConfirmed: false, budget };
	const poll = openPoll({ ...task, settings }, cursor, begun);
	const pages = new Pages(poll.search);
	const { page } = await pages.first();
	// They may be at either end. If there is no order, the newest of both ends will do.
	const end = page.next ? (lastPage(page.count) ?? (await findEnd())) : 1;
	for (const number of [end, end - 1]) if (number > 1) await pages.look(number);
	return deliver(poll, pages).entries.slice(-most);

	function lastPage(count = NaN): number | undefined {
		const number = Math.ceil(count / pages.pageLength);
		return number > 1 ? number : undefined;
	}

	async function findEnd(): Promise<number> {
		const search = { low: 1, reserve };
		return (await findBoundary(pages, budget, ({ results }) => results.length > 0, search)).low;
	}
}
