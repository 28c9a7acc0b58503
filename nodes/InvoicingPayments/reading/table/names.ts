import { codeOf } from '../../../shared/hash';
import { currenciesOf, isCurrencyCode } from '../cells';
import type { Language } from '../words';
import { foldedWords, headersFor, inAll, languages, numberWords, totalHeaders } from '../words';

/** A header for comparison: without case, accents, spaces, punctuation and notes such as `(pcs)`. */
export const plainHeader = (header: string) => wordsOf(header).join('');

const notes = /[([{]([^()[\]{}]*)[)\]}]/g;

/** Notes about the form or the unit of a column. Any other note may change what the header means. */
const formNote =
	/^(?:optional|required|mandatory|text|number|date|pcs?\.?|pieces?|units?|each|hrs?|hours?|h|days?|decimal|name|line|product\/service|item|if any|[dmy]{1,4}([/.-])[dmy]{1,4}\1[dmy]{1,4}|iso|)$/i;
const countWords = inAll(({ counts }) => counts);

/** Characters of a header that are read. */
const maxHeader = 200;
const maxHeaders = 5000;
/** Characters that distinguish texts that begin alike. 30 bits. */
const codeLength = 6;
export const shortCodeOf = (text: string): string => codeOf(text, codeLength);

/** A name with a code of the whole header, so that it stays the same whichever columns stand beside it. */
export const withCode = (name: string, whole: string): string =>
	`${name.slice(0, maxHeader - codeLength - 3)} (${shortCodeOf(whole)})`;

/** What a column with this header is called. A longer header is cut, and stays different from others that begin alike. */
export const nameOf = (header: string): string =>
	header.length > maxHeader ? withCode(header, header) : header;

/** Headers are asked for again and again. Bounded, because they are foreign texts. */
function remembering<T>(read: (header: string) => T): (header: string) => T {
	const known = new Map<string, { value: T }>();
	return (whole) => {
		const header = whole.slice(0, maxHeader);
		const found = known.get(header) ?? { value: read(header) };
		if (known.size >= maxHeaders) known.clear();
		known.set(header, found);
		return found.value;
	};
}

/** The words of a header: `Invoice No.` and `invoice#` are `invoice`, `number`. Drops notes about its form. */
const wordsOf = remembering((header): string[] => {
	const text = header
		.normalize('NFKC')
		.replace(notes, (_all, note: string) => (formNote.test(note.trim()) ? ' ' : ` ${note} `))
		.replace(/\b(mw|u)st\b/gi, (tax) => tax.toLowerCase())
		.replace(/%/g, ' percent ')
		.replace(/#|\bn\.?\s?[°o](?=\s|$)|\bn\.(?=\s|$)/gi, ' number ')
		.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
		.replace(/(\p{Lu})(\p{Lu}(?!s\b)\p{Ll})/gu, '$1 $2')
		.replace(/\be[^\p{L}\p{N}]+mail\b/giu, 'email');
	return foldedWords(text).map((word) => (numberWords.has(word) ? 'number' : word));
});

/** All words of a header, also those in brackets. */
export const allWordsOf = (header: string) =>
	wordsOf(header.slice(0, maxHeader).replace(/[()[\]{}]/g, ' '));

/** Notes that do not change which price a header means. */
const priceNote =
	/^(?:(?:net|excl?\.?|excluding|without|before|each|per (?:unit|item|piece|hour)|unit)?\s*(?:of\s+)?(?:tax|taxes|vat|gst|unit|item)?|required|optional|mandatory|number|decimal|numbers only)$/i;

interface MoneyHeader {
	plain: string;
	currency?: string;
}

/** `Unit Price (EUR)` without its currency. `undefined` if a note may mean another amount: `Amount (paid)`. */
export const moneyHeader = remembering((header): MoneyHeader | undefined => {
	const found = signsAndCodesIn(header);
	const rest = found.reduce((text, currency) => text.replace(currency, ' '), header);
	const isHarmless = ([, note]: RegExpMatchArray) => priceNote.test(note.trim());
	// `Price (k€)` is in thousands.
	const code = found.find((one) => currenciesOf(one).length === 1) ?? found[0];
	if (found.some((one) => !currenciesOf(one).includes(currenciesOf(code ?? '')[0])))
		return undefined;
	if (![...rest.matchAll(notes)].every(isHarmless)) return undefined;
	const name = rest.replace(notes, ' ').replace(/\s(?:in|en)\s*$/i, '');
	return { plain: plainHeader(name), ...(code && { currency: code }) };
});

/** Signs and codes. In a header of capitals any short word looks like a code, so there codes need brackets. */
function signsAndCodesIn(header: string): string[] {
	const signs = header.match(/\p{L}{0,3}\p{Sc}|(?<!\p{L})euros?(?!\p{L})/giu) ?? [];
	const inBrackets = [...header.matchAll(/[([{]\s*(?:\p{Sc}\s*)?([A-Z]{3})\s*[)\]}]/gu)].map(
		([, word]) => word,
	);
	const isAllCaps = !/\p{Ll}/u.test(header.replace(notes, ' '));
	const atEnd = /[\s,/_-]([A-Z]{3})\s*$/.exec(header)?.[1] ?? /^([A-Z]{3})\s*\//.exec(header)?.[1];
	const bare = atEnd !== undefined && !isAllCaps ? [atEnd] : [];
	return [...signs, ...[...inBrackets, ...bare].filter(isCurrencyCode)];
}

/** `Invoice No` is also known as `invoiceno`, because the words of `INVOICENO` cannot be told. */
function plainForms(header: string): string[] {
	const words = foldedWords(header);
	const isNumber = numberWords.has(words[words.length - 1]);
	return [plainHeader(header), ...(isNumber ? [words.join('')] : [])];
}

interface Name {
	field: string;
	/** 10 for the most specific name of a language, 8 for the last. */
	score: number;
}

const moneyFields = ['itemAmount', 'itemTotal', 'amount', 'total'];

/** Fields by exact name. A header may name several. */
const named = new Map<string, Name[]>();
/** How often the names of a field contain a word. */
const wordsByField = new Map<string, Map<string, number>>();

/** Adds the names of a field, beside those of the languages. */
export function addNames(field: string, own: string[]): void {
	const lists = field === 'total' ? [totalHeaders] : [own, ...headersFor(field)];
	const counts = new Map<string, number>();
	wordsByField.set(field, counts);
	const count = (word: string, times: number) => counts.set(word, (counts.get(word) ?? 0) + times);
	for (const all of lists) {
		all.forEach((header, at) => {
			for (const plain of plainForms(header)) {
				const others = named.get(plain) ?? [];
				const score = 10 - (2 * at) / all.length;
				if (plain && !others.some((one) => one.field === field))
					named.set(plain, [...others, { field, score }]);
			}
			for (const word of new Set(wordsOf(header))) count(word, 1);
		});
	}
	const typical: Record<string, ReadonlySet<string> | undefined> = {
		itemAmount: inAll(({ prices }) => prices),
		itemQuantity: countWords,
	};
	typical[field]?.forEach((word) => count(word, 3));
}

/** Three letters before a point tell an abbreviated word. */
const abbreviation = /\p{L}{3}\./u;

/** Whether parts stand in a name in their order, the first at its beginning and the last at its end. */
function isShort([first, ...others]: readonly string[], name: string): boolean {
	const last = others.pop() ?? '';
	let at = name.startsWith(first) ? first.length : -1;
	for (const part of others) {
		const found = at < 0 ? -1 : name.indexOf(part, at);
		at = found < 0 ? -1 : found + part.length;
	}
	return at >= 0 && name.endsWith(last) && name.length - last.length >= at;
}

/** The field that an abbreviated header names, if it names one: `Data fatt.`, `Fact.dat.` */
const abbreviated = remembering((header): Name[] => {
	// A single word, such as `Disc.`, may be short for many.
	if (!abbreviation.test(header) || foldedWords(header).length < 2) return [];
	const parts = header.split('.').map(plainHeader);
	const found = [...named].flatMap(([plain, names]) => (isShort(parts, plain) ? names : []));
	const [first] = found;
	return found.length > 0 && found.every(({ field }) => field === first.field)
		? [{ field: first.field, score: 8 }]
		: [];
});

/** 8 to 10 if the header is a name of the field, else `undefined`. */
export function exactScore(field: string, header: string): number | undefined {
	const plain = moneyFields.includes(field) ? moneyHeader(header)?.plain : plainHeader(header);
	const names = named.get(plain ?? '') ?? abbreviated(header);
	return names.find((one) => one.field === field)?.score;
}

/** From 0 for the last name of a field to 1 for its most usual one. */
export const usualness = (field: string, header: string): number =>
	((exactScore(field, header) ?? 8) - 8) / 2;

export const isNamed = (field: string, header: string) => exactScore(field, header) !== undefined;

/** Fields that the header names exactly. */
export const fieldsNamed = (header: string): string[] => {
	const plain = [plainHeader(header), moneyHeader(header)?.plain ?? ''];
	return [...new Set(plain.flatMap((one) => named.get(one) ?? []).map(({ field }) => field))];
};

/** Whether a header is the name of another field: `Date`. */
export const isNamedOtherwise = (field: string, header: string): boolean =>
	fieldsNamed(header).some(
		(one) => one !== field && !['amount', 'total', 'itemTotal'].includes(one),
	);

const isKnown = (word: string) => [...wordsByField.values()].some((words) => words.has(word));

/** `falligkeit` in `nettofalligkeit`: German and Dutch write several words as one. */
function knownPart(word: string): string {
	for (let at = 0; word.length - at > 4; at++) if (isKnown(word.slice(at))) return word.slice(at);
	return word;
}

/** How typical the words of a header are of a field, 0 to 5. */
export function wordScore(field: string, header: string): number {
	const words = allWordsOf(header);
	const own = wordsByField.get(field);
	if (!own || words.length === 0) return 0;
	let sum = 0;
	for (const whole of words) {
		const word = knownPart(whole);
		const times = own.get(word) ?? 0;
		let all = 0;
		for (const other of wordsByField.values()) all += other.get(word) ?? 0;
		if (times) sum += (times / all) * Math.min(1, times / 3);
	}
	return (5 * sum) / Math.sqrt(words.length);
}

/** Whether a header contains a word of these kinds, also at the end of a compound: `Versandkosten`. */
export const hasWord = (header: string, ...kinds: WordKind[]): boolean =>
	kinds.some((kind) => {
		const known = wordSets.get(kind) ?? inAll((language) => language[kind]);
		wordSets.set(kind, known);
		return allWordsOf(header).some((word) => known.has(word) || endsWithAny(word, known));
	});

/** Of `excl. btw` and `prix sans TVA`. */
const besideTax =
	/(?<!\p{L})(?:in[ck]l|ex[ck]l|inc|ex|[cs](?=\/)|ohne|mit|vor|nach|sans|avec|hors|sin|con|senza|sem|com|zonder|met|with|without|before|after|net|netto|gross|brutto)(?!\p{L})/iu;
/** Whether a header says that this is a tax, rather than an amount with or without it. */
export const isTax = ({ header }: { header: string }): boolean =>
	hasWord(header, 'taxes') && !hasWord(header, 'identifiers') && !besideTax.test(header);

type WordKind = {
	[Key in keyof Language]: Language[Key] extends string[] ? Key : never;
}[keyof Language];
const wordSets = new Map<WordKind, ReadonlySet<string>>();

/** Whether a word of at least eight letters ends with a known one of at least four. */
function endsWithAny(word: string, known: ReadonlySet<string>): boolean {
	for (let at = 3; word.length > 7 && at <= word.length - 4; at++)
		if (known.has(word.slice(at))) return true;
	return false;
}

/** Whether two headers share the beginning of a word, or one and many: `Tarif nuitée` and `Nuits`, `Prix du pot` and `Pots`. */
export function shareWord(one: string, other: string): boolean {
	const beginning = (word: string) =>
		word.length === 4 ? word.replace(/s$/, '') : word.slice(0, 4);
	const beginnings = new Set(
		allWordsOf(one)
			.filter((word) => word.length > 2)
			.map(beginning),
	);
	const words = new Set(allWordsOf(one));
	return allWordsOf(other).some(
		(word) =>
			(word.length > 3 && beginnings.has(beginning(word))) ||
			(word.length === 3 && words.has(word)),
	);
}

/** Whether a header is a price for one of something: `Per maand`, `CHF/nuit`, `Price each`. */
export const isPerOne = (header: string) =>
	/(?:(?<!\p{L})(?:per|pro|je|par|por|au|al|cada|a|à)\s+|\/\s*)\p{L}+\.?\s*$/iu.test(header) ||
	/\beach\b|\bunit|stuks?prijs|stuckpreis|\bp\.?\s?u\b/i.test(header);

/** The unit of time in a header: `hour` for `Hourly Rate` and `Hours`, `day` for `Essenstage`. */
export function timeUnitOf(header: string): string | undefined {
	const words = allWordsOf(header);
	return timeUnits.find(([, names]) =>
		words.some((word) => names.has(word) || endsWithAny(word, names)),
	)?.[0];
}

const timeUnits = languages.flatMap(({ units }) =>
	Object.entries(units).map(([unit, names]) => [unit, new Set(names)] as const),
);

/** `Betrag in Cent`, `amount_cents`, `Montant (centimes)`: a hundred times the amount. */
export const saysCents = (header: string) =>
	allWordsOf(header).some((word) => minorUnit.test(word));
const minorUnit =
	/^(?:cent(?:s|en|imes?|imos?|avos?|esim[io])?|minor|pence|penn(?:y|ies)|rappen|[oø]re|grosz[ey]?|fill?er|haler[eu]?)$/;

/** How many a price is for: `Price per 100`, `€/1000 kg`, `Preis je 100 Stück`. */
export function countOfPrice(header: string): number | undefined {
	const [, count] =
		/(?:(?<!\p{L})(?:per|pro|je|par|por)\s+|\/\s?)(10{1,4})(?!\d)/iu.exec(header) ?? [];
	return count === undefined ? undefined : Number(count);
}

/** What a price is for: `kWh` in `Price/kWh`. */
export const unitOfPrice = (header: string): string | undefined =>
	/(?:(?<!\p{L})(?:per|pro|je|par|por|al|cada|a|à)\s+|\/\s*)(\p{L}+)[²³\d]?\.?\s*$/iu.exec(
		header,
	)?.[1];

/** `N.º`, `Nr.` */
export const isNumberSign = (header: string) => allWordsOf(header).join() === 'number';
