import type { INode } from 'n8n-workflow';
import { hexOf } from '../shared/hash';
import type { Client } from '../shared/transport/client';
import type { TriggerSettings } from './settings';
import { isTimed } from './settings';
import type { Cursor } from './watch/cursor';
import { cursorFrom, freshCursor, freshTimes, timeFromJson } from './watch/cursor';
import { clockMargin } from './watch/findNew';
import { packSet, unpackIds } from './watch/ids';
import { RecentResults } from './watch/creationTimes';
import type { Memory, Scope } from './state/trigger';

const shortHash = (text: string) => hexOf(text, 16);

interface StartContext {
	memory: Memory | undefined;
	isDamaged: boolean;
	scope: Scope;
	lookedAt: number;
	now: number;
}

/** The field Since is hashed as written, because an expression may give another time in each poll. */
export function scopeOf(
	{ id, parameters }: INode,
	settings: TriggerSettings,
	{ baseURL, credential }: Pick<Client, 'baseURL' | 'credential'>,
): Scope {
	const { event, startWith, filters } = settings;
	const isNewCharge = event.value === 'newCharge';
	const since = startWith === 'since' && parameters.since;
	const days = settings.days ? [settings.days.count] : [];
	return {
		start: shortHash(
			JSON.stringify(isNewCharge ? [startWith, since] : [event.value, startWith, ...days]),
		),
		service: shortHash(baseURL),
		filters: shortHash(JSON.stringify(Object.entries(filters).sort())),
		...(!isTimed(settings) && { account: shortHash(`${id} ${String(credential.apiKey).trim()}`) }),
	};
}

/** If the state of earlier polls is damaged, only what is new counts: with All Existing or Since, all would come again. */
export function startOf(settings: TriggerSettings, context: StartContext): Cursor {
	const { memory, isDamaged, scope } = context;
	const isSameStart = memory?.start === scope.start;
	const start = isDamaged ? { ...settings, startWith: 'newOnly' as const } : settings;
	if (isTimed(settings))
		return isSameStart ? resumeByTime(memory, context) : startByTime(start, context);
	return isSameStart ? resumeList(memory, context) : startList(start);
}

function startList({ startWith, since }: TriggerSettings): Cursor {
	const cursor = freshCursor(startWith !== 'all');
	return startWith === 'since' ? { ...cursor, after: (since ?? 0) - 1 } : cursor;
}

/** After a change of service or filters, listed entries are not new. After a change of API key, the next reading shows whether both keys have the same account. */
function resumeList(memory: Memory, { scope, lookedAt }: StartContext): Cursor {
	const { cursor, service, filters, account } = memory;
	if (service !== scope.service) return freshCursor(true);
	// A Status filter was added to New Charge: until now, creation times showed what is new.
	if (cursor.times) {
		const known = packSet(new RecentResults(cursor.times).ids);
		return { ...freshCursor(true), known, after: lookedAt - clockMargin };
	}
	if (filters !== scope.filters) return freshCursor(true);
	if (account === scope.account) return cursor;
	return { ...freshCursor(true), before: cursor.before ?? cursor.known };
}

function startByTime({ startWith, since }: TriggerSettings, { now }: StartContext): Cursor {
	if (startWith === 'newOnly') return freshTimes(true);
	return cursorFrom(startWith === 'all' ? null : (since ?? now));
}

/** With another service, starts over. With other filters, finishes a backlog, if there is one. Otherwise starts at the last reading. */
function resumeByTime(memory: Memory, { scope, lookedAt, now }: StartContext): Cursor {
	const { cursor, service, filters } = memory;
	if (service !== scope.service) return freshTimes(true);
	const { times } = cursor;
	if (times && filters === scope.filters) return cursor;
	if (times && cursor.hasMore)
		return {
			...freshCursor(false),
			hasMore: true,
			times: { ...times, bracket: undefined, nearEnd: undefined },
		};
	const known = new RecentResults(times ?? { known: [] });
	// The Status filter of New Charge was removed: until now, IDs showed what is new. Charges that it delivered are not new.
	if (!times) known.add(unpackIds(cursor.known).map((id) => [id, now]));
	// Results older than the floor were forgotten, so they must not count as new.
	const after = Math.max(lookedAt - clockMargin - 1, timeFromJson(times?.floor));
	return { ...freshCursor(true), after, times: { floor: null, listed: null, ...known.save() } };
}
