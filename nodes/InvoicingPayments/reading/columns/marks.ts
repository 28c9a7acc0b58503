import { addTo } from '../../../shared/addTo';
import { isCurrencyCode, isMonthOrWeekday } from '../cells';
import { isNamed, wordScore } from '../table';
import { foldedWords, inAll, plainWords } from '../words';

/** Beginnings of words, by their first four letters, as lists of words. */
type Beginnings = Map<string, string[][]>;

function beginningsOf(all: ReadonlySet<string>): Beginnings {
	const beginnings: Beginnings = new Map();
	for (const mark of all) addTo(beginnings, mark.split(' ')[0].slice(0, 4), mark.split(' '));
	return beginnings;
}

const marks = beginningsOf(inAll((language) => language.marks));
const doubts = beginningsOf(inAll((language) => language.doubts));

const negations = new Set(
	'not non no nicht noch pas nao niet sin senza without never un nog sem'.split(' '),
);
/** `To be paid` is not paid yet, but `to be waived` needs a look already. */
const futures = new Set('a zu te da por to be pendiente aguardando'.split(' '));
const settles =
	/^(?:paid|pre|billed|invoiced|settled|pag|cobr|abonad|liquid|sald|fact|fatt?u|quitad|pay|regl|acquitt|encaiss|incass|be(?:z|t)a(?:h)?l|gezahlt|voldaan|abgerechnet|fakturiert|berechnet|verrechnet|beglichen|ausgeglichen|uberwiesen|afgerekend|gefact|in rechnung)/;
/** May stand between a negation and its word: `not yet paid`, `pendiente de pago`. */
const fillers = new Set('yet ancora encore de ainda aun todavia been'.split(' '));

/** Without its accent, `Facturé` (it has been billed) would be `Facture` (bill it). */
export const withParticiples = (text: string) => text.replace(/é(?=s?(?!\p{L}))/giu, 'ée');

/** The word of a text that says that something is paid, void, free or not to be billed. */
export const markIn = (text: string) => wordIn(foldedWords(withParticiples(text)), marks);

/** The same, or a word that makes it worth a look: on hold, optional, a deposit. */
export function doubtIn(text: string): string | undefined {
	const words = foldedWords(withParticiples(text));
	return wordIn(words, marks) ?? wordIn(words, doubts);
}

const multiples = inAll((language) => language.multiples);

/** `half price agreed`, `per dozen` */
export const multipleIn = (text: string) =>
	foldedWords(text.slice(0, 200)).find((word) => multiples.has(word));

/** A short one must be the whole word. */
function wordIn(words: string[], beginnings: Beginnings): string | undefined {
	for (let at = 0; at < words.length; at++) {
		for (const mark of beginnings.get(words[at].slice(0, 4)) ?? []) {
			const isMark = mark.every((part, offset) => {
				const word = words[at + offset] as string | undefined;
				return word !== undefined && (part.length > 4 ? word.startsWith(part) : word === part);
			});
			const before = words[fillers.has(words[at - 1]) ? at - 2 : at - 1];
			const isFuture = futures.has(before) && settles.test(mark[0]);
			const isNegated = mark.length === 1 && (negations.has(before) || isFuture);
			if (isMark && !isNegated) return words.slice(at, at + mark.length).join(' ');
		}
	}
	return undefined;
}

const yesWords = inAll(({ yes }) => yes);
const noWords = inAll(({ no }) => no);

/** Characters. Longer texts answer no question. */
const maxAnswer = 60;
const isIn = (known: ReadonlySet<string>, text: string) =>
	known.has(plainWords(text)) || known.has(text.trim().toLowerCase());

const saysYes = (text: string) => text.length < maxAnswer && isIn(yesWords, text);
export const saysNo = (text: string) =>
	text.length < maxAnswer &&
	(isIn(noWords, text) ||
		/^(?:\p{Sc}\s{0,9})?[-–—]*0*(?:[.,]0+)?(?:\s{0,9}[%\p{Sc}])?$/u.test(text.trim()));

const openWords = inAll(({ open }) => open);
/** Whether a text says that something is not paid: `no`, `open`. */
export const saysUnpaid = (text: string) =>
	saysNo(text) || (text.length < maxAnswer && isIn(openWords, text));

/** `yes`, `no`, `open` */
export const saysYesOrNo = (text: string) => saysYes(text) || saysUnpaid(text);
/** `yes`, `no`, `open`, `paid` */
export const isAnswer = (text: string) => saysYesOrNo(text) || markIn(text) !== undefined;

const billable = inAll((language) => language.billable);
export const asksWhetherBillable = (header: string) =>
	billable.has(plainWords(withParticiples(header)).replace(/^is /, ''));

const sums = [...inAll((language) => language.sums)];
const sumWords = new Set(sums.join(' ').split(' '));

/** Whether a name means a sum: `Grand Total (EUR)`, `Total 2027-03`, `Total März`, `Total KW 45`. Not `Total Quartz 9000`. */
export function isTotalName(name: string): boolean {
	// Nearly all names end here.
	if (name.length > 60 || !foldedWords(name).some((word) => sumWords.has(word))) return false;
	// `Total INV-7` is the total of an invoice.
	const text = name
		.replace(/(?<!\S)(?=\S*\d)\S*[-/#.:]\S*/g, ' ')
		.replace(/(?<!\p{L})\p{L}{1,2}\s?\d+/gu, ' ');
	const words = foldedWords(text).filter((word) => !isCurrencyCode(word.toUpperCase()));
	const all = ` ${words.join(' ')} `;
	return (
		words.every((word) => sumWords.has(word) || /^\d+$/.test(word) || isPeriod(word)) &&
		sums.some((phrase) => all.includes(` ${phrase} `))
	);
}

const isPeriod = (word: string) => word.length > 2 && isMonthOrWeekday(word);

/** The sum that a text begins with, whatever follows: `Total HT`. */
export function sumIn(text: string): string | undefined {
	const words = `${foldedWords(text.slice(0, 60)).join(' ')} `;
	return sums.find((phrase) => words.startsWith(`${phrase} `));
}

/** Fifths. How typical of a total the words of a header are, which are no name of one. */
const leastOfTotal = 1.5;
/** `Gesamt`, `Total mes`, `To pay` */
export const isCalledTotal = (header: string): boolean =>
	isNamed('total', header) || isTotalName(header) || wordScore('total', header) >= leastOfTotal;
