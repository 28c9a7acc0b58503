import { everything, OutOfTime } from './newCharges/baseline';
import type { Cursor } from './newCharges/cursor';
import { findNewCharges, takeBaseline } from './newCharges/poll';
import { chargeStart } from './state/start';
import type { Found, Search } from './task';
import { chargeTask, mayPass } from './task';

/** The charges that are new since the last poll. `undefined`: there is nothing to save. Throws what `explain` gives. */
export async function nextCharges(search: Search): Promise<Found<Cursor> | undefined> {
	const { polling, memory, scope, lookedAt, save, tell, explain } = search;
	const { settings, now } = polling;
	const task = chargeTask(polling);
	const start = chargeStart(memory, scope, settings, { now, lookedAt });
	let { cursor } = start;
	if (start.baseline) {
		const begun = await takeBaseline(task, start.baseline).catch(explain);
		const isNew = start.baseline === everything;
		const isFailure = begun instanceof Error && !(begun instanceof OutOfTime);
		if (!(begun instanceof Error)) {
			cursor = begun.cursor;
			tell(begun.notes);
		}
		// What is made from now on is new, even where the service cannot say yet what there is.
		if (isNew && !(isFailure && !mayPass(begun))) save(cursor);
		if (isFailure) throw begun;
		if (isNew && !(begun instanceof Error)) return undefined;
	}
	const found = await findNewCharges(task, cursor).catch(explain);
	if (found instanceof Error) throw found;
	tell(found.notes);
	return { results: found.charges, cursor: found.cursor };
}
