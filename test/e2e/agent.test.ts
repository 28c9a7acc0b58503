import type { INode, INodeParameters } from 'n8n-workflow';
import type { WorkflowFile } from '../../tools/host/api';
import { ownId } from '../../tools/host/sharedN8n';
import { ourNode, runWorkflow } from '../../tools/host/workflowOf';
import { useScriptedModel } from '../helpers/n8n/scriptedModel';
import { useStage } from '../helpers/n8n/stage';
import { coming } from '../helpers/sheets/coming';

const n8n = useStage();
const { world, created } = n8n;
jest.setTimeout(300_000);

const model = useScriptedModel();
let modelCredential: string;
beforeAll(async () => {
	modelCredential = await n8n.stage.api.saveCredential({
		name: 'Scripted model',
		type: 'openAiApi',
		data: model.credential(),
	});
}, 120_000);

/** The saved value of a field that the model fills. */
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
	'Get Balances': {
		resource: 'customer',
		operation: 'getBalances',
		filters: { currency: fromAI('Currency') },
	},
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
		previewOnly: false,
		columnsMode: 'manual',
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

/** Tools with the defaults for agents. */
tools['Create Numbered Invoice'] = {
	resource: 'invoice',
	operation: 'create',
	customerId: { __rl: true, mode: 'email', value: fromAI('Customer') },
	currency: 'EUR',
	dueDate: '2027-01-31',
	itemsInput: 'json',
	itemsJson: fromAI('Items__JSON_', 'json'),
	additionalFields: { invoiceNumber: fromAI('Invoice_Number') },
};
tools['Create Few Invoices'] = {
	...tools['Create Numbered Invoice'],
	options: { maximumInvoices: 2 },
};
tools['Create From Given Rows'] = {
	resource: 'invoice',
	operation: 'createFromRows',
	previewOnly: fromAI('Preview_Only', 'boolean'),
	rows: fromAI('Rows', 'json'),
};

const names = Object.keys(tools);
const toolName = (name: string) => name.replace(/ /g, '_');

function agentWorkflow(): WorkflowFile {
	const node = (name: string, type: string, typeVersion: number, parameters = {}): INode => ({
		...{ id: name, name, typeVersion, parameters, type, position: [0, 0] },
	});
	const nodes: INode[] = [
		node('Start', 'n8n-nodes-base.manualTrigger', 1),
		node('Agent', '@n8n/n8n-nodes-langchain.agent', 3.1, {
			promptType: 'define',
			text: 'Do as the script says',
			options: { maxIterations: 20 },
		}),
		{
			...node('Model', '@n8n/n8n-nodes-langchain.lmChatOpenAi', 1.3, {
				model: { __rl: true, mode: 'id', value: 'scripted' },
				responsesApiEnabled: false,
				options: {},
			}),
			credentials: { openAiApi: { id: modelCredential, name: 'Scripted model' } },
		},
		...names.map((name) => {
			const { type, credentials } = ourNode(n8n.stage, {});
			return {
				...node(name, `${type}Tool`, 1, tools[name]),
				credentials,
			};
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

/** A tool call of the model, and the expected response. */
type Call = [tool: string, given: object, response: RegExp | object[]];

/** Lets the agent make the calls, one after the other, and checks the response to each. */
async function expectResponses(calls: Call[]): Promise<void> {
	model.say(...calls.map(([tool, given]) => ({ [toolName(tool)]: given })), 'Done.');
	const execution = await runWorkflow(n8n.stage.api, agentWorkflow());
	const { runData, error } = execution.data.resultData;
	expect(error).toBeUndefined();
	expect(runData.Agent?.[0].data?.main[0]?.[0].json.output).toBe('Done.');
	const responses = (model.asked.at(-1)?.messages ?? [])
		.filter(({ role }) => role === 'tool')
		.map(({ content }) => String(content));
	expect(responses).toHaveLength(calls.length);
	calls.forEach(([, , expected], at) => {
		if (expected instanceof RegExp) expect(responses[at]).toMatch(expected);
		else expect(itemsIn(responses[at])).toMatchObject(expected);
	});
}

/** The agent gets the items of a tool as one text. */
function itemsIn(response: string): unknown[] {
	const value = JSON.parse(response) as unknown;
	return [value].flat().map((one) => (one as { json?: unknown }).json ?? one);
}

test('an agent creates an invoice from strings, learns from errors, and bills nobody twice', async () => {
	const invoice = {
		Customer_ID: world().account.customers[0].id,
		Currency: 'eur',
		Due_Date: '2026-12-31',
		Items__JSON_: '[{"name":"Consulting","amount":"1200.00","quantity":"5"}]',
		Invoice_Number: '2026-77',
		Allow_Service_Fee: 'false',
	};
	await expectResponses([
		[
			'Create Invoice',
			{ ...invoice, Customer_ID: 'ACME', Due_Date: '31/12/2026' },
			/Customer must be an ID in UUID format.*Due Date must be a date in the form YYYY-MM-DD/s,
		],
		[
			'Create Invoice',
			{ ...invoice, Items__JSON_: 'five hours of consulting' },
			/Items \(JSON\) must be a JSON list such as \[\{/,
		],
		['Create Invoice', invoice, /"outcome":"created"/],
		['Create Invoice', invoice, /"outcome":"found"/],
	]);
	expect(created()).toHaveLength(1);
	expect(created()[0].request).toMatchObject({
		currency: 'EUR',
		due_date: '2026-12-31',
		items: [{ name: 'Consulting', amount: '1200.00', quantity: 5 }],
		allow_service_fee: false,
	});
});

test('[R12] an agent uses all other operations, and is told what does not exist', async () => {
	const { account } = world();
	const [link] = account.links;
	const [{ id }] = account.customers;
	const [{ full }] = account.invoices;
	const [charge] = account.listCharges({}, 1, 1, 'newestFirst').results;
	const simplified = { currency: 'EUR', total: expect.any(String) as string };
	const member = {
		First_Name: 'Émile',
		Last_Name: 'Großmann',
		Email: 'emile@team.example',
		Job_Title: 'Accountant',
		Role: 'Staff',
	};
	const row = {
		Customer_ID: id,
		Due_Date: coming('01-31'),
		Invoice_Number: '2027-1',
		Item_Name: 'Travel',
		Item_Amount: '86.40',
	};
	await expectResponses([
		[
			'Find Charges',
			{ Limit: '5', Currency: 'eur', Type: 'Invoice' },
			Array.from({ length: 5 }, () => simplified),
		],
		['Find Charges', { Limit: '5', Currency: 'eur', Type: 'Invoice' }, /^(?!.*"source")/s],
		['Find Charges', { Limit: 'many', Currency: 'EUR', Type: 'invoice' }, /Limit/],
		['Get Link', { Payment_Link_ID: link.id }, [{ id: link.id }]],
		['Get Balances', { Currency: 'eur' }, /"currency":"EUR","open":"\d+\.\d{2,3}","overdue":"/],
		['List Members', {}, account.members.map(() => ({}))],
		['Get Member', { Team_Member_ID: account.members[0].id }, [{ id: account.members[0].id }]],
		['Invite Member', member, /invited/],
		['Find Invoices', { Return_All: true, Customer_ID: id }, /billing1@customer.example/],
		['Create From Rows', row, /"outcome":"created"/],
		['Get Charge', { Charge_ID: charge.id }, [{ id: charge.id, payer: expect.any(String) }]],
		['Get Invoice', { Invoice: full.invoice_number }, [{ id: full.id, amount: full.amount }]],
		['Get Invoice by ID', { Invoice: full.id }, [{ id: full.id }]],
		[
			'Get Invoice',
			{ Invoice: '2026-none' },
			/No invoice with the number \\"2026-none\\" was found in the service/,
		],
		['Get Invoice by ID', { Invoice: full.invoice_number }, /choose 'By Number'/],
	]);
	expect(created()).toHaveLength(1);
});

test('the model gets a description and the arguments of each tool', async () => {
	await expectResponses([]);
	const [{ tools: offered }] = model.asked;
	const known = Object.fromEntries(
		offered.map(({ function: { name, description, parameters } }) => [
			name,
			[description, ...Object.keys(parameters.properties).sort()],
		]),
	);
	expect(Object.keys(known).sort()).toEqual(names.map(toolName).sort());
	const wanted = ['Get many charges in Invoicing and Payments', 'Currency', 'Limit', 'Type'];
	expect(known.Find_Charges).toEqual(wanted);
	expect(known.Get_Invoice).toEqual(['Get invoice in Invoicing and Payments', 'Invoice']);
	expect(known.Create_Invoice[0]).toBe('Create invoice in Invoicing and Payments');
});

test('[R12] an agent bills from emails and rows, and nobody twice, without settings', async () => {
	const { email } = world().account.customers[0];
	const invoice = {
		Customer: email,
		Items__JSON_: '[{"name":"Consulting","amount":"100","quantity":1}]',
		Invoice_Number: '2027-11',
	};
	const row = {
		Customer: email,
		Item: 'Work',
		Price: '5.00',
		Currency: 'EUR',
		Due: coming('01-31'),
	};
	const rows = JSON.stringify([
		{ ...row, 'Invoice Number': 'R-1' },
		{ ...row, 'Invoice Number': 'R-2', Qty: 3 },
	]);
	await expectResponses([
		['Create Numbered Invoice', invoice, /"outcome":"created"/],
		['Create Numbered Invoice', invoice, /"outcome":"found"/],
		['Create From Given Rows', { Preview_Only: true, Rows: 'two rows' }, /Rows must be a JSON list/],
		['Create From Given Rows', { Preview_Only: true, Rows: rows }, [{ action: 'create', total: 'EUR 5.00' }, { action: 'create', total: 'EUR 15.00' }]],
		['Create From Given Rows', { Preview_Only: false, Rows: rows }, [{ outcome: 'created' }, { outcome: 'created' }]],
		['Create From Given Rows', { Preview_Only: false, Rows: rows }, [{ outcome: 'found' }, { outcome: 'found' }]],
	]); // prettier-ignore
	expect(created()).toHaveLength(3);
});

test('[R1] Maximum Invoices counts all calls of an agent in an execution together', async () => {
	const { email } = world().account.customers[0];
	const call = (number: string) => ({
		Customer: email,
		Items__JSON_: '[{"name":"Consulting","amount":"100","quantity":1}]',
		Invoice_Number: number,
	});
	await expectResponses([
		['Create Few Invoices', call('2028-1'), /"outcome":"created"/],
		['Create Few Invoices', call('2028-2'), /"outcome":"created"/],
		[
			'Create Few Invoices',
			call('2028-3'),
			/3 invoices would be created together with its earlier calls, but 'Maximum Invoices' is 2/,
		],
	]);
	expect(created()).toHaveLength(2);
});
