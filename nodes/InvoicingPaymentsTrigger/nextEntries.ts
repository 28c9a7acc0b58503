import type { EntryCursor } from './listEntries/cursor';
import { findEntries } from './listEntries/findEntries';
import { entryStart } from './state/start';
import { byAge, dated } from './newCharges/charge';
import type { Found, Search } from './task';
import { entryTask } from './task';

/** What entered the list of the event since the last poll. `undefined`: there is nothing to save. Throws what `explain` gives. */
export async function nextEntries(search: Search): Promise<Found<EntryCursor> | undefined> {
	const { polling, memory, scope, lookedAt, isActivation, tell, explain } = search;
	const start = entryStart(memory, scope, polling.settings, lookedAt);
	const found = await findEntries(entryTask(polling), start).catch(explain);
	if (found instanceof Error) throw found;
	tell(found.notes);
	const { cursor } = found;
	const isOfCharges = polling.settings.event.value === 'newCharge';
	const results = isOfCharges
		? found.entries
				.map(dated)
				.sort(byAge)
				.map(({ charge }) => charge)
		: found.entries;
	// The IDs of a long list are much to save for nothing.
	const isSame = cursor === memory?.cursor && !isActivation;
	return isSame ? undefined : { results, cursor };
}
