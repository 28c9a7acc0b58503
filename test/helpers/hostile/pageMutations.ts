import type { Dice } from '../anySheet/dice';
import { edit, resultsOf } from './jsonMutations';
import type { Json } from './json';
import { put, raw, takeOut, valueIn, write } from './json';
import type { CaseMemory, Mutation } from './reply';

/** Edits a page of a list; leaves alone what is none. */
const page = (
	change: (tree: Json, dice: Dice, memory: CaseMemory, results: Json[]) => void,
): Mutation['apply'] =>
	edit(
		(tree, dice, memory) => change(tree, dice, memory, resultsOf(tree)),
		(tree) => valueIn(tree, 'results') !== undefined,
	);

const next = '"http://127.0.0.1:9/v1/charges?page=2"';

/** Pages that lie about the list that they are of. */
export const pageMutations: Mutation[] = [
	{
		name: 'another count',
		weight: 4,
		apply: page((tree, dice) =>
			put(
				tree,
				'count',
				raw(
					dice.pick([
						'0',
						'1',
						'-1',
						'1.5',
						'1e400',
						'1e15',
						'"12"',
						'"many"',
						'null',
						'true',
						'[]',
						'[7]',
						'{}',
						'999999999',
						'2147483648',
					]),
				),
			),
		),
	},
	{
		name: 'a count that is off by a few',
		weight: 3,
		apply: page((tree, dice) => {
			const count = Number(write(valueIn(tree, 'count') ?? raw('0')));
			put(tree, 'count', raw(String(count + dice.pick([-3, -1, 1, 2, 20]))));
		}),
	},
	{
		name: 'another next',
		weight: 4,
		apply: page((tree, dice, { foreignUrl }) =>
			put(
				tree,
				'next',
				raw(
					dice.pick([
						next,
						'true',
						'1',
						'0',
						'""',
						'[]',
						'{}',
						'"x"',
						JSON.stringify(`${foreignUrl}/v1/charges?page=2`),
					]),
				),
			),
		),
	},
	{ name: 'next too early null', weight: 2, apply: page((tree) => put(tree, 'next', raw('null'))) },
	{
		name: 'no count, next too early null',
		apply: page((tree) => {
			takeOut(tree, 'count');
			put(tree, 'next', raw('null'));
		}),
	},
	{
		name: 'the same page for ever',
		weight: 4,
		apply: (reply, dice, memory) => {
			if (reply.status !== 200) return;
			memory.firstBody ??= reply.body;
			reply.body = memory.firstBody;
			if (dice.chance(80)) page((tree) => put(tree, 'next', raw(next)))(reply, dice, memory);
		},
	},
	{
		name: 'pages that never end',
		weight: 1,
		apply: page((tree, _dice, memory, results) => {
			const [first] = results;
			if (first)
				for (const result of results) {
					memory.made += 1;
					put(
						result,
						'id',
						raw(JSON.stringify(`00000000-0000-4000-8000-${String(memory.made).padStart(12, '0')}`)),
					);
				}
			put(tree, 'next', raw(next));
			put(tree, 'count', raw(String(memory.made + 1000)));
		}),
	},
	{
		name: 'empty pages that never end',
		apply: page((tree) => {
			put(tree, 'results', { items: [] });
			put(tree, 'next', raw(next));
		}),
	},
	{
		name: 'results twice',
		weight: 3,
		apply: page((tree, dice, _memory, results) =>
			put(tree, 'results', {
				items: dice.shuffle([...results, ...results.slice(0, dice.int(1, 3))]),
			}),
		),
	},
	{
		name: 'in another order',
		weight: 2,
		apply: page((tree, dice, _memory, results) =>
			put(tree, 'results', { items: dice.shuffle(results) }),
		),
	},
	{
		name: 'some results missing',
		weight: 3,
		apply: page((tree, dice, _memory, results) =>
			put(tree, 'results', { items: results.filter(() => dice.chance(60)) }),
		),
	},
	{ name: 'no results', weight: 2, apply: page((tree) => put(tree, 'results', { items: [] })) },
	{
		name: 'an empty list',
		weight: 1,
		apply: page((tree) => {
			put(tree, 'results', { items: [] });
			put(tree, 'count', raw('0'));
			put(tree, 'next', raw('null'));
		}),
	},
	{
		name: 'results of another page',
		weight: 2,
		apply: (reply, _dice, memory) => {
			const { firstBody } = memory;
			memory.firstBody = reply.body;
			if (firstBody) reply.body = firstBody;
		},
	},
];
