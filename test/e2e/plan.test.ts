import type { IConnections, IDataObject, INode, INodeParameters } from 'n8n-workflow';
import type { StoredExecution, WorkflowFile } from '../../tools/host/api';
import { ownId } from '../../tools/host/sharedN8n';
import { ourNode } from '../../tools/host/workflowOf';
import { fs, path, projectFolder } from '../../tools/node';
import { until } from '../../tools/until';
import { languageSheets } from '../../tools/commands/languageSheets';
import { fromRowsParameters, preview, reading } from '../helpers/sheets/fromRows';
import { useStage } from '../helpers/n8n/stage';

/** Sheets in other languages, and a plan that a person approves before invoices are created, in a real n8n. */
const n8n = useStage();

type Step = Pick<INode, 'name' | 'type' | 'typeVersion' | 'parameters'> & Partial<INode>;

/** A workflow of nodes in a row, started by hand. */
function chain(name: string, steps: Step[]): WorkflowFile {
	const start: Step = { name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} }; // prettier-ignore
	const all = [start, ...steps];
	const connections: IConnections = Object.fromEntries(
		all
			.slice(1)
			.map((step, at) => [
				all[at].name,
				{ main: [[{ node: step.name, type: 'main' as const, index: 0 }]] },
			]),
	);
	return {
		id: ownId(name),
		name,
		nodes: all.map((step, at) => ({
			...step,
			id: `node-${at}`,
			position: [at * 220, 0] as [number, number],
		})),
		connections,
		settings: { executionOrder: 'v1', timezone: 'Europe/Stockholm' },
	};
}

const code = (name: string, jsCode: string): Step => ({ name, type: 'n8n-nodes-base.code', typeVersion: 2, parameters: { jsCode } }); // prettier-ignore
const fromRows = (name: string, change: INodeParameters = {}): Step => ({
	name,
	...ourNode(n8n.stage, fromRowsParameters(change)),
});
const outputOf = ({ data }: StoredExecution, name: string): IDataObject[] =>
	(data.resultData.runData[name]?.[0].data?.main[0] ?? []).map(({ json }) => json);

describe.each(Object.keys(languageSheets))('[R1] examples/data/invoices.%s', (language) => {
	const example = (kind: string) =>
		fs.readFileSync(path.join(projectFolder, 'examples', 'data', `invoices.${language}.${kind}`));
	/** Runs the rows of a file, as CSV or as Excel. */
	const run = async (kind: string, content: Buffer, change: INodeParameters) => {
		const file = path.join(n8n.stage.filesFolder, `${language}-${kind}`);
		fs.writeFileSync(file, content);
		const how = kind === 'xlsx' ? { operation: 'xlsx', options: { rawData: true } } : { operation: 'csv', options: { delimiter: ';', encoding: 'latin1' } }; // prettier-ignore
		const workflow = chain(`${language}-${kind}`, [
			{ name: 'Read', type: 'n8n-nodes-base.readWriteFile', typeVersion: 1.1, parameters: { operation: 'read', fileSelector: file.split(path.sep).join('/'), options: {} } },
			{ name: 'Rows', type: 'n8n-nodes-base.extractFromFile', typeVersion: 1.1, parameters: how },
			fromRows('Create', change),
		]); // prettier-ignore
		await n8n.stage.api.saveWorkflow(workflow);
		return await n8n.stage.api.run(workflow.id, 'Start');
	};
	/** The reading that a preview of the example gives. */
	const confirmed = async (kind: string) => {
		await n8n.stage.useKey(`your-simulator-key-for-${language}-${kind}`);
		const previewed = await run(kind, example(kind), preview() as INodeParameters);
		expect(n8n.created()).toEqual([]);
		return reading(String(outputOf(previewed, 'Create').at(-1)?.reading));
	};

	test.each(['csv', 'xlsx'])('%s: is billed once its reading is confirmed', async (kind) => {
		const { data } = await run(kind, example(kind), await confirmed(kind));
		expect(data.resultData.error?.message).toBeUndefined();
		// Invoices are not created in the order of the rows.
		const created = new Map(n8n.created().map(({ full, request }) => [full.amount, request]));
		expect([...created.keys()].sort()).toEqual(['120.00', '2500.00']);
		if (language === 'de') expect(created.get('2500.00')?.note).toBe('Danke! Preise in €');
	});

	test('stops if a column of taxes is new', async () => {
		const { tax } = languageSheets[language];
		const said = await confirmed('csv');
		const lines = example('csv').toString('latin1').trimEnd().split('\r\n');
		const more = lines.map((line, at) => `${line};${at ? '37,50' : tax}`).join('\r\n');
		const { data } = await run('csv', Buffer.from(more, 'latin1'), said);
		expect(data.resultData.error?.message).toContain(`new column: ${tax}`);
		expect(n8n.created()).toEqual([]);
	});
});

/** A workflow that plans a sheet without numbers, waits for an approval on a page, and creates the invoices. */
function approval(rows: IDataObject[], createdRows = rows): WorkflowFile {
	const list = (items: IDataObject[]) =>
		`return ${JSON.stringify(items)}.map((json) => ({ json }))`;
	return chain('approval', [
		code('Sheet', list(rows)),
		fromRows('Plan', preview() as INodeParameters),
		code('Link', 'return [{ json: { url: $execution.resumeFormUrl } }]'),
		{
			name: 'Approve',
			type: 'n8n-nodes-base.wait',
			typeVersion: 1.1,
			webhookId: '5ad3f1a2-0000-4000-8000-000000000001',
			parameters: {
				resume: 'form',
				formTitle: 'Approve invoices',
				formDescription: "={{ $('Plan').last().json.plan.summary }}",
				formFields: { values: [{ fieldLabel: 'Name', fieldType: 'text', requiredField: false }] },
				options: {},
			},
		},
		code('Again', list(createdRows)),
		fromRows('Create', { options: { onlyIfPlanIs: "={{ $('Plan').last().json.plan }}" } }),
	]);
}

/** Starts the workflow, reads its page and approves. */
async function approve(workflow: WorkflowFile): Promise<{ page: string; ended: StoredExecution }> {
	const { api } = n8n.stage;
	await api.saveWorkflow(workflow);
	const id = await api.start(workflow.id, 'Start');
	const waiting = await until(
		async () => {
			const execution = await api.execution(id).catch(() => undefined);
			return execution?.status === 'waiting' && execution;
		},
		() => 'The workflow does not wait for an approval',
	);
	const url = new URL(String(outputOf(waiting, 'Link')[0].url));
	url.host = new URL(n8n.stage.n8n.url).host;
	const page = await (await fetch(url)).text();
	const body = new FormData();
	body.set('field-0', 'Ada');
	await fetch(url, { method: 'POST', body });
	return { page, ended: await api.ended(id) };
}

describe('[R1] sheet, plan, approval, invoices', () => {
	const rowsOf = (prices: string[]) =>
		prices.map((price, at) => ({
			'Customer ID': n8n.stage.simulator.world.account.customers[at].id,
			Item: 'Consulting',
			'Unit Price': price,
			Currency: 'EUR',
			'Due Date': '2027-01-15',
		}));

	test('creates the approved invoices once', async () => {
		await n8n.stage.useKey('your-simulator-key-for-approvals');
		const workflow = approval(rowsOf(['100', '20']));
		const { page, ended } = await approve(workflow);
		expect(page).toContain('2 invoices to create for EUR 120.00');
		expect(ended.data.resultData.error?.message).toBeUndefined();
		expect(outputOf(ended, 'Create').map(({ outcome }) => outcome)).toEqual(['created', 'created']);

		const { page: second, ended: again } = await approve(workflow);
		expect(second).toContain('Nothing to create; 2 exist');
		expect(outputOf(again, 'Create').map(({ outcome }) => outcome)).toEqual(['found', 'found']);
		expect(n8n.created()).toHaveLength(2);
	});

	test('creates nothing if the sheet was changed after the approval', async () => {
		await n8n.stage.useKey('your-simulator-key-for-changes');
		const { ended } = await approve(approval(rowsOf(['100', '20']), rowsOf(['100', '200'])));
		expect(ended.data.resultData.error?.message).toContain(
			'The plan has changed since it was approved',
		);
		expect(n8n.created()).toEqual([]);
	});
});
