import { fold } from '../../shared/fields/text';
import { currenciesOf, isCurrencyCode } from './currencies';
import { allHeaders, inAll, languages, numberWords } from './words';
import { en } from './words/en';
import type { Language } from './words/language';

/** A header for comparison: without case, spaces, punctuation and notes such as `(pcs)`. */
export const plainHeader = (header: string) => wordsOf(header).join('');

/** The words of a header: `Invoice No.` and `invoice#` are `invoice`, `number`. Drops notes such as `(pcs)`. */
export function wordsOf(header: string): string[] {
	const text = header
		.normalize('NFKC')
		.replace(notes, (_all, note: string) => (isFormatNote(note.trim()) ? ' ' : ` ${note} `))
		.replace(/%/g, ' percent ')
		.replace(/#|\bn\.?\s?[°o](?=\s|$)|\bn\.(?=\s|$)/gi, ' number ')
		.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
		.replace(/(\p{Lu})(\p{Lu}(?!s\b)\p{Ll})/gu, '$1 $2');
	const joined = foldedWords(text)
		.join(' ')
		.replace(/\be mail\b/g, 'email');
	return joined
		.split(' ')
		.filter(Boolean)
		.map((word) => (numberWords.has(word) ? 'number' : word));
}

export const foldedWords = (text: string): string[] => fold(text).match(/\p{L}+|\p{N}+/gu) ?? [];

const notes = /[([{]([^)\]}]*)[)\]}]/g;
const withoutNotes = (header: string) => header.replace(notes, ' ');

export const headerBeforeBracket = (header: string) => header.replace(/[([{].*$/, '');

export const allWordsOf = (header: string) => wordsOf(header.replace(/[()[\]{}]/g, ' '));

/** The words of a header outside brackets. If all words are in brackets, those. */
export function nameWords(header: string): string[] {
	const words = allWordsOf(withoutNotes(header));
	return words.length ? words : allWordsOf(header);
}

/** Notes about the format or unit of a column. Any other note may change what the header means. */
const formatNote =
	/^(?:optional|required|mandatory|text|number|date|pcs?\.?|pieces?|units?|each|hrs?|hours?|h|days?|decimal|name|line|product\/service|item|if any|[dmy]{1,4}([/.-])[dmy]{1,4}\1[dmy]{1,4}|iso|)$/i;

export const countWords = inAll((language) => language.counts);
const isFormatNote = (note: string) =>
	formatNote.test(note) || countWords.has(foldedWords(note).join(' '));

/** Notes that do not change which price a header means. */
const harmlessNote =
	/^(?:(?:net|excl?\.?|excluding|without|before|each|per (?:unit|item|piece|hour)|unit)?\s*(?:of\s+)?(?:tax|taxes|vat|gst|unit|item)?|required|optional|mandatory|number|decimal|numbers only)$/i;
const netNotes = inAll((language) => language.netNotes.map((note) => note.toLowerCase()));

/** Splits `Unit Price (EUR)` into name and currency. `undefined` if a note may mean another amount: `Amount (paid)`. */
export function moneyHeader(
	header: string,
): { name: string; plain: string; currency?: string } | undefined {
	const currencies = signsAndCodesIn(header);
	const rest = currencies.reduce((text, currency) => text.replace(currency, ' '), header);
	const isHarmless = ([, note]: RegExpMatchArray) =>
		harmlessNote.test(note.trim()) || netNotes.has(note.trim().toLowerCase());
	// `Price (k€)` is in thousands.
	if (currencies.some((currency) => currenciesOf(currency).length === 0)) return undefined;
	if (currencies.length > 1 || ![...rest.matchAll(notes)].every(isHarmless)) return undefined;
	const name = withoutNotes(rest).replace(/\s(?:in|en)\s*$/i, '');
	return { name, plain: plainHeader(name), ...(currencies[0] && { currency: currencies[0] }) };
}

/** The currencies in a header: signs and codes. In an all-caps header any short word looks like a code, so codes need brackets. */
function signsAndCodesIn(header: string): string[] {
	const signs = header.match(/\p{L}{0,3}\p{Sc}/gu) ?? [];
	const inBrackets = [...header.matchAll(/[([{]\s*([A-Z]{3})\s*[)\]}]/g)].map(([, word]) => word);
	const isAllCaps = !/\p{Ll}/u.test(withoutNotes(header));
	const atEnd = /[\s,/_-]([A-Z]{3})\s*$/.exec(header)?.[1];
	const bare = atEnd !== undefined && !isAllCaps ? [atEnd] : [];
	return [...signs, ...[...inBrackets, ...bare].filter(isCurrencyCode)];
}

/** Whether known headers have all accents of a header: `Öre` is not `Ore`. Missing accents are fine. */
export const hasKnownAccents = (header: string): boolean =>
	accentsIn(header).every((accent) => knownAccents.has(accent));

const accentsIn = (header: string): string[] =>
	[...header.normalize('NFC').toLowerCase()]
		.filter((letter) => fold(letter) !== letter && /\p{L}/u.test(letter))
		.map((letter) => `${plainHeader(header)} ${letter}`);

const knownAccents = new Set(allHeaders.flatMap(accentsIn));

/** Whether a column holds identifiers, or numbers of weeks, months or years. */
export function isIdentifier(header: string, figures: number[]): boolean {
	const words = nameWords(header);
	// `Guests #`, but not `Item No`.
	const isCountOfNoun =
		words[words.length - 1] === 'number' && countWords.has(words[words.length - 2]);
	if (isNumberOfThings(words) || isCountOfNoun) return false;
	// `#`, `No` or `Number` alone may be a quantity.
	if (words.length === 0 || words.join(' ') === 'number') return countsUp(figures);
	return languages.some((language) => {
		const head = mainWordOf(words, language);
		if (head === undefined || !fitsLanguage(words, language)) return false;
		const [least, most] = language.ranges[head] ?? [];
		if (least === undefined) {
			const isNamed = head === 'number' || language.identifiers.includes(head);
			return isNamed || hasEnding(head, language.identifierEndings);
		}
		// `Visits last month` counts visits.
		const isYear = least > 1000 && !words.some((word) => momentWords.has(word));
		const isAlone = isYear || least === most || words.length === 1;
		return isAlone && figures.every((one) => one >= least && one <= most);
	});
}

/** The main word of a header stands before the first preposition: `paid` in `Paid on account`. */
function mainWordOf(words: string[], language: Language): string | undefined {
	const ends = (word: string) =>
		// English prepositions count in every language.
		language.prepositions.includes(word) || en.prepositions.includes(word);
	const end = words.findIndex((word, at) => at > 0 && ends(word));
	const main = words.slice(0, end < 0 ? undefined : end).filter((word) => !/^\d+$/.test(word));
	return language.head === 'first' ? main[0] : main[main.length - 1];
}

const hasEnding = (word: string, endings: string[] = []) =>
	endings.some((ending) => word.length > ending.length + 1 && word.endsWith(ending));

const allPrepositions = inAll((language) => language.prepositions);
const numberedThings = inAll((language) => language.numbered ?? []);

/** `Number of Guests` is a count, `Numéro de client` an identifier. */
export function isNumberOfThings(words: string[]): boolean {
	const at = words.indexOf('number');
	if (at < 0 || !allPrepositions.has(words[at + 1])) return false;
	const counted = words.slice(at + 1).find((word) => !allPrepositions.has(word));
	return !numberedThings.has(counted ?? '');
}

/** If a language puts the main word first, the next word must be of that language too: `Code client`, not `Place settings`. */
function fitsLanguage([, next]: string[], language: Language): boolean {
	const { head, prepositions: own, numbered: named = [], otherMoney } = language;
	const known = [own, named, otherMoney.taxes, otherMoney.others];
	return head === 'last' || next === undefined || known.some((list) => list.includes(next));
}

const countsUp = (figures: number[]) =>
	figures.length > 1 &&
	figures.every((one, at) => at === 0 || one === figures[at - 1] || one - figures[at - 1] === 1) &&
	figures[0] !== figures[figures.length - 1];

export const isCoordinate = (header: string, figures: number[]) =>
	languages.some((language) =>
		language.coordinates.includes(mainWordOf(nameWords(header), language) ?? ''),
	) && figures.every((one) => Math.abs(one) <= 180);

/** Spreadsheet date numbers of 1990 to 2099. Dates of birth may be earlier. */
export const firstDay = 32_874;
export const lastDay = 73_051;

export const dateWords = inAll((language) => language.dates);
const birthWords = inAll((language) => language.births);
const momentWords = inAll((language) => language.moments);

/** Whether a header names dates or times, and all numbers can be dates or times. */
export function holdsDates(header: string, figures: number[]): boolean {
	const words = nameWords(header);
	const areAll = (is: (one: number) => boolean) => figures.every(is);
	if (words.some((word) => birthWords.has(word))) return areAll((one) => one > 0 && one < lastDay);
	const isNamed =
		// `Next visit`, but not `Next payment`.
		(words.some((word) => momentWords.has(word)) &&
			!namesOtherMoney(header) &&
			!namesAmount(header)) ||
		languages.some((language) => {
			const head = mainWordOf(words, language) ?? '';
			return language.dates.includes(head) || hasEnding(head, language.dateEndings);
		});
	// `Start Time` is a fraction of a day, but `Time` alone may be hours.
	const areTimes = words.length > 1 && words.every((word) => dateWords.has(word));
	return (
		isNamed &&
		areAll((one) => (one >= firstDay && one < lastDay) || (areTimes && one >= 0 && one < 1))
	);
}

export const timeWords = inAll((language) => language.times);

/** Whether a header names times of day. `Time` alone may be a duration. */
export const holdsTimes = (header: string) =>
	holdsDates(header, []) && nameWords(header).some((word) => !timeWords.has(word));

/** Whether a column holds ratings: `How likely is it (0-10)?` */
export function isOnScale(header: string, figures: number[]): boolean {
	const [, least, most] = /[([]\s*(\d{1,2})\s*[-–:/]\s*(\d{1,3})\s*[)\]]/.exec(header) ?? [];
	if (most === undefined || namesOtherMoney(header) || namesCount(header)) return false;
	return figures.every((one) => one >= Number(least) && one <= Number(most));
}

/** Whether a header asks for something that is never billed: `How old are you?`, not `How big is your group?` */
export function asksHow(header: string): boolean {
	const [first, second] = allWordsOf(header);
	const isAsked = languages.some(
		({ how }) => how && how.asks === first && how.harmless.includes(second),
	);
	return isAsked && header.trim().endsWith('?') && !namesOtherMoney(header);
}

export const taxWords = inAll(({ otherMoney }) => otherMoney.taxes);
const taxParts = inAll(({ otherMoney }) => otherMoney.taxParts);
const otherMoneyWords = inAll(({ otherMoney }) => otherMoney.others);
const amountWords = inAll((language) => language.amounts);

/** Whether a header names money that the service has no field for, such as tax, shipping or tips. */
export const namesOtherMoney = (header: string) =>
	allWordsOf(header).some((word) => taxWords.has(word) || otherMoneyWords.has(word)) ||
	/round[\s_-]*off/i.test(header);

export function namesTax(header: string): boolean {
	const words = allWordsOf(header);
	const last = words[words.length - 1];
	return (
		!['is', 'has'].includes(words[0]) &&
		words.some((word) => taxWords.has(word)) &&
		(taxWords.has(last) || taxParts.has(last))
	);
}

/** Whether a header contains a price: `Delivery (5 €)`. Any entry in the column means that price. */
export const namesPrice = (header: string) =>
	/\p{Sc}\s?\d|\d\s?\p{Sc}|\d[.,]\d{2}\b|[+-]\s?\d+\s?[A-Z]{3}\b/u.test(header);

export const namesCount = (header: string) =>
	allWordsOf(header).some((word) => countWords.has(word));

export const namesAmount = (header: string) =>
	allWordsOf(header).some((word) => amountWords.has(word));
