import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { events } from '../../nodes/InvoicingPaymentsTrigger/events';
import { diceOf } from '../helpers/dice';
import { passTime } from '../helpers/n8n/clock';
import { happenings } from '../helpers/service/happenings';
import { ActiveTrigger } from '../helpers/n8n/pollEngine';
import { drawPlan } from './drawPlan';
import type { HostileService } from './hostileService';
import { madeFields, objectsIn, pollution, strangePrototypes, wasSent } from './judge';
import type { CaseResult } from './nodeCase';

const minute = 60_000;

const parametersOf = (event: string, simplify: boolean): INodeParameters => ({
	event,
	simplify,
	...(event === 'chargeStatus' && { status: { __rl: true, mode: 'name', value: 'Refunded' } }),
});

const textOf = (id: unknown) => (typeof id === 'string' ? id : undefined);

/** Polls, or polls with a fault to show that faults are noticed. */
export type Poll = (trigger: ActiveTrigger, engine: string) => Promise<IDataObject[] | null>;

export const pollOf: Poll = async (trigger, engine) => {
	if (engine === 'durable') return await trigger.pollDurably();
	return engine === 'scheduled' ? await trigger.pollScheduled() : await trigger.poll();
};

/** Runs a trigger for an event, with spoiled responses. The same seed gives the same case. */
export async function runTriggerCase(
	service: HostileService,
	seed: number,
	poll: Poll,
): Promise<CaseResult> {
	const dice = diceOf(seed);
	const { world } = service;
	const event = dice.pick(events);
	const happen = happenings[event.value];
	const engine = dice.pick(['standard', 'standard', 'scheduled', 'durable']);
	const apiKey = `hostile-key-${seed}-trigger-secret`;
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
	const { account } = world;
	const plan = drawPlan(dice, event.list.path !== '/v1/members', false, dice.chance(5));
	const isHostileAtFirst = dice.chance(15);
	const trigger = new ActiveTrigger({
		credential: service.credential,
		parameters: parametersOf(event.value, dice.chance(50)),
	});
	const problems: string[] = [];
	const delivered: IDataObject[] = [];
	const expected: string[] = [];
	const sent: Array<Record<string, unknown>> = [];
	let [errors, requests] = [0, 0];
	/** Polls. Returns whether it made requests, as a trigger that waits after errors does not. */
	const look = async (next = () => poll(trigger, engine)) => {
		service.exchanges.length = 0;
		try {
			delivered.push(...((await next()) ?? []));
		} catch (error) {
			errors += 1;
			const { message, description } = error as { message: string; description?: string };
			if (`${message} ${description} ${JSON.stringify(error)}`.includes(apiKey))
				problems.push('the error holds the API key');
			return false;
		} finally {
			requests += service.exchanges.length;
			sent.push(...service.exchanges.flatMap(objectsIn));
		}
		return service.exchanges.length > 0;
	};
	const lookAndWait = async (minutes: number) => {
		const isLooked = await look();
		passTime(minutes * minute + 1000);
		return isLooked;
	};

	service.begin(isHostileAtFirst ? plan : undefined);
	await look(() => (engine === 'durable' ? trigger.activateDurably() : trigger.activate()));
	passTime(minute);
	service.begin(plan);
	for (let polls = dice.int(1, 3); polls > 0; polls--) {
		for (let count = dice.pick([0, 1, 1, 3]); count > 0; count--)
			expected.push(happen(account, dice));
		await lookAndWait(1);
	}
	const isError = errors > 0;
	service.begin();
	// If the service is down at activation, the trigger starts with the first list that it can read.
	if (isHostileAtFirst) {
		expected.length = 0;
		for (let polls = 0; polls < 12 && !(await lookAndWait(4)); polls++);
		passTime(31 * minute);
		await lookAndWait(1);
	}
	expected.push(happen(account, dice));
	// After errors, the trigger waits up to half an hour.
	const isThere = () => expected.every((id) => delivered.some((one) => textOf(one.id) === id));
	// The service may have asked for a pause of an hour.
	for (let polls = 0; polls < 30 && !isThere(); polls++) await lookAndWait(4);
	for (let polls = 0; polls < 2; polls++) await lookAndWait(16);

	// Invented items may come, but real ones come exactly once.
	const ids = delivered.flatMap(({ id }) => textOf(id) || []);
	const charges = account.listCharges({}, 1, 1000, 'newestFirst').results;
	const created = new Map(charges.map((one) => [one.id, one.created]));
	const others = new Set([...account.invoices.map(({ full }) => full.id), ...account.members.map(({ id }) => id)]); // prettier-ignore
	const sentAs = (id: string) => sent.filter((one) => textOf(one.id) === id);
	// An invoice with another due date is due again.
	const isDueAgain = (id: string) =>
		/Soon|Days/.test(event.value) && new Set(sentAs(id).map((one) => one.due_date)).size > 1;
	const isReal = (id: string) => created.has(id) || others.has(id);
	const twice = ids.filter((id, at) => ids.indexOf(id) !== at && isReal(id) && !isDueAgain(id));
	if (twice.length) problems.push(`delivered twice: ${[...new Set(twice)].join(', ')}`);
	const missing = expected.filter((id) => !ids.includes(id));
	if (missing.length) problems.push(`lost: ${missing.length} of ${expected.length}`);
	for (const one of delivered.filter((one) => !wasSent(one, sent, madeFields, true)))
		problems.push(`what was never sent: ${JSON.stringify(one).slice(0, 300)}`);
	// An old charge with a wrong date or none may come as new.
	const isKnownOld = (id: string) =>
		others.has(id) ||
		(created.has(id) && sentAs(id).every((one) => one.created === created.get(id)));
	const isOld = (id: string) => !expected.includes(id) && isKnownOld(id) && !isDueAgain(id);
	const old = ids.filter(isOld);
	// If responses were spoiled at activation, the trigger cannot know what was there.
	if (old.length && !isHostileAtFirst) problems.push(`${old.length} that were there before`);
	problems.push(...strangePrototypes(delivered), ...pollution());
	const { foreign } = service;
	if (foreign.length) problems.push(`a foreign host got ${foreign.splice(0).join('; ')}`);
	const first = isHostileAtFirst ? ', hostile when activated' : '';
	const words = `${event.value}, ${engine}${first}: ${plan.words}`;
	return { words, problems, isError, requests };
}
