import { hash } from 'node:crypto';

/** SHA-256 in hexadecimal. What authorizes something needs at least 32 digits (128 bits). */
export const hexOf = (text: string, digits = 64): string =>
	hash('sha256', text, 'hex').slice(0, digits);

/** The first 48 bits of SHA-256, as a whole number. Only where a collision costs little. */
export const hash48Of = (text: string): number => Number(`0x${hexOf(text, 12)}`);

/** Crockford's base 32. It has no letters that look like digits. */
const base32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A hash that is easy to read aloud: SHA-256, five bits for each character. `length`: at most 32. */
export const codeOf = (text: string, length: number): string =>
	[...hash('sha256', text, 'buffer').subarray(0, length)]
		.map((byte) => base32[byte % base32.length])
		.join('');
