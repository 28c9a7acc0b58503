import { isNear } from './amounts';
import type { Choice } from './choice';
import { itemsField } from './fields';
import { isNamed } from './names';
import { itemNumbers } from './moneyScore';
import type { Column } from './profile';
import type { ItemColumns, Money } from './sums';
import { moneyIn } from './sums';

/** Price, quantity and line total, or several amounts that are items, and stated totals. Sums decide before names. */
export function* pickMoney(choice: Choice): Generator<void> {
	const { settings, fields } = choice;
	const numeric = choice.freeColumns(isNumeric);
	const hasAmounts = numeric.some(({ header }) => !isNamed('itemQuantity', header));
	// A typing error in a short sheet leaves `Rate` what it is called, unless another column has the amounts.
	const isMistaken = (one: Column) =>
		[...itemNumbers, 'amount'].some((field) => isNamed(field, one.header)) &&
		(!hasAmounts || one.share('number', 'duration') > 0);
	const columns = choice.freeColumns((one) => numeric.includes(one) || isMistaken(one));
	if (choice.has(itemsField)) {
		pickTotals(choice);
		return;
	}
	const said: ItemColumns = {};
	// A person who says the price or the line total says that there is no other amount.
	if (choice.has('itemAmount') || choice.has('itemTotal'))
		Object.assign(said, { itemAmount: undefined, itemTotal: undefined });
	for (const field of itemNumbers) if (choice.has(field)) said[field] = fields.get(field)?.[0];
	const all = new Set([...Object.values(said).flatMap((one) => one ?? []), ...columns]);
	const hasFixedPrice =
		settings.defaults.itemAmount !== undefined || settings.given.has('itemAmount');
	const money = yield* moneyIn([...all], choice.invoicesOfLines(), said, hasFixedPrice);
	if (!money) return;
	for (const field of itemNumbers) {
		const column = money[field];
		const isSure = (one: Column) =>
			money.isProved || [field, 'amount'].some((name) => isNamed(name, one.header));
		if (column && !choice.has(field)) choice.use(field, column, { isGuess: !isSure(column) });
	}
	for (const column of money.items ?? []) choice.use(itemsField, column);
	choice.settled = money.settled ?? [];
	pickTotals(choice, money);
	if (!settings.said?.fields.has('discountPercentage')) leaveOutDiscount(choice);
}

/** A discount that the amounts already have: in all its rows, another column less the discount is what is billed. */
function leaveOutDiscount(choice: Choice): void {
	const [discount] = choice.columnsOf('discountPercentage') as Array<Column | undefined>;
	const [billed] = [...choice.columnsOf('itemTotal'), ...choice.columnsOf('itemAmount')];
	if (!discount || (billed as Column | undefined) === undefined) return;
	const isAmount = (at: number) => discount.numbers[at] && !Number.isNaN(billed.numbers[at]);
	const rows = [...discount.numbers.keys()].filter(isAmount);
	const isBefore = ({ numbers }: Column) =>
		rows.every((at) =>
			isNear(numbers[at] * (1 - discount.numbers[at] / 100), billed.numbers[at]),
		) &&
		// Of less than a cent, nothing is taken off.
		rows.some((at) => !isNear(numbers[at], billed.numbers[at]));
	if (!choice.profile.columns.some(isBefore)) return;
	choice.fields.delete('discountPercentage');
	choice.settled = [...choice.settled, discount];
}

function pickTotals(choice: Choice, money?: Money): void {
	const isTotal = (one: Column) =>
		money?.totals.includes(one) === true || (isNamed('total', one.header) && isNumeric(one));
	// What is open is less than the total.
	if (!choice.has('total') && choice.settled.length === 0)
		for (const column of choice.freeColumns(isTotal)) choice.use('total', column);
}

const isNumeric = (one: Column) =>
	one.is('number', 'duration') &&
	one.fullness > 0.2 &&
	!one.numbers.every((number) => Number.isNaN(number));
