import { dutyOf } from './filters';
import type { Duty, Interruption, Start } from './ledger';
import { settle, settleNumbers } from './ledger';

const ids = ['a', 'b', 'c'];
const duties: Duty[] = ids.map((id, index) => ({
	trigger: 'Charge',
	id,
	must: true,
	shownAt: [1000 * index],
}));
const starts: Start[] = ids.map((id, index) => ({ trigger: 'Charge', id, at: 1000 * index + 10 }));
const right = { came: 3, excused: {}, lost: [], twice: [], strange: [] };
const killed = (from: number): Interruption => ({
	kind: 'n8n killed',
	triggers: ['Charge'],
	from,
	to: from + 100,
});

test('each once', () => {
	expect(settle(duties, starts, [], 50)).toEqual(right);
});

test('a charge that is lost', () => {
	const balance = settle(duties, starts.slice(1), [], 50);
	expect(balance).toEqual({ ...right, came: 2, lost: ['Charge a'] });
});

test('a charge that comes twice', () => {
	const balance = settle(duties, [...starts, { ...starts[1], at: 9000 }], [], 50);
	expect(balance).toEqual({ ...right, twice: ['Charge b'] });
});

test('a charge that fits no filter', () => {
	const balance = settle(duties, [...starts, { trigger: 'Charge', id: 'x', at: 0 }], [], 50);
	expect(balance).toEqual({ ...right, strange: ['Charge x'] });
});

test('what may come need not, and comes once', () => {
	const may = { ...duties[0], must: false };
	expect(settle([may], [], [], 50)).toEqual({ ...right, came: 0 });
	expect(settle([may], [starts[0], starts[0]], [], 50).twice).toEqual(['Charge a']);
});

test('an interruption excuses the poll right before it, and no other', () => {
	const twice = [...starts, { ...starts[1], at: 9000 }];
	expect(settle(duties, twice, [killed(1020)], 50)).toEqual({
		...right,
		excused: { 'n8n killed: twice': 1 },
	});
	expect(settle(duties, twice, [killed(1070)], 50).twice).toEqual(['Charge b']);
	expect(settle(duties, twice, [{ ...killed(1020), triggers: ['Paid'] }], 50).twice).toEqual([
		'Charge b',
	]);
	expect(settle(duties, starts.slice(1), [killed(20)], 50)).toEqual({
		...right,
		came: 2,
		excused: { 'n8n killed: lost': 1 },
	});
	expect(settle(duties, starts.slice(1), [killed(2000)], 50).lost).toEqual(['Charge a']);
});

test('an invoice twice, and one that is missing', () => {
	expect(settleNumbers(['S-0', 'S-1'], ['S-0', 'S-1'])).toEqual({ lost: [], twice: [] });
	expect(settleNumbers(['S-0', 'S-1'], ['S-0', 'S-0'])).toEqual({ lost: ['S-1'], twice: ['S-0'] });
});

test('filters that change: what must come, may and must not', () => {
	const minute = 60_000;
	const epochs = [
		{ currency: 'EUR', publishedAt: 0, effectiveAt: 100, settledAt: 60 * minute },
		{
			currency: 'SEK',
			publishedAt: 90 * minute,
			effectiveAt: 90 * minute + 100,
			settledAt: Infinity,
		},
	];
	const duty = (currency: string, created: number, at = created) =>
		dutyOf({ id: 'x', currency, created, at }, epochs);
	expect(duty('EUR', 30 * minute)).toBe('must');
	expect(duty('EUR', 70 * minute)).toBe('may');
	expect(duty('EUR', 91 * minute)).toBe('mustNot');
	expect(duty('USD', 30 * minute)).toBe('mustNot');
	expect(duty('SEK', 30 * minute)).toBe('mustNot');
	expect(duty('SEK', 60 * minute)).toBe('may');
	expect(duty('SEK', 86 * minute)).toBe('must');
	expect(duty('SEK', 91 * minute)).toBe('must');
	// Late: made before the change, listed after it.
	expect(duty('SEK', 60 * minute, 95 * minute)).toBe('may');
});
