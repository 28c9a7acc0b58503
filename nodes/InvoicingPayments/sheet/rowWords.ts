import { isCurrencyCode } from './currencies';
import { foldedWords } from './headers';
import { inAll, languages } from './words';

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
	languages.some(({ deductions, afterDeductions, prepositions, head }) => {
		const words = foldedWords(item);
		const end = words.findIndex(
			(word, at) => at > 0 && (prepositions.includes(word) || /^\d/.test(word)),
		);
		const own = end < 0 ? words : words.slice(0, end);
		if (own.length === 0) return false;
		const name = own[head === 'last' ? own.length - 1 : 0];
		// `Mengenrabatt`
		const isCompound =
			head === 'last' && deductions.some((one) => one.length > 4 && name.endsWith(one));
		if (deductions.includes(name) || isCompound) return true;
		return (
			deductions.includes(own[0]) && own.slice(1).every((word) => afterDeductions.includes(word))
		);
	});

const phrases = (list: ReadonlySet<string>) => [...list].map((phrase) => phrase.split(' '));
const notBilled = phrases(inAll((language) => language.notBilled));
const yes = inAll((language) => language.yes);
const no = inAll((language) => language.no);
const goesOn = inAll(({ prepositions }) => prepositions);
const billable = inAll((language) => language.billable);
const done = inAll((language) => language.done);

/** Whether a cell says that its row is not billed: `Void`, `paid by card`, `Credit memo 12`. Not `Paid search`. */
export function saysNotBilled(cell: string): boolean {
	if (cell.length > 40) return false;
	const words = foldedWords(cell);
	return notBilled.some((phrase) => {
		if (!phrase.every((word, at) => words[at] === word)) return false;
		const next = words[phrase.length];
		if (next === undefined || /^\d/.test(next) || goesOn.has(next) || phrase.length > 1)
			return true;
		// `Paid - card`, `void (typo)`
		return /^[\p{L}\p{M}]+\s*[-–:;,(]/u.test(cell.trim());
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
	notBilled.some((phrase) => phrase.join(' ') === foldedWords(cell).join(' '));

/** Headers of columns that mark a row as done by a yes or a date: `Already invoiced`, `Paid on`. */
export function asksWhetherDone(header: string): boolean {
	const words = foldedWords(header).filter(
		(word) => done.has(word) || (!goesOn.has(word) && !dates.has(word)),
	);
	return (
		words.some((word) => done.has(word)) &&
		words.every((word) => done.has(word) || /^(?:is|was|already|invoice|status|fee)$/.test(word))
	);
}
