import type { Cursor } from '../watch/cursor';
import { isCursor } from '../watch/cursor';
import type { IdHash } from '../watch/ids';
import { packSet } from '../watch/ids';
import { RecentResults } from '../watch/creationTimes';
import { maxMiscounts } from '../watch/task';

/** The cursor of New Charge up to version 0.1. */
interface OldCursor {
	newest: number | null;
	floor: number | null;
	seen: number | null;
	known: string;
	undated: string[] | null;
	order: { direction?: 'newestFirst' | 'oldestFirst' | 'none'; isTrusted: boolean };
	hasWrongCount?: boolean;
	deepAt?: number;
	deepFrom?: number;
	counted?: { count: number; unseen?: number };
	hasMore?: boolean;
}

function isOldCursor(value: unknown): value is OldCursor {
	if (typeof value !== 'object' || value === null) return false;
	const { newest, floor, seen, known, undated, order } = value as Partial<OldCursor>;
	const isTime = (time: unknown) => time === null || typeof time === 'number';
	return (
		[newest, floor, seen].every(isTime) &&
		typeof known === 'string' &&
		(undated === null || Array.isArray(undated)) &&
		typeof order === 'object'
	);
}

/** `value`: a cursor of any version. Returns `undefined` if it is damaged. */
export function readCursor(value: unknown): Cursor | undefined {
	if (isCursor(value)) return value;
	return isOldCursor(value) ? convert(value) : undefined;
}

function convert(old: OldCursor): Cursor {
	const { newest, floor, seen: listed, order, deepAt, deepFrom, counted, hasMore } = old;
	const known = new RecentResults({ known: [] });
	known.add(unpackTimes(old.known));
	known.add((old.undated ?? []).map((hash) => [parseId(hash), undefined]));
	known.knowsUndated = old.undated !== null;
	const { direction, isTrusted } = order;
	const isSorted = direction && direction !== 'none' && isTrusted;
	return {
		kind: 'entries',
		known: '',
		...(counted && !counted.unseen && { seen: counted.count }),
		...(old.hasWrongCount && { miscounts: maxMiscounts }),
		...(hasMore && { hasMore }),
		times: {
			floor,
			newest,
			listed,
			...known.save(),
			...(isSorted && { order: { direction, slack: 0 } }),
			...(deepAt !== undefined &&
				deepFrom !== undefined && { deep: { at: deepAt, listed: deepFrom } }),
		},
	};
}

const parseId = (hash: string): IdHash => parseInt(hash, 36);

/** Charges are packed as hash and time since the charge before. */
function unpackTimes(packed: string): Array<[IdHash, number]> {
	let time = 0;
	const rows = packed ? packed.split(',').map((row) => row.split(' ')) : [];
	return rows.map(([hash, gap]) => [parseId(hash), (time += parseInt(gap, 36))]);
}

export const idsOf = ({ known, times }: Cursor): string =>
	times ? packSet(new RecentResults(times).ids) : known;
