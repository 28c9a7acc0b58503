import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { events } from '../../../nodes/InvoicingPaymentsTrigger/events';
import type { Account } from '../../../simulator/account';
import type { Dice } from '../anySheet/dice';
import { diceOf } from '../anySheet/dice';
import { ActiveTrigger } from '../pollEngine';
import { hurry, passTime } from './clock';
import { drawPlan } from './drawPlan';
import { objectsIn, pollution, strangePrototypes, wasSent } from './judge';
import type { CaseResult, Lane } from './nodeCase';

const minute = 60_000;

/** Makes an event happen. Gives the ID. */
type Happening = (account: Account, dice: Dice) => string;

let people = 0;
const invite = (account: Account) =>
	account.createMember({
		first_name: `Ada${(people += 1)}`,
		last_name: 'Berg',
		email: 'ada@team.example',
		job_title: 'Sales',
		role: 'staff',
	}).id;

const invoiceGets =
	(status: 'paid' | 'overdue' | 'cancelled'): Happening =>
	(account, dice) => {
		const others = account.invoices.filter(
			({ full }) => full.status === 'unpaid' || full.status === 'scheduled',
		);
		const known = dice.chance(50) ? others[0] : undefined;
		if (!known) return String(account.addInvoice({ status }, Date.now()).id);
		account.changeInvoice(known.full.id, status);
		return known.full.id;
	};

const happenings: Record<string, { parameters?: INodeParameters; happen: Happening }> = {
	chargeStatus: {
		parameters: { status: { __rl: true, mode: 'name', value: 'Refunded' } },
		happen: (account) => String(account.addCharge({ status: 'Refunded' }, Date.now()).id),
	},
	invoiceCancelled: { happen: invoiceGets('cancelled') },
	invoiceOverdue: { happen: invoiceGets('overdue') },
	invoicePaid: { happen: invoiceGets('paid') },
	newCharge: { happen: (account) => String(account.addCharge({}, Date.now()).id) },
	newInvoice: { happen: (account) => String(account.addInvoice({}, Date.now()).id) },
	newMember: { happen: invite },
	memberJoined: {
		happen: (account) => {
			const id = invite(account);
			account.changeMember(id, 'enabled');
			return id;
		},
	},
};

for (const { value } of events) {
	if (!happenings[value]) throw new Error(`There is nothing hostile for ${value} yet`);
}

/** What a poll gave. Another one than the trigger's own shows that what is wrong is found. */
export type Poll = (trigger: ActiveTrigger, engine: string) => Promise<IDataObject[] | null>;

export const pollOf: Poll = async (trigger, engine) => {
	if (engine === 'durable') return await trigger.pollDurably();
	return engine === 'scheduled' ? await trigger.pollScheduled() : await trigger.poll();
};

/** One case: an event of the trigger, and polls whose answers are not what they should be. The same seed is the same case. */
export async function runTriggerCase(lane: Lane, seed: number, poll: Poll): Promise<CaseResult> {
	const dice = diceOf(seed);
	const { simulator, proxy } = lane;
	const { world } = simulator;
	const event = dice.pick(events);
	const { parameters, happen } = happenings[event.value];
	const engine = dice.pick(['standard', 'standard', 'scheduled', 'durable']);
	const apiKey = `hostile-key-${seed}-trigger-secret`;
	// What the first poll is given counts for all that follow: it gets its time.
	hurry(1);
	world.reset({
		apiKey,
		seed: dice.int(1, 5),
		charges: dice.pick([0, 30, 150]),
		invoices: dice.pick([5, 60, 150]),
		order: dice.pick(['newestFirst', 'newestFirst', 'oldestFirst', 'none']),
		next: dice.pick(['absolute', 'relative', 'otherHost']),
		newest: new Date(Date.now() - 10 * minute).toISOString(),
		maxPageSize: dice.pick([20, 100]),
	});
	const isPaged = event.list.path !== '/v1/members';
	const plan = drawPlan(dice, isPaged, false, dice.chance(5));
	const isHostileAtFirst = dice.chance(15);
	const trigger = new ActiveTrigger({
		credential: { apiKey, baseUrl: proxy.url },
		parameters: { event: event.value, ...parameters, simplify: dice.chance(50) },
	});
	const problems: string[] = [];
	const delivered: IDataObject[] = [];
	const sent: Array<Record<string, unknown>> = [];
	let errors = 0;
	let requests = 0;
	const look = async (isActivation = false) => {
		proxy.exchanges = [];
		try {
			const activate = async () =>
				engine === 'durable' ? await trigger.activateDurably() : await trigger.activate();
			delivered.push(...((await (isActivation ? activate() : poll(trigger, engine))) ?? []));
		} catch (error) {
			errors += 1;
			const { message, description } = error as { message: string; description?: string };
			if (`${message} ${description} ${JSON.stringify(error)}`.includes(apiKey))
				problems.push('the error holds the API key');
			return false;
		} finally {
			requests += proxy.exchanges.length;
			sent.push(...proxy.exchanges.flatMap(objectsIn));
		}
		// A trigger that waits after errors does not look.
		return proxy.exchanges.length > 0;
	};
	const { account } = world;
	const expected: string[] = [];
	const make = () => {
		for (let count = dice.pick([0, 1, 1, 3]); count > 0; count--)
			expected.push(happen(account, dice));
	};

	proxy.begin(simulator.url, apiKey, isHostileAtFirst ? plan : undefined);
	await look(true);
	hurry(10);
	passTime(minute);
	proxy.begin(simulator.url, apiKey, plan);
	const hostilePolls = dice.int(1, 3);
	for (let at = 0; at < hostilePolls; at++) {
		make();
		await look();
		passTime(minute + 1000);
	}
	const atHostile = { delivered: delivered.length, errors };
	proxy.begin(simulator.url, apiKey);
	// A service that is down when the trigger is activated: it begins with the first list that it can read.
	if (isHostileAtFirst) {
		expected.length = 0;
		for (let polls = 0; polls < 12 && !(await look()); polls++) passTime(4 * minute);
		passTime(31 * minute);
		await look();
		passTime(minute);
	}
	expected.push(happen(account, dice));
	// A trigger that failed waits longer and longer, at most half an hour.
	const isThere = () => expected.every((id) => delivered.some((one) => one.id === id));
	for (let polls = 0; polls < 12 && !isThere(); polls++) {
		await look();
		passTime(4 * minute);
	}
	for (let polls = 0; polls < 2; polls++) {
		await look();
		passTime(16 * minute);
	}
	// What was made up may be taken for new, but what there is comes once.
	const ids = delivered.map(({ id }) => id).filter((id) => typeof id === 'string' && id !== '');
	const twice = ids.filter((id, at) => ids.indexOf(id) !== at);
	if (twice.length)
		problems.push(
			`delivered twice: ${[...new Set(twice)].slice(0, 3).join(', ')} (${twice.length})`,
		);
	const missing = expected.filter((id) => !ids.includes(id));
	if (missing.length) problems.push(`lost: ${missing.length} of ${expected.length}`);
	for (const one of delivered) {
		if (!wasSent(one, sent, ['payer'], true))
			problems.push(`what was never sent: ${JSON.stringify(one).slice(0, 300)}`);
	}
	const old = delivered.filter(({ id }) => typeof id === 'string' && !expected.includes(id));
	const charges = account.listCharges({}, 1, 1000, 'newestFirst').results;
	const created = new Map(charges.map((one) => [one.id, one.created]));
	// Of an old charge that is said to have been made just now, or at no time, nobody can tell that it is old.
	const isTold = ({ id }: IDataObject) =>
		sent.filter((one) => one.id === id).every((one) => one.created === created.get(String(id)));
	const ofOthers = [...account.invoices.map(({ full }) => full), ...account.members];
	const otherIds = new Set(ofOthers.map(({ id }) => id));
	const before = old.filter(
		(one) => otherIds.has(String(one.id)) || (created.has(String(one.id)) && isTold(one)),
	);
	// What it was told to be the whole list when it was activated, it has to believe.
	if (before.length && !isHostileAtFirst) problems.push(`${before.length} that were there before`);
	problems.push(...strangePrototypes(delivered), ...pollution());
	if (proxy.foreign.length)
		problems.push(`a foreign host got ${proxy.foreign.splice(0).join('; ')}`);
	const words = `${event.value}, ${engine}${isHostileAtFirst ? ', hostile when activated' : ''}: ${plan.words} [${JSON.stringify(atHostile)}]`;
	return { words, problems, outcome: atHostile.errors ? 'error' : 'success', requests };
}
