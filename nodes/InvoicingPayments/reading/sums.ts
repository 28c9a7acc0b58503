import { addTo } from '../../shared/addTo';
import { isNear } from './amounts';
import type { MoneyField } from './moneyScore';
import { moneyScore, itemNumbers } from './moneyScore';
import { isNamed, isPerOne, shareWord, timeUnitOf } from './names';
import type { Column } from './profile';
import { maxLines, wholeAmount } from './wholeAmount';

/** What the amounts of a sheet mean: which column is the unit price, which the quantity, which the total of an item. */
export interface Money extends ItemColumns {
	/** Amounts side by side that add up to a stated total in every row: each is an item. */
	items?: Column[];
	/** Amounts that are settled, so that they are no part of what is billed. A person decides. */
	settled?: Column[];
	/** Stated totals, of rows or invoices, that agree. */
	totals: Column[];
	score: number;
	/** The sheet's own sums confirm it: price times quantity is the line total in two rows or more, or other columns prove a whole amount. */
	isProved: boolean;
}

export type ItemColumns = Partial<Record<(typeof itemNumbers)[number], Column>>;
type ScoreOf = (field: MoneyField, column: Column) => number;

/** At most this many columns are tried for a field, the likeliest first. */
const maxChoices = 10;
/** At most this many columns are tried for a whole amount. */
const maxSummed = 16;

/**
 * The best combination of price, quantity and line total. If no product proves one, and neither price nor line total is said, a whole
 * amount that other columns prove goes first.
 * `columns`: those with numbers that nothing else uses. `groups`: for each line, the invoice that it probably belongs to. `said`: what a
 * person or the mapper has decided; a field that is there with `undefined` has no column.
 */
export function* moneyIn(
	columns: Column[],
	groups: string[],
	said: ItemColumns,
	hasFixedPrice: boolean,
): Generator<void, Money | undefined> {
	const fields = [...itemNumbers, 'total'] as const;
	const scores = new Map(
		columns.map((column) => [
			column,
			new Map(fields.map((field) => [field, moneyScore(field, column)])),
		]),
	);
	const scoreOf: ScoreOf = (field, column) => scores.get(column)?.get(field) ?? 0;
	const best = (field: MoneyField) =>
		[...columns].sort((a, b) => scoreOf(field, b) - scoreOf(field, a)).slice(0, maxChoices);
	/** If the price is typed, a column is an amount only if its header says so. */
	const isWanted = (field: MoneyField, column: Column) =>
		!hasFixedPrice || field === 'itemQuantity' || scoreOf(field, column) > 8;
	const choices = (field: keyof ItemColumns): Array<Column | undefined> =>
		field in said
			? [said[field]]
			: [undefined, ...best(field).filter((column) => isWanted(field, column))];
	const found: Money[] = [];
	for (const itemAmount of choices('itemAmount')) {
		for (const itemTotal of choices('itemTotal')) {
			yield;
			const hasAmount = itemAmount ?? itemTotal ?? hasFixedPrice;
			if (!hasAmount || (itemAmount && itemAmount === itemTotal)) continue;
			for (const itemQuantity of choices('itemQuantity')) {
				if (itemQuantity && [itemAmount, itemTotal].includes(itemQuantity)) continue;
				const one = judge({ itemAmount, itemTotal, itemQuantity }, columns, groups, scoreOf);
				if (one) found.push(one);
			}
		}
	}
	found.sort((a, b) => b.score - a.score);
	const isSaid = 'itemTotal' in said || 'itemAmount' in said;
	if (isSaid || found.some(({ isProved }) => isProved)) return found[0];
	const whole = yield* wholeAmount(columns.slice(0, maxSummed));
	if (!whole) return found[0];
	const { column, parts, settled } = whole;
	return {
		...(parts && !('itemQuantity' in said)
			? { items: parts, totals: settled ? [] : [column] }
			: { itemTotal: column, totals: [] }),
		...{ settled, score: 100, isProved: true },
	};
}

/** How good a combination is: by names and cells, and by what adds up. `undefined`: a product is not the stated total, or no row has both. */
function judge(
	those: ItemColumns,
	columns: Column[],
	groups: string[],
	scoreOf: ScoreOf,
): Money | undefined {
	const { itemAmount: price, itemQuantity: quantity, itemTotal } = those;
	let score = 0;
	if (price) score += scoreOf('itemAmount', price);
	if (itemTotal)
		score += Math.max(scoreOf('itemTotal', itemTotal), scoreOf('total', itemTotal) * 0.8);
	if (quantity) score += scoreOf('itemQuantity', quantity) - 2;
	const count = Math.min(groups.length, maxLines);
	const amounts = Array.from({ length: count }, (_, at) => amountAt(those, at));
	let compared = 0;
	let hasFactors = false;
	if (price && itemTotal) {
		for (const [at, amount] of amounts.entries()) {
			const product = amountAt({ ...those, itemTotal: undefined }, at);
			if (Number.isNaN(product) || Number.isNaN(itemTotal.numbers[at])) continue;
			if (!isNear(product, amount)) return undefined;
			compared += 1;
			hasFactors ||=
				product !== 0 && product !== price.numbers[at] && product !== quantity?.numbers[at];
		}
		if (compared === 0) return undefined;
		// Proof beats names.
		score += hasFactors ? (compared > 1 ? 30 : 4) : -3;
	}
	if (!price && itemTotal && quantity) score -= 1.5;
	if (price && quantity && !itemTotal) score += fitOf(price, quantity);
	const totals: Column[] = [];
	for (const column of columns) {
		if ([price, quantity, itemTotal].includes(column)) continue;
		if (!isNamed('total', column.header) && scoreOf('total', column) < 4) continue;
		const isEqual = agrees(column, amounts, groups);
		if (isEqual) totals.push(column);
		score += isEqual ? 3 : -2;
	}
	return { ...those, totals, score, isProved: compared > 1 && hasFactors };
}

/** The amount of an item: its stated total, else price times quantity. NaN without either. `at`: index of its line. */
export function amountAt(
	{ itemAmount: price, itemQuantity: quantity, itemTotal }: ItemColumns,
	at: number,
): number {
	const stated = itemTotal?.numbers[at] ?? NaN;
	const times = quantity?.numbers[at] ?? NaN;
	return Number.isNaN(stated)
		? (price?.numbers[at] ?? NaN) * (Number.isNaN(times) ? 1 : times)
		: stated;
}

/** How well a price and a quantity fit together. Used if no line total shows it. */
function fitOf(price: Column, quantity: Column): number {
	const unit = timeUnitOf(price.header);
	const counted = timeUnitOf(quantity.header);
	const isSameUnit = unit !== undefined && unit === counted;
	const isShared = shareWord(price.header, quantity.header);
	let fit = isSameUnit || isShared ? 3 : isPerOne(price.header) ? 1 : 0;
	// The price of a package is not paid for each guest.
	if (!isSameUnit && middle(price) >= 100 && middle(quantity) >= 20) fit -= 4;
	// Nobody pays so much for an hour.
	if (!isSameUnit && counted === 'hour' && middle(price) >= 250) fit -= 10;
	// A distance is no quantity, unless the header of the price has the same word: `Price per mile`, `Miles`.
	if (distance.test(quantity.header) && !isShared) fit -= 6;
	const isBare = !isNamed('itemAmount', price.header) && isNamed('amount', price.header);
	if (isBare && (counted === 'hour' || quantity.share('duration') > 0.5)) fit -= 5;
	return fit;
}

const distance = /(?<!\p{L})(?:km|kilom\p{L}*|quil[oó]m\p{L}*|miles|mileage|millas)(?!\p{L})/iu;

const middle = (column: Column) => {
	const first = column.numbers.slice(0, maxLines);
	const numbers = first.filter((one) => !Number.isNaN(one)).sort((a, b) => a - b);
	return numbers[numbers.length >> 1] ?? 0;
};

/** Whether a stated total equals the amount of each row, or the sum of each invoice. */
function agrees({ numbers }: Column, amounts: number[], groups: string[]): boolean {
	const isEqual = (stated: number, sum: number) => Number.isNaN(stated) || isNear(stated, sum);
	if (amounts.every((one, at) => isEqual(numbers[at], one))) return true;
	const byGroup = new Map<string, number[]>();
	amounts.forEach((_one, at) => addTo(byGroup, groups[at], at));
	return [...byGroup.values()].every((rows) => {
		const stated = rows.map((at) => numbers[at]).find((one) => !Number.isNaN(one)) ?? NaN;
		return isEqual(
			stated,
			rows.reduce((sum, at) => sum + amounts[at], 0),
		);
	});
}
