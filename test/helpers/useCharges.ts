import type { INodeParameters } from 'n8n-workflow';
import type { SettingsInput } from '../../simulator/settings';
import { ActiveTrigger, idsOf } from './pollEngine';
import { useSimulator } from './service';

export const minute = 60_000;

/** A simulator whose charges a trigger watches, and what tests do with both. Call at the top level of a test file. */
export function useCharges() {
	const service = useSimulator();
	let last = 0;

	/** A charge that is made now, or so many milliseconds ago. Gives its ID. */
	const pay = (change: object = {}, ago = 0): string => {
		// Not two at the same moment.
		last = Math.max(last + 1, Date.now());
		return service.world.account.addCharge(change, last - ago).id as string;
	};
	const payTimes = (count: number, change: object = {}, ago = 0) =>
		Array.from({ length: count }, () => pay(change, ago));

	const begin = (settings: SettingsInput = {}) =>
		service.world.reset({
			newest: new Date(Date.now() - 10 * minute).toISOString().slice(0, 19) + 'Z',
			charges: 50,
			...settings,
		});
	const trigger = (parameters: INodeParameters = {}) =>
		new ActiveTrigger({ credential: service.credential, parameters });

	/** A trigger that is published, and starts nothing for what is there. */
	const published = async (settings: SettingsInput = {}, parameters: INodeParameters = {}) => {
		begin(settings);
		const active = trigger(parameters);
		expect(await active.activate()).toBeNull();
		return active;
	};

	/** A charge that is made now comes with the next poll. */
	const expectNext = async (active: ActiveTrigger, how: 'poll' | 'pollDurably' = 'poll') => {
		const id = pay();
		expect(idsOf(await active[how]())).toEqual([id]);
	};
	/** One that is made while nothing is polled comes when the workflow is published, or n8n starts, again. */
	const expectAtActivation = async (active: ActiveTrigger) => {
		const id = pay();
		expect(idsOf(await active.activate())).toEqual([id]);
	};

	/** The service lists this, whatever it holds. */
	const answerWith = (results: object[], count = results.length, times: number | null = null) => {
		const body = { count, next: null, results };
		service.world.faults.add({ times, action: { kind: 'json', body } });
	};

	return {
		service,
		pay,
		payTimes,
		begin,
		trigger,
		published,
		expectNext,
		expectAtActivation,
		answerWith,
	};
}
