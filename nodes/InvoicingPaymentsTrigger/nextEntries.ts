import type { EntryCursor } from './listEntries/cursor';
import { findEntries } from './listEntries/findEntries';
import { entryStart } from './state/start';
import type { Found, Search } from './task';
import { entryTask } from './task';

/** What entered the list of the event since the last poll. `undefined`: there is nothing to save. Throws what `explain` gives. */
export async function nextEntries(search: Search): Promise<Found<EntryCursor> | undefined> {
	const { polling, memory, scope, isActivation, tell, explain } = search;
	const start = entryStart(memory, scope, polling.settings);
	const found = await findEntries(entryTask(polling), start).catch(explain);
	if (found instanceof Error) throw found;
	tell(found.notes);
	const { entries: results, cursor } = found;
	// The IDs of a long list are much to save for nothing.
	const isSame = cursor === memory?.cursor && !isActivation;
	return isSame ? undefined : { results, cursor };
}
