import type { Page } from '../../shared/pagination/page';
import { isEnd } from '../../shared/pagination/page';
import { UnreadablePageError } from './problems';
import type { Part, Unfinished, Window } from './window';

/** Reads from the boundary to the end of the list, or as much as one poll can deliver. */
export async function readOldestFirst(window: Window): Promise<Part | Unfinished> {
	const { poll, pages, budget, first } = window;
	const begins = (page: Page) => window.beginsBelow(page);
	let start = 1;
	if (begins(first)) {
		const { place } = poll.cursor.times?.backlog ?? {};
		const near = place === undefined ? undefined : window.pageAt(place);
		const isNear = near !== undefined && near > 1 && begins(await pages.peek(near));
		if (isNear) start = near;
		else {
			const found = await window.findBoundary(begins, 1, window.lastPage);
			if (!found.isFound) return window.resumeAt(found);
			start = found.low;
		}
	}
	let end = first as Page;
	const read = await window.read(start, (page) => {
		end = page;
		return window.isFull || (budget.left <= 1 && window.fresh.size > 0);
	});
	// The newest are on the last pages. Without them, nothing can be said.
	if (pages.refusal && !window.isFull) throw new UnreadablePageError(pages.refusal.failure);
	if (!read) return window.resumeAt({ low: start, high: start + 1 });
	return window.asPart(read, isEnd(end));
}
