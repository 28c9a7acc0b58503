/** Normalizes what a service may change: case, spaces and Unicode form. Nobody is billed twice over a capital letter. */
export const comparableNumber = (number: unknown): string =>
	String(number ?? '')
		.normalize('NFKC')
		// Upper case first: "ß" becomes "SS" only in that direction.
		.toUpperCase()
		.toLowerCase()
		.replace(/[\s\u200b-\u200d\ufeff]+/g, '');

/** A service may change some kinds of characters. If it stored one unchanged, others of that kind are safe. */
export function traitsOf(number: string): string[] {
	const traits = {
		some: true,
		small: /\p{Ll}/u.test(number),
		capital: /\p{Lu}/u.test(number),
		space: /\s/.test(number),
		decomposed: number.normalize('NFC') !== number,
		composed: number.normalize('NFD') !== number,
		wide: number.normalize('NFKC') !== number.normalize('NFC'),
		leadingZero: /^0/.test(number),
		digits: /^\d+$/.test(number),
		sign: /[^\p{L}\p{N}\s]/u.test(number),
	};
	return Object.entries(traits).flatMap(([name, isThere]) => (isThere ? [name] : []));
}

/** For services that normalize numbers when storing, but compare exactly. */
export function otherForms(number: string): string[] {
	const forms = [number.toUpperCase(), number.toLowerCase()].flatMap((form) => [
		form,
		form.normalize('NFC'),
	]);
	return [...new Set([...forms, number.normalize('NFC')])].filter((form) => form !== number);
}
