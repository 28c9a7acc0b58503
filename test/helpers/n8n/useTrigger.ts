import type { INodeParameters } from 'n8n-workflow';
import type { SettingsInput } from '../../../simulator/settings';
import { ActiveTrigger, idsOf } from './pollEngine';
import { useSimulator } from '../service/useSimulator';

export const minute = 60_000;

/** A date in UTC, counted from today. */
export const dayIn = (days: number) =>
	new Date(Date.now() + days * 24 * 60 * minute).toISOString().slice(0, 10);

/** A simulator and triggers that poll it, for the tests of one file. Call at its top level. */
export function useTrigger(defaults: () => SettingsInput = () => ({})) {
	const service = useSimulator();
	const begin = (settings: SettingsInput = {}) =>
		service.world.reset({ ...defaults(), ...settings });
	const trigger = (parameters: INodeParameters = {}) =>
		new ActiveTrigger({ credential: service.credential, parameters });

	/** A published trigger that has started nothing for existing results. */
	const published = async (parameters: INodeParameters = {}, settings: SettingsInput = {}) => {
		begin(settings);
		const active = trigger(parameters);
		expect(await active.activate()).toBeNull();
		return active;
	};

	/** Every request fails from now on. */
	const failing = (status = 503) =>
		service.world.faults.add({
			times: null,
			action: { kind: 'status', status, message: 'Asleep' },
		});
	/** The service lists these results. */
	const answerWith = (
		results: object[],
		{ count = results.length, times = null as number | null, next = null as string | null } = {},
	) => {
		const body = { count, next, previous: null, results };
		service.world.faults.add({ times, action: { kind: 'json', body } });
	};

	return { service, begin, trigger, published, failing, answerWith };
}

/** The same for New Charge. */
export function useCharges() {
	const base = useTrigger(() => ({
		newest: new Date(Date.now() - 10 * minute).toISOString().slice(0, 19) + 'Z',
		charges: 50,
	}));
	let last = 0;
	// A test may have set the clock back.
	beforeEach(() => void (last = 0));

	/** Adds a charge that was made `ago` milliseconds ago. Gives its ID. */
	const pay = (change: object = {}, ago = 0): string => {
		// No two charges at the same moment.
		last = Math.max(last + 1, Date.now());
		return base.service.world.account.addCharge(change, last - ago).id as string;
	};
	const payTimes = (count: number, change: object = {}, ago = 0) =>
		Array.from({ length: count }, () => pay(change, ago));

	/** Expects a charge that is made now in the next poll. */
	const expectNext = async (active: ActiveTrigger, how: 'poll' | 'pollDurably' = 'poll') => {
		const id = pay();
		expect(idsOf(await active[how]())).toEqual([id]);
	};
	/** Expects a charge that was made while nothing polled at the next activation. */
	const expectAtActivation = async (active: ActiveTrigger) => {
		const id = pay();
		expect(idsOf(await active.activate())).toEqual([id]);
	};

	return { ...base, pay, payTimes, expectNext, expectAtActivation };
}
