/**
 * The indexes 0 … `count` - 1 in an order that depends on `key`. Two n8n processes that create the same items at the same
 * time then seldom work on the same one.
 */
export function seededShuffle(count: number, key: string): number[] {
	const random = mulberry32(fnv1a(key));
	const order = Array.from({ length: count }, (_, index) => index);
	for (let last = count - 1; last > 0; last--) {
		const other = Math.floor(random() * (last + 1));
		[order[last], order[other]] = [order[other], order[last]];
	}
	return order;
}

/** FNV-1a, 32 bits. */
function fnv1a(text: string): number {
	let hash = 0x811c9dc5;
	for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
	return hash >>> 0;
}

/** Mulberry32, from 0 up to 1. */
function mulberry32(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	};
}
