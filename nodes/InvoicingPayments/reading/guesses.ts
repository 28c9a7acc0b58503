import type { Roles } from './columns';
import { sheetField } from './fields';
import type { WrittenColumn } from './formats';
import type { Grouped } from './grouping';
import type { Column, Profile } from './profile';
import type { Statements } from './statements';
import type { Money } from './sums';
import { amountAt, moneyScore } from './sums';

/** Something that was guessed, and what another good reading would make of it. */
export interface Guess {
	what: string;
	/** `without it: 9100.00` */
	other?: string;
}

/** Guesses of these fields can change who is billed, how much, in which currency, when it is due, or how many invoices there are. */
const weighty = [
	...['customerId', 'customerEmail', 'currency', 'dueDate', 'terms', 'invoiceNumber'],
	...['itemAmount', 'itemTotal', 'itemQuantity', 'discountPercentage'],
];
const roleOf: Record<string, 'price' | 'line' | 'quantity'> = {
	...{ itemAmount: 'price', itemTotal: 'line', itemQuantity: 'quantity' },
};

interface Found {
	roles: Roles;
	profile: Profile;
	written: ReadonlyMap<Column, WrittenColumn>;
	grouped: Grouped;
	/** Of the sheet, and those of them that a person has said. */
	statements: Statements;
	said?: Statements;
	kept: number[];
	/** What items are called for want of a name. */
	calledLike?: string;
}

/** What nobody has said or proved. */
export function guessesOf(found: Found): Guess[] {
	const { roles, written, grouped, statements, said, calledLike } = found;
	const { grouping, other } = grouped;
	const saidValues = new Set(said?.values.map(({ header }) => header));
	const by = grouping.by === 'column' ? grouping.header : 'customer';
	return [
		...[...roles.how].flatMap(([field, how]) =>
			how === 'guessed' &&
			weighty.includes(field) &&
			!(field === 'terms' && roles.fields.has('dueDate'))
				? [{ what: sheetField(field).displayName, ...otherSum(field, found) }]
				: [],
		),
		...noQuantity(found),
		...(calledLike === undefined || said ? [] : [{ what: `items called ${calledLike}` }]),
		...[...written].flatMap(([{ header }, { printed, isGuess }]) =>
			isGuess ? [{ what: `${header} (${printed[printed.length - 1]})` }] : [],
		),
		...(other === undefined || said?.grouping
			? []
			: [{ what: `one invoice per ${by}`, other: `otherwise ${other}` }]),
		...(statements.isFilledFromAbove && !said?.isFilledFromAbove
			? [{ what: 'cells filled from above' }]
			: []),
		...(statements.rowsLeftOut && !said?.rowsLeftOut ? [{ what: 'rows left out: totals' }] : []),
		...statements.values.flatMap(({ header, leaveOut }) =>
			leaveOut.length && !saidValues.has(header)
				? [{ what: `which rows are billed, by ${header}` }]
				: [],
		),
	];
}

const sumOf = (money: Pick<Money, 'price' | 'quantity' | 'line'>, kept: number[]) =>
	kept.reduce((sum, at) => sum + (amountAt(money, at) || 0), 0);

const moneyOf = ({ fields }: Roles) => ({
	price: fields.get('itemAmount')?.[0],
	quantity: fields.get('itemQuantity')?.[0],
	line: fields.get('itemTotal')?.[0],
});

/** What the sheet would come to if another column filled the field, or none. */
function otherSum(field: string, { roles, kept }: Found): { other?: string } {
	const role = roleOf[field] as 'price' | undefined;
	const own = moneyOf(roles);
	const other = role && roles.otherMoney.find((one) => one[role] !== own[role]);
	const sum = other && sumOf(other, kept);
	if (sum === undefined || Math.abs(sum - sumOf(own, kept)) < 0.006) return {};
	const column = other?.[role ?? 'price'];
	return { other: `${column ? `with ${column.header}` : 'without it'}: ${sum.toFixed(2)}` };
}

/** A price alone, beside a column that may count. */
function noQuantity({ roles, profile, kept }: Found): Guess[] {
	const { price, quantity, line } = moneyOf(roles);
	if (!price || quantity || line || roles.how.get('itemAmount') === 'said') return [];
	const used = new Set([...roles.fields.values()].flat());
	const mayCount = profile.columns.find(
		(column) =>
			!used.has(column) &&
			column.is('number', 'duration') &&
			moneyScore('quantity', column) > -1.5 &&
			!column.filled.every(({ mayBeDate }) => mayBeDate),
	);
	if (!mayCount) return [];
	const sum = sumOf({ price, quantity: mayCount }, kept).toFixed(2);
	return [{ what: 'no Quantity', other: `with ${mayCount.header}: ${sum}` }];
}
