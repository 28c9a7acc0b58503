import { delay } from '../../tools/node';
import { expectEventsOnce } from '../helpers/n8n/eventsWorkflow';
import { useEngines } from '../helpers/n8n/triggerEngines';

jest.setTimeout(600_000);
const inEach = useEngines();

inEach(
	'every event starts its trigger once, between two polls and while the workflow is inactive',
	async (trial) => {
		const { world, executions, activate, deactivate } = trial;
		world().reset({ invoices: 120, charges: 30, members: 8 });
		const pause = async () => {
			await deactivate();
			// n8n deactivates a little later than it says, and drops the results of polls until then.
			for (let before = -1; world().traffic.requests.length !== before; ) {
				before = world().traffic.requests.length;
				await delay(8000);
			}
		};
		await expectEventsOnce(trial, pause, activate);
		expect((await executions()).every(({ status }) => status === 'success')).toBe(true);
	},
);
