import { allWordsOf } from './headers';
import { inAll, languages } from './words';
import { en } from './words/en';
import type { Language } from './words/language';

const prepositions = inAll((language) => language.prepositions);

/** The words before the first preposition: `Paid on account` is about `paid`. English prepositions count in every language. */
function mainWords(words: string[], { prepositions: ofLanguage }: Language): string[] {
	const ends = (word: string) => ofLanguage.includes(word) || en.prepositions.includes(word);
	const end = words.findIndex((word, at) => at > 0 && ends(word));
	return end < 0 ? words : words.slice(0, end);
}

/** The words of a header without notes in brackets, unless it has no others. */
export function nameWords(header: string): string[] {
	const words = allWordsOf(header.replace(/[([{][^)\]}]*[)\]}]/g, ' '));
	return words.length ? words : allWordsOf(header);
}

function headOf(words: string[], language: Language): string | undefined {
	const main = mainWords(words, language).filter((word) => !/^\d+$/.test(word));
	return language.head === 'first' ? main[0] : main[main.length - 1];
}

const endsLike = (word: string, endings: string[] = []) =>
	endings.some((ending) => word.length > ending.length + 1 && word.endsWith(ending));

const numbered = inAll((language) => language.numbered ?? []);

/** `Number of Guests` is a count, `Numéro de client` an identifier. */
export function isCount(words: string[]): boolean {
	const at = words.indexOf('number');
	if (at < 0 || !prepositions.has(words[at + 1])) return false;
	const counted = words.slice(at + 1).find((word) => !prepositions.has(word));
	return !numbered.has(counted ?? '');
}

/** Whether a column holds coordinates. */
export const isCoordinate = (header: string, figures: number[]) =>
	languages.some((language) =>
		language.coordinates.includes(headOf(nameWords(header), language) ?? ''),
	) && figures.every((one) => Math.abs(one) <= 180);

/** Whether a column holds identifiers, or numbers of weeks, months or years. */
export function isIdentifier(header: string, figures: number[]): boolean {
	const words = nameWords(header);
	// `Guests #`, but not `Item No`.
	const isCounted = words[words.length - 1] === 'number' && counts.has(words[words.length - 2]);
	if (isCount(words) || isCounted) return false;
	// `#`, `No` or `Number` alone may be a quantity.
	if (words.length === 0 || words.join(' ') === 'number') return countsUp(figures);
	return languages.some((language) => {
		const head = headOf(words, language);
		if (head === undefined || !fitsLanguage(words, language)) return false;
		const [least, most] = language.ranges[head] ?? [];
		if (least !== undefined) {
			// `Visits last month` counts visits.
			const isYear = least > 1000 && !words.some((word) => moments.has(word));
			const isOne = least === most;
			return (
				(isYear || isOne || words.length === 1) &&
				figures.every((one) => one >= least && one <= most)
			);
		}
		const isOfWords = head === 'number' || language.identifiers.includes(head);
		return isOfWords || endsLike(head, language.identifierEndings);
	});
}

/** If a language puts the main word first, the next word must be of that language too: `Code client`, not `Place settings`. */
const fitsLanguage = (words: string[], language: Language) =>
	language.head === 'last' ||
	words.length === 1 ||
	[
		language.prepositions,
		language.numbered ?? [],
		language.otherMoney.taxes,
		language.otherMoney.others,
	].some((known) => known.includes(words[1]));

const countsUp = (figures: number[]) =>
	figures.length > 1 &&
	figures.every((one, at) => at === 0 || one === figures[at - 1] || one - figures[at - 1] === 1) &&
	figures[0] !== figures[figures.length - 1];

/** Spreadsheet date numbers of 1990 to 2099. Dates of birth may be earlier. */
const firstDay = 32_874;
const lastDay = 73_051;

const births = inAll((language) => language.births);
const moments = inAll((language) => language.moments);
const dates = inAll((language) => language.dates);

/** Whether the header names dates or times, and all numbers can be such. */
export function holdsDates(header: string, figures: number[]): boolean {
	const words = nameWords(header);
	const areAll = (is: (one: number) => boolean) => figures.every(is);
	if (words.some((word) => births.has(word))) return areAll((one) => one > 0 && one < lastDay);
	const isNamed =
		// `Next visit`, but not `Next payment`.
		(words.some((word) => moments.has(word)) && !namesOtherMoney(header) && !namesAmount(header)) ||
		languages.some((language) => {
			const head = headOf(words, language) ?? '';
			return language.dates.includes(head) || endsLike(head, language.dateEndings);
		});
	// `Start Time` is a fraction of a day, but `Time` alone may be hours.
	const areTimes = words.length > 1 && words.every((word) => dates.has(word));
	return (
		isNamed &&
		areAll((one) => (one >= firstDay && one < lastDay) || (areTimes && one >= 0 && one < 1))
	);
}

/** Whether a header names times of day. `Time` alone may be a duration. */
export const holdsTimes = (header: string) =>
	holdsDates(header, []) && nameWords(header).some((word) => !times.has(word));

export const times = inAll((language) => language.times);
const taxes = inAll(({ otherMoney }) => otherMoney.taxes);
const taxParts = inAll(({ otherMoney }) => otherMoney.taxParts);
const others = inAll(({ otherMoney }) => otherMoney.others);
const amounts = inAll((language) => language.amounts);

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

/** Whether a header names money that the service has no field for: tax, shipping, tips. The sheet's totals may contain it. */
export const namesOtherMoney = (header: string) =>
	allWordsOf(header).some((word) => taxes.has(word) || others.has(word)) ||
	/round[\s_-]*off/i.test(header);

/** Whether a header names the amount of a tax: not `Tax Country`. */
export function namesTax(header: string): boolean {
	const words = allWordsOf(header);
	const isQuestion = words[0] === 'is' || words[0] === 'has';
	const isOfTax = (word: string) => taxes.has(word) || taxParts.has(word);
	return !isQuestion && words.some((word) => taxes.has(word)) && words.slice(-1).every(isOfTax);
}

/** Whether a header contains a price. Any entry in such a column means that price. */
export const namesPrice = (header: string) =>
	/\p{Sc}\s?\d|\d\s?\p{Sc}|\d[.,]\d{2}\b|[+-]\s?\d+\s?[A-Z]{3}\b/u.test(header);

export const counts = inAll((language) => language.counts);

export const namesCount = (header: string) => allWordsOf(header).some((word) => counts.has(word));

export const namesAmount = (header: string) => allWordsOf(header).some((word) => amounts.has(word));
