import { isNear } from './amounts';
import type { Roles } from './columns';
import { sheetField } from './fields';
import type { Finding } from './findings';
import type { WrittenColumn } from './formats';
import type { Grouped } from './grouping';
import { isNamed } from './names';
import { plural } from './problems';
import type { Column, Profile } from './profile';
import type { Statements } from './statements';
import type { Money } from './sums';
import { amountAt, moneyScore } from './sums';

/** Guesses of these fields can change who is billed, how much, in which currency, when it is due, how many invoices there are, or what they say. */
const weighty = [
	...['customerId', 'customerEmail', 'currency', 'dueDate', 'terms', 'invoiceNumber'],
	...['itemAmount', 'itemTotal', 'itemQuantity', 'items', 'discountPercentage'],
];
/** The customer reads these, so a column that is not called so must be seen. */
const texts = ['itemName', 'title', 'note'];
const roleOf: Partial<Record<string, 'price' | 'line' | 'quantity'>> = {
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
export function guessesOf(found: Found): Finding[] {
	const { roles, written, grouped, statements, said, calledLike } = found;
	const guesses: Finding[] = [];
	/** `other`: what another good reading would make of it. */
	const guess = (what: string, other?: string) =>
		guesses.push({
			...{ kind: 'guess', rows: [], money: 0 },
			text: other === undefined ? what : `${what} (${other})`,
		});
	for (const [field, how] of roles.how) {
		const isIdle = field === 'terms' && roles.fields.has('dueDate');
		const isText =
			texts.includes(field) &&
			!roles.fields.get(field)?.some(({ header }) => isNamed(field, header));
		if (how === 'guessed' && (weighty.includes(field) || isText) && !isIdle)
			guess(
				[sheetField(field).displayName, roles.fields.get(field)?.[0].header]
					.filter(Boolean)
					.join(' = '),
				otherSum(field, found),
			);
	}
	const other = otherQuantity(found);
	if (other !== undefined) guess('no Quantity', other);
	if (calledLike !== undefined && !said) guess(`items called ${calledLike}`);
	for (const [{ header }, { printed, isGuess }] of written)
		if (isGuess) guess(`${header} (${printed[printed.length - 1]})`);
	const { grouping, other: otherCount } = grouped;
	const by = grouping.by === 'column' ? grouping.header : 'customer';
	if (otherCount !== undefined && !said?.grouping)
		guess(`one invoice per ${by}`, `otherwise ${plural(otherCount, 'invoice')}`);
	if (statements.isFilledFromAbove && !said?.isFilledFromAbove) guess('cells filled from above');
	if (statements.rowsLeftOut && !said?.rowsLeftOut) guess('rows left out: totals');
	for (const { header, leaveOut } of statements.values)
		if (leaveOut.length && !said?.values.some((one) => one.header === header))
			guess(`which rows are billed, by ${header}`);
	return guesses;
}

const sumOf = (money: Pick<Money, 'price' | 'quantity' | 'line'>, kept: number[]) =>
	kept.reduce((sum, at) => sum + (amountAt(money, at) || 0), 0);

const moneyOf = ({ fields }: Roles) => ({
	price: fields.get('itemAmount')?.[0],
	quantity: fields.get('itemQuantity')?.[0],
	line: fields.get('itemTotal')?.[0],
});

/** What the sheet would come to if another column filled the field, or none. */
function otherSum(field: string, { roles, kept }: Found): string | undefined {
	const role = roleOf[field];
	const own = moneyOf(roles);
	const other = role && roles.otherMoney.find((one) => one[role] !== own[role]);
	if (!other) return undefined;
	const sum = sumOf(other, kept);
	if (isNear(sum, sumOf(own, kept))) return undefined;
	return `${other[role] ? `with ${other[role].header}` : 'without it'}: ${sum.toFixed(2)}`;
}

/** What a price alone comes to with a column beside it that may count. */
function otherQuantity({ roles, profile, kept }: Found): string | undefined {
	const { price, quantity, line } = moneyOf(roles);
	if (!price || quantity || line || roles.how.get('itemAmount') === 'said') return undefined;
	const used = new Set([...roles.fields.values()].flat());
	const mayCount = profile.columns.find(
		(column) =>
			!used.has(column) &&
			column.is('number', 'duration') &&
			moneyScore('quantity', column) > -1.5 &&
			!column.filled.every(({ mayBeDate }) => mayBeDate),
	);
	return mayCount
		? `with ${mayCount.header}: ${sumOf({ price, quantity: mayCount }, kept).toFixed(2)}`
		: undefined;
}
