import { hashOf } from '../../shared/hash';
import type { Page } from '../../shared/pagination/page';
import { isUsableId } from '../../shared/pagination/page';

/** 48-bit hash of an ID. Does not reveal the ID. */
export type IdHash = number;

const bytes = 6;

export const idHash = (key: string): IdHash => parseInt(hashOf(key), 36);

/** Eight characters each, in order. */
export function packIds(ids: IdHash[]): string {
	const packed = Buffer.alloc(ids.length * bytes);
	ids.forEach((id, at) => packed.writeUIntBE(id, at * bytes, bytes));
	return packed.toString('base64');
}

/** Equal sets give equal texts. */
export const packSet = (ids: Iterable<IdHash>): string =>
	packIds([...new Set(ids)].sort((a, b) => a - b));

/** Reverses {@link packIds}. */
export function unpackIds(text: string): IdHash[] {
	const packed = Buffer.from(text, 'base64');
	const { length } = packed;
	return Array.from({ length: Math.floor(length / bytes) }, (_, at) =>
		packed.readUIntBE(at * bytes, bytes),
	);
}

type Result = Page['results'][number];

/** Identifies a result by its ID, its reference, or else by what does not change with its status. */
export function keyOf(result: Result): string {
	const { id, reference_id: reference, created, currency, total, items } = result;
	if (isUsableId(id)) return String(id);
	if (isUsableId(reference)) return `reference ${reference}`;
	return JSON.stringify(created === undefined ? result : [created, currency, total, items]);
}

/** Whether most results that two lists share are in the same order. Single ones may have moved. */
export function isMostlyInOrder(one: IdHash[], other: IdHash[]): boolean {
	const indexes = new Map(one.map((id, index) => [id, index]));
	const shared = other.flatMap((id) => indexes.get(id) ?? []);
	// Longest increasing subsequence: the smallest end for each length.
	const ends: number[] = [];
	for (const index of shared) {
		const at = ends.findIndex((end) => end >= index);
		ends[at < 0 ? ends.length : at] = index;
	}
	return ends.length >= shared.length * 0.6;
}
