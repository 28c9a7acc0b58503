/**
 * An invoice number without case, spaces and Unicode form, which a service may change. Numbers that compare equal count as
 * one, so that nobody is billed twice over a capital letter.
 */
export const comparableNumber = (number: unknown): string =>
	String(number ?? '')
		.normalize('NFKC')
		// Upper case first: some letters, such as "ß", change only there.
		.toUpperCase()
		.toLowerCase()
		.replace(/[\s\u200b-\u200d\ufeff]+/g, '');

/** Everything in a number that a service may change. */
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

/** Other spellings that a service with exact comparison may have stored. */
export function otherForms(number: string): string[] {
	const forms = [number.toUpperCase(), number.toLowerCase()].flatMap((form) => [
		form,
		form.normalize('NFC'),
	]);
	return [...new Set([...forms, number.normalize('NFC')])].filter((form) => form !== number);
}
