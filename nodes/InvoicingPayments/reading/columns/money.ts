import { addTo } from '../../../shared/addTo';
import { isNear, isProduct, percentBetween, roundestIn } from './amounts';
import type { AboutMoney, ItemColumns, MoneyField } from './evidence';
import { isDiscount, jointPointsOf, pointsOf, saysSettled } from './evidence';
import type { Explanation } from './explain';
import { explanationsIn, isRate, isTaxed, maxLines, partsOf } from './explain';
import { itemNumbers } from './fields';
import { doubtIn, isCalledTotal } from './marks';
import { isMonthOrWeekday } from '../cells';
import { hasWord, isNamed, isTax } from '../table';
import type { Column } from './profile';
import { shares } from './profile';
import type { Steps } from '../../../shared/steps';
import { stepTimer } from '../../../shared/steps';

/**
 * What the amounts of a sheet mean: which column is the unit price, which the quantity, which the total of a row, or which are items of their
 * own. All readings that make sense are built and sorted, the likeliest first. The first is what a preview shows; the others are what it
 * offers besides (alternatives.ts).
 *
 * What a person says comes first, then what the sheet proves (explain.ts: what other columns make of an amount; evidence.ts: the same item
 * costs the same), then names and cells.
 */
export interface Money extends ItemColumns {
	/** Amounts side by side, each of which is an item. */
	items?: Column[];
	/** Amounts that are settled, so that they are no part of what is billed. A person decides. */
	settled: Column[];
	/** Stated totals, of rows or invoices, that agree. */
	totals: Column[];
	/** Of these, those that state the sum of an invoice, not what a row comes to. */
	ofInvoices?: Column[];
	/** What made the choice. */
	by?: Explanation;
	/** Nothing but the sheet's own sums was needed. */
	isProved: boolean;
	points: number;
}

/** What the choice depends on. */
interface MoneySettings {
	/** For each line, the invoice that it probably belongs to. */
	groups: readonly string[];
	/** What a person or the mapper has decided. A field that is there with `undefined` has no column. */
	said: ItemColumns;
	hasFixedPrice: boolean;
	/** Columns that nothing else uses. */
	free: readonly Column[];
}

/** At most this many columns are tried for a field, the likeliest first. */
const maxChoices = 8;
/** Points. What the sheet explains goes before what names say, and of several explanations the first. */
const explained = 1000;

/** Whether a column is mostly numbers. */
export const isNumeric = (one: Column) =>
	one.is('number', 'duration') &&
	one.fullness > shares.some &&
	!one.numbers.every((number) => Number.isNaN(number));

export const isText = (one: Column) => one.share('text') > shares.most;

export const pointsFor = (field: MoneyField, column: Column): number =>
	pointsOf(column, {
		field,
		names: [field],
		hasDefault: false,
		knownShare: () => 0,
		priceTold: () => 0,
		isOfCustomer: () => false,
		differsIn: () => undefined,
	});

/** All readings of the amounts, the likeliest first. `columns`: those with numbers that nothing else uses. `all`: of the sheet. */
export function* moneyReadings(
	columns: readonly Column[],
	all: readonly Column[],
	settings: MoneySettings,
): Steps<Money[]> {
	const points = new Map<MoneyField, Map<Column, number>>();
	for (const field of [...itemNumbers, 'total'] as const) {
		points.set(field, new Map(columns.map((one) => [one, pointsFor(field, one)])));
		yield;
	}
	const of = (field: MoneyField, one: Column) => points.get(field)?.get(one) ?? 0;
	const { said, hasFixedPrice } = settings;
	const choicesOf = (field: keyof ItemColumns): Array<Column | undefined> => {
		if (field in said) return [said[field]];
		// If the price is typed, a column is an amount only if its header says so.
		const isWanted = (one: Column) =>
			!hasFixedPrice || field === 'itemQuantity' || isNamed(field, one.header);
		// `€ 8.00` counts nothing, and `1:30` is no amount.
		const mayBe = (one: Column) =>
			field === 'itemQuantity' ? !one.figures.hasCurrency : !one.is('duration');
		const best = columns
			.filter((one) => isWanted(one) && mayBe(one))
			.sort((a, b) => of(field, b) - of(field, a));
		return [undefined, ...best.slice(0, maxChoices)];
	};
	const found: Money[] = [];
	const sheet = sampleOf(settings);
	const counts = choicesOf('itemQuantity');
	const isLong = stepTimer();
	for (const itemAmount of choicesOf('itemAmount'))
		for (const itemTotal of choicesOf('itemTotal'))
			for (const itemQuantity of counts) {
				if (isLong()) yield;
				const those = { itemAmount, itemQuantity, itemTotal };
				const one = judge(those, columns, of, { sample: sheet });
				if (one) found.push(one);
			}
	const isSaid = 'itemAmount' in said || 'itemTotal' in said;
	if (!isSaid)
		found.push(...(yield* explainedReadings(columns, all, settings.free, { combined: found })));
	found.sort((a, b) => b.points - a.points);
	const [first, ...others] = found;
	if (isSaid || found.length === 0) return found;
	// What is made from others, or taken off, is none.
	const made = found.flatMap(({ by }) =>
		by ? [by.whole, ...by.terms.flatMap(({ column, isLess }) => (isLess ? column : []))] : [],
	);
	return [
		...withItems(
			first,
			columns.filter((one) => !made.includes(one)),
		),
		first,
		...withTaxes(first, columns, sheet.lines),
		...others,
	];
}

/** Whether an amount may be billed as an item of its own, beside what a row has otherwise. */
export const mayBeItem = (one: Column): boolean =>
	isNumeric(one) &&
	!isTax(one) &&
	!saysSettled(one.header) &&
	!isCalledTotal(one.header) &&
	(one.figures.hasCurrency || one.figures.isMoney || hasWord(one.header, 'amounts', 'prices')) &&
	pointsFor('itemAmount', one) > 0;

interface Billed extends ItemColumns {
	itemDiscount?: Column;
	items?: Column[];
}

/** The same with more items. A price without a quantity is an item like the others. */
export function withMore(own: Billed, more: readonly Column[]): Billed {
	const { itemAmount, itemQuantity, itemTotal, itemDiscount, items = [] } = own;
	const isAlone = !itemQuantity && !itemDiscount && !(itemAmount && itemTotal);
	const alone = isAlone ? (itemAmount ?? itemTotal) : undefined;
	return alone ? { items: [alone, ...items, ...more] } : { ...own, items: [...items, ...more] };
}

/** With the amounts that have a currency of their own: `Cuota (€)` and `Taquilla (€)`. */
function withItems(first: Money, columns: readonly Column[]): Money[] {
	const { by, items, totals, isProved, settled, points } = first;
	const billed = itemColumnsOf(first);
	const more = columns.filter(
		(one) => !Object.values(billed).includes(one) && one.figures.hasCurrency && mayBeItem(one),
	);
	const isSum = by && (by.terms.length > 0 || by.rate);
	// What is called the total of a row has all of it.
	const hasAll = isProved && billed.itemTotal && isNamed('itemTotal', billed.itemTotal.header);
	if (isSum || hasAll || items || totals.length || more.length === 0) return [];
	return [{ ...withMore(billed, more), totals, settled, points, isProved }];
}

/** With the taxes of a net amount that no column states with them: those that are a rate of it in each row. */
function withTaxes(net: Money, columns: readonly Column[], lines: number): Money[] {
	if (net.totals.length || (net.by && isTaxed(net.by))) return [];
	const { items = [] } = net;
	const taxes = columns.filter((one) => {
		const isBilled = [net.itemAmount, net.itemTotal, ...items].includes(one);
		if (!isTax(one) || isRate(one) || isBilled) return false;
		const rows = Array.from({ length: lines }, (_, at) => at).filter((at) => one.numbers[at]);
		const taxed = rows.map((at) => ({
			tax: one.numbers[at],
			amount: items.reduce((sum, { numbers }) => sum + (numbers[at] || 0), amountAt(net, at) || 0),
		}));
		return (
			rows.length > 0 &&
			taxed.every(({ tax, amount }) => roundestIn(percentBetween({ tax, amount }), 1) !== undefined)
		);
	});
	return taxes.length ? [{ ...net, items: [...items, ...taxes] }] : [];
}

/** The first lines of a sheet, by invoice and by text. */
interface Sample {
	lines: number;
	hasFixedPrice: boolean;
	/** The lines of each invoice. */
	invoices: number[][];
	/** For each column of texts, the lines of each text that stands in several. */
	repeated: number[][][];
	/** What rows of one item show, by amount and count: asked again and again. */
	sameItems: Map<string, AboutMoney['sameItem']>;
}

function sampleOf({ groups, free, hasFixedPrice }: MoneySettings): Sample {
	const lines = Math.min(groups.length, maxLines);
	const linesBy = (keyOf: (at: number) => string | undefined) => {
		const byKey = new Map<string, number[]>();
		for (let at = 0; at < lines; at++) {
			const key = keyOf(at);
			if (key !== undefined) addTo(byKey, key, at);
		}
		return [...byKey.values()];
	};
	return {
		lines,
		hasFixedPrice,
		sameItems: new Map(),
		invoices: linesBy((at) => groups[at]),
		repeated: free
			.filter(isText)
			.map(({ looks }) => linesBy((at) => looks[at]?.text).filter(({ length }) => length > 1)),
	};
}

/** Whether two headers only count on: `Q1` and `Q2`, `Jan` and `Feb`. What stands below is added up, not multiplied. */
const isOneKind = (one: Column, other: Column): boolean => kindOf(one) === kindOf(other);
const kindOf = ({ header }: Column) =>
	header
		.toLowerCase()
		.replace(/\d+/g, '9')
		.replace(/\p{L}{3,}/gu, (word) => (isMonthOrWeekday(word) ? 'month' : word));

/** How good a combination is: by names and cells, and by what adds up. `undefined`: it bills nothing, or contradicts itself. */
function judge(
	those: ItemColumns,
	columns: readonly Column[],
	of: (field: MoneyField, column: Column) => number,
	{ sample }: { sample: Sample },
): Money | undefined {
	const { itemAmount: price, itemQuantity: count, itemTotal } = those;
	const own = [price, count, itemTotal].filter((one) => one !== undefined);
	if (new Set(own).size < own.length || !(price ?? itemTotal ?? sample.hasFixedPrice))
		return undefined;
	const amount = price ?? itemTotal;
	if (amount && count && isOneKind(amount, count)) return undefined;
	const product = productOf(those);
	if (price && itemTotal && product === undefined) return undefined;
	const amounts = Array.from({ length: sample.lines }, (_, at) => amountAt(those, at));
	const stated = columns.filter((one) => !own.includes(one) && isCalledTotal(one.header));
	const agreeing = new Map(stated.map((one) => [one, agrees(one, amounts, sample.invoices)]));
	const totals = stated.filter((one) => agreeing.get(one) !== undefined);
	const ofInvoices = totals.filter((one) => agreeing.get(one) === 'invoices');
	const about: AboutMoney = {
		product,
		sameItem: sameItemOf(those, sample),
		isOfInvoice: isOfInvoice(itemTotal ?? price, columns, sample.invoices),
	};
	const points = itemNumbers.reduce(
		(sum, field) => {
			const column = those[field];
			return column ? sum + of(field, column) : sum;
		},
		jointPointsOf(those, about),
	);
	return { ...those, totals, ofInvoices, settled: [], points, isProved: product === 'told' };
}

function isOfInvoice(
	amount: Column | undefined,
	columns: readonly Column[],
	invoices: number[][],
): boolean {
	if (!amount || !isCalledTotal(amount.header)) return false;
	const several = invoices.filter(({ length }) => length > 1);
	const isSame = ({ numbers }: Column, rows: number[]) =>
		rows.every((at) => numbers[at] === numbers[rows[0]]);
	return (
		several.length > 0 &&
		several.every((rows) => isSame(amount, rows)) &&
		columns.some((one) => !isCount(one) && several.some((rows) => !isSame(one, rows)))
	);
}

/** Whether the product of price and quantity is the total, and how much that says. `undefined`: it is not, or no row shows it. */
function productOf({
	itemAmount: price,
	itemQuantity: count,
	itemTotal,
}: ItemColumns): AboutMoney['product'] {
	if (!price || !itemTotal) return undefined;
	let [compared, hasFactors] = [0, false];
	for (let at = 0; at < Math.min(price.numbers.length, maxLines); at++) {
		const product = amountAt({ itemAmount: price, itemQuantity: count }, at);
		const stated = itemTotal.numbers[at];
		if (Number.isNaN(product) || Number.isNaN(stated)) continue;
		if (!isProduct(price.numbers[at], product / price.numbers[at] || 1, stated)) return undefined;
		compared += 1;
		hasFactors ||= product !== 0 && product !== price.numbers[at] && product !== count?.numbers[at];
	}
	if (compared === 0) return undefined;
	return !hasFactors ? 'idle' : compared > 1 ? 'told' : 'once';
}

/**
 * The same item, the same price: of rows with one text and different quantities, whether the amount stays, so that it is a price, or grows
 * with the quantity, so that it is a total.
 */
function sameItemOf(those: ItemColumns, { repeated, sameItems }: Sample): AboutMoney['sameItem'] {
	const { itemAmount: price, itemQuantity: count, itemTotal } = those;
	const amount = price ?? itemTotal;
	if (!amount || !count || (price && itemTotal)) return undefined;
	const key = `${amount.at} ${count.at}`;
	if (!sameItems.has(key)) sameItems.set(key, verdictOf(amount.numbers, count.numbers, repeated));
	return sameItems.get(key);
}

function verdictOf(
	amounts: number[],
	counts: number[],
	repeated: number[][][],
): AboutMoney['sameItem'] {
	const verdicts = new Set<AboutMoney['sameItem']>();
	for (const ofTexts of repeated) {
		const several = ofTexts
			.map((rows) => rows.filter((at) => amounts[at] && counts[at]))
			.filter((rows) => rows.some((at) => counts[at] !== counts[rows[0]]));
		if (several.length === 0) continue;
		const isEach = (expected: (first: number, at: number) => number) =>
			several.every(([first, ...more]) =>
				more.every((at) => isNear(amounts[at], expected(first, at))),
			);
		if (isEach((first) => amounts[first])) verdicts.add('price');
		else if (isEach((first, at) => (amounts[first] * counts[at]) / counts[first]))
			verdicts.add('total');
	}
	return verdicts.size === 1 ? [...verdicts][0] : undefined;
}

/** The amount of an item: its stated total, else price times quantity. NaN without either. `at`: index of its line. */
export function amountAt(
	{ itemAmount: price, itemQuantity: count, itemTotal }: ItemColumns,
	at: number,
): number {
	const stated = itemTotal?.numbers[at] ?? NaN;
	const times = count?.numbers[at] ?? NaN;
	return Number.isNaN(stated)
		? (price?.numbers[at] ?? NaN) * (Number.isNaN(times) ? 1 : times)
		: stated;
}

/** Whether a stated total equals the amount of each row, or the sum of each invoice. */
function agrees(
	{ numbers }: Column,
	amounts: number[],
	invoices: number[][],
): 'rows' | 'invoices' | undefined {
	const isEqual = (stated: number, sum: number) => Number.isNaN(stated) || isNear(stated, sum);
	if (amounts.every((one, at) => isEqual(numbers[at], one))) return 'rows';
	const isOfInvoices = invoices.every((rows) => {
		const stated = rows.map((at) => numbers[at]).find((one) => !Number.isNaN(one)) ?? NaN;
		return isEqual(
			stated,
			rows.reduce((sum, at) => sum + amounts[at], 0),
		);
	});
	return isOfInvoices ? 'invoices' : undefined;
}

/** Whether a column counts something, rather than being an amount of money. */
const isCount = (one: Column) =>
	one.is('duration', 'percent') ||
	(!one.figures.hasCurrency &&
		!one.figures.isMoney &&
		(isNamed('itemQuantity', one.header) || hasWord(one.header, 'counts')));

/** Whether what is explained is an amount of money: hours, nights and numbers of guests are none. */
const isOfMoney = (one: Explanation) =>
	[one.whole, ...partsOf(one)].some((column) =>
		(['itemAmount', 'itemTotal', 'total'] as const).some(
			(field) => pointsFor(field, column) > pointsFor('itemQuantity', column),
		),
	) && !partsOf(one).every(isCount);
/**
 * Whether what is left after something is taken off is billed. A cost is taken off a price in every row to see the margin, which nobody bills;
 * a discount or a payment is called so, or taken off in some rows.
 */
const isBilled = ({ whole, terms }: Explanation) =>
	isCalledTotal(whole.header) ||
	terms.every(
		({ column, isLess }) =>
			!isLess ||
			column.numbers.some((number, at) => whole.looks[at] && !number) ||
			isTax(column) ||
			isDiscount(column.header) ||
			saysSettled(column.header) ||
			doubtIn(column.header) !== undefined,
	);

/**
 * Whether what one explains is only a part of what another does further to the right, so that it is not billed by itself: `Flight costs` of `To
 * pay`, and `Total` of `Balance = Total - Deposit`, also if the balance is made of the parts of that total.
 */
function contains(other: Explanation, one: Explanation): boolean {
	if (other.whole.at <= one.whole.at) return false;
	const [own, parts] = [one, other].map(partsOf);
	const rest = other.terms.filter(({ column }) => !own.includes(column));
	const isReduced =
		rest.length > 0 &&
		rest.every(({ isLess }) => isLess) &&
		own.every((part) => parts.includes(part));
	return parts.includes(one.whole) || isReduced;
}

/** What the sheet explains, as readings. The rightmost amount goes first, and of it the explanation with most columns. */
function* explainedReadings(
	columns: readonly Column[],
	all: readonly Column[],
	free: readonly Column[],
	{ combined }: { combined: readonly Money[] },
): Steps<Money[]> {
	const found = yield* explanationsIn(
		all,
		(one) => columns.includes(one),
		(one) => free.includes(one) || one.is('percent') || isNamed('discountPercentage', one.header),
	);
	const [likeliest] = [...combined].sort((a, b) => b.points - a.points) as [Money?];
	const isOfInvoices = (one: Explanation) =>
		[one.whole, ...partsOf(one)].some((column) => likeliest?.ofInvoices?.includes(column));
	const those = found.filter((one) => isOfMoney(one) && !isOfInvoices(one));
	const explanations = [...those.filter(isTaxed), ...those.filter((one) => !isTaxed(one))];
	// Of a cost and a price that are both explained, names tell which is billed. With its tax, each is the same.
	const ofNames = explanations.map(({ whole }) =>
		Math.max(pointsFor('itemTotal', whole), pointsFor('itemAmount', whole)),
	);
	const billed = explanations.filter(isBilled);
	const parts = new Set(
		explanations
			.filter((one) => billed.some((other) => contains(other, one)))
			.map(({ whole }) => whole),
	);
	return explanations.flatMap((one, at) => {
		const bills = billsBy(one, combined);
		const ofName = isTaxed(one) ? Math.max(...ofNames) : ofNames[at];
		const points = (billed.includes(one) && !parts.has(one.whole) ? explained : 0) - at + ofName;
		return bills ? [{ totals: [], settled: [], ...bills, by: one, isProved: true, points }] : [];
	});
}

/**
 * What is billed if an amount is explained so. Parts that are added are items, a tax among them too: an account that adds the tax itself
 * answers with another amount, which stops the run, but a tax that is missing is never noticed. A product is price and quantity. A difference
 * or a percentage is billed as what the whole says.
 */
function billsBy(
	{ whole, factors, terms, rate }: Explanation,
	combined: readonly Money[],
): Partial<Money> | undefined {
	if (rate || terms.some((term) => term.isLess) || factors.length > 2) {
		const line = best(
			combined.filter((one) => factors.some((factor) => factor === billedColumn(one))),
		);
		return { itemTotal: whole, itemQuantity: rate && isTax(rate) ? line?.itemQuantity : undefined };
	}
	const totals = [whole];
	const added = terms.map(({ column }) => column);
	const [first, count] = factors;
	if (count || added.every(isTax)) {
		const isOf = (those: Money) =>
			count
				? factors.every((one) => one === those.itemAmount || one === those.itemQuantity) &&
					(those.itemTotal === whole) === (added.length === 0)
				: those.itemTotal === first && !added.some((one) => one === those.itemQuantity);
		const line = best(combined.filter(isOf)) ?? (count ? undefined : { itemTotal: first });
		return line && added.length ? { ...line, items: added, totals } : line;
	}
	const parts = [first, ...added];
	const settled = settledIn(parts, whole);
	const open = parts.filter((part) => !settled.includes(part));
	if (settled.length === 0) return { items: parts, totals };
	return open.length > 1 ? { items: open, settled } : { itemTotal: open[0], settled };
}

const billedColumn = ({ itemTotal, itemAmount }: Money) => itemTotal ?? itemAmount;
const best = (all: readonly Money[]): Partial<Money> | undefined => {
	const [first] = [...all].sort((a, b) => b.points - a.points) as [Money?];
	return first && { ...itemColumnsOf(first), totals: first.totals };
};
const itemColumnsOf = ({ itemAmount, itemQuantity, itemTotal }: Money): ItemColumns => ({
	itemAmount,
	itemQuantity,
	itemTotal,
});

/**
 * Amounts whose headers say that they need not be paid any more, unless all of them say so. The surer words decide first: a `Balance` is open
 * beside a `Deposit`. Debits and credits of one account stand in rows of their own.
 */
function settledIn(parts: readonly Column[], { numbers }: Column): Column[] {
	const says = [saysSettled, (header: string) => doubtIn(header) !== undefined];
	// A discount with a minus in its cells is taken off, not settled.
	const isPositive = ({ figures }: Column) => figures.known.every((one) => one >= 0);
	// Of more than two parts, `Waiting time` is one like the others.
	const those = says
		.slice(0, parts.length > 2 ? 1 : 2)
		.map((one) => parts.filter((part) => one(part.header) && isPositive(part)));
	const settled = those.find(({ length }) => length > 0 && length < parts.length) ?? [];
	const isIn = (some: readonly Column[], at: number) => some.some((one) => one.numbers[at]);
	const open = parts.filter((one) => !settled.includes(one));
	return [...numbers.keys()].some((at) => isIn(settled, at) && isIn(open, at)) ? settled : [];
}
