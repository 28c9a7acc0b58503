import {
	allWordsOf,
	countWords,
	isNumberOfThings,
	namesAmount,
	namesOtherMoney,
	nameWords,
	timeWords,
	wordsOf,
} from './headers';
import { inAll, languages } from './words';

const priceWords = inAll((language) => language.prices);
const perWords = inAll((language) => language.per);
const multipleWords = inAll((language) => language.multiples);
const dimensionWords = inAll((language) => language.dimensions);

let unitCache: Map<string, Set<string>> | undefined;

/** The English names of the units that a word can mean, from Intl and from our own words for time. */
function unitsIn(word: string): ReadonlySet<string> {
	unitCache ??= unitsByName();
	return unitCache.get(word.toLowerCase()) ?? new Set();
}

function unitsByName(): Map<string, Set<string>> {
	const names = new Map<string, Set<string>>();
	for (const { code, timeUnits: unitsOfTime } of languages) {
		const ofLanguage = new Map<string, Set<string>>();
		const add = (name: string, unit: string) => {
			const key = name.toLowerCase();
			// Languages listed first win: `g` is a gram, not an Italian day.
			if (!names.has(key)) ofLanguage.set(key, (ofLanguage.get(key) ?? new Set()).add(unit));
		};
		for (const [unit, words] of Object.entries(unitsOfTime))
			words.forEach((word) => add(word, unit));
		for (const unit of Intl.supportedValuesOf('unit')) {
			if (['percent', 'pound'].includes(unit)) continue;
			for (const unitDisplay of ['long', 'short', 'narrow'] as const) {
				const format = new Intl.NumberFormat(code, { style: 'unit', unit, unitDisplay });
				for (const part of [...format.formatToParts(1), ...format.formatToParts(2)]) {
					if (part.type === 'unit') add(part.value, unit);
				}
			}
		}
		for (const [name, unitsOfName] of ofLanguage) names.set(name, unitsOfName);
	}
	for (const unit of ['m', 'km', 'cm', 'ft', 'yd']) {
		for (const power of ['2', '3']) names.set(`${unit}${power}`, new Set([`${unit}${power}`]));
	}
	names.set('sqm', new Set(['m2']));
	names.set('sqft', new Set(['ft2']));
	return names;
}

const areDifferentUnits = (one: string, other: string) =>
	unitsIn(one).size > 0 && unitsIn(other).size > 0 && !isSameUnit(one, other);
const isSameUnit = (one: string, other: string) =>
	[...unitsIn(one)].some((unit) => unitsIn(other).has(unit));

const joinPowers = (text: string) =>
	text.normalize('NFKC').replace(/\b(k?m|cm|ft|yd)\s?([23])\b/gi, '$1$2');

const noteInBrackets = (header: string) =>
	joinPowers(/[([]([^)\]]+)[)\]]\s*$/.exec(header)?.[1].trim() ?? '').replace(/^(?:in|per) /i, '');

const timeUnits = languages.flatMap((language) => Object.entries(language.timeUnits));

/** The unit of time in a header: `hour` for `Hourly Rate` and `Hours`. */
export function timeUnitOf(header: string): string | undefined {
	const words = allWordsOf(header);
	return timeUnits.find(([, names]) => words.some((word) => names.includes(word)))?.[0];
}

/** Whether a header names a unit of time that often has a price: hour, day or night. A month is more often a billing period. */
export const isPricedTime = (header: string) =>
	['hour', 'day', 'night'].includes(timeUnitOf(header) ?? '');

/** The unit of a price: `lesson` in `Price per lesson`, `night` in `Rate/Night`. `undefined` for `Price per dozen` or `per 100 g`. */
export function pricedUnit(header: string): string | undefined {
	const text = joinPowers(header).replace(/\//g, ' per ');
	const words = text
		.split(/\s+/)
		.flatMap((word) => (unitsIn(word).size ? [word.toLowerCase()] : wordsOf(word)));
	const at = words.findIndex((word, index) => index > 0 && perWords.has(word));
	const before = at < 0 ? words : words.slice(0, at);
	const isPrice =
		before.some((word) => priceWords.has(word)) && !namesOtherMoney(header) && before.length < 3;
	if (!isPrice || words.some((word) => multipleWords.has(word) || /^\d/.test(word)))
		return undefined;
	const ofTime = before.find((word) => timeUnitOf(word) !== undefined);
	if (at < 0) return words.length === 2 ? ofTime : undefined;
	const [unit, ...more] = words.slice(at + 1);
	const isSingleUnit = unit !== undefined && more.length === 0 && ofTime === undefined;
	return isSingleUnit && !namesAmount(unit) ? unit : undefined;
}

/** The noun beside a price word, which another column may count: `ticket` in `Ticket Price`. */
export function pricedNoun(header: string): string | undefined {
	const words = wordsOf(header);
	const noun = words.find((word) => !priceWords.has(word));
	return words.length === 2 && words.some((word) => priceWords.has(word)) ? noun : undefined;
}

const isPluralOf = (name: string, unit: string) =>
	name !== unit && name.startsWith(unit) && name.length < unit.length + 3;

/** Whether a column counts this unit: `Lessons`, `Number of lessons`, `Weight (kg)`, but not `Hours (planned)`. */
export function countsUnits(header: string, unit: string): boolean {
	const note = noteInBrackets(header);
	const isOfUnit = unitsIn(note).size > 0;
	const words = isOfUnit ? nameWords(header) : wordsOf(header);
	const name = words[words.length - 1] ?? '';
	if (isOfUnit) {
		const isMeasured = [timeWords, countWords, dimensionWords].some((list) => list.has(name));
		return words.length === 1 && isMeasured && isSameUnit(note, unit);
	}
	if (words.length === 2 && name === 'count') return words[0] === unit;
	if (words.length !== 1 && !isNumberOfThings(words)) return false;
	const isUnit = countWords.has(name) || timeUnitOf(name) === undefined;
	return isPluralOf(name, unit) || (isUnit && isSameUnit(name, unit));
}

const unitOfPrice = (header: string) => pricedUnit(header) ?? timeUnitOf(header);

export function haveOtherUnits(priceHeader: string, quantityHeader: string): boolean {
	const priced = unitOfPrice(priceHeader);
	const note = noteInBrackets(quantityHeader);
	const counted = unitsIn(note).size ? note : timeUnitOf(quantityHeader);
	if (priced === undefined || counted === undefined) return false;
	return unitsIn(priced).size
		? areDifferentUnits(priced, counted)
		: !countsUnits(quantityHeader, priced);
}

/** Whether a cell names a different unit than the price: `min` beside an hourly rate. */
export const isOtherUnit = (cell: string, priceHeader: string) => {
	const priced = unitOfPrice(priceHeader);
	const words = joinPowers(cell).trim().toLowerCase();
	return priced !== undefined && areDifferentUnits(words, priced);
};

/** Whether a column measures something that is not billed: `Length (min)`, `Duration`; not `Overtime Hours`. */
export function namesMeasure(header: string): boolean {
	const words = nameWords(header);
	const name = words[words.length - 1] ?? '';
	const units = [...unitsIn(noteInBrackets(header))];
	const isQuantity =
		isPricedTime(header) ||
		units.some((unit) => ['hour', 'day', 'week'].includes(unit)) ||
		words.some((word) => countWords.has(word));
	const namesUnit =
		units.length > 0 || isNumberOfThings(words) || name === 'count' || timeWords.has(name);
	return namesUnit && !isQuantity && !namesOtherMoney(header) && !namesAmount(header);
}
