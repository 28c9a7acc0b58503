import type { Parsed } from '../../shared/fields/text';
import { quote } from '../../shared/fields/text';
import { foldedWords } from './headers';
import { inAll } from './words';
import type { Language } from './words/language';

/** Payment terms in days: `Net 30`, `30 days`, `30`, `Due on receipt`. Discounts and ends of months are not understood. */
export function toTermDays(value: unknown): Parsed<number> {
	const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value : '';
	if (/^\s*-/.test(text)) return unreadable(value);
	const words = plain(text);
	if (atOnce.has(words)) return { value: 0 };
	const [all, before, number, , after] = /^(\D*?) ?(\d{1,3})( ?)(\D*)$/.exec(words) ?? [];
	if (all === undefined || (before && !around.has(before))) return unreadable(value);
	const days = Number(number);
	const [unit, ...rest] = after.split(' ');
	const isRead = after === '' || around.has(after) || (daysOf.has(unit) && isAround(rest));
	return isRead ? { value: days } : unreadable(value);
}

const plain = (text: string) => foldedWords(text).join(' ');
const wordsFor = (kind: keyof Language['terms']) => inAll(({ terms }) => terms[kind].map(plain));
const [atOnce, around, daysOf] = [wordsFor('atOnce'), wordsFor('around'), wordsFor('days')];
const isAround = (words: string[]) => words.length === 0 || around.has(words.join(' '));

function unreadable(value: unknown): { problem: string } {
	return {
		problem: `must be like "Net 30", "30 days" or "Due on receipt", got ${quote(value)}. Or add a Due Date column`,
	};
}
