import type { Dice } from '../helpers/dice';
import type { Change } from './change';
import type { Plan } from './hostileService';
import { jsonChanges } from './jsonChanges';
import { pageChanges } from './pageChanges';
import { wireChanges } from './wireChanges';

export interface DrawnPlan extends Plan {
	words: string;
}

function drawOne(dice: Dice, changes: Change[]): Change {
	const sum = changes.reduce((all, { weight }) => all + weight, 0);
	let left = (dice.int(1, 1000) / 1000) * sum;
	return changes.find(({ weight }) => (left -= weight) <= 0) ?? changes[0];
}

const onlyFor =
	(isHit: (count: number, method: string) => boolean): Plan['hits'] =>
	({ count, method }) =>
		isHit(count, method);

const when: Record<string, (dice: Dice) => Plan['hits']> = {
	'all answers': () => () => true,
	'the first answer': () => onlyFor((count) => count === 1),
	'the second answer': () => onlyFor((count) => count === 2),
	'every other answer': (dice) => () => dice.chance(50),
	'all but the first answer': () => onlyFor((count) => count > 1),
	creations: () => onlyFor((_count, method) => method === 'POST'),
};

/** Draws what happens to the responses of a case. `isPaged`: the operation reads a list in pages. `mayBeSlow`: responses may time out. */
export function drawPlan(
	dice: Dice,
	isPaged: boolean,
	creates: boolean,
	mayBeSlow = true,
): DrawnPlan {
	const wire = mayBeSlow ? wireChanges : wireChanges.filter(({ isSlow }) => !isSlow);
	const kinds = isPaged ? [jsonChanges, jsonChanges, pageChanges, wire] : [jsonChanges, wire];
	const kind = dice.pick(kinds);
	const changes = [drawOne(dice, kind)];
	// Two things go wrong.
	if (kind !== wire && dice.chance(15)) changes.push(drawOne(dice, wire));
	const often = creates ? ['creations', 'creations', 'creations'] : [];
	const always = Object.keys(when).filter((name) => name !== 'creations');
	const name = dice.pick([...always, ...often, 'all answers', 'all answers']);
	const isDone = dice.chance(60);
	const isUndone = changes.some(({ isFailure }) => isFailure) && !isDone;
	return {
		...{ changes, isDone, dice },
		hits: when[name](dice),
		words: `${changes.map((one) => one.name).join(' and ')} (${name}${isUndone ? ', nothing done' : ''})`,
	};
}
