import type { INode, INodeParameters } from 'n8n-workflow';
import type { WorkflowFile } from '../../tools/host/api';
import { ownId } from '../../tools/host/sharedN8n';
import { ourNode, runWorkflow } from '../../tools/host/workflowOf';
import type { ScriptedModel } from '../helpers/scriptedModel';
import { startScriptedModel } from '../helpers/scriptedModel';
import { useStage } from '../helpers/stage';

const n8n = useStage();
const { world, created } = n8n;
jest.setTimeout(300_000);

let model: ScriptedModel;
let modelCredential: string;
beforeAll(async () => {
	model = await startScriptedModel();
	const { api } = n8n.stage;
	modelCredential = await api.saveCredential({
		name: 'Scripted model',
		type: 'openAiApi',
		data: { apiKey: 'none', url: model.url, header: false },
	});
}, 120_000);
afterAll(async () => await model?.close());

/** As the editor saves a field whose value the model is to define. */
const fromAI = (key: string, type = 'string') => `={{ $fromAI('${key}', \`\`, '${type}') }}`;
const locator = (key: string) => ({ __rl: true, mode: 'id', value: fromAI(key) });

const tools: Record<string, INodeParameters> = {
	'Create Invoice': {
		resource: 'invoice',
		operation: 'create',
		customerId: locator('Customer_ID'),
		currency: fromAI('Currency'),
		dueDate: fromAI('Due_Date'),
		itemsInput: 'json',
		itemsJson: fromAI('Items__JSON_', 'json'),
		ifInvoiceNumberExists: 'returnExisting',
		additionalFields: {
			invoiceNumber: fromAI('Invoice_Number'),
			allowServiceFee: fromAI('Allow_Service_Fee'),
		},
	},
	'Find Charges': {
		resource: 'charge',
		operation: 'getAll',
		limit: fromAI('Limit', 'number'),
		filters: { currency: fromAI('Currency'), type: fromAI('Type') },
	},
	'Find Invoices': {
		resource: 'invoice',
		operation: 'getAll',
		returnAll: fromAI('Return_All', 'boolean'),
		filters: { customerId: locator('Customer_ID') },
	},
	'Get Invoice': {
		resource: 'invoice',
		operation: 'get',
		invoiceId: { __rl: true, mode: 'number', value: fromAI('Invoice') },
	},
	'Get Invoice by ID': { resource: 'invoice', operation: 'get', invoiceId: locator('Invoice') },
	'Get Charge': { resource: 'charge', operation: 'get', chargeId: locator('Charge_ID') },
	'Get Link': { resource: 'paymentLink', operation: 'get', linkId: fromAI('Payment_Link_ID') },
	'Get Member': { resource: 'member', operation: 'get', memberId: locator('Team_Member_ID') },
	'List Members': { resource: 'member', operation: 'getAll', returnAll: true },
	'Invite Member': {
		resource: 'member',
		operation: 'create',
		firstName: fromAI('First_Name'),
		lastName: fromAI('Last_Name'),
		email: fromAI('Email'),
		jobTitle: fromAI('Job_Title'),
		role: fromAI('Role'),
	},
	'Create From Rows': {
		resource: 'invoice',
		operation: 'createFromRows',
		columns: {
			mappingMode: 'defineBelow',
			value: {
				customerId: fromAI('Customer_ID'),
				currency: 'EUR',
				dueDate: fromAI('Due_Date'),
				invoiceNumber: fromAI('Invoice_Number'),
				itemName: fromAI('Item_Name'),
				itemAmount: fromAI('Item_Amount'),
			},
		},
	},
};

const names = Object.keys(tools);
const toolName = (name: string) => name.replace(/ /g, '_');

function agentWorkflow(): WorkflowFile {
	const base = { typeVersion: 1, position: [0, 0] as [number, number], parameters: {} };
	const nodes: INode[] = [
		{ ...base, id: 's', name: 'Start', type: 'n8n-nodes-base.manualTrigger' },
		{
			...base,
			id: 'a',
			name: 'Agent',
			type: '@n8n/n8n-nodes-langchain.agent',
			typeVersion: 3.1,
			parameters: { promptType: 'define', text: 'Do as the script says', options: {} },
		},
		{
			...base,
			id: 'm',
			name: 'Model',
			type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
			typeVersion: 1.3,
			parameters: {
				model: { __rl: true, mode: 'id', value: 'scripted' },
				responsesApiEnabled: false,
				options: {},
			},
			credentials: { openAiApi: { id: modelCredential, name: 'Scripted model' } },
		},
		...names.map((name, index) => {
			const node = ourNode(n8n.stage, tools[name]);
			return { ...base, ...node, type: `${node.type}Tool`, id: `t${index}`, name };
		}),
	];
	const to = (type: 'main' | 'ai_tool' | 'ai_languageModel') => ({
		[type]: [[{ node: 'Agent', type, index: 0 }]],
	});
	return {
		id: ownId('agentWorkflow'),
		name: 'Agent',
		nodes,
		connections: {
			Start: to('main'),
			Model: to('ai_languageModel'),
			...Object.fromEntries(names.map((name) => [name, to('ai_tool')])),
		},
		settings: { executionOrder: 'v1', timezone: 'Europe/Stockholm' },
	};
}

/** Lets the agent do what the model says. Gives what the model got to know of each call, and the agent's last words. */
async function runAgent(...turns: Array<Record<string, object>>) {
	model.say(...turns.map(named), 'Done.');
	const execution = await runWorkflow(n8n.stage.api, agentWorkflow());
	const { runData, error } = execution.data.resultData;
	const last = model.asked.at(-1)?.messages ?? [];
	return {
		error,
		output: runData.Agent?.[0].data?.main[0]?.[0].json.output,
		told: last.filter(({ role }) => role === 'tool').map(({ content }) => String(content)),
	};
}

const named = (turn: Record<string, object>) =>
	Object.fromEntries(Object.entries(turn).map(([name, given]) => [toolName(name), given]));

test('an agent creates an invoice from the strings of a model, learns from errors, and bills nobody twice', async () => {
	const invoice = {
		Customer_ID: world().account.customers[0].id,
		Currency: 'eur',
		Due_Date: '2026-12-31',
		Items__JSON_: '[{"name":"Consulting","amount":"1200.00","quantity":"5"}]',
		Invoice_Number: '2026-77',
		Allow_Service_Fee: 'false',
	};
	const { output, told, error } = await runAgent(
		{ 'Create Invoice': { ...invoice, Customer_ID: 'ACME', Due_Date: '31/12/2026' } },
		{ 'Create Invoice': { ...invoice, Items__JSON_: 'five hours of consulting' } },
		{ 'Create Invoice': invoice },
		{ 'Create Invoice': invoice },
	);
	expect(error).toBeUndefined();
	expect(output).toBe('Done.');
	expect(told).toHaveLength(4);
	expect(told[0]).toContain('Customer ID must be an ID in UUID format');
	expect(told[0]).toContain('Due Date must be a date in the form YYYY-MM-DD');
	expect(told[1]).toContain('Items (JSON) must be a JSON list such as [{');
	expect(told[2]).toContain('"outcome":"created"');
	expect(told[3]).toContain('"outcome":"found"');
	expect(created()).toHaveLength(1);
	expect(created()[0].request).toMatchObject({
		currency: 'EUR',
		due_date: '2026-12-31',
		items: [{ name: 'Consulting', amount: '1200.00', quantity: 5 }],
		allow_service_fee: false,
	});
});

test('an agent finds charges, simplified, and is told why none came', async () => {
	const { told } = await runAgent(
		{ 'Find Charges': { Limit: '5', Currency: 'eur', Type: 'Invoice' } },
		{ 'Find Charges': { Limit: 'many', Currency: 'EUR', Type: 'invoice' } },
	);
	// The agent gets the items of a tool as one text.
	const charges = itemsIn(told[0]);
	expect(charges).toHaveLength(5);
	for (const charge of charges) {
		expect(charge).toMatchObject({ currency: 'EUR', total: expect.any(String) as string });
		expect(charge).not.toHaveProperty('source');
	}
	expect(told[1]).toMatch(/Limit/);
});

test('[R12] an agent uses all other operations', async () => {
	const { account } = world();
	const [link] = account.links;
	const [{ id }] = account.customers;
	const { told, error } = await runAgent(
		{ 'Get Link': { Payment_Link_ID: link.id }, 'List Members': {} },
		{ 'Get Member': { Team_Member_ID: account.members[0].id } },
		{
			'Invite Member': {
				First_Name: 'Émile',
				Last_Name: 'Großmann',
				Email: 'emile@team.example',
				Job_Title: 'Accountant',
				Role: 'Staff',
			},
		},
		{ 'Find Invoices': { Return_All: true, Customer_ID: id } },
		{
			'Create From Rows': {
				Customer_ID: id,
				Due_Date: '2027-01-31',
				Invoice_Number: '2027-1',
				Item_Name: 'Travel',
				Item_Amount: '86.40',
			},
		},
	);
	expect(error).toBeUndefined();
	expect(told).toHaveLength(6);
	expect(itemsIn(told[0])).toMatchObject([{ id: link.id }]);
	expect(itemsIn(told[1])).toHaveLength(world().settings.members);
	expect(itemsIn(told[2])).toMatchObject([{ id: account.members[0].id }]);
	expect(told[3]).toContain('invited');
	expect(told[4]).toContain(id);
	expect(told[5]).toContain('"outcome":"created"');
	expect(created()).toHaveLength(1);
});

test('an agent gets one invoice and one charge, and is told what there is not', async () => {
	const { account } = world();
	const [{ full }] = account.invoices;
	const [{ id }] = account.listCharges({}, 1, 1, 'newestFirst').results;
	const { told, error } = await runAgent(
		{ 'Get Invoice': { Invoice: full.invoice_number }, 'Get Charge': { Charge_ID: id } },
		{ 'Get Invoice by ID': { Invoice: full.id } },
		{ 'Get Invoice': { Invoice: '2026-none' } },
		{ 'Get Invoice by ID': { Invoice: full.invoice_number } },
	);
	expect(error).toBeUndefined();
	expect(itemsIn(told[0])).toMatchObject([{ id: full.id, amount: full.amount }]);
	expect(itemsIn(told[1])).toMatchObject([{ id, payer: expect.any(String) as string }]);
	expect(itemsIn(told[2])).toMatchObject([{ id: full.id }]);
	expect(told[3]).toContain('No invoice with the number \\"2026-none\\" was found in the service');
	expect(told[4]).toContain("choose 'By Number'");
});

test('the model reads of each tool what it does, and of its arguments what they are', async () => {
	await runAgent();
	const [{ tools: offered }] = model.asked;
	const known = Object.fromEntries(
		offered.map(({ function: { name, description, parameters } }) => [
			name,
			[description, Object.keys(parameters.properties).sort()],
		]),
	);
	expect(Object.keys(known).sort()).toEqual(names.map(toolName).sort());
	expect(known.Find_Charges).toEqual([
		'Get many charges in Invoicing and Payments',
		['Currency', 'Limit', 'Type'],
	]);
	expect(known.Get_Invoice).toEqual(['Get invoice in Invoicing and Payments', ['Invoice']]);
	expect(known.Create_Invoice[0]).toBe('Create invoice in Invoicing and Payments');
});

function itemsIn(told: string): unknown[] {
	const value = JSON.parse(told) as unknown;
	return [value].flat().map((one) => {
		const { json = one } = one as { json?: unknown };
		return json;
	});
}
