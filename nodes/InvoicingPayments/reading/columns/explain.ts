import { isNear } from './amounts';
import { isDiscount } from './evidence';
import { isCalledTotal, isTotalName } from './marks';
import { isTax } from '../table';
import type { Column } from './profile';
import { shares } from './profile';
import type { Relation } from '../statements';
import type { Steps } from '../../../shared/steps';
import { stepTimer } from '../../../shared/steps';

/**
 * What makes up an amount. Offices put what a row comes to at its right end, and the figures that make it up before it. So this looks, without
 * a word of any language, for a column that columns to its left explain in every row: a column, or a product of two or three, plus or minus
 * others, less a percentage. `To pay = Fee - Sibling discount`, `Summe = Personen x Preis + Anfahrt`, `Importo = Q.tà x Prezzo less Sconto %`.
 *
 * An explanation chooses what is billed (money.ts), and is stated: a later file in which it does not hold differs. No name and no range
 * notices that two headers have changed places: this does.
 */
export interface Explanation {
	whole: Column;
	/** One column, or two or three that are multiplied. */
	factors: readonly Column[];
	terms: readonly Term[];
	/** A percentage, which is taken off, or added (`isAdded`). */
	rate?: Column;
	isAdded?: boolean;
	/** Of the product alone, not of what is added to it. */
	isOfFactors?: boolean;
}

interface Term {
	column: Column;
	isLess: boolean;
}

/** Lines. The exact sums are computed from all rows later. */
export const maxLines = 400;
/** Columns whose amounts are explained, the rightmost. */
const maxWholes = 16;
/** Columns that may be parts, the nearest to the whole. */
const maxParts = 12;
/** Columns that may be added or taken off, the nearest to the whole. */
const maxTerms = 6;
/** How many columns may be added or taken off, by the number of factors. Three factors explain an amount alone. */
const termsBesides = [0, 4, 2, 0];
/** Rows that tell an explanation from luck. */
const leastRows = 2;

/** An empty cell adds nothing. */
const at = ({ numbers }: Column, row: number): number => numbers[row] || 0;

/** 0.9 less 10 %. A percentage may be written as a fraction: 0.1. */
function partOf({ rate, isAdded }: Explanation, row: number): number {
	const part = rate?.percentageAt(row) ?? 0;
	return isAdded ? 1 + part : 1 - part;
}

/** What an explanation comes to in a row. An empty factor makes it 0. */
export function valueAt(one: Explanation, row: number): number {
	const { factors, terms, isOfFactors } = one;
	const part = partOf(one, row);
	const product = factors.reduce((all, factor) => all * at(factor, row), isOfFactors ? part : 1);
	const sum = terms.reduce(
		(all, { column, isLess }) => all + (isLess ? -1 : 1) * at(column, row),
		product,
	);
	return isOfFactors ? sum : sum * part;
}

export const holdsAt = (one: Explanation, row: number): boolean =>
	isNear(valueAt(one, row), at(one.whole, row));

export const partsOf = ({ factors, terms, rate }: Explanation): Column[] => [
	...factors,
	...terms.map(({ column }) => column),
	...(rate ? [rate] : []),
];

/** The taxes in it, in the order of the sheet. */
export const taxesIn = ({ terms, rate }: Explanation): Column[] =>
	[...terms.map(({ column }) => column), rate].filter((one) => one !== undefined).filter(isTax);
export const isTaxed = (one: Explanation): boolean => taxesIn(one).length > 0;

/**
 * Whether all parts matter: what is 0, or a factor of 1, in every row explains nothing. Nor does what cancels itself out, or a column that
 * repeats the whole.
 */
function saysSomething(one: Explanation, rows: number[]): boolean {
	const { whole, factors, terms, rate } = one;
	const isMultiplied = factors.length > 1;
	const isSame = (a: Column, b: Column) => rows.every((row) => at(a, row) === at(b, row));
	const added = [
		...(isMultiplied ? [] : factors),
		...terms.flatMap(({ column, isLess }) => (isLess ? [] : [column])),
	];
	const isIdle = terms.some(
		({ column, isLess }) => isLess && added.some((other) => isSame(column, other)),
	);
	if (isIdle || added.some((part) => isSame(part, whole))) return false;
	const differs = rows.some((row) => factors.every((factor) => at(factor, row) !== 1));
	return (
		terms.every(({ column }) => rows.some((row) => at(column, row) !== 0)) &&
		(!rate || rows.some((row) => ![0, 1].includes(partOf(one, row)))) &&
		rows.some((row) => factors.every((factor) => at(factor, row) !== 0)) &&
		(!isMultiplied || differs) &&
		(isMultiplied || terms.length > 0 || rate !== undefined)
	);
}

/** Whether a column may be an amount, a count or a percentage. Days, numbers of rooms and codes are none. */
const mayCount = (one: Column) =>
	one.filled.length > 0 &&
	one.share('number', 'duration', 'percent') >= shares.most &&
	!one.figures.mayBeDates;

export const isPercentage = (one: Column) => one.is('percent') || /(?<!\d\s?)%/.test(one.header);
/** Not `MwSt 19 %`, which has the amounts of one rate. Spreadsheets give 19 % of a tax or a discount as 0.19. */
export const isRate = (one: Column) =>
	isPercentage(one) ||
	(one.is('number') &&
		(isTax(one) || isDiscount(one.header)) &&
		one.figures.known.every((number) => number >= 0 && number < 1) &&
		one.figures.known.some((number) => number > 0));

/**
 * All explanations of the columns that `isWhole`, the rightmost column first, and of each the one that uses most columns first. A column that
 * is called a total may stand before its parts.
 */
export function* explanationsIn(
	columns: readonly Column[],
	isWhole: (column: Column) => boolean = (one) => one.is('number'),
	isPart: (column: Column) => boolean = () => true,
): Steps<Explanation[]> {
	const count = Math.min(columns[0]?.looks.length ?? 0, maxLines);
	const isTotal = (row: number) =>
		columns.some(({ looks }) => looks[row]?.kind === 'text' && isTotalName(looks[row].text));
	const all = [...Array(count).keys()].filter((row) => !isTotal(row));
	yield;
	const numeric = columns.filter((one) => mayCount(one) || isRate(one));
	const found: Explanation[] = [];
	const wholes = numeric.filter(
		(one) => !one.is('percent', 'duration') && !isTax(one) && isWhole(one),
	);
	for (const whole of wholes.reverse().slice(0, maxWholes)) {
		const rows = all.filter((row) => whole.looks[row]);
		if (rows.filter((row) => at(whole, row) !== 0).length < leastRows) continue;
		const isBefore = isCalledTotal(whole.header);
		const parts = numeric.filter(
			(one) => one !== whole && isPart(one) && (isBefore || one.at < whole.at || isTax(one)),
		);
		// A total that stands only in the first row of an invoice is none of each row.
		const isOfRows = (one: Explanation) =>
			all.every((row) => whole.looks[row] ?? valueAt(one, row) === 0);
		found.push(...(yield* explanationsOf(whole, parts, rows)).filter(isOfRows));
	}
	return found.filter((one) => !found.some((other) => isPlainer(other, one)));
}

/** Whether one explanation says the same as another of the same columns with less subtractions. `Total = Deposit + Fee` */
function isPlainer(one: Explanation, other: Explanation): boolean {
	const minus = ({ terms }: Explanation) => terms.filter(({ isLess }) => isLess).length;
	const [columns, others] = [one, other].map((each) => new Set([each.whole, ...partsOf(each)]));
	return (
		minus(one) < minus(other) &&
		columns.size === others.size &&
		[...columns].every((column) => others.has(column))
	);
}

function* explanationsOf(whole: Column, parts: Column[], rows: number[]): Steps<Explanation[]> {
	const isLong = stepTimer();
	const found: Explanation[] = [];
	const amounts = parts.filter((one) => !isRate(one)).slice(-maxParts);
	const rates = [undefined, ...parts.filter(isRate).slice(-2)];
	for (const count of [1, 2, 3])
		for (const factors of choose(amounts, count)) {
			const others = amounts.filter((one) => !factors.includes(one)).slice(-maxTerms);
			for (const terms of signed(others, termsBesides[count]))
				for (const rate of count === 3 ? [undefined] : rates) {
					if (isLong()) yield;
					if (!rate && isRepetition(factors, terms)) continue;
					const isAdded = rate && isTax(rate);
					for (const isOfFactors of rate && terms.length ? [false, true] : [false]) {
						const one: Explanation = { whole, factors, terms, rate, isAdded, isOfFactors };
						if (rows.every((row) => holdsAt(one, row)) && saysSomething(one, rows)) found.push(one);
					}
				}
		}
	const all = found.filter((one) => !found.some((other) => cancels(one, other)));
	// What stands before the whole makes it, rather than what stands behind: `Qty | Price | Total | Cost | Profit`.
	const isBefore = (one: Explanation) => partsOf(one).every((part) => part.at < whole.at);
	// A price that some rows lack makes no amount there, whatever another column says: `Km x Price` beside `Travel: free`.
	const isWhole = ({ factors }: Explanation) =>
		rows.every(
			(row) => factors.every((one) => one.looks[row]) || !factors.some((one) => one.looks[row]),
		);
	const ranks = [
		(one: Explanation) => Number(isBefore(one)),
		(one: Explanation) => Number(isWhole(one)),
		(one: Explanation) => partsOf(one).length,
	];
	return all.sort((a, b) => ranks.map((rank) => rank(b) - rank(a)).find((one) => one !== 0) ?? 0);
}

/** Whether a tax and its percentage only cancel each other out. */
const cancels = (one: Explanation, other: Explanation): boolean =>
	one.rate !== undefined &&
	other.rate === undefined &&
	one.terms.length > other.terms.length &&
	one.factors.length === other.factors.length &&
	one.factors.every((factor, index) => factor === other.factors[index]) &&
	other.terms.every(({ column, isLess }) =>
		one.terms.some((term) => term.column === column && term.isLess === isLess),
	);

/** A sum is the same whichever of its parts comes first. */
const isRepetition = ([first, ...more]: Column[], terms: readonly Term[]): boolean =>
	more.length === 0 && terms.some(({ column, isLess }) => !isLess && column.at < first.at);

/** All choices of so many columns, in their order. */
function* choose(all: readonly Column[], count: number): Generator<Column[]> {
	if (count === 0) yield [];
	else
		for (const [index, one] of all.entries())
			for (const more of choose(all.slice(index + 1), count - 1)) yield [one, ...more];
}

/** All choices of at most so many columns that are added or taken off. */
function* signed(columns: readonly Column[], most: number): Generator<Term[]> {
	yield [];
	if (most === 0) return;
	for (const [index, column] of columns.entries())
		for (const isLess of [false, true])
			for (const more of signed(columns.slice(index + 1), most - 1))
				yield [{ column, isLess }, ...more];
}

/**
 * The figures of a row that make up its amount, for people: `2 x 15.00, less 10%`. `undefined`: nothing but the amount itself, so that there is
 * nothing to explain.
 */
export function figuresAt(
	{ factors, terms, rate, isAdded, isOfFactors }: Explanation,
	row: number,
): string | undefined {
	const text = (one: Column) => {
		const number = at(one, row);
		return one.figures.areWhole && factors.length > 1 ? String(number) : number.toFixed(2);
	};
	const others = terms.filter(({ column }) => at(column, row) !== 0);
	const part = rate && rate.percentageAt(row) !== 0 ? rate : undefined;
	if (factors.length === 1 && others.length === 0 && !part) return undefined;
	const product = factors.map(text).join(' x ');
	const signed = others.map(({ column, isLess }) => ` ${isLess ? '-' : '+'} ${text(column)}`);
	const less = part
		? `, ${isAdded ? 'plus' : 'less'} ${Number((part.percentageAt(row) * 100).toFixed(2))}%`
		: '';
	return isOfFactors
		? `${product}${less}${signed.join('')}`
		: `${product}${signed.join('')}${less}`;
}

/** Whether what is taken off, or a product of three, is worth a word on the invoice. A tax is not. */
export const isTold = (one: Explanation): boolean =>
	!isTaxed(one) &&
	(one.factors.length > 1 || one.terms.some(({ isLess }) => isLess) || one.rate !== undefined);

/** As the reading states it. */
export const relationOf = ({
	whole,
	factors,
	terms,
	rate,
	isAdded,
	isOfFactors,
}: Explanation): Relation => ({
	whole: whole.header,
	factors: factors.map(({ header }) => header),
	terms: terms.map(({ column: { header }, isLess }) => ({ header, isLess })),
	...(rate && { rate: rate.header, isAdded }),
	...(isOfFactors && { isOfFactors }),
});

/**
 * The explanation that a reading states. A column that may be empty in all rows may also be missing, unless it is multiplied. `undefined`: the
 * sheet lacks another one.
 */
export function explanationOf(
	{ whole, factors, terms, rate, isAdded, isOfFactors }: Relation,
	byHeader: ReadonlyMap<string, Column>,
	mayLack: (header: string) => boolean = () => false,
): Explanation | undefined {
	const column = (header: string) => byHeader.get(header);
	const own = column(whole);
	const multiplied = factors.flatMap((one) => column(one) ?? []);
	const added = terms.flatMap(({ header, isLess }): Term[] => {
		const found = column(header);
		return found ? [{ column: found, isLess }] : [];
	});
	const others = [...terms.map(({ header }) => header), ...(rate === undefined ? [] : [rate])];
	const isWhole = others.every((header) => column(header) ?? mayLack(header));
	if (!own || multiplied.length < factors.length || !isWhole) return undefined;
	const percentage = rate === undefined ? undefined : column(rate);
	return { whole: own, factors: multiplied, terms: added, rate: percentage, isAdded, isOfFactors };
}
