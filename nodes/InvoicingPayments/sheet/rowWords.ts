import { isCurrencyCode } from './currencies';
import { dateWords, foldedWords, taxWords } from './headers';
import { inAll, languages } from './words';
import type { Language } from './words/language';

const sumWords = inAll((language) => language.sums);
const totals = languages.map((language) => ({
	phrases: [...language.sums, ...language.totals].map((phrase) => phrase.split(' ')),
	around: new Set([...language.sums, ...language.totals, ...language.aroundTotals]),
}));
const totalWords = new Set(totals.flatMap(({ phrases }) => phrases.flat()));
const isNumber = (word: string) => /^\d+$/.test(word);

/** Whether a name means a total: `Grand Total (EUR)`, `Total 2027-03`. Not `Total Quartz 9000`. */
export function isTotalName(name: string): boolean {
	// Fast path: nearly all names end here.
	if (name.length > 60 || !foldedWords(name).some((word) => totalWords.has(word))) return false;
	// Drop codes: `Total INV-7` is the total of an invoice.
	const text = name.replace(/(?<!\S)(?=\S*\d)\S*[-/#.:]\S*/g, ' ');
	const words = foldedWords(text).filter((word) => !isCurrencyCode(word.toUpperCase()));
	return totals.some(({ phrases, around }) =>
		phrases.some((phrase) => {
			const at = words.findIndex((_word, index) =>
				phrase.every((one, offset) => words[index + offset] === one),
			);
			const rest = [...words.slice(0, at), ...words.slice(at + phrase.length)];
			return at >= 0 && rest.every((word) => isNumber(word) || around.has(word));
		}),
	);
}

/** Whether the name of a total means a sum, rather than an average or a balance. */
export const namesSum = (name: string) => foldedWords(name).some((word) => sumWords.has(word));

/** Whether an item takes money off: `Loyalty discount`, `Deposit received`. Not `Paid search management`. */
export const namesDeduction = (item: string): boolean =>
	/\d\s*%?\s+off$/i.test(item.trim()) ||
	languages.some(({ deductions, afterDeductions, prepositions, head, already: before }) => {
		// `Return - chair`, `Already paid`
		const [name] = item.split(/\s[-–—:]\s/);
		const words = foldedWords(name).filter((word, at) => at > 0 || !before.includes(word));
		const end = words.findIndex(
			(word, at) => at > 0 && (prepositions.includes(word) || /^\d/.test(word)),
		);
		const main = words.slice(0, end < 0 ? undefined : end);
		if (main.length === 0) return false;
		const [first, ...more] = main;
		const word = head === 'last' ? main[main.length - 1] : first;
		const isCompound =
			head === 'last' && deductions.some((one) => one.length > 4 && word.endsWith(one));
		const beginsWithDeduction =
			deductions.includes(first) && more.every((one) => afterDeductions.includes(one));
		return deductions.includes(word) || isCompound || beginsWithDeduction;
	});

/** A word without its ending for gender and number: `pagado` and `pagadas` mean the same. */
const stemOf = (word: string, { agreement }: Language) =>
	agreement && word.length > 3 ? word.replace(agreement, '') : word;

const stems = languages.map((language) => {
	const toStems = (words: string[]) => words.map((word) => stemOf(word, language));
	return {
		toStems,
		done: new Set(toStems(language.done)),
		notBilled: language.notBilled.map((phrase) => toStems(phrase.split(' '))),
	};
});
const isDone = (word: string) => stems.some(({ toStems, done }) => done.has(toStems([word])[0]));

const yesWords = inAll((language) => language.yes);
const noWords = inAll((language) => language.no);
const prepositions = inAll((language) => language.prepositions);
const billablePhrases = inAll((language) => language.billable);
const already = inAll((language) => language.already);

/** Whether a cell says that its row is not billed: `Void`, `paid by card`, `Credit memo 12`. Not `Paid search`. */
export function saysNotBilled(cell: string): boolean {
	if (cell.length > 40) return false;
	const words = foldedWords(cell);
	// `Fully paid`, `ya pagada`, but not `not paid` or `pendiente de pago`
	const mayEndWithIt = words.length < 4 && words.slice(0, -1).every((word) => already.has(word));
	return stems.some(({ toStems, done, notBilled }) => {
		const wordStems = toStems(words);
		const last = wordStems[wordStems.length - 1];
		return notBilled.some((phrase) => {
			const isOneWord = phrase.length === 1;
			if (mayEndWithIt && isOneWord && phrase[0] === last && done.has(last)) return true;
			if (!phrase.every((word, at) => wordStems[at] === word)) return false;
			const next = words[phrase.length];
			const isWhole = next === undefined || /^\d/.test(next) || prepositions.has(next);
			// `Paid - card`, `void (typo)`
			return isWhole || !isOneWord || /^[\p{L}\p{M}]+\s*[-–:;,(]/u.test(cell.trim());
		});
	});
}

export const isNotBilledWord = (cell: string) =>
	stems.some(({ toStems, notBilled }) => {
		const text = toStems(foldedWords(cell)).join(' ');
		return notBilled.some((phrase) => phrase.join(' ') === text);
	});

export const saysYes = (cell: string) =>
	yesWords.has(foldedWords(cell).join(' ')) || yesWords.has(cell.trim().toLowerCase());

/** Whether a cell is an unset checkbox or a word for nothing, also with a tax: `Tax exempt`, `No VAT`. */
export function saysNo(cell: string): boolean {
	const text = cell.trim().toLowerCase();
	const words = foldedWords(text).filter((word) => !taxWords.has(word));
	return (
		/^[-–—]*$/.test(text) ||
		noWords.has(words.join(' ')) ||
		(words.length > 0 && words.every((word) => noWords.has(word)))
	);
}

export const asksWhetherBillable = (header: string) =>
	billablePhrases.has(foldedWords(header).join(' ').replace(/^is /, ''));

/** Headers of columns that mark a row as done by a yes or a date: `Already invoiced`, `Paid on`. */
export function asksWhetherDone(header: string): boolean {
	const isFilling = (word: string) =>
		/^(?:is|was|invoice|status|fee)$/.test(word) ||
		[prepositions, dateWords, already].some((list) => list.has(word));
	const words = foldedWords(header);
	return words.some(isDone) && words.every((word) => isDone(word) || isFilling(word));
}
