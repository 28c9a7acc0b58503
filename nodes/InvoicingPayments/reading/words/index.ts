import { de } from './de';
import { en } from './en';
import { es } from './es';
import { fr } from './fr';
import { it } from './it';
import type { Language } from './language';
import { nl } from './nl';
import { pt } from './pt';

export const languages: Language[] = [en, de, fr, es, pt, it, nl];

export const inAll = (words: (language: Language) => string[]): ReadonlySet<string> =>
	new Set(languages.flatMap(words));

/** Abbreviations of "number" in headers. */
export const numberWords = new Set('no nr nro num numero nummer'.split(' '));

/** Umlauts are also spelled without dots: `Faelligkeitsdatum`. */
const writings = (header: string): string[] => {
	const spelled = header.replace(/[äÄ]/g, 'ae').replace(/[öÖ]/g, 'oe').replace(/[üÜ]/g, 'ue');
	return spelled === header ? [header] : [header, spelled];
};

/** Headers of a field in each language, the most specific first. */
export const headersFor = (field: string): string[][] =>
	languages.map(({ headers }) => (headers[field] ?? []).flatMap(writings));

export const totalHeaders: string[] = languages.flatMap(({ totals }) => totals.flatMap(writings));

export { foldedWords, plainWords } from './folded';
export type { Language } from './language';
