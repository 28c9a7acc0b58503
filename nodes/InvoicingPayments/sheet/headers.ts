import { currenciesOf, isCurrencyCode } from './currencies';
import { inAll, numberWords } from './words';

/** What a note in brackets may say of a price without changing which price it is. */
const harmlessNotes =
	/^(?:net|excl?\.?|excluding|without|before|each|per (?:unit|item|piece|hour)|unit)?\s*(?:of\s+)?(?:tax|taxes|vat|gst|unit|item)?$/i;

/** The same in other languages: `(HT)`, `(ohne MwSt)`. */
const netNotes = inAll(({ netNotes: notes }) => notes.map((note) => note.toLowerCase()));
const isHarmless = (note: string) =>
	harmlessNotes.test(note) || filling.test(note) || netNotes.has(note.toLowerCase());

/** Notes that only say how a column is to be filled. */
const filling = /^(?:required|optional|mandatory|number|decimal|numbers only|)$/i;

/** Notes that say how a column is to be filled, in what unit, or with what else. Any other may change what the column is. */
const freeNote =
	/^(?:optional|required|mandatory|text|number|date|pcs?\.?|pieces?|units?|each|hrs?|hours?|h|days?|decimal|name|line|product\/service|item|if any|[dmy]{1,4}([/.-])[dmy]{1,4}\1[dmy]{1,4}|iso|)$/i;

/** The same where it names what is counted: `Menge (Stk.)`. */
const counts = inAll((language) => language.counts);
const isFreeNote = (note: string) => freeNote.test(note) || counts.has(foldedWords(note).join(' '));

/** The words of a text in lower case and without accents. */
export const foldedWords = (text: string): string[] =>
	text
		.normalize('NFKD')
		.replace(/\p{M}/gu, '')
		.toLowerCase()
		.match(/\p{L}+|\p{N}+/gu) ?? [];

/** The words of a header: `Invoice No.` and `invoice#` are `invoice`, `number`; a note such as `(pcs)` is left out. */
export function readableTexts(header: string): string[] {
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

/** A header without the note in brackets behind it. */
export const withoutNote = (header: string) => header.replace(/[([{].*$/, '');

/** Here a note in brackets counts: `Amount (paid)`. */
export const allWordsOf = (header: string) => readableTexts(header.replace(/[()[\]{}]/g, ' '));

/** A header without case, spaces, punctuation, and a note in brackets. */
export const plainHeader = (header: string) => readableTexts(header).join('');

/**
 * The currencies that a header names: signs, and codes that stand in brackets, at the end or beside a sign. In a header that is all
 * in capitals every short word looks like a code, so there it has to stand in brackets.
 */
function marksIn(header: string): string[] {
	const signs = header.match(/\p{L}{0,3}\p{Sc}/gu) ?? [];
	const inBrackets = [...header.matchAll(/[([{]\s*([A-Z]{3})\s*[)\]}]/g)].map(([, word]) => word);
	const isShouted = !/\p{Ll}/u.test(header.replace(/[([{][^)\]}]*[)\]}]/g, ' '));
	const atEnd = /[\s,/_-]([A-Z]{3})\s*$/.exec(header)?.[1];
	const bare = atEnd !== undefined && !isShouted ? [atEnd] : [];
	return [...signs, ...[...inBrackets, ...bare].filter(isCurrencyCode)];
}

/**
 * A header of money without its currency and its note: `Unit Price (EUR)`, `Price €`; `plain` as headers are compared. `currency` is what it says of the currency.
 * `undefined` where the note may say that it is another amount: `Amount (paid)`.
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
