/**
 * An invoice number without what a service may change when it stores it: case, spaces and Unicode form. Two numbers that have the
 * same form count as one, so that nobody is billed twice because of a capital letter.
 */
export const comparableNumber = (number: unknown): string =>
	String(number ?? '')
		.normalize('NFKC')
		// A few letters have no small form of their own ("ß"), so all go by way of the capital one.
		.toUpperCase()
		.toLowerCase()
		.replace(/[\s\u200b-\u200d\ufeff]+/g, '');

/** What there is in a number that a service may change. */
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

/** Other ways in which a service may have stored a number, for one that compares numbers exactly. */
export function otherForms(number: string): string[] {
	const forms = [number.toUpperCase(), number.toLowerCase()].flatMap((form) => [
		form,
		form.normalize('NFC'),
	]);
	return [...new Set([...forms, number.normalize('NFC')])].filter((form) => form !== number);
}
