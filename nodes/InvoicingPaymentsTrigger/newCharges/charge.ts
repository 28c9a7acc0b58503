/** A charge as the service lists it (spec 2.10). Which of its fields are always there is not known. */
export type Charge = Record<string, unknown>;

/**
 * When a charge was made, in milliseconds since 1970; `undefined` where it does not say. A moment without a zone is UTC
 * (spec 2.1).
 */
export function timeOf({ created }: Charge): number | undefined {
	if (typeof created !== 'string') return undefined;
	const isZoned = /(z|[+-]\d{2}:?\d{2})$/i.test(created) || !created.includes(':');
	const time = Date.parse(isZoned ? created : `${created}Z`);
	return Number.isNaN(time) ? undefined : time;
}

/** What tells a charge from others: its ID or its reference, or without them what does not change with its status. */
export function keyOf(charge: Charge): string {
	const { id, reference_id: reference, created, currency, total, items } = charge;
	if (id !== undefined && id !== null && id !== '') return String(id);
	if (typeof reference === 'number') return `reference ${reference}`;
	return JSON.stringify(created === undefined ? charge : [created, currency, total, items]);
}

/** 48 bits of a text, in at most ten characters: enough to tell some thousand charges apart, and says nothing about them. */
export function hashOf(text: string): string {
	let low = 0x811c9dc5;
	let high = 0x9747b28c;
	for (let at = 0; at < text.length; at++) {
		const code = text.charCodeAt(at);
		low = Math.imul(low ^ code, 0x85ebca6b);
		high = Math.imul(high ^ code, 0xc2b2ae35);
		low ^= low >>> 13;
		high ^= high >>> 16;
	}
	low = Math.imul(low ^ (low >>> 16), 0x27d4eb2f) ^ high;
	low ^= low >>> 15;
	high = Math.imul(high ^ (high >>> 13), 0x165667b1) ^ low;
	return ((low >>> 0) * 0x10000 + ((high >>> 0) & 0xffff)).toString(36);
}

/** A charge and what it is sorted and remembered by. */
export interface Dated {
	charge: Charge;
	/** `undefined`: it does not say when it was made. */
	time: number | undefined;
	hash: string;
}

export function dated(charge: Charge): Dated {
	return { charge, time: timeOf(charge), hash: hashOf(keyOf(charge)) };
}

/** Oldest first, and those that do not say when they were made last. */
export const byAge = (a: Dated, b: Dated) => (a.time ?? Infinity) - (b.time ?? Infinity) || 0;
