import type { Balance, Interruption, Start } from './ledger';
import { settle } from './ledger';

const ids = ['a', 'b', 'c'];
const duties = ids.map((id, index) => ({
	...{ trigger: 'Charge', id, must: true, shownAt: [1000 * index] },
}));
const starts = ids.map((id, index): Start => ({ trigger: 'Charge', id, at: 1000 * index + 10 }));
const twice = [...starts, { ...starts[1], at: 9000 }];
const killed = (from: number, trigger = 'Charge'): Interruption[] => [
	{ kind: 'n8n killed', triggers: [trigger], from, to: from + 100 },
];

test.each<[string, Start[], Interruption[], Partial<Balance>]>([
	['accepts each exactly once', starts, [], {}],
	['reports a lost one', starts.slice(1), [], { came: 2, lost: ['Charge a'] }],
	['reports a duplicate', twice, [], { twice: ['Charge b'] }],
	[
		'reports an unexpected one',
		[...starts, { ...starts[0], id: 'x' }],
		[],
		{ strange: ['Charge x'] },
	],
	[
		'excuses a duplicate right before a kill',
		twice,
		killed(1020),
		{ excused: { 'n8n killed: twice': 1 } },
	],
	['reports a duplicate long before a kill', twice, killed(1070), { twice: ['Charge b'] }],
	[
		'reports a duplicate before a kill of another trigger',
		twice,
		killed(1020, 'Paid'),
		{ twice: ['Charge b'] },
	],
	[
		'excuses a loss right before a kill',
		starts.slice(1),
		killed(20),
		{ came: 2, excused: { 'n8n killed: lost': 1 } },
	],
	[
		'reports a loss long before a kill',
		starts.slice(1),
		killed(2000),
		{ came: 2, lost: ['Charge a'] },
	],
])('%s', (_name, started, interruptions, wanted) => {
	const right = { came: 3, excused: {}, lost: [], twice: [], strange: [] };
	expect(settle(duties, started, interruptions, 50)).toEqual({ ...right, ...wanted });
});

test('accepts an optional one zero or one times', () => {
	const may = [{ ...duties[0], must: false }];
	expect(settle(may, [], [], 50)).toMatchObject({ came: 0, lost: [] });
	expect(settle(may, [starts[0], starts[0]], [], 50).twice).toEqual(['Charge a']);
});
