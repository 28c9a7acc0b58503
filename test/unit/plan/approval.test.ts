import fc from 'fast-check';
import '../../setup/fixedSeed';
import type { ApprovedDraft } from '../../../nodes/InvoicingPayments/plan/approval';
import { changeSince, fingerprintOf } from '../../../nodes/InvoicingPayments/plan/approval';
import { isNight } from '../../helpers/someOf';

/** What a person approves: no exchange of anything that is sent keeps the fingerprint. */
type Body = ApprovedDraft['body'];

const word = fc.constantFrom('a', 'b', 'a b', '', '","', '\n', 'é', '1', '["a"]');
const item = fc.record({
	name: word,
	amount: fc.constantFrom('1.00', '10.00', '100.00', '-1.00'),
	quantity: fc.constantFrom(1, 10, 100),
});
const body = fc.record({
	invoice_number: word,
	customer: word,
	currency: fc.constantFrom('EUR', 'SEK'),
	due_date: fc.constantFrom('2027-01-02', '2027-02-01'),
	starts_at: fc.constantFrom('2027-01-02', '2027-02-01'),
	title: word,
	note: word,
	discount_percentage: fc.constantFrom(0, 1, 10),
	items: fc.array(item, { minLength: 1, maxLength: 3 }),
});
const plan = fc.array(body, { minLength: 1, maxLength: 4 });

const fingerprintFor = async (
	bodies: Body[],
	{
		account = 'account',
		action = 'create',
		warnings = [],
	}: { account?: string; action?: 'create' | 'exists' | 'stop'; warnings?: string[] } = {},
) =>
	await fingerprintOf(
		bodies.map((one, at) => ({
			body: one,
			rows: [{ number: at + 2 }],
			comparison: { action, differences: [] },
		})),
		account,
		warnings,
	);
const sorted = (bodies: Body[]) => bodies.map((one) => JSON.stringify(one)).sort();

test('two plans have the same fingerprint only if they send the same', async () => {
	await fc.assert(
		fc.asyncProperty(plan, plan, async (one, other) => {
			const isSame = sorted(one as Body[]).join() === sorted(other as Body[]).join();
			return (
				((await fingerprintFor(one as Body[])) === (await fingerprintFor(other as Body[]))) ===
				isSame
			);
		}),
		{ numRuns: isNight ? 2000 : 500 },
	);
});

test('any exchange within a plan changes it, and the order of invoices does not', async () => {
	await fc.assert(
		fc.asyncProperty(plan, fc.nat(), fc.nat(), fc.constantFrom(...Object.keys(fullBody)), async (bodies, from, to, field) => {
			const exchanged = bodies.map((one) => ({ ...one })) as Array<Record<string, unknown>>;
			const [a, b] = [exchanged[from % bodies.length], exchanged[to % bodies.length]];
			[a[field], b[field]] = [b[field], a[field]];
			const now = exchanged as unknown as Body[];
			const isSame = sorted(now).join() === sorted(bodies as Body[]).join();
			expect(await fingerprintFor(now) === await fingerprintFor(bodies as Body[])).toBe(isSame);
			expect(await fingerprintFor([...bodies].reverse() as Body[])).toBe(await fingerprintFor(bodies as Body[]));
		}),
		{ numRuns: isNight ? 1000 : 250 },
	); // prettier-ignore
});

const fullBody: Record<keyof Body, unknown> = {
	...{ invoice_number: 1, customer: 1, currency: 1, due_date: 1, starts_at: 1, title: 1, note: 1 },
	...{ discount_percentage: 1, items: 1 },
};

test('texts of one invoice cannot be moved to another field', async () => {
	const base = { invoice_number: 'A', customer: 'c', currency: 'EUR', items: [], title: 'x' };
	const moved = { ...base, title: undefined, note: 'x' };
	expect(await fingerprintFor([base])).not.toBe(await fingerprintFor([moved]));
});

test('an account, what to look at, and what stands in the way, belong to the plan', async () => {
	const one = [{ invoice_number: 'A', customer: 'c', currency: 'EUR', items: [] }];
	const changes = [{ account: 'other' }, { action: 'stop' as const }, { warnings: ['paid'] }];
	const others = await Promise.all(
		changes.map(async (change) => await fingerprintFor(one, change)),
	);
	expect(new Set([await fingerprintFor(one), ...others]).size).toBe(4);
	// 128 bits, and how many invoices exist.
	expect(await fingerprintFor(one)).toMatch(/^[0-9a-f]{32}0000$/);
});

test('more invoices may exist than in the approved plan, but not fewer', async () => {
	const one = [{ invoice_number: 'A', customer: 'c', currency: 'EUR', items: [] }];
	const planWith = async (action: 'create' | 'exists') => ({
		fingerprint: await fingerprintFor(one, { action }),
		summary: '',
	});
	const [none, all] = [await planWith('create'), await planWith('exists')];
	expect(changeSince({ fingerprint: none.fingerprint }, all)).toBeUndefined();
	expect(changeSince({ fingerprint: all.fingerprint }, none)).toContain(
		'differ from what was approved',
	);
});
