import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { ourNode, runWorkflow, workflowOf } from '../../tools/host/workflowOf';
import { until } from '../../tools/until';
import { fromRowsParameters } from '../helpers/sheets/fromRows';
import { useOwnStage } from '../helpers/n8n/stage';

/** A run that is limited to a plan, in an n8n that is killed in the middle. */
const n8n = useOwnStage();
jest.setTimeout(600_000);

const rowsOf = (numbered: boolean): IDataObject[] =>
	Array.from({ length: 200 }, (_, at) => ({
		'Customer ID': n8n.world().account.customers[0].id,
		Currency: 'EUR',
		'Due Date': new Date(Date.UTC(2027, 0, 15 + at)).toISOString().slice(0, 10),
		Item: `Consulting ${at}`,
		'Unit Price': `${at + 1}.25`,
		...(numbered && { 'Invoice Number': `K-${at}` }),
	}));

test.each([
	['with invoice numbers', true],
	['with numbers from the content', false],
])('[R1] a killed run goes on with the same approval: %s', async (_, numbered) => {
	const { stage } = n8n;
	await stage.useKey(`your-simulator-key-for-kills-${numbered}`);
	n8n.world().settings.latency = 100;
	const rows = rowsOf(numbered);
	const node = (change: INodeParameters) =>
		workflowOf(rows, ourNode(stage, fromRowsParameters(change)));
	const planned = await runWorkflow(stage.api, node({ previewOnly: true }));
	const last = planned.data.resultData.runData.Node[0].data?.main[0]?.at(-1);
	const fingerprint = String(last?.json.fingerprint);
	const create = node({ options: { onlyIfPlanIs: fingerprint } });
	await stage.api.saveWorkflow(create);
	await stage.api.start(create.id, 'Start');
	await until(
		() => Promise.resolve(n8n.created().length >= 20),
		() => 'Nothing was created',
	);
	await stage.n8n.kill();
	await stage.restart();
	// Including requests that were on their way.
	const before = n8n.created().length;
	expect(before).toBeLessThan(rows.length);
	const { data } = await runWorkflow(stage.api, create);
	expect(data.resultData.error?.message).toBeUndefined();
	const outcomes = (data.resultData.runData.Node[0].data?.main[0] ?? []).map(({ json }) => json.outcome); // prettier-ignore
	expect(outcomes.filter((outcome) => outcome === 'found')).toHaveLength(before);
	const amounts = n8n.created().map(({ full }) => full.amount);
	expect(amounts.sort()).toEqual(rows.map((row) => row['Unit Price']).sort());
});
