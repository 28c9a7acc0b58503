import {
	columnsOf,
	isCalledTotal,
	isRate,
	saysSettled,
	explanationOf,
	explanationsIn,
	isDiscount,
	isNumeric,
	isTaxed,
	itemNumbers,
	itemsField,
	mayBeDiscount,
	mayBeItem,
	moneyOf,
	partsOf,
	pointsFor,
	taxesIn,
	withMore,
} from '../columns';
import type { Column, Explanation, Money } from '../columns';
import { hasWord, isNamed, isTax, timeUnitOf } from '../table';
import type { Proposal } from './proposals';
import { behinds, withColumns } from './proposals';
import type { SheetReading, SheetSettings } from '../readSheet';
import type { Steps } from '../../../shared/steps';

/** What the amounts mean: the columns of a reading that make up what a row comes to. */
interface Amounts extends Partial<Pick<Money, 'totals' | 'by'>> {
	itemAmount?: Column;
	itemQuantity?: Column;
	itemTotal?: Column;
	itemTimes?: Column;
	itemDiscount?: Column;
	items?: Column[];
}

/** Fields that one column fills. */
const singles = [...itemNumbers, 'itemTimes', 'itemDiscount'] as const;
const moneyFields = [...singles, itemsField, 'total'];

/** Another meaning of the amounts. */
interface Other {
	amounts: Amounts;
	what: string;
	behind: number;
}

/** What a sheet was read from, without what its amounts mean. */
interface Sheet {
	own: Amounts;
	/** Columns that no other field uses. */
	free: Column[];
	/** Of these, amounts that no sum of the sheet has, and that are no price and no total of the reading. */
	beside: Column[];
	/** What the sheet states of its amounts, or could state. */
	explanations: Explanation[];
	/** The sheet's own sums were enough, so that no other sum is right. */
	isProved: boolean;
}

/** Other meanings of the amounts, by their points. */
export function* moneyProposals(reading: SheetReading, settings: SheetSettings): Steps<Proposal[]> {
	const { profile, roles, statements } = reading;
	const { given, defaults } = settings;
	if (singles.some((field) => given.has(field))) return [];
	const rest = new Map([...roles.fields].filter(([field]) => !moneyFields.includes(field)));
	const used = new Set([...rest.values()].flat());
	const free = profile.columns.filter((one) => one.filled.length > 0 && !used.has(one));
	const own: Amounts = {
		...Object.fromEntries(singles.map((field) => [field, roles.fields.get(field)?.[0]])),
		items: columnsOf(roles, itemsField),
		totals: columnsOf(roles, 'total'),
	};
	const all = yield* moneyOf({ fields: rest }, free, profile, { settings: { given, defaults } });
	const shown = all.find((one) => isSame(one, own));
	const stated = statements.relation && explanationOf(statements.relation, profile.byHeader);
	const found = yield* explanationsIn(profile.columns);
	const summed = new Set(
		[...(stated ? [stated] : []), ...found].flatMap((one) => [one.whole, ...partsOf(one)]),
	);
	// An amount that no sum has may be billed besides, whatever the others prove.
	const isBeside = (one: Column) =>
		!summed.has(one) && !singles.some((field) => own[field] === one) && !isTax(one);
	const beside = free.filter(
		(one) => mayBeAmount(one) && isBeside(one) && !isCalledTotal(one.header),
	);
	const isProved = shown?.isProved === true && !free.some((one) => mayBeItem(one) && isBeside(one));
	const explanations = stated ? [stated] : found;
	const sheet: Sheet = { own, free, beside, explanations, isProved };
	const others = [
		...taxes(sheet, all),
		...(sheet.isProved
			? []
			: [
					...besides(sheet),
					...runnersUp(sheet, all, shown),
					...discounts(sheet),
					...counts(sheet),
					...priced(sheet),
				]),
		...alone(sheet),
	];
	return others
		.filter(({ behind }) => behind <= behinds.maxOfMoney)
		.map(({ amounts, ...one }) => {
			const discount = statements.fields.get('discountPercentage')?.[0].header;
			// What is billed has it already.
			const without = amounts.by?.rate?.header === discount ? ['discountPercentage'] : [];
			const fields = withColumns(
				statements.fields,
				[...moneyFields, ...without],
				fieldsOf(amounts),
			);
			return { decision: 'money', change: { fields }, ...one };
		});
}

function fieldsOf(amounts: Amounts): Array<[string, Column[]]> {
	const { items = [], totals = [] } = amounts;
	return [
		...singles.map((field): [string, Column[]] => [field, amounts[field] ? [amounts[field]] : []]),
		[itemsField, items],
		['total', totals.filter((one) => !items.includes(one))],
	];
}

const isSame = (one: Amounts, other: Amounts) =>
	itemNumbers.every((field) => one[field] === other[field]) &&
	listed(one.items) === listed(other.items);

const listed = (columns: readonly Column[] = []) => columns.map(({ header }) => header).join(', ');

/** Gross in place of net, and net in place of gross. */
function taxes({ own, explanations }: Sheet, all: readonly Money[]): Other[] {
	const { items = [], totals = [], itemTotal, itemQuantity, itemTimes } = own;
	const by = explanations.find(isTaxed);
	const taxed = by ? taxesIn(by) : items.filter(isTax);
	const other = (what: string, amounts: Amounts): Other[] => [
		{ amounts: { by, ...amounts }, what, behind: behinds.tax },
	];
	if (taxed.length === 0) {
		const more = all.find((one) => one.items?.some(isTax));
		return more ? other(`with ${String(more.items?.find(isTax)?.header)}`, more) : [];
	}
	const without = `without ${taxed[0].header}`;
	if (taxed.some((one) => items.includes(one))) {
		const isOfNet = (one: Column) => !taxed.includes(one);
		const isOther = (one: Column) => one !== by?.whole;
		return other(without, { ...own, items: items.filter(isOfNet), totals: totals.filter(isOther) });
	}
	if (!by) return [];
	const { whole, factors, terms } = by;
	if (terms.some(({ column, isLess }) => isLess && taxed[0] === column))
		return other(`before ${taxed[0].header}: bill ${factors[0].header}`, { itemTotal: factors[0] });
	if (itemTotal !== whole)
		return other(`with ${taxed[0].header}: bill ${whole.header}`, {
			itemTotal: whole,
			itemQuantity,
			itemTimes,
		});
	const net = all.find((one) => one.by && one.by.whole !== whole && !isTaxed(one.by));
	if (net) return other(without, net);
	const isPlain = factors.length === 1 && terms.every(({ column }) => taxed.includes(column));
	return isPlain ? other(without, { itemTotal: factors[0], itemQuantity }) : [];
}

/** Without a count, the price of one is the total of the row: to read the sheet again would show nothing. */
function billsTheSame(one: Money, own: Amounts): boolean {
	const lone = ({ itemAmount, itemTotal, itemQuantity, itemTimes, itemDiscount }: Amounts) =>
		itemQuantity || itemTimes || itemDiscount || (itemAmount && itemTotal)
			? undefined
			: (itemAmount ?? itemTotal);
	const amount = lone(one);
	const isSameAmount = amount !== undefined && amount === lone(own);
	return isSameAmount && !one.by && listed(one.items) === listed(own.items);
}

/** The next combinations of price, quantity and total. */
function runnersUp({ own }: Sheet, all: readonly Money[], shown: Money | undefined): Other[] {
	const top = (shown ?? all[0] ?? { points: 0 }).points;
	const isLikely = ({ itemQuantity: count }: Money) =>
		!count || pointsFor('itemQuantity', count) >= 0;
	return all
		.filter((one) => one !== shown && isLikely(one) && !billsTheSame(one, own))
		.map((one) => {
			const { itemTimes, itemDiscount } = one.itemAmount === own.itemAmount && !one.by ? own : {};
			const amounts = { ...one, itemTimes, itemDiscount };
			return { amounts, what: whatDiffers(own, one), behind: Math.max(0, top - one.points) };
		});
}

/** A discount of the row, with or without. */
function discounts({ own, free }: Sheet): Other[] {
	const { itemDiscount: discount } = own;
	const other = (itemDiscount: Column | undefined, what: string): Other => ({
		amounts: { ...own, itemDiscount },
		what,
		behind: behinds.discount,
	});
	if (discount) return [other(undefined, `without ${discount.header} taken off`)];
	return free.filter(mayBeDiscount).map((one) => other(one, `with ${one.header} taken off`));
}

/** A second count: 3 people x 2 days. */
function counts({ own, free }: Sheet): Other[] {
	if (!own.itemQuantity || own.itemTimes) return [];
	const unit = timeUnitOf(own.itemQuantity.header);
	const mayCount = (one: Column) =>
		one !== own.itemQuantity &&
		isNumeric(one) &&
		one.figures.areWhole &&
		!isDiscount(one.header) &&
		// Minutes beside hours are the same time.
		!(unit && timeUnitOf(one.header)) &&
		pointsFor('itemQuantity', one) >= Math.max(0, pointsFor('itemAmount', one));
	return free.filter(mayCount).map((one) => ({
		amounts: { ...own, itemTimes: one },
		behind: behinds.times,
		what: `${one.header} counts as well`,
	}));
}

/** The amounts of the row that nothing bills, as items of their own, and the reading without one of its items. */
function besides({ own, beside }: Sheet): Other[] {
	const { itemAmount, itemTotal, itemQuantity, items = [] } = own;
	const billed = itemTotal ?? itemAmount;
	const more = beside.filter((one) => !items.includes(one) && !(billed && isMultiple(one, billed)));
	// A voucher has a minus, and what was paid has none: only a person knows whether a prepayment is to be billed.
	const found = more.filter(
		(one) => !saysSettled(one.header) || one.figures.known.some((number) => number < 0),
	);
	const prepaid = more.filter((one) => !found.includes(one));
	const other = (amounts: Amounts, behind = behinds.besides): Other => ({
		amounts,
		what: whatDiffers(own, amounts),
		behind,
	});
	const single = found.length > 1 && found.length < 4 ? found : [];
	const isPriced = itemAmount !== undefined || itemTotal !== undefined;
	const all = itemQuantity ? behindOf(found) : behinds.kindred;
	const without = (one: Column): Amounts => {
		const [first, ...others] = items.filter((item) => item !== one);
		// One amount is a price.
		return isPriced || others.length
			? { ...own, items: [first, ...others] }
			: { ...own, items: [], itemTotal: first };
	};
	const fewer = items.length > 1 && items.length < 4 ? items : [];
	return [
		...(found.length ? [other(withMore(own, found), all)] : []),
		...single.map((one) => other(withMore(own, [one]), behindOf([one]))),
		...prepaid.map((one) => other(withMore(own, [one]), behinds.untold)),
		...fewer.map((one) => other(without(one))),
	];
}

/** Whether figures may be amounts, whatever the header is: words only say which of them come first. */
const mayBeAmount = (one: Column) =>
	isNumeric(one) &&
	!one.is('duration') &&
	!isRate(one) &&
	!one.figures.mayBeDates &&
	(one.figures.isMoney || one.figures.hasCurrency || !hasWord(one.header, 'identifiers')) &&
	!isNamed('itemQuantity', one.header);
/** How far behind stands what bills such columns. */
const behindOf = (all: readonly Column[]) =>
	all.every((one) => pointsFor('itemAmount', one) > 0 || isCalledTotal(one.header))
		? behinds.alone
		: behinds.untold;

/** Whether a column is the same multiple of another in all rows, as with a tax: it says the amount again. */
function isMultiple({ numbers }: Column, other: Column): boolean {
	const ratios = numbers.flatMap((number, at) => number / other.numbers[at] || []);
	const [first] = ratios;
	return (
		ratios.length > 1 &&
		Math.abs(first - 1) > sameRatio &&
		ratios.every((ratio) => Math.abs(ratio - first) < sameRatio)
	);
}
/** How far two ratios of rounded amounts are apart. */
const sameRatio = 0.001;

/**
 * The total of a row as the price of one, and the other way round, if a column counts. Only the header, or a product that a column
 * states, tells which.
 */
function priced({ own, free }: Sheet): Other[] {
	const { itemAmount, itemTotal, itemQuantity } = own;
	const billed = itemTotal ?? itemAmount;
	const field = itemTotal ? 'itemTotal' : 'itemAmount';
	if (!billed || (itemTotal && itemAmount) || isNamed(field, billed.header)) return [];
	const counts = itemQuantity
		? [itemQuantity]
		: free.filter((one) => one !== billed && isNamed('itemQuantity', one.header) && isNumeric(one));
	return counts.map((one) => {
		const isPrice = itemTotal !== undefined || itemQuantity === undefined;
		const [price, total] = isPrice ? [billed, undefined] : [undefined, billed];
		const amounts = { ...own, itemAmount: price, itemTotal: total, itemQuantity: one };
		return { amounts, what: whatDiffers(own, amounts), behind: behinds.untold };
	});
}

/** An amount that is not billed, alone. A sum proves what adds up, not which of the amounts is billed. */
function alone({ own, free, explanations, isProved }: Sheet): Other[] {
	const billed = [...singles.map((field) => own[field]), ...(own.items ?? [])];
	const proved = new Set(explanations.map(({ whole }) => whole));
	return free
		.filter((one) => mayBeAmount(one) && !isTax(one) && !billed.includes(one))
		.filter((one) => !isProved || proved.has(one))
		.map((one) => ({
			amounts: { itemTotal: one },
			what: `only ${one.header} is billed`,
			behind: behindOf([one]),
		}));
}

/** What differs, in words that go behind "if". */
function whatDiffers(own: Amounts, other: Amounts): string {
	const { itemAmount: price, itemQuantity: count, itemTotal: total, items = [] } = other;
	const added = items.filter((one) => !own.items?.includes(one));
	const gone = (own.items ?? []).filter(
		(one) => !items.includes(one) && one !== price && one !== total,
	);
	const isOtherPrice = price !== undefined && price !== own.itemAmount;
	const isPriceOfOne = isOtherPrice && (price === own.itemTotal || count !== undefined);
	const isOtherTotal = total !== undefined && total !== own.itemTotal;
	const isOfRow = total === own.itemAmount || count !== undefined || own.itemQuantity !== undefined;
	const parts: Array<[boolean, string]> = [
		[added.length > 0, `${listed(added)} ${added.length === 1 ? 'is an item' : 'are items'}`],
		[gone.length > 0, `${listed(gone)} ${gone.length === 1 ? 'is' : 'are'} not billed`],
		[isOtherPrice, `${price?.header} ${isPriceOfOne ? 'is the price of one' : 'is billed'}`],
		[isOtherTotal, `${total?.header} ${isOfRow ? 'is the total of a row' : 'is billed'}`],
		[count !== undefined && count !== own.itemQuantity, `${count?.header} is the quantity`],
		[
			count === undefined && own.itemQuantity !== undefined,
			`${own.itemQuantity?.header} is no quantity`,
		],
		[
			price === undefined &&
				own.itemAmount !== undefined &&
				own.itemAmount !== total &&
				!items.includes(own.itemAmount),
			`${own.itemAmount?.header} is no price`,
		],
	];
	const differing = parts.flatMap(([isSo, text]) => (isSo ? [text] : []));
	return differing.join(' and ') || 'otherwise';
}
