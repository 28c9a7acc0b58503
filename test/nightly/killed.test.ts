import { delay } from '../../tools/node';
import { until } from '../../tools/until';
import { outputOf, sheetsIn } from '../helpers/sheets';
import { useOwnStage } from '../helpers/stage';

const n8n = useOwnStage();
const { world, created } = n8n;
const { sheetOf, workflowFor } = sheetsIn(n8n);
jest.setTimeout(300_000);

const numbers = () => created().map(({ request }) => request.invoice_number);

test('[R3, O1] n8n is killed in the middle, twice: the runs that follow finish the sheet, each invoice once', async () => {
	const count = 300;
	world().set({ latency: 30 });
	const { id, trigger } = await workflowFor('csv', sheetOf(count));
	let before = 0;
	for (const share of [0.3, 0.6]) {
		await n8n.stage.api.start(id, trigger);
		await until(
			() => numbers().length >= share * count,
			() => `Only ${numbers().length} invoices were created`,
			20,
		);
		await n8n.stage.n8n.kill();
		// What was on its way arrives.
		await delay(500);
		expect(numbers().length).toBeGreaterThan(before);
		expect(numbers().length).toBeLessThan(count);
		before = numbers().length;
		await n8n.stage.restart();
	}
	const execution = await n8n.stage.api.run(id, trigger);
	expect(execution.data.resultData.error?.message).toBeUndefined();
	const outcomes = outputOf(execution).map(({ outcome }) => outcome);
	expect(outcomes.filter((outcome) => outcome === 'found')).toHaveLength(before);
	expect(outcomes).toHaveLength(count);
	expect(numbers()).toHaveLength(count);
	expect(new Set(numbers()).size).toBe(count);
});
