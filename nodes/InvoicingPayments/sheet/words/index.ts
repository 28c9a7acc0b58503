import { de } from './de';
import { en } from './en';
import { es } from './es';
import { fr } from './fr';
import { it } from './it';
import type { Language } from './language';
import { nl } from './nl';
import { pt } from './pt';

export const languages: Language[] = [en, de, fr, es, pt, it, nl];

/** The words that all languages have for something. */
export const inAll = (words: (language: Language) => string[]): ReadonlySet<string> =>
	new Set(languages.flatMap(words));

/** How "number" is written in headers. */
export const numberWords = new Set('no nr nro num numero nummer'.split(' '));
