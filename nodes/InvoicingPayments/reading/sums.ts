import {
	allWordsOf,
	amountWords,
	isPerOne,
	priceWords,
	shareWord,
	askWords,
	countWordsOf,
	dateWords,
	exactScore,
	extraWords,
	hasWord,
	identifierWords,
	taxWords,
	timeUnitOf,
	wordScore,
} from './names';
import type { Column } from './profile';

/** What the amounts of a sheet mean: which column is the price, which the quantity, which the line total. */
export interface Money {
	price?: Column;
	quantity?: Column;
	line?: Column;
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

type Role = 'price' | 'quantity' | 'line' | 'total';
const fieldOf = {
	price: 'itemAmount',
	quantity: 'itemQuantity',
	line: 'itemTotal',
	total: 'total',
};

/** How well a column of numbers fits a role, by its name and its cells. */
export function moneyScore(role: Role, column: Column): number {
	const { header } = column;
	const field = fieldOf[role];
	const amount = role === 'price' || role === 'line' ? exactScore('amount', header) : undefined;
	const exact = exactScore(field, header) ?? (amount === undefined ? undefined : amount - 1);
	let score = exact ?? wordScore(field, header);
	if (exact === undefined) {
		if (role !== 'quantity' && hasWord(header, amountWords)) score += 1;
		const isPrice = role === 'price' && isPerOne(header);
		if (!isPrice && (hasWord(header, taxWords) || hasWord(header, extraWords))) score -= 6;
		if (role === 'line' && hasWord(header, countWordsOf)) score -= 3;
		if (isOnlyIdentifier(header)) score -= 5;
		if (role === 'quantity' && hasWord(header, amountWords)) score -= 3;
		if (isPrice) score += 3;
		if (role === 'quantity' && isPerOne(header)) score -= 3;
		if (hasWord(header, dateWords) && !timeUnitOf(header)) score -= role === 'quantity' ? 2 : 4;
		if (hasWord(header, askWords)) score -= 3;
		if (/%|percent/i.test(header)) score -= 8;
	}
	const numbers = column.numbers.filter((one) => !Number.isNaN(one));
	const hasCents =
		column.filled.some((look) => look.isMoney) || numbers.some((one) => one % 1 !== 0);
	const isDuration = column.share('duration') > 0.5;
	if (role === 'quantity') {
		// `Hora: 09:00` is a time of day, `Horas: 09:00` are hours.
		if (
			isDuration &&
			exact === undefined &&
			(hasWord(header, dateWords) ? !hasWord(header, countWordsOf) : false)
		)
			score -= 8;
		if (
			isDuration &&
			column.filled.every(
				({ text, number = 0 }) => /^\d\d:\d\d$/.test(text) && number >= 6 && number <= 22,
			)
		)
			score -= 8;
		if (
			isDuration &&
			exact === undefined &&
			column.filled.every(({ text }) => /^\d+\s*min/i.test(text))
		)
			score -= 3;
		if (/\bmin(?:s|uten?|utos|uti)?\b/i.test(header)) score -= 6;
		score += isDuration ? 2 : numbers.every((one) => one > 0 && one < 1000) ? 0.5 : -3;
		if (column.filled.some(({ currency }) => currency) || column.headerCurrency) score -= 8;
		else if (hasCents && column.filled.some(({ isMoney }) => isMoney)) score -= exact ? 0 : 1;
		if (exact === undefined && looksLikeCount(numbers)) score += 0.4;
		// `#: 1, 2, 3` numbers the rows.
		if (countsOn(numbers) && (isOnlyIdentifier(header) || isNumberSign(header))) score -= 8;
	} else {
		score += hasCents ? 1.5 : -0.5;
		if (exact === undefined && countsUp(numbers)) score -= 3;
		if (isDuration) score -= 8;
		if (column.headerCurrency ?? column.filled.some(({ currency }) => currency)) score += 2;
	}
	if (numbers.every((one) => one === 0)) score -= 6;
	if (column.filled.every(({ mayBeDate }) => mayBeDate) && exact === undefined) score -= 8;
	return score + column.fullness;
}

const isOnlyIdentifier = (header: string) =>
	(hasWord(header, identifierWords) || /\p{L}{3}(?:nr|id)$/iu.test(header.trim())) &&
	!hasWord(header, countWordsOf) &&
	!hasWord(header, priceWords);

/** `#`, `Nr.` */
const isNumberSign = (header: string) => allWordsOf(header).join() === 'number';

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
		isSmall && !countsUp(numbers) && sorted[sorted.length >> 1] <= 12 && new Set(numbers).size > 1
	);
}

const middle = (column: Column) => {
	const numbers = column.numbers.filter((one) => !Number.isNaN(one)).sort((a, b) => a - b);
	return numbers[numbers.length >> 1] ?? 0;
};

/** Whether a price and a quantity belong together, if no total tells. */
function fitOf(price: Column, quantity: Column): number {
	const unit = timeUnitOf(price.header);
	const counted = timeUnitOf(quantity.header);
	const isSameUnit = unit !== undefined && unit === counted;
	let fit =
		isSameUnit || shareWord(price.header, quantity.header) ? 3 : isPerOne(price.header) ? 1 : 0;
	if (unit && counted && unit !== counted) fit -= 3;
	// Nobody pays 2,000 for an hour, or a package for each guest.
	if (!isSameUnit && middle(price) >= 100 && middle(quantity) >= 20) fit -= 4;
	if (!isSameUnit && counted === 'hour' && middle(price) >= 250) fit -= 10;
	const isNamed = exactScore('itemAmount', price.header) !== undefined;
	if (!isNamed && isConstantRatio(price, quantity)) fit -= 9;
	const isBare = !isNamed && exactScore('amount', price.header) !== undefined;
	if (isBare && (counted === 'hour' || quantity.share('duration') > 0.5)) fit -= 5;
	return fit;
}

/** Whether the price is itself a product of the quantity: then it is a line total. */
function isConstantRatio(price: Column, quantity: Column): boolean {
	const pairs = price.numbers.flatMap((one, at) => {
		const times = quantity.numbers[at];
		return one && times ? [{ ratio: one / times, times }] : [];
	});
	const [first] = pairs;
	return (
		pairs.length > 1 &&
		new Set(pairs.map(({ times }) => times)).size > 1 &&
		pairs.every(({ ratio }) => Math.abs(ratio / first.ratio - 1) < 0.002)
	);
}

const near = (a: number, b: number) => Math.abs(a - b) < 0.006;

/** Bounds the work for long sheets: the exact sums are computed from all rows later. */
const maxLines = 400;

/** The columns that a person or the mapper chose. `undefined` for a role: no column. */
export type SaidMoney = Partial<Record<'price' | 'quantity' | 'line', Column | undefined>>;

/**
 * Every good combination of price, quantity and line total, the best first. `columns`: those with numbers that nothing else uses.
 * `groups`: for each line, the invoice that it probably belongs to. `said`: roles that are given, also as none.
 */
export function moneyReadings(
	columns: Column[],
	groups: string[],
	said: SaidMoney,
	hasFixedPrice: boolean,
	discount?: Column,
): Money[] {
	const scores = new Map<Role, Map<Column, number>>(
		(['price', 'quantity', 'line', 'total'] as const).map((role) => [
			role,
			new Map(columns.map((column) => [column, moneyScore(role, column)] as const)),
		]),
	);
	const scoreOf = (role: Role, column: Column) =>
		scores.get(role)?.get(column) ?? moneyScore(role, column);
	const best = (role: Role, most: number) =>
		[...columns].sort((a, b) => scoreOf(role, b) - scoreOf(role, a)).slice(0, most);
	/** Beside a price that the user has typed, a column needs a name to be another one. */
	const isWanted = (role: Role, column: Column) =>
		!hasFixedPrice || role === 'quantity' || scoreOf(role, column) > 8;
	const choices = (role: 'price' | 'quantity' | 'line', most: number): Array<Column | undefined> =>
		role in said
			? [said[role]]
			: [undefined, ...best(role, most).filter((column) => isWanted(role, column))];
	const lines = new Set<Column | undefined>([
		...choices('line', 5),
		...('line' in said || hasFixedPrice ? [] : best('total', 3)),
	]);
	const found: Money[] = [];
	for (const price of choices('price', 6)) {
		for (const line of lines) {
			if ((!price && !line && !hasFixedPrice) || (price && price === line)) continue;
			for (const quantity of choices('quantity', 6)) {
				if (quantity && (quantity === price || quantity === line)) continue;
				const one = judge({ price, line, quantity, discount }, columns, groups, scoreOf);
				if (one) found.push(one);
			}
		}
	}
	const isOpen = !('line' in said) && !('price' in said) && !found.some(({ isProved }) => isProved);
	const whole = isOpen ? sumColumn(columns, groups.length) : undefined;
	if (whole) {
		const sum = whole.numbers.reduce((all, one) => all + (Number.isNaN(one) ? 0 : one), 0);
		found.push({ line: whole, totals: [], score: 100, isProved: true, isTotalProved: false, sum });
	}
	return found.sort((a, b) => b.score - a.score);
}

/** A column that is the sum of two to four others in every row: a rent with its charges. */
function sumColumn(columns: Column[], count: number): Column | undefined {
	const rows = Array.from({ length: Math.min(count, maxLines) }, (_, at) => at);
	// A tax is added by nobody, or by the account. A day is another day and an age.
	const isMoney = (column: Column) =>
		moneyScore('quantity', column) < 4 &&
		!hasWord(column.header, taxWords) &&
		(!isOnlyIdentifier(column.header) || wordScore('total', column.header) > 0) &&
		!column.filled.every(({ mayBeDate }) => mayBeDate);
	const candidates = columns.filter(isMoney).slice(-12);
	const of = (column: Column, at: number) => column.numbers[at] || 0;
	for (const whole of candidates) {
		const billed = rows.filter((at) => !Number.isNaN(whole.numbers[at]));
		if (billed.length < 2) continue;
		const parts = candidates.filter(
			(one) =>
				one !== whole &&
				// A subtotal is no part of a total.
				exactScore('total', one.header) === undefined &&
				billed.some((at) => of(one, at) !== 0) &&
				billed.every((at) => of(one, at) <= of(whole, at) + 0.006),
		);
		const isSum = (those: Column[]) =>
			billed.every((at) =>
				near(
					those.reduce((sum, one) => sum + of(one, at), 0),
					of(whole, at),
				),
			);
		if (parts.length < 2 || parts.length > 8) continue;
		for (let mask = 3; mask < 1 << parts.length; mask++) {
			const those = parts.filter((_one, bit) => mask & (1 << bit));
			if (those.length > 1 && those.length < 5 && isSum(those)) return whole;
		}
	}
	return undefined;
}

/** Percent. Taxes that may stand on top of a sum. */
const [lowestTax, highestTax] = [5, 27];

/** Whether an amount is a sum with a tax on top. */
export function isTaxed(amount: number, sum: number): boolean {
	const tax = sum > 0 ? (amount / sum - 1) * 100 : NaN;
	const rate = Math.round(tax);
	return rate >= lowestTax && rate <= highestTax && Math.abs(tax - rate) < 0.01;
}

/** The amount of a line: its stated total, else price times quantity. NaN without either. */
export function amountAt(
	{ price, quantity, line }: Pick<Money, 'price' | 'quantity' | 'line'>,
	at: number,
): number {
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
	{
		price,
		line,
		quantity,
		discount,
	}: { price?: Column; line?: Column; quantity?: Column; discount?: Column },
	columns: Column[],
	groups: string[],
	scoreOf: (role: Role, column: Column) => number,
): Money | undefined {
	const count = Math.min(groups.length, maxLines);
	let score = 0;
	if (price) score += scoreOf('price', price);
	if (line) score += Math.max(scoreOf('line', line), scoreOf('total', line) * 0.8);
	if (quantity) score += scoreOf('quantity', quantity) - 2;
	const amounts = new Array<number>(count);
	const factors = new Set<number>();
	let compared = 0;
	for (let at = 0; at < count; at++) {
		const one = price?.numbers[at] ?? NaN;
		const stated = line?.numbers[at] ?? NaN;
		const given = quantity?.numbers[at] ?? NaN;
		const times = Number.isNaN(given) ? 1 : given;
		if (!Number.isNaN(one) && !Number.isNaN(stated)) {
			if (!near(one * times, stated)) return undefined;
			compared += 1;
			if (times !== 1) factors.add(times);
		}
		amounts[at] = Number.isNaN(stated) ? one * times : stated;
	}
	const isProved = compared > 1 && factors.size > 0;
	// A column that is just called Amount is no price beside one that is called so.
	const isNamed = (column: Column) => exactScore('itemAmount', column.header) !== undefined;
	if (price && !isNamed(price) && columns.some((one) => one !== price && isNamed(one))) score -= 3;
	if (price && line) {
		if (compared === 0) return undefined;
		score += quantity && isProved ? 8 : factors.size ? 4 : -3;
	}
	if (!price && line && quantity) score -= 1.5;
	if (price && quantity && !line) score += fitOf(price, quantity);
	if (price && !line && !quantity) {
		for (const other of columns)
			if (other !== price && scoreOf('quantity', other) > 3.5) score -= 3;
	}
	const discounted = amounts.map((one, at) => one * (1 - (percentAt(discount, at) || 0) / 100));
	const totals: Column[] = [];
	let isTotalProved = false;
	for (const column of columns) {
		if (column === price || column === line || column === quantity) continue;
		if (exactScore('total', column.header) === undefined && scoreOf('total', column) < 4) continue;
		const agreement =
			agreementOf(column, amounts, groups) ?? (discount && agreementOf(column, discounted, groups));
		if (agreement) totals.push(column);
		isTotalProved ||= agreement === 'several';
		score += agreement ? 3 : -2;
	}
	const sum = amounts.reduce((all, one) => all + (Number.isNaN(one) ? 0 : one), 0);
	return {
		price,
		quantity,
		line,
		totals,
		score,
		isProved: isProved && !!quantity,
		isTotalProved,
		sum,
	};
}

/** Whether stated totals equal the amounts of rows, or the sums of groups. `several`: of groups with several rows. */
function agreementOf(
	column: Column,
	amounts: number[],
	groups: string[],
): 'rows' | 'several' | undefined {
	const isRow = amounts.every((one, at) => {
		const stated = column.numbers[at];
		return Number.isNaN(stated) || near(stated, one);
	});
	if (isRow) return 'rows';
	const sums = new Map<string, { sum: number; stated: number; rows: number }>();
	amounts.forEach((one, at) => {
		const group = sums.get(groups[at]) ?? { sum: 0, stated: NaN, rows: 0 };
		group.sum += one;
		group.rows += 1;
		if (Number.isNaN(group.stated)) group.stated = column.numbers[at];
		sums.set(groups[at], group);
	});
	const all = [...sums.values()];
	const agrees = all.every(({ sum, stated }) => Number.isNaN(stated) || near(sum, stated));
	return agrees && all.some(({ rows }) => rows > 1) ? 'several' : undefined;
}
