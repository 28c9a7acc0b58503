import type { Steps } from '../../../shared/steps';
import type { Roles } from './assign';
import { columnsOf } from './assign';
import type { Explanation } from './explain';
import { explanationsIn, holdsAt, partsOf } from './explain';
import { itemNumbers, itemsField } from './fields';
import type { Profile } from './profile';

/** What chose the amounts, or else an explanation of them, if it holds in all of these lines. */
export function* findExplanation(
	roles: Roles,
	{ columns }: Profile,
	lines: readonly number[],
): Steps<Explanation | undefined> {
	const billed = columnsOf(roles, 'itemAmount', 'itemTotal', itemsField);
	const checked = columnsOf(roles, ...itemNumbers);
	// Price times quantity is compared with the total of each row anyway.
	const compared = [...checked, ...columnsOf(roles, 'total')];
	const isChecked = (one: Explanation) =>
		compared.includes(one.whole) && partsOf(one).every((column) => checked.includes(column));
	const { explanation: chosen } = roles;
	const all = chosen && !isChecked(chosen) ? [chosen] : yield* explanationsIn(columns);
	return all.find(
		(one) =>
			!isChecked(one) &&
			[one.whole, ...partsOf(one)].some((column) => billed.includes(column)) &&
			lines.every((at) => holdsAt(one, at)),
	);
}
