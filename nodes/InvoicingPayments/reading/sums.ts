import { isNear } from './amounts';
import { addTo } from '../../shared/addTo';
import { isTotalName } from './marks';
import {
	allWordsOf,
	isPerOne,
	shareWord,
	exactScore,
	hasWord,
	isNamed,
	isNumberSign,
	timeUnitOf,
	wordScore,
} from './names';
import type { Column } from './profile';

/** What the amounts of a sheet mean: which column is the price, which the quantity, which the line total. */
export interface Money {
	price?: Column;
	quantity?: Column;
	line?: Column;
	/** Amounts side by side that add up to a stated total in every row: each is an item. */
	items?: Column[];
	/** Stated totals, of rows or invoices, that agree. */
	totals: Column[];
	score: number;
	/** Price times quantity is the line total in every row, with different factors. */
	isProved: boolean;
	/** A stated total of several rows agrees. */
	isTotalProved: boolean;
	/** Of all rows, only to compare readings. */
	sum: number;
}

const roles = ['price', 'quantity', 'line', 'total'] as const;
type Role = (typeof roles)[number];
type Combination = Pick<Money, 'price' | 'quantity' | 'line'>;
const fieldOf = {
	price: 'itemAmount',
	quantity: 'itemQuantity',
	line: 'itemTotal',
	total: 'total',
};

/** How well a column of numbers fits a role, by its name and its cells. */
export function moneyScore(role: Role, column: Column): number {
	const { header, filled } = column;
	const amount = role === 'price' || role === 'line' ? exactScore('amount', header) : undefined;
	const exact =
		exactScore(fieldOf[role], header) ?? (amount === undefined ? undefined : amount - 1);
	const numbers = column.numbers.filter((one) => !Number.isNaN(one));
	const isWhole = numbers.every((one) => one % 1 === 0) && !filled.some((look) => look.isMoney);
	const isDuration = column.share('duration') > 0.5;
	const hasCurrency =
		column.headerCurrency !== undefined || filled.some(({ currency }) => currency !== undefined);
	let score =
		(exact ?? scoreOfWords(role, header, beginsWithNumber(header) && looksLikeCount(numbers))) +
		column.fullness;
	if (role === 'quantity') {
		if (isDuration) score += 2 - timePoints(column, exact !== undefined);
		else score += numbers.every((one) => one > 0 && one < 1000) ? 0.5 : -3;
		if (/\bmin(?:s|ut\p{L}*)?\b/iu.test(header)) score -= 6;
		if (beginsWithNumber(header) && looksLikeCount(numbers)) score += 1;
		// `#: 1, 2, 3` numbers the rows.
		if (countsOn(numbers) && (isOnlyIdentifier(header) || isNumberSign(header))) score -= 8;
	} else {
		score += isWhole ? -0.5 : 1.5;
		if (hasCurrency) score += 2;
	}
	if (filled.every(({ mayBeDate }) => mayBeDate) && exact === undefined) score -= 8;
	return score;
}

/** How well the words of a header fit a role that they do not name. `mayNumber`: `nº prácticas: 5, 4, 5` counts. */
function scoreOfWords(role: Role, header: string, mayNumber: boolean): number {
	const isQuantity = role === 'quantity';
	const isPrice = role === 'price' && isPerOne(header);
	let score = wordScore(fieldOf[role], header);
	if (hasWord(header, 'amounts')) score += isQuantity ? -3 : 1;
	// `Monthly fee` may be the price, or an extra.
	const isFee = role !== 'quantity' && hasWord(header, 'prices');
	if (!isPrice && (hasWord(header, 'taxes') || (!isFee && hasWord(header, 'extras')))) score -= 6;
	if (isOnlyIdentifier(header) && !(isQuantity && mayNumber)) score -= 5;
	if (hasWord(header, 'dates') && !timeUnitOf(header)) score -= isQuantity ? 2 : 4;
	if (hasWord(header, 'asks')) score -= 3;
	return /%|percent/i.test(header) ? score - 8 : score;
}

/** Whether durations are rather times of day: `Hora: 09:00`, but `Horas: 09:00` are hours. Minutes may be anything. */
function timePoints({ header, filled }: Column, isNamedSo: boolean): number {
	const areTimes = filled.every(
		({ text, number = 0 }) => /^\d\d:\d\d$/.test(text) && number >= 6 && number <= 22,
	);
	const isTime = hasWord(header, 'dates') && !hasWord(header, 'counts');
	const areMinutes = filled.every(({ text }) => /^\d+\s*min/i.test(text));
	const byName = isNamedSo ? 0 : (isTime ? 8 : 0) + (areMinutes ? 3 : 0);
	return byName + (areTimes ? 8 : 0);
}

const isOnlyIdentifier = (header: string) =>
	(hasWord(header, 'identifiers') || /\p{L}{3}(?:nr|id)$/iu.test(header.trim())) &&
	!hasWord(header, 'counts', 'prices');

const beginsWithNumber = (header: string) => allWordsOf(header)[0] === 'number';

const countsOn = (numbers: number[]) => numbers.every((one, at) => one === numbers[0] + at);

const countsUp = (numbers: number[]) =>
	numbers.length > 2 &&
	numbers.every(
		(one, at) =>
			at === 0 || (one > numbers[at - 1] && one - numbers[at - 1] < 3 && Number.isInteger(one)),
	);

/** Small whole numbers of which some repeat. */
function looksLikeCount(numbers: number[]): boolean {
	const isSmall = numbers.every((one) => Number.isInteger(one) && one >= 1 && one <= 60);
	const sorted = [...numbers].sort((a, b) => a - b);
	return (
		!countsUp(numbers) && isSmall && sorted[sorted.length >> 1] <= 12 && new Set(numbers).size > 1
	);
}

/** Bounds the work for long sheets: the exact sums are computed from all rows later. */
const maxLines = 400;

const middle = (column: Column) => {
	const first = column.numbers.slice(0, maxLines);
	const numbers = first.filter((one) => !Number.isNaN(one)).sort((a, b) => a - b);
	return numbers[numbers.length >> 1] ?? 0;
};

/** Whether a price and a quantity belong together, if no total tells. */
function fitOf(price: Column, quantity: Column): number {
	const unit = timeUnitOf(price.header);
	const counted = timeUnitOf(quantity.header);
	const isSameUnit = unit !== undefined && unit === counted;
	let fit =
		isSameUnit || shareWord(price.header, quantity.header) ? 3 : isPerOne(price.header) ? 1 : 0;
	// Nobody pays 2,000 for an hour, or a package for each guest.
	if (!isSameUnit && middle(price) >= 100 && middle(quantity) >= 20) fit -= 4;
	if (!isSameUnit && counted === 'hour' && middle(price) >= 250) fit -= 10;
	const isPrice = isNamed('itemAmount', price.header);
	// `km` beside a fare says how far, unless the fare is per km.
	if (distance.test(quantity.header) && !shareWord(price.header, quantity.header)) fit -= 6;
	const isBare = !isPrice && isNamed('amount', price.header);
	if (isBare && (counted === 'hour' || quantity.share('duration') > 0.5)) fit -= 5;
	return fit;
}

const distance = /(?<!\p{L})(?:km|kilom\p{L}*|quil[oó]m\p{L}*|miles|mileage|millas)(?!\p{L})/iu;

/** Columns of figures that are tried for a role, the likeliest first. */
const maxChoices = 10;

/** The columns that a person or the mapper chose. `undefined` for a role: no column. */
export type SaidMoney = Partial<Combination>;

/**
 * Every good combination of price, quantity and line total, the best first. `columns`: those with numbers that nothing else uses.
 * `groups`: for each line, the invoice that it probably belongs to. `said`: roles that are given, also as none.
 */
export function* moneyReadings(
	columns: Column[],
	groups: string[],
	said: SaidMoney,
	hasFixedPrice: boolean,
	discount?: Column,
): Generator<void, Money[]> {
	const scores = new Map(
		columns.map((column) => [
			column,
			new Map(roles.map((role) => [role, moneyScore(role, column)])),
		]),
	);
	const scoreOf = (role: Role, column: Column) => scores.get(column)?.get(role) ?? 0;
	const best = (role: Role) =>
		[...columns].sort((a, b) => scoreOf(role, b) - scoreOf(role, a)).slice(0, maxChoices);
	/** Beside a price that the user has typed, a column needs a name to be another one. */
	const isWanted = (role: Role, column: Column) =>
		!hasFixedPrice || role === 'quantity' || scoreOf(role, column) > 8;
	const choices = (role: keyof Combination): Array<Column | undefined> =>
		role in said
			? [said[role]]
			: [undefined, ...best(role).filter((column) => isWanted(role, column))];
	/** In the order of the sheet. */
	const likely = () => {
		const highest = (column: Column) =>
			hasWord(column.header, 'taxes') ? 10 : Math.max(...(scores.get(column)?.values() ?? []));
		const first = [...columns].sort((a, b) => highest(b) - highest(a)).slice(0, maxSummed);
		return columns.filter((column) => first.includes(column));
	};
	const found: Money[] = [];
	for (const price of choices('price')) {
		for (const line of choices('line')) {
			yield;
			if ((!price && !line && !hasFixedPrice) || (price && price === line)) continue;
			for (const quantity of choices('quantity')) {
				if (quantity && (quantity === price || quantity === line)) continue;
				const one = judge({ price, line, quantity }, discount, columns, groups, scoreOf);
				if (one) found.push(one);
			}
		}
	}
	const isOpen = !('line' in said) && !('price' in said) && !found.some(({ isProved }) => isProved);
	const counted = found.sort((a, b) => b.score - a.score).find(({ quantity }) => quantity);
	const products = groups.map((_group, at) => (counted ? amountAt(counted, at) || 0 : 0));
	const whole = isOpen ? yield* wholeAmount(likely(), groups.length, products) : undefined;
	if (whole) {
		const sum = sumOf(whole.column.numbers);
		const proved = { score: 100, isProved: true, isTotalProved: false, sum };
		const { column, parts } = whole;
		const items = 'quantity' in said ? undefined : parts;
		found.push({
			...(items ? { items, totals: [column] } : { line: column, totals: [] }),
			...proved,
		});
	}
	return found.sort((a, b) => b.score - a.score);
}

/** For each row that has all of these columns, their numbers. Empty if fewer than two rows do, or if one of them does not hold. */
function rowsThat(holds: (row: number[]) => boolean, columns: Column[]): number[][] {
	const rows: number[][] = [];
	const count = Math.min(columns[0].numbers.length, maxLines);
	for (let at = 0; at < count; at++) {
		const row = columns.map(({ numbers }) => numbers[at]);
		if (row.some(Number.isNaN)) continue;
		if (!holds(row)) return [];
		rows.push(row);
	}
	return rows.length > 1 ? rows : [];
}

/** A column with the whole amount of each row. `parts`: the columns that it is the sum of, if it adds nothing else. */
interface Whole {
	column: Column;
	parts?: Column[];
}

/** The column that other columns prove to be the amount of each row. */
function* wholeAmount(
	columns: Column[],
	count: number,
	products: number[],
): Generator<void, Whole | undefined> {
	yield;
	const product = threefold(columns);
	yield;
	const column = product ?? netColumn(columns);
	yield;
	return column ? { column } : sumColumn(columns, count, products);
}

/** The product of three others in every row: `Qty` x `Days` x `Day rate` = `Hire charge`. */
function threefold(columns: Column[]): Column | undefined {
	for (const whole of columns)
		for (const [at, a] of columns.entries())
			for (const [more, b] of columns.entries())
				for (const c of columns.slice(more + 1)) {
					if (at >= more || [a, b, c].includes(whole)) continue;
					const isProduct = ([x, y, z, product]: number[]) =>
						product !== 0 && isNear(x * y * z, product);
					const rows = rowsThat(isProduct, [a, b, c, whole]);
					// A factor that is always 1 says nothing.
					if ([0, 1, 2].every((factor) => rows.some((row) => row[factor] !== 1))) return whole;
				}
	return undefined;
}

/** The net amount beside its tax and their sum: the same rate in all rows, or a rate or two below a header of taxes. The account adds the tax. */
function netColumn(columns: Column[]): Column | undefined {
	for (const net of columns)
		for (const tax of columns)
			for (const gross of columns) {
				if (net === tax || net === gross || tax === gross) continue;
				const rateOf = ([a, b]: number[]) => Math.round((b / a) * 1000) / 10;
				const isGross = ([a, b, c]: number[]) =>
					isNear(a + b, c) && rateOf([a, b]) >= lowestTax - 3 && rateOf([a, b]) <= highestTax;
				const rows = rowsThat(isGross, [net, tax, gross]);
				const count = new Set(rows.map(rateOf)).size;
				const isTax = hasWord(tax.header, 'taxes') ? count < 3 : count === 1 && rows.length > 2;
				if (rows.length && isTax) return net;
			}
	return undefined;
}

/** Columns of amounts that are tried. */
const maxSummed = 16;

const sumOf = (numbers: number[]) => numbers.reduce((sum, one) => sum + (one || 0), 0);

/**
 * A column that is the sum of others in every row: a rent with its charges. As many as possible, so that a subtotal is none of them. Or the
 * sum of `products`, the prices times their quantities, and others: hours with material.
 */
function sumColumn(columns: Column[], count: number, products: number[]): Whole | undefined {
	const rows = Array.from({ length: Math.min(count, maxLines) }, (_, at) => at);
	// A tax is added by nobody, or by the account.
	const mayBePart = (column: Column) =>
		!hasWord(column.header, 'taxes') &&
		(!isOnlyIdentifier(column.header) ||
			wordScore('total', column.header) > 0 ||
			column.filled.some((look) => look.isMoney)) &&
		!column.filled.every(({ mayBeDate }) => mayBeDate);
	const isPriced = ({ filled }: Column) => filled.some((look) => look.isMoney);
	const hasFractions = ({ filled }: Column) =>
		filled.some(({ kind, number = 0 }) => kind === 'number' && number % 1 !== 0);
	const hasPrices = columns.some(isPriced);
	// A day is another day and an age, and `Adults` and `Children` are guests.
	const isMoney = (column: Column) => isPriced(column) || moneyScore('quantity', column) < 4;
	const candidates = columns.filter(mayBePart);
	const of = (column: Column, at: number) => column.numbers[at] || 0;
	const zeros = products.map(() => 0);
	const hasProducts = products.some((one) => one !== 0);
	// Beside prices, what has none is a count.
	let found: Whole | undefined;
	// Beside prices, what has none is a count.
	const mayBeWhole = (one: Column) =>
		isMoney(one) && (!hasPrices || isPriced(one) || hasFractions(one));
	for (const whole of candidates.filter(mayBeWhole)) {
		const billed = rows.filter((at) => !Number.isNaN(whole.numbers[at]));
		if (billed.length < 2) continue;
		const parts = candidates.filter(
			(one) =>
				one !== whole &&
				// A subtotal is no part of a total.
				!isNamed('total', one.header) &&
				isMoney(one) &&
				billed.some((at) => of(one, at) !== 0) &&
				billed.every((at) => of(one, at) <= of(whole, at) + 0.006),
		);
		let most: Column[] = [];
		let isWithProducts = false;
		for (const those of subsetsOf(parts)) {
			const isSum = (more: number[]) =>
				billed.every((at) =>
					isNear(sumOf(those.map((one) => of(one, at))) + more[at], of(whole, at)),
				);
			if (those.length > 1 && those.length > most.length && isSum(zeros)) most = those;
			isWithProducts ||= hasProducts && isSum(products);
		}
		// `a + b = c` does not say which of them is due, unless c is called a total. A count may multiply them.
		const others = columns.filter((one) => one !== whole && !most.includes(one));
		const areItems =
			isCalledTotal(whole.header) &&
			!others.some((one) => !isPriced(one) && moneyScore('quantity', one) >= 4);
		const one = { column: whole, ...(most.length && areItems && { parts: most }) };
		if (most.length === 0 && !isWithProducts) continue;
		if (!found || most.length > (found.parts?.length ?? 0)) found = one;
	}
	return found;
}

/** `Gesamt`, `Total mes`, `To pay` */
const isCalledTotal = (header: string) =>
	isNamed('total', header) || isTotalName(header) || wordScore('total', header) >= 1.5;

/** All choices of up to eight columns; of more, only all of them. */
function* subsetsOf(columns: Column[]): Generator<Column[]> {
	if (columns.length > 8) yield columns;
	else
		for (let mask = 1; mask < 1 << columns.length; mask++)
			yield columns.filter((_one, bit) => mask & (1 << bit));
}

/** Percent. Taxes that may stand on top of a sum. */
const [lowestTax, highestTax] = [5, 27];

/** The percentage, if an amount is a sum with a tax on top. */
export function taxRateOf(amount: number, sum: number): number | undefined {
	const tax = sum > 0 ? (amount / sum - 1) * 100 : NaN;
	const rate = Math.round(tax);
	const isTax = rate >= lowestTax && rate <= highestTax && Math.abs(tax - rate) < 0.01;
	return isTax ? rate : undefined;
}

/** The amount of a line: its stated total, else price times quantity. NaN without either. */
export function amountAt({ price, quantity, line }: Combination, at: number): number {
	const stated = line?.numbers[at] ?? NaN;
	const times = quantity?.numbers[at] ?? NaN;
	return Number.isNaN(stated)
		? (price?.numbers[at] ?? NaN) * (Number.isNaN(times) ? 1 : times)
		: stated;
}

/** `10%` and 10 are 10. To rank only. */
const percentAt = (discount: Column | undefined, at: number) =>
	parseFloat(discount?.looks[at]?.text.replace(',', '.') ?? '');

function judge(
	those: Combination,
	discount: Column | undefined,
	columns: Column[],
	groups: string[],
	scoreOf: (role: Role, column: Column) => number,
): Money | undefined {
	const { price, line, quantity } = those;
	let score = 0;
	if (price) score += scoreOf('price', price);
	if (line) score += Math.max(scoreOf('line', line), scoreOf('total', line) * 0.8);
	if (quantity) score += scoreOf('quantity', quantity) - 2;
	const amounts = groups.slice(0, maxLines).map((_group, at) => amountAt(those, at));
	let compared = 0;
	let hasFactors = false;
	if (price && line) {
		for (const [at, amount] of amounts.entries()) {
			const product = amountAt({ price, quantity }, at);
			if (Number.isNaN(product) || Number.isNaN(line.numbers[at])) continue;
			if (!isNear(product, amount)) return undefined;
			compared += 1;
			hasFactors ||=
				product !== 0 && product !== price.numbers[at] && product !== quantity?.numbers[at];
		}
		if (compared === 0) return undefined;
		// Proof beats names.
		score += hasFactors ? (compared > 1 ? 30 : 4) : -3;
	}
	const unit = price && timeUnitOf(price.header);
	// `Hourly Rate` beside `Sessions` and `Hours`.
	if (unit && quantity && timeUnitOf(quantity.header) !== unit)
		if (columns.some(({ header }) => header !== price.header && timeUnitOf(header) === unit))
			score -= 6;
	if (!price && line && quantity) score -= 1.5;
	if (price && quantity && !line) score += fitOf(price, quantity);
	if (price && !line && !quantity)
		score -= 3 * columns.filter((one) => one !== price && scoreOf('quantity', one) > 3.5).length;
	const discounted = amounts.map((one, at) => one * (1 - (percentAt(discount, at) || 0) / 100));
	const totals: Column[] = [];
	let isTotalProved = false;
	for (const column of columns) {
		if (column === price || column === line || column === quantity) continue;
		if (!isNamed('total', column.header) && scoreOf('total', column) < 4) continue;
		const agreement =
			agreementOf(column, amounts, groups) ?? (discount && agreementOf(column, discounted, groups));
		if (agreement) totals.push(column);
		isTotalProved ||= agreement === 'several';
		score += agreement ? 3 : -2;
	}
	const isProved = compared > 1 && hasFactors;
	return { ...those, totals, score, isProved, isTotalProved, sum: sumOf(amounts) };
}

/** Whether stated totals equal the amounts of rows, or the sums of groups. `several`: of groups with several rows. */
function agreementOf(
	{ numbers }: Column,
	amounts: number[],
	groups: string[],
): 'rows' | 'several' | undefined {
	const agrees = (stated: number, sum: number) => Number.isNaN(stated) || isNear(stated, sum);
	if (amounts.every((one, at) => agrees(numbers[at], one))) return 'rows';
	const byGroup = new Map<string, number[]>();
	amounts.forEach((_one, at) => addTo(byGroup, groups[at], at));
	const areSums = [...byGroup.values()].every((rows) => {
		const stated = rows.map((at) => numbers[at]).find((one) => !Number.isNaN(one)) ?? NaN;
		return agrees(
			stated,
			rows.reduce((sum, at) => sum + amounts[at], 0),
		);
	});
	return areSums && byGroup.size < amounts.length ? 'several' : undefined;
}
