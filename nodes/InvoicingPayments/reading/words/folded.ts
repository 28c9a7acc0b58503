import { fold } from '../../../shared/fields/text';

/** The words and numbers of a text, in lower case and without accents. */
export const foldedWords = (text: string): string[] => fold(text).match(/\p{L}+|\p{N}+/gu) ?? [];
export const plainWords = (text: string) => foldedWords(text).join(' ');
