import { currenciesOf, isCurrencyCode } from './currencies';
import { allHeaders, inAll, numberWords } from './words';

/** Notes that do not change which price a header means. */
const harmlessNotes =
	/^(?:net|excl?\.?|excluding|without|before|each|per (?:unit|item|piece|hour)|unit)?\s*(?:of\s+)?(?:tax|taxes|vat|gst|unit|item)?$/i;

/** The same in other languages: `(HT)`, `(ohne MwSt)`. */
const netNotes = inAll(({ netNotes: notes }) => notes.map((note) => note.toLowerCase()));
const isHarmless = (note: string) =>
	harmlessNotes.test(note) || filling.test(note) || netNotes.has(note.toLowerCase());

const filling = /^(?:required|optional|mandatory|number|decimal|numbers only|)$/i;

/** Notes about how to fill a column, or about its unit. Any other note may change its meaning. */
const freeNote =
	/^(?:optional|required|mandatory|text|number|date|pcs?\.?|pieces?|units?|each|hrs?|hours?|h|days?|decimal|name|line|product\/service|item|if any|[dmy]{1,4}([/.-])[dmy]{1,4}\1[dmy]{1,4}|iso|)$/i;

/** Units also count if translated: `Menge (Stk.)`. */
const counts = inAll((language) => language.counts);
const isFreeNote = (note: string) => freeNote.test(note) || counts.has(foldedWords(note).join(' '));

/** The words of a text in lower case, without accents. */
export const foldedWords = (text: string): string[] =>
	text
		.normalize('NFKD')
		.replace(/\p{M}/gu, '')
		.toLowerCase()
		.match(/\p{L}+|\p{N}+/gu) ?? [];

/** The words of a header: `Invoice No.` and `invoice#` are `invoice`, `number`. Drops harmless notes such as `(pcs)`. */
export function wordsOf(header: string): string[] {
	const text = header
		.normalize('NFKC')
		.replace(/[([{]([^)\]}]*)[)\]}]/g, (_all, note: string) =>
			isFreeNote(note.trim()) ? ' ' : ` ${note} `,
		)
		.replace(/%/g, ' percent ')
		.replace(/#|\bn\.?\s?[°o](?=\s|$)|\bn\.(?=\s|$)/gi, ' number ')
		.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
		// `POAddress`, but not `IDs`
		.replace(/(\p{Lu})(\p{Lu}(?!s\b)\p{Ll})/gu, '$1 $2');
	const joined = foldedWords(text)
		.join(' ')
		.replace(/\be mail\b/g, 'email');
	return joined
		.split(' ')
		.filter(Boolean)
		.map((word) => (numberWords.has(word) ? 'number' : word));
}

/** A header up to its first bracket. */
export const withoutNote = (header: string) => header.replace(/[([{].*$/, '');

/** The words of a header, including all notes: `Amount (paid)`. */
export const allWordsOf = (header: string) => wordsOf(header.replace(/[()[\]{}]/g, ' '));

/** A header without case, spaces, punctuation and harmless notes, for comparison. */
export const plainHeader = (header: string) => wordsOf(header).join('');

/** The currencies in a header: signs and codes. In an all-caps header any short word looks like a code, so codes need brackets. */
function marksIn(header: string): string[] {
	const signs = header.match(/\p{L}{0,3}\p{Sc}/gu) ?? [];
	const inBrackets = [...header.matchAll(/[([{]\s*([A-Z]{3})\s*[)\]}]/g)].map(([, word]) => word);
	const isShouted = !/\p{Ll}/u.test(header.replace(/[([{][^)\]}]*[)\]}]/g, ' '));
	const atEnd = /[\s,/_-]([A-Z]{3})\s*$/.exec(header)?.[1];
	const bare = atEnd !== undefined && !isShouted ? [atEnd] : [];
	return [...signs, ...[...inBrackets, ...bare].filter(isCurrencyCode)];
}

/**
 * A money header without currency and note: `Unit Price (EUR)`, `Price €`. `plain`: for comparison. `undefined` if the
 * note may mean another amount: `Amount (paid)`.
 */
export function moneyHeader(
	header: string,
): { name: string; plain: string; currency?: string } | undefined {
	const marks = marksIn(header);
	const rest = marks.reduce((text, mark) => text.replace(mark, ' '), header);
	const notes = [...rest.matchAll(/[([{]([^)\]}]*)[)\]}]/g)].map(([, note]) => note.trim());
	// `Price (k€)` is in thousands.
	if (marks.some((mark) => currenciesOf(mark).length === 0)) return undefined;
	if (marks.length > 1 || notes.some((note) => !isHarmless(note))) return undefined;
	const bare = rest.replace(/[([{][^)\]}]*[)\]}]/g, ' ').replace(/\s(?:in|en)\s*$/i, '');
	return { name: bare, plain: plainHeader(bare), ...(marks[0] && { currency: marks[0] }) };
}

const accentsIn = (header: string): string[] =>
	[...header.normalize('NFC').toLowerCase()].filter((letter) =>
		/\p{M}/u.test(letter.normalize('NFD').slice(1)),
	);

const knownAccents = new Set(
	allHeaders.flatMap((header) =>
		accentsIn(header).map((letter) => `${plainHeader(header)} ${letter}`),
	),
);

/** Whether all accents of a header are known: `Öre` is not `Ore`. Missing accents are fine. */
export const hasKnownAccents = (header: string): boolean => {
	const plain = plainHeader(header);
	return accentsIn(header).every((letter) => knownAccents.has(`${plain} ${letter}`));
};
