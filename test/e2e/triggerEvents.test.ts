import { delay } from '../../tools/node';
import type { World } from '../../simulator/world';
import {
	eventNames,
	eventsWorkflow,
	happen,
	startedBy,
	startedLike,
} from '../helpers/eventsWorkflow';
import { useEngines } from '../helpers/triggerEngines';

jest.setTimeout(600_000);
const inEach = useEngines();

/** Waits until no poll has come for a while: n8n deactivates a little later than it says, and drops what a poll finds by then. */
async function noPolls(world: World): Promise<void> {
	for (let before = -1; world.traffic.requests.length !== before; ) {
		before = world.traffic.requests.length;
		await delay(8000);
	}
}

inEach('every event starts its trigger once: between two polls, and in a pause', async (trial) => {
	const { stage, world, executions, afterPolls, activate, deactivate } = trial;
	world().reset({ invoices: 120, charges: 30, members: 8 });
	await stage.api.saveWorkflow(eventsWorkflow(trial.workflow()));
	await activate();
	const { length: many } = eventNames;
	await afterPolls(3 * many);
	expect(startedBy(await executions())).toEqual({});

	let wanted = happen(world(), {});
	expect(await startedLike(trial, wanted)).toEqual(wanted);
	await afterPolls(2 * many);

	await deactivate();
	await noPolls(world());
	wanted = happen(world(), wanted);
	await activate();
	expect(await startedLike(trial, wanted)).toEqual(wanted);
	await afterPolls(2 * many);

	expect(startedBy(await executions())).toEqual(wanted);
	expect((await executions()).every(({ status }) => status === 'success')).toBe(true);
});
