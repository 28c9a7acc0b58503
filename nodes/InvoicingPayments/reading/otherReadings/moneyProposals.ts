import {
	columnsOf,
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
import { isTax, timeUnitOf } from '../table';
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
	const beside = free.filter(
		(one) => mayBeItem(one) && !summed.has(one) && !singles.some((field) => own[field] === one),
	);
	const isProved = shown?.isProved === true && beside.length === 0;
	const explanations = stated ? [stated] : found;
	const sheet: Sheet = { own, free, beside, explanations, isProved };
	const others = [
		...taxes(sheet, all),
		...(sheet.isProved
			? []
			: [
					...runnersUp(sheet, all, shown),
					...discounts(sheet),
					...counts(sheet),
					...besides(sheet),
				]),
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

/** The next combinations of price, quantity and total. */
function runnersUp({ own }: Sheet, all: readonly Money[], shown: Money | undefined): Other[] {
	const top = (shown ?? all[0] ?? { points: 0 }).points;
	const isLikely = ({ itemQuantity: count }: Money) =>
		!count || pointsFor('itemQuantity', count) >= 0;
	return all
		.filter((one) => one !== shown && isLikely(one))
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
	const { itemAmount, itemTotal, items = [] } = own;
	const found = beside.filter((one) => !items.includes(one));
	const other = (amounts: Amounts): Other => ({
		amounts,
		what: whatDiffers(own, amounts),
		behind: behinds.besides,
	});
	const single = found.length > 1 && found.length < 4 ? found : [];
	const isPriced = itemAmount !== undefined || itemTotal !== undefined;
	const without = (one: Column): Amounts => {
		const [first, ...others] = items.filter((item) => item !== one);
		// One amount is a price.
		return isPriced || others.length
			? { ...own, items: [first, ...others] }
			: { ...own, items: [], itemTotal: first };
	};
	const fewer = items.length > 1 && items.length < 4 ? items : [];
	return [
		...(found.length ? [other(withMore(own, found))] : []),
		...single.map((one) => other(withMore(own, [one]))),
		...fewer.map((one) => other(without(one))),
	];
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
