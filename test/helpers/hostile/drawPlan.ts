import type { Dice } from '../anySheet/dice';
import { jsonMutations } from './jsonMutations';
import { pageMutations } from './pageMutations';
import type { Plan } from './proxy';
import type { Mutation } from './reply';
import { wireMutations } from './wireMutations';

/** A plan, and in words what it does. */
export interface DrawnPlan extends Plan {
	words: string;
	/** Whether requests may run into their time-outs. */
	isSlow: boolean;
	/** Whether the answers are still HTTP with the right status, so that a client may well believe them. */
	isBelievable: boolean;
}

function drawOne(dice: Dice, mutations: Mutation[]): Mutation {
	const weights = mutations.map(({ weight = 1 }) => Math.round(weight * 10));
	let left = dice.int(
		1,
		weights.reduce((sum, weight) => sum + weight, 0),
	);
	return mutations[weights.findIndex((weight) => (left -= weight) <= 0)];
}

const when: Array<[string, (dice: Dice) => Plan['hits']]> = [
	['all answers', () => () => true],
	[
		'the first answer',
		() =>
			({ count }) =>
				count === 1,
	],
	[
		'the second answer',
		() =>
			({ count }) =>
				count === 2,
	],
	['every other answer', (dice) => () => dice.chance(50)],
	[
		'all but the first answer',
		() =>
			({ count }) =>
				count > 1,
	],
	[
		'creations',
		() =>
			({ method }) =>
				method === 'POST',
	],
];

/** What happens to the answers of a case. `isPaged`: whether it reads a list in pages; `mayBeSlow`: whether it may take its time. */
export function drawPlan(
	dice: Dice,
	isPaged: boolean,
	creates: boolean,
	mayBeSlow = true,
): DrawnPlan {
	const wire = mayBeSlow ? wireMutations : wireMutations.filter(({ isSlow }) => !isSlow);
	const kinds = isPaged
		? [jsonMutations, jsonMutations, pageMutations, wire]
		: [jsonMutations, wire];
	const kind = dice.pick(kinds);
	const mutations = [drawOne(dice, kind)];
	// What is wrong twice.
	if (kind !== wire && dice.chance(15)) mutations.push(drawOne(dice, wire));
	const choices = creates ? [...when, when[5], when[5]] : when.slice(0, 5);
	const [name, hits] = dice.pick([...choices, choices[0], choices[0]]);
	const isDone = dice.chance(60);
	const isFailure = mutations.some((one) => one.isFailure);
	return {
		mutations,
		hits: hits(dice),
		isDone,
		dice,
		words: `${mutations.map((one) => one.name).join(' and ')} (${name}${isFailure && !isDone ? ', nothing done' : ''})`,
		isSlow: mutations.some(({ isSlow }) => isSlow),
		isBelievable: kind !== wire && mutations.length === 1,
	};
}
