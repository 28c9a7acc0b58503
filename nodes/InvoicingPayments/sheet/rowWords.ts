import { isCurrencyCode } from './currencies';
import { foldedWords } from './headers';
import { inAll, languages } from './words';
import type { Language } from './words/language';

const totalWords = inAll(({ totals }) => totals.join(' ').split(' '));
const ofTotals = inAll(({ totals, aroundTotals }) => [
	...totals.join(' ').split(' '),
	...aroundTotals,
]);

/** Whether a name is only a total: `Grand Total (EUR)`, `Total 2027-03`. Not `Total Quartz 9000`. */
export function isTotalName(name: string): boolean {
	// Fast path: nearly all names end here.
	if (name.length > 60 || !foldedWords(name).some((word) => totalWords.has(word))) return false;
	// A code such as INV-7 says whose total it is.
	const text = name.replace(/(?<!\S)(?=\S*\d)\S*[-/#.:]\S*/g, ' ');
	const words = foldedWords(text).filter((word) => !isCurrencyCode(word.toUpperCase()));
	if (!words.every((word) => ofTotals.has(word) || /^\d+$/.test(word))) return false;
	return languages.some(({ totals, aroundTotals }) =>
		totals.some((total) => {
			const phrase = total.split(' ');
			const at = words.findIndex((_word, index) =>
				phrase.every((one, offset) => words[index + offset] === one),
			);
			if (at < 0) return false;
			const rest = [...words.slice(0, at), ...words.slice(at + phrase.length)];
			return rest.every(
				(word) => /^\d+$/.test(word) || totals.includes(word) || aroundTotals.includes(word),
			);
		}),
	);
}

/** Whether an item takes money off: `Loyalty discount`, `Deposit received`. Not `Paid search management`. */
export const namesDeduction = (item: string): boolean =>
	/\d\s*%?\s+off$/i.test(item.trim()) ||
	languages.some(({ deductions, afterDeductions, prepositions, head, already }) => {
		// `Return - chair`, `Already paid`
		const [name] = item.split(/\s[-–—:]\s/);
		const words = foldedWords(name).filter((word, at) => at > 0 || !already.includes(word));
		const end = words.findIndex(
			(word, at) => at > 0 && (prepositions.includes(word) || /^\d/.test(word)),
		);
		const own = end < 0 ? words : words.slice(0, end);
		if (own.length === 0) return false;
		const last = own[head === 'last' ? own.length - 1 : 0];
		// `Mengenrabatt`
		const isCompound =
			head === 'last' && deductions.some((one) => one.length > 4 && last.endsWith(one));
		if (deductions.includes(last) || isCompound) return true;
		return (
			deductions.includes(own[0]) && own.slice(1).every((word) => afterDeductions.includes(word))
		);
	});

/** Words without the endings by which they agree with others: `pagado` and `pagadas` say the same. */
const stemOf = (word: string, { agreement }: Language) =>
	agreement && word.length > 3 ? word.replace(agreement, '') : word;
const stemsOf = (words: string[], language: Language) =>
	words.map((word) => stemOf(word, language));

const notBilled = languages.map((language) => {
	const stems = new Set(language.done.map((word) => stemOf(word, language)));
	return {
		language,
		phrases: language.notBilled.map((phrase) => stemsOf(phrase.split(' '), language)),
		/** What was done to a row, rather than what it is. */
		participles: language.notBilled
			.map((word) => stemOf(word, language))
			.filter((word) => stems.has(word)),
	};
});
const yes = inAll((language) => language.yes);
const no = inAll((language) => language.no);
const goesOn = inAll(({ prepositions }) => prepositions);
const billable = inAll((language) => language.billable);
const already = inAll((language) => language.already);
const done = languages.map((language) => ({
	language,
	stems: new Set(language.done.map((word) => stemOf(word, language))),
}));
const isDone = (word: string) =>
	done.some(({ language, stems }) => stems.has(stemOf(word, language)));

/** Whether a cell says that its row is not billed: `Void`, `paid by card`, `Credit memo 12`. Not `Paid search`. */
export function saysNotBilled(cell: string): boolean {
	if (cell.length > 40) return false;
	const words = foldedWords(cell);
	return notBilled.some(({ language, phrases, participles }) => {
		const stems = stemsOf(words, language);
		// `Fully paid`, `ya pagada`, but not `not paid` or `pendiente de pago`
		const isLast = words.length < 4 && participles.includes(stems[stems.length - 1]);
		if (isLast && words.slice(0, -1).every((word) => already.has(word))) return true;
		return phrases.some((phrase) => {
			if (!phrase.every((word, at) => stems[at] === word)) return false;
			const next = words[phrase.length];
			if (next === undefined || /^\d/.test(next) || goesOn.has(next) || phrase.length > 1)
				return true;
			// `Paid - card`, `void (typo)`
			return /^[\p{L}\p{M}]+\s*[-–:;,(]/u.test(cell.trim());
		});
	});
}

export const saysYes = (cell: string) =>
	yes.has(foldedWords(cell).join(' ')) || yes.has(cell.trim().toLowerCase());

const taxes = inAll(({ otherMoney }) => otherMoney.taxes);

/** An unset checkbox, or a word for nothing, also with a tax: `Tax exempt`, `No VAT`. */
export function saysNo(cell: string): boolean {
	const text = cell.trim().toLowerCase();
	const words = foldedWords(text).filter((word) => !taxes.has(word));
	return (
		/^[-–—]*$/.test(text) ||
		no.has(words.join(' ')) ||
		(words.length > 0 && words.every((word) => no.has(word)))
	);
}

/** Headers of yes/no columns about whether to bill. */
export const asksWhetherBillable = (header: string) =>
	billable.has(foldedWords(header).join(' ').replace(/^is /, ''));

const dates = inAll((language) => language.dates);

/** Whether a cell contains nothing but a word for not billable. */
export const isNotBilledWord = (cell: string) =>
	notBilled.some(({ language, phrases }) => {
		const text = stemsOf(foldedWords(cell), language).join(' ');
		return phrases.some((phrase) => phrase.join(' ') === text);
	});

/** Headers of columns that mark a row as done by a yes or a date: `Already invoiced`, `Paid on`. */
export function asksWhetherDone(header: string): boolean {
	const words = foldedWords(header).filter(
		(word) => isDone(word) || (!goesOn.has(word) && !dates.has(word) && !already.has(word)),
	);
	return (
		words.some(isDone) &&
		words.every((word) => isDone(word) || /^(?:is|was|invoice|status|fee)$/.test(word))
	);
}
