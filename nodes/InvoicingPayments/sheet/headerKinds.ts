import { allWordsOf, wordsOf } from './headers';
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
function nameWords(header: string): string[] {
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
function isCount(words: string[]): boolean {
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
			return (isYear || words.length === 1) && figures.every((one) => one >= least && one <= most);
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

/** The unit of time that a header names: `hour` of `Hourly Rate` and of `Hours`. */
export function timeUnitOf(header: string): string | undefined {
	const words = allWordsOf(header);
	return languages
		.flatMap(({ timeUnits }) => Object.entries(timeUnits))
		.find(([, names]) => words.some((word) => names.includes(word)))?.[0];
}

const prices = inAll((language) => language.prices);
const per = inAll((language) => language.per);

/**
 * What a price is for one of: `lesson` of `Price per lesson`, `night` of `Rate/Night`, `nightly` of `Nightly Rate`; nothing where it is
 * for a hundred.
 */
export function pricedUnit(header: string): string | undefined {
	const words = wordsOf(header.replace(/\//g, ' per '));
	const isOfTime = words.length === 2 && timeUnitOf(header) !== undefined;
	if (isOfTime && words.some((word) => prices.has(word))) {
		return words.find((word) => !prices.has(word));
	}
	const at = words.findIndex((word, index) => index > 0 && per.has(word));
	const [unit, ...more] = words.slice(at + 1);
	const isPrice =
		at > 0 && at < 3 && words.slice(0, at).some((word) => prices.has(word)) && more.length < 2;
	if (!isPrice || unit === undefined || words.some((word) => /\d/.test(word))) return undefined;
	return namesOtherMoney(header) || amounts.has(unit) ? undefined : [unit, ...more].join(' ');
}

/** Whether a column counts what the price of another is for one of: `Lessons`, `Number of lessons`; `Nights` beside `Nightly Rate`. */
export function countsWhatIsPriced(header: string, priceHeader: string): boolean {
	const words = nameWords(header);
	const name = words[words.length - 1] ?? '';
	if (words.length > 1 && !isCount(words)) return false;
	const unit = pricedUnit(priceHeader);
	const isPlural =
		unit !== undefined && name !== unit && name.startsWith(unit) && name.length < unit.length + 3;
	const time = timeUnitOf(header);
	return isPlural || (time !== undefined && counts.has(name) && time === timeUnitOf(priceHeader));
}

/** Whether a header names a unit of time that is often paid one by one; a month is rather how long something goes on. */
export const isPricedTime = (header: string) =>
	['hour', 'day', 'night'].includes(timeUnitOf(header) ?? '');

const times = inAll((language) => language.times);
const taxes = inAll(({ otherMoney }) => otherMoney.taxes);
const taxParts = inAll(({ otherMoney }) => otherMoney.taxParts);
const others = inAll(({ otherMoney }) => otherMoney.others);
const amounts = inAll((language) => language.amounts);

/** Units of measure as people write them, from the tables that come with the runtime; a pound may be money. */
const units = new Set(
	Intl.supportedValuesOf('unit')
		.filter((unit) => !['percent', 'pound', 'hour', 'day', 'week'].includes(unit))
		.flatMap((unit) => languages.flatMap(({ code }) => unitNames(unit, code))),
);

function unitNames(unit: string, language: string): string[] {
	return (['long', 'short', 'narrow'] as const).flatMap((unitDisplay) =>
		[1, 2].flatMap((number) =>
			new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay })
				.formatToParts(number)
				.flatMap(({ type, value }) => (type === 'unit' ? [value.toLowerCase()] : [])),
		),
	);
}

/**
 * Whether a header says that its figures measure or count something that is no quantity: `Length (min)`, `Number of calls`, `Duration`;
 * not `Overtime Hours` or `Extra guests`, which may be paid as well. Where the sheet says what each line comes to, they do not matter.
 */
export function namesMeasure(header: string): boolean {
	const note = /[([]([^)\]]+)[)\]]\s*$/.exec(header)?.[1].trim().toLowerCase() ?? '';
	const words = nameWords(header);
	const name = words[words.length - 1] ?? '';
	const isNamed = units.has(note) || isCount(words) || name === 'count' || times.has(name);
	const isQuantity = isPricedTime(header) || words.some((word) => counts.has(word));
	return isNamed && !isQuantity && !namesOtherMoney(header) && !namesAmount(header);
}

/** Whether a header gives the scale on which people answered: `How likely is it (0-10)?` */
export function isOnScale(header: string, figures: number[]): boolean {
	const [, least, most] = /[([]\s*(\d{1,2})\s*[-–:/]\s*(\d{1,3})\s*[)\]]/.exec(header) ?? [];
	if (most === undefined || namesOtherMoney(header)) return false;
	return figures.every((one) => one >= Number(least) && one <= Number(most));
}

/** Whether a header asks how something is, and not how much of it there is: `How old are you?` */
export function asksHow(header: string): boolean {
	const [first, second] = allWordsOf(header);
	const isAsked = languages.some(
		({ how }) => how && how.asks === first && !how.much.includes(second),
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

const counts = inAll((language) => language.counts);

/** Whether a header says that its figures count something. */
export const namesCount = (header: string) => allWordsOf(header).some((word) => counts.has(word));

/** Whether a header says that its figures are amounts or sums. */
export const namesAmount = (header: string) => allWordsOf(header).some((word) => amounts.has(word));
