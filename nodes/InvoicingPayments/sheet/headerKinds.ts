import { allWordsOf } from './headers';
import { inAll, languages } from './words';
import { en } from './words/en';
import type { Language } from './words/language';

const prepositions = inAll((language) => language.prepositions);

/** The words of a header up to the first preposition, also of an English one: `Paid on account` is about `paid`. */
function ownWords(words: string[], { prepositions: own }: Language): string[] {
	const ends = (word: string) => own.includes(word) || en.prepositions.includes(word);
	const end = words.findIndex((word, at) => at > 0 && ends(word));
	return end < 0 ? words : words.slice(0, end);
}

/** The words of a header without its notes, where it has others: `Postcode (billing)`. */
export function nameWords(header: string): string[] {
	const words = allWordsOf(header.replace(/[([{][^)\]}]*[)\]}]/g, ' '));
	return words.length ? words : allWordsOf(header);
}

/** The word that says what a header is. */
function headOf(words: string[], language: Language): string | undefined {
	const own = ownWords(words, language).filter((word) => !/^\d+$/.test(word));
	return language.head === 'first' ? own[0] : own[own.length - 1];
}

const endsLike = (word: string, endings: string[] = []) =>
	endings.some((ending) => word.length > ending.length + 1 && word.endsWith(ending));

const numbered = inAll((language) => language.numbered ?? []);

/** `Number of Guests` counts; `Numéro de client` tells apart. */
export function isCount(words: string[]): boolean {
	const at = words.indexOf('number');
	if (at < 0 || !prepositions.has(words[at + 1])) return false;
	const counted = words.slice(at + 1).find((word) => !prepositions.has(word));
	return !numbered.has(counted ?? '');
}

/** Whether a header is that of a place on Earth, which no other figures have. */
export const isCoordinate = (header: string, figures: number[]) =>
	languages.some((language) =>
		language.coordinates.includes(headOf(nameWords(header), language) ?? ''),
	) && figures.every((one) => Math.abs(one) <= 180);

/** Whether a header says that its whole numbers tell things apart, or count weeks, months or years, which these all can be. */
export function isIdentifier(header: string, figures: number[]): boolean {
	const words = nameWords(header);
	// `Guests #`, but not `Item No`.
	const isCounted = words[words.length - 1] === 'number' && counts.has(words[words.length - 2]);
	if (isCount(words) || isCounted) return false;
	// Just `#`, `No` or `Number` may as well be a quantity.
	if (words.length === 0 || words.join(' ') === 'number') return countsOn(figures);
	return languages.some((language) => {
		const head = headOf(words, language);
		if (head === undefined || !isReadSo(words, language)) return false;
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

/** In a language whose head comes first, what follows has to be of that language too: `Code client`, but not `Place settings`. */
const isReadSo = (words: string[], language: Language) =>
	language.head === 'last' ||
	words.length === 1 ||
	[
		language.prepositions,
		language.numbered ?? [],
		language.otherMoney.taxes,
		language.otherMoney.others,
	].some((known) => known.includes(words[1]));

/** 1, 2, 3, … as rows are numbered; several may have the same one. */
const countsOn = (figures: number[]) =>
	figures.length > 1 &&
	figures.every((one, at) => at === 0 || one === figures[at - 1] || one - figures[at - 1] === 1) &&
	figures[0] !== figures[figures.length - 1];

/** Spreadsheets hold days as numbers: of 1990 to 2099, and of births before. */
const firstDay = 32_874;
const lastDay = 73_051;

const births = inAll((language) => language.births);
const moments = inAll((language) => language.moments);
const dates = inAll((language) => language.dates);

/** Whether a header says that its numbers are days or times, which these all can be. */
export function isOfDates(header: string, figures: number[]): boolean {
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
	// `Start Time`: a time of day is a part of one, but `Time` alone may be hours.
	const isOfTimes = words.length > 1 && words.every((word) => dates.has(word));
	return (
		isNamed &&
		areAll((one) => (one >= firstDay && one < lastDay) || (isOfTimes && one >= 0 && one < 1))
	);
}

/** Whether a header says that its times are those of a day; `Time` alone may be how long it took. */
export const isOfTimes = (header: string) =>
	isOfDates(header, []) && nameWords(header).some((word) => !times.has(word));

/** What times are called. */
export const times = inAll((language) => language.times);
const taxes = inAll(({ otherMoney }) => otherMoney.taxes);
const taxParts = inAll(({ otherMoney }) => otherMoney.taxParts);
const others = inAll(({ otherMoney }) => otherMoney.others);
const amounts = inAll((language) => language.amounts);

/** Whether a header gives the scale on which people answered: `How likely is it (0-10)?` */
export function isOnScale(header: string, figures: number[]): boolean {
	const [, least, most] = /[([]\s*(\d{1,2})\s*[-–:/]\s*(\d{1,3})\s*[)\]]/.exec(header) ?? [];
	if (most === undefined || namesOtherMoney(header) || namesCount(header)) return false;
	return figures.every((one) => one >= Number(least) && one <= Number(most));
}

/** Whether a header asks for something that is never paid for: `How old are you?`, but not `How big is your group?` */
export function asksHow(header: string): boolean {
	const [first, second] = allWordsOf(header);
	const isAsked = languages.some(
		({ how }) => how && how.asks === first && how.harmless.includes(second),
	);
	return isAsked && header.trim().endsWith('?') && !namesOtherMoney(header);
}

/** Whether a header names money that the service has no field for, and that a total of the sheet may contain: tax, shipping, tips. */
export const namesOtherMoney = (header: string) =>
	allWordsOf(header).some((word) => taxes.has(word) || others.has(word)) ||
	/round[\s_-]*off/i.test(header);

/** Whether a header names a tax and nothing of it that is no money: not `Tax Country`. */
export function namesTax(header: string): boolean {
	const words = allWordsOf(header);
	const isQuestion = words[0] === 'is' || words[0] === 'has';
	const isOfTax = (word: string) => taxes.has(word) || taxParts.has(word);
	return !isQuestion && words.some((word) => taxes.has(word)) && words.slice(-1).every(isOfTax);
}

/** A header with a price in it: whoever fills such a column means that price. */
export const namesPrice = (header: string) =>
	/\p{Sc}\s?\d|\d\s?\p{Sc}|\d[.,]\d{2}\b|[+-]\s?\d+\s?[A-Z]{3}\b/u.test(header);

/** What headers of quantities are called. */
export const counts = inAll((language) => language.counts);

/** Whether a header says that its figures count something. */
export const namesCount = (header: string) => allWordsOf(header).some((word) => counts.has(word));

/** Whether a header says that its figures are amounts or sums. */
export const namesAmount = (header: string) => allWordsOf(header).some((word) => amounts.has(word));
