import { hashOf } from '../../shared/hash';

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

export function unpackIds(text: string): IdHash[] {
	const packed = Buffer.from(text, 'base64');
	const { length } = packed;
	return Array.from({ length: Math.floor(length / bytes) }, (_, at) =>
		packed.readUIntBE(at * bytes, bytes),
	);
}
