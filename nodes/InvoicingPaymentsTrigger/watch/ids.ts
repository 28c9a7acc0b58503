import { hashOf } from '../../shared/hash';
import type { Result } from '../../shared/pagination/page';
import { isUsableId } from '../../shared/pagination/page';

/** 48-bit hash, which does not reveal the ID. */
export type IdHash = number;

const bytesPerId = 6;

export const idHash = (key: string): IdHash => parseInt(hashOf(key), 36);

/** Eight characters per ID. */
export function packIds(ids: IdHash[]): string {
	const packed = Buffer.alloc(ids.length * bytesPerId);
	ids.forEach((id, at) => packed.writeUIntBE(id, at * bytesPerId, bytesPerId));
	return packed.toString('base64');
}

/** Equal sets give equal texts. */
export const packSet = (ids: Iterable<IdHash>): string =>
	packIds([...new Set(ids)].sort((a, b) => a - b));

export function unpackIds(text: string): IdHash[] {
	const packed = Buffer.from(text, 'base64');
	const { length } = packed;
	return Array.from({ length: Math.floor(length / bytesPerId) }, (_, at) =>
		packed.readUIntBE(at * bytesPerId, bytesPerId),
	);
}

/** The ID, the reference, or else what does not change with the status. */
export function resultKey(result: Result): string {
	const { id, reference_id: reference, created, currency, total, items } = result;
	if (isUsableId(id)) return String(id);
	if (isUsableId(reference)) return `reference ${reference}`;
	return JSON.stringify(created === undefined ? result : [created, currency, total, items]);
}

/** Whether most shared results are in the same order. A few may have moved. */
export function isMostlyInOrder(one: IdHash[], other: IdHash[]): boolean {
	const indexes = new Map(one.map((id, index) => [id, index]));
	const shared = other.flatMap((id) => indexes.get(id) ?? []);
	// The smallest end of an increasing subsequence of each length.
	const ends: number[] = [];
	for (const index of shared) {
		const at = ends.findIndex((end) => end >= index);
		ends[at < 0 ? ends.length : at] = index;
	}
	return ends.length >= shared.length * 0.6;
}
