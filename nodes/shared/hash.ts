/** 48 bits in at most ten characters. */
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

const bitsOf = (text: string): bigint =>
	[text, `again ${text}`]
		.map((one) => BigInt(parseInt(hashOf(one), 36)))
		.reduce((bits, part) => (bits << BigInt(48)) | part, BigInt(0));

/** `digits`: at most 24. */
export const hexOf = (text: string, digits: number): string =>
	bitsOf(text).toString(16).padStart(24, '0').slice(-digits);

/** Crockford's base 32. It has no letters that look like digits. */
const base32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A hash that is easy to read aloud. `length`: at most 19. */
export function codeOf(text: string, length: number): string {
	let rest = bitsOf(text);
	let code = '';
	for (const base = BigInt(base32.length); code.length < length; rest /= base)
		code += base32[Number(rest % base)];
	return code;
}
