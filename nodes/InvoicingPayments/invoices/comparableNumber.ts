import { comparableText } from '../../shared/fields/lookAlikes';

/** Numbers that look the same are the same, apart from case and spaces as well: `inv-7` must not be billed again as `INV-7`. */
export const comparableNumber = (number: unknown): string => comparableText(String(number ?? ''));

/** If a service stored characters of some kind unchanged, e.g. capitals, it keeps others of that kind as well. */
export function characterKindsOf(number: string): string[] {
	const kinds = {
		any: true,
		lowercase: /\p{Ll}/u.test(number),
		uppercase: /\p{Lu}/u.test(number),
		space: /\s/.test(number),
		decomposed: number.normalize('NFC') !== number,
		composed: number.normalize('NFD') !== number,
		compatibility: number.normalize('NFKC') !== number.normalize('NFC'),
		leadingZero: /^0/.test(number),
		digits: /^\d+$/.test(number),
		sign: /[^\p{L}\p{N}\s]/u.test(number),
	};
	return Object.entries(kinds).flatMap(([kind, isPresent]) => (isPresent ? [kind] : []));
}

/** Some services change the case or Unicode form when storing a number, but search for exact matches. */
export function otherSpellings(number: string): string[] {
	const spellings = [number.toUpperCase(), number.toLowerCase()].flatMap((spelling) => [
		spelling,
		spelling.normalize('NFC'),
	]);
	return [...new Set([...spellings, number.normalize('NFC'), number.normalize('NFKC')])].filter(
		(spelling) => spelling !== number,
	);
}
