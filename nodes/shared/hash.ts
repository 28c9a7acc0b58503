/** 48 bits of a text, in at most ten characters: enough to tell some thousand things apart, and says nothing about them. */
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
