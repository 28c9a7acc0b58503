import { de } from './de';
import { en } from './en';
import { es } from './es';
import type { TotalKind } from './fieldHeaders';
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

const merged = (
	headers: (language: Language) => Record<string, string[] | undefined>,
	name: string,
) => languages.flatMap((language) => headers(language)[name] ?? []).flatMap(writings);

/** Headers of a field in all languages, the most specific first. */
export const headersFor = (name: string): string[] => merged(({ headers }) => headers, name);
export const fallbacksFor = (name: string): string[] =>
	merged(({ fallbackHeaders }) => fallbackHeaders, name);
export const totalsOf = (kind: TotalKind): string[] =>
	merged(({ totalHeaders }) => totalHeaders, kind);

export const allHeaders = languages.flatMap(({ headers, fallbackHeaders, totalHeaders }) =>
	[headers, fallbackHeaders, totalHeaders].flatMap((lists) => Object.values(lists).flat()),
);
