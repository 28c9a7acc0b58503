import { findBoundary } from './boundary';
import { timeOf } from './charge';
import { toJson } from './cursor';
import type { OldestBuffer } from './oldestBuffer';
import type { PlacedPage } from '../../shared/pagination/overlap';
import type { Depth, Read, Reading } from './reading';
import { collect, deliver, goOnAt, pageAt, reachesBelow, searchFrom } from './reading';

/** More than one poll delivers: the oldest part lies around the last page that holds any of it. */
export async function readBacklog(
	reading: Reading,
	{ boundary, isDeep }: Depth,
	low: number,
	readFrom: () => number | undefined,
): Promise<Read> {
	const { list, position, settings, cursor } = reading;
	const { place } = cursor.backlog ?? {};
	if (place !== undefined && !isDeep) {
		const affordable = Math.max(list.size, (list.budget.left - 2) * overlapping(list));
		const charges = Math.min(settings.maxCharges, affordable);
		const begin = await list.pageFrom(Math.max(0, place - charges));
		const part = await readPart(reading, boundary, { begin, upTo: place + 2 * list.size });
		if (part) return partRead(reading, boundary, part, { isDeep });
	}
	const until = { boundary: toJson(boundary) };
	const isBefore = (block: PlacedPage) => !reachesBelow(block, boundary);
	const spent = list.budget.requests;
	const bracket = await findBoundary(list, isBefore, searchFrom(reading, boundary, low));
	// What is known already lies in between, and has to be read all the same.
	const least = Math.ceil(position.knownFrom(boundary) / list.size) + 2;
	const isTimeUp = list.budget.requests > spent && list.budget.left <= least;
	if (!bracket.isFound || isTimeUp) {
		return goOnAt({ low: bracket.low, high: bracket.high, ...until });
	}

	const most = least + Math.ceil(settings.maxCharges / list.size);
	const pages = Math.max(least, Math.min(most, list.budget.left - 1));
	const start = Math.max(1, bracket.low + 2 - pages);
	const upTo = (start + 2 * pages) * list.size;
	const begin = await list.page(start);
	const part = await readPart(reading, boundary, { begin, upTo, isPatient: true });
	if (!part) return goOnAt({ low: Math.ceil(upTo / list.size), ...until });
	return partRead(reading, boundary, part, { isDeep, readFrom: readFrom() });
}

/** How many charges further a page that overlaps with the one before it reaches, more or less. */
const overlapping = ({ size }: Reading['list']) => Math.floor(size * 0.8);

interface Part {
	begin: PlacedPage;
	oldest: OldestBuffer;
	end: PlacedPage;
}

/**
 * Pages from `begin` on to the boundary. `undefined`: so much was added meanwhile that it lies beyond `upTo` charges. `isPatient`:
 * it is read all the same while there is time.
 */
async function readPart(
	reading: Reading,
	boundary: number,
	{ begin, upTo, isPatient = false }: { begin: PlacedPage; upTo: number; isPatient?: boolean },
): Promise<Part | undefined> {
	const { list, position } = reading;
	const oldest = collect(reading);
	let end = begin;
	for await (const block of list.onFrom(begin)) {
		oldest.add(position.newOf(block.results));
		end = block;
		if (reachesBelow(block, boundary)) break;
		if (block.start > upTo && !(isPatient && list.budget.left > 0)) return undefined;
	}
	return { begin, oldest, end };
}

/** What of a part is delivered, and where the next one is. */
function partRead(
	{ list, position }: Reading,
	boundary: number,
	{ begin, oldest, end }: Part,
	depth: { isDeep: boolean; readFrom?: number },
): Read {
	const isFromStart = begin.start === 0;
	if (oldest.isEmpty && !isFromStart) {
		// So much was removed meanwhile that the boundary is further to the front.
		return goOnAt({ low: 1, high: pageAt(begin, list) + 1, boundary: toJson(boundary) });
	}
	const read = deliver(oldest, { ...depth, hasMore: !isFromStart });
	if (read.isAll) return read;
	const below = end.results.findIndex((charge) => (timeOf(charge) ?? -Infinity) < boundary);
	const before = end.start + (below < 0 ? end.results.length : below);
	const place = Math.max(0, before - position.knownFrom(boundary) - read.delivered.length);
	return { ...read, backlog: { low: Math.floor(place / list.size) + 1, place, boundary: null } };
}
