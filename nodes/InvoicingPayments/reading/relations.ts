import { isNear } from './amounts';
import type { Roles } from './columns';
import { columnsOf } from './columns';
import { itemsField } from './fields';
import type { Column, Profile } from './profile';
import type { Row } from './rows';
import type { Relation } from './statements';
import type { Steps } from './steps';
import { stepTimer } from './steps';
import { isTax, maxLines } from './wholeAmount';

/**
 * What other columns make of the column that is billed, in every row: `Net = Gross - Tax`, `Charge = Qty x Days x Rate`. No name and no
 * range notices that two headers have changed places, or that a figure is another one than it was: this does.
 */

/** At most this many columns are tried as parts. */
const maxColumns = 12;
/** Rows that tell a relation from luck; two, if their amounts have cents. What a header calls a tax, or a product of three, is no luck. */
const leastRows = 3;

interface Billed {
	roles: Roles;
	profile: Profile;
	rows: readonly Row[];
}

/** The relation of the billed column, if there is one. Only the sheet's first lines are searched; all are checked. */
export function* findRelation({ roles, profile, rows }: Billed): Steps<Relation | undefined> {
	const items = columnsOf(roles, itemsField);
	if (items.length && roles.settled.length) {
		const parts = [...roles.settled, ...items].map(({ header }) => ({ header, isLess: false }));
		const sums = profile.columns.map(({ header: whole }): Relation => ({ whole, by: '+', parts }));
		return sums.find((sum) => brokenIn(sum, { profile, rows }).length === 0);
	}
	const [price, quantity] = [columnsOf(roles, 'itemAmount'), columnsOf(roles, 'itemQuantity')];
	const [whole] = [...columnsOf(roles, 'itemTotal'), ...(quantity.length ? [] : price)];
	if ((whole as Column | undefined) === undefined) return undefined;
	const used = new Set([...roles.fields].flatMap(([name, all]) => (name === 'total' ? [] : all)));
	const parts = profile.columns
		.filter((one) => !used.has(one) && one.is('number', 'duration') && one.numbers.some(Boolean))
		.filter((one) => !one.filled.every(({ mayBeDate }) => mayBeDate))
		.slice(0, maxColumns);
	const sample = rows
		.map(({ at }) => at)
		.filter((at) => !Number.isNaN(whole.numbers[at]))
		.slice(0, maxLines);
	const amounts = sample.map((at) => whole.numbers[at]);
	const hasCents = amounts.some((one) => one % 1 !== 0);
	if (sample.length === 0) return undefined;
	const areMany = sample.length >= (hasCents ? 2 : leastRows) && new Set(amounts).size > 1;
	const isLong = stepTimer();
	for (const { relation, columns } of candidates(whole.header, parts)) {
		if (isLong()) yield;
		if (!sample.every((at) => holdsAt(relation, whole, columns, at))) continue;
		// What is 0, or a factor of 1, in every row says nothing.
		const idle = relation.by === 'x' ? 1 : 0;
		const saysSomething = (one: Column) =>
			sample.some((at) => !Number.isNaN(one.numbers[at]) && one.numbers[at] !== idle);
		if (!columns.every(saysSomething)) continue;
		const isProduct = relation.by === 'x' && columns.length > 2;
		if (!areMany && !columns.some(isTax) && !(isProduct && sample.length > 1)) continue;
		return brokenIn(relation, { profile, rows }).length ? undefined : relation;
	}
	return undefined;
}

type Candidate = { relation: Relation; columns: Column[] };

/** Sums, differences and products of two columns, then of three. */
function* candidates(whole: string, parts: readonly Column[]): Generator<Candidate> {
	for (const count of [2, 3])
		for (const [at, first] of parts.entries())
			for (const more of choose(parts, count - 1, (index) => index !== at)) {
				const columns = [first, ...more];
				// Sums and products do not depend on the order of their columns.
				const isInOrder = more.every((one) => parts.indexOf(one) > at);
				for (const signs of signsOf(count)) {
					if (!signs.includes('-') && !isInOrder) continue;
					const named = columns.map(({ header }, index) => ({
						header,
						isLess: signs[index] === '-',
					}));
					yield { relation: { whole, by: '+', parts: named }, columns };
				}
				if (!isInOrder) continue;
				const factors = columns.map(({ header }) => ({ header, isLess: false }));
				yield { relation: { whole, by: 'x', parts: factors }, columns };
			}
}

/** The first column is always added. */
const signsOf = (count: number): string[] => (count === 2 ? ['++', '+-'] : ['+++', '++-', '+--']);

/** All choices of so many columns, in every order that matters for one sign behind another: `a + b - c`. */
function* choose(
	all: readonly Column[],
	count: number,
	isFree: (index: number) => boolean,
): Generator<Column[]> {
	for (const [at, one] of all.entries()) {
		if (!isFree(at)) continue;
		if (count === 1) yield [one];
		else
			for (const more of choose(all, count - 1, (index) => index !== at && isFree(index)))
				yield [one, ...more];
	}
}

/** Whether the relation holds in a line. An empty cell adds nothing, but is no factor. */
function holdsAt(
	{ by, parts }: Relation,
	whole: Column,
	columns: readonly Column[],
	at: number,
): boolean {
	const numbers = columns.map(({ numbers: own }) => own[at]);
	const value =
		by === 'x'
			? numbers.reduce((product, one) => product * one, 1)
			: numbers.reduce((sum, one, index) => sum + (parts[index].isLess ? -1 : 1) * (one || 0), 0);
	return isNear(value, whole.numbers[at]);
}

/** The rows in which a relation does not hold. All of them, if one of its columns is missing. */
export function brokenIn(
	relation: Relation,
	{ profile, rows }: Pick<Billed, 'profile' | 'rows'>,
): Row[] {
	const whole = profile.byHeader.get(relation.whole);
	const columns = relation.parts.flatMap(({ header }) => profile.byHeader.get(header) ?? []);
	if (!whole || columns.length < relation.parts.length) return [...rows];
	return rows.filter(({ at }) => !holdsAt(relation, whole, columns, at));
}
