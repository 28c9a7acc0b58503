/**
 * Texts that look the same to a person and are not the same to a computer, which matters for invoice numbers: two of them would
 * bill a customer twice.
 */
import { normalize } from './text';

/** Control and format characters, and others that nobody sees: soft hyphens, marks of direction, variation selectors. */
const unseen = /[\p{Cc}\p{Cf}\p{DI}]/gu;
/** Spaces that are no plain one. The braille pattern without dots looks like one. */
const oddSpaces = /[^\S ]|[\p{Z}\u2800]/gu;
/** Hyphens, dashes and minus signs. */
const dashes = /[\p{Pd}\u2212\u02d7\u2043\ufe63]/gu;

/** As a person sees and would type it: without invisible characters, with plain spaces and hyphens. */
export const typedForm = (text: string): string =>
	text.replace(oddSpaces, ' ').replace(unseen, '').replace(dashes, '-');

/** Why a text cannot be told from another by looking: `has an invisible character (U+00AD). Delete it`. */
export function hiddenIn(text: string): string | undefined {
	const at = [...text].findIndex((char) => typedForm(char) !== char);
	if (at < 0) return undefined;
	const char = [...text][at];
	const code = `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
	const before = [...text].slice(0, at).join('').trim();
	const where = before ? ` after "${before}"` : '';
	return typedForm(char) === ''
		? `has an invisible character${where} (${code}). Delete it`
		: `has a character${where} that only looks like a hyphen or space (${code}). Type it anew`;
}

/** Capitals of other alphabets that look like Latin ones. */
const capitals: Record<string, string> = Object.fromEntries(
	[
		'AΑА',
		'BΒВ',
		'CС',
		'EΕЕ',
		'HΗН',
		'IΙІ',
		'JЈ',
		'KΚК',
		'MΜМ',
		'NΝ',
		'OΟО',
		'PΡР',
		'SЅ',
		'TΤТ',
		'XΧХ',
		'YΥУ',
		'ZΖ',
	].flatMap(([latin, ...others]) => others.map((other) => [other, latin])),
);

/** The same for texts that look the same apart from case and spaces: `inv-7`, `INV‑7` and `ＩＮＶ-7`. */
export const comparableText = (text: string): string =>
	typedForm(normalize(text, 'NFKC'))
		// Upper case first: "ß" becomes "SS" only in that direction.
		.toUpperCase()
		.replace(/[\u0370-\u04ff]/g, (letter) => capitals[letter] ?? letter)
		.toLowerCase()
		.replace(/ /g, '');
