import type { INodeParameters } from 'n8n-workflow';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../host/browser';
import { Editor } from '../host/editor';
import type { Stage } from '../host/stage';
import { exampleNames, openStage, readExample } from '../host/stage';
import { ourNode, workflowOf } from '../host/workflowOf';
import { endpointOf } from '../../contract';
import { resources } from '../../nodes/InvoicingPayments/actions';
import { picturesFolder, shownPictures } from '../docs';
import { fs, log, nodeProcess, os, parseArgs, path } from '../node';

type Picture = (editor: Editor, stage: Stage) => Promise<void>;

async function openPanel(
	editor: Editor,
	stage: Stage,
	name: string,
	parameters: INodeParameters,
	kind: '' | 'Tool' = '',
): Promise<void> {
	const { nodes, settings } = workflowOf([], ourNode(stage, parameters));
	const id = `panel${Date.now()}`;
	const [start] = nodes;
	const last = nodes[nodes.length - 1];
	const node = { ...last, name, type: `${last.type}${kind}` };
	await stage.api.saveWorkflow({
		id,
		name: 'Picture',
		settings,
		nodes: [start, node],
		connections: kind ? {} : { [start.name]: { main: [[{ node: name, type: 'main', index: 0 }]] } },
	});
	await editor.openNode(id, name);
}

const panel =
	(name: string, parameters: (stage: Stage) => INodeParameters): Picture =>
	async (editor, stage) => {
		await openPanel(editor, stage, name, parameters(stage));
		await editor.execute();
		await editor.showOutputAs('table');
	};

/** The preview of the example's CSV file, in a node as it is when it is new. */
async function openPreview(
	editor: Editor,
	stage: Stage,
	parameters: INodeParameters = {},
): Promise<void> {
	const example = readExample('invoices-from-spreadsheet', stage);
	const create = example.nodes.find(({ name }) => name === 'Create Invoices');
	const reading = { __rl: true, mode: 'list', value: '' };
	if (create)
		create.parameters = { ...create.parameters, previewOnly: true, reading, ...parameters };
	await editor.openWorkflow(await stage.api.saveWorkflow(example));
	await editor.executeWorkflow();
	await editor.showNode('Create Invoices');
	await editor.showOutputAs('table');
}

/** Credentials of n8n's own nodes: without them, the canvas marks the nodes red. */
const credentialData: Record<string, [type: string, data: Record<string, unknown>]> = {
	'n8n-nodes-base.formTrigger': ['httpBasicAuth', { user: 'office', password: 'dummy' }],
	'n8n-nodes-base.emailSend': ['smtp', { user: 'office', password: 'dummy', host: '127.0.0.1' }],
	'n8n-nodes-base.emailSendHitlTool': [
		'smtp',
		{ user: 'office', password: 'dummy', host: '127.0.0.1' },
	],
	'@n8n/n8n-nodes-langchain.lmChatOpenAi': [
		'openAiApi',
		{ apiKey: 'none', url: 'http://127.0.0.1:9/v1', header: false },
	],
	'@n8n/n8n-nodes-langchain.mcpTrigger': ['httpBearerAuth', { token: 'dummy' }],
	'n8n-nodes-base.googleSheets': ['googleSheetsOAuth2Api', {}],
	'n8n-nodes-base.microsoftExcel': ['microsoftExcelOAuth2Api', {}],
	'n8n-nodes-base.slack': ['slackApi', { accessToken: 'dummy' }],
	'n8n-nodes-base.httpRequest': ['clockifyApi', { apiKey: 'dummy' }],
	'n8n-nodes-base.wooCommerce': [
		'wooCommerceApi',
		{ url: 'https://shop.example', consumerKey: 'dummy', consumerSecret: 'dummy' },
	],
};

async function credentialsFor({ api }: Stage) {
	const saved = Object.entries(credentialData).map(async ([node, [type, data]]) => {
		const id = await api.saveCredential({ name: `Picture ${type}`, type, data });
		return [node, { type, id }] as const;
	});
	return Object.fromEntries(await Promise.all(saved));
}

const canvas =
	(name: string): Picture =>
	async (editor, stage) => {
		// A new ID, because the page of another picture may still save.
		const others = await credentialsFor(stage);
		const example = { ...readExample(name, stage, others), id: `canvas${Date.now()}` };
		await stage.api.saveWorkflow(example);
		await editor.openWorkflow(example.id);
		await editor.part('zoom-to-fit').click();
	};

const locator = (value: string, cachedResultName: string) => ({
	__rl: true,
	mode: 'list',
	value,
	cachedResultName,
});

const customerOf = ({ simulator }: Stage) => {
	const [{ id, name, email }] = simulator.world.account.customers;
	return locator(id, `${name}, ${email} (${id.slice(0, 8)})`);
};

const kebab = (text: string) =>
	text
		.replace(/([a-z])([A-Z ])/g, '$1-$2')
		.replace(/ /g, '')
		.toLowerCase();

/** The panel of an operation that reads: a list, or what its only required field names. */
const readers = resources.flatMap(({ value: resource, operations }) =>
	operations
		.filter(({ routing }) => routing.request.method === 'GET')
		.map(({ value: operation, name, action, fields, routing }): [string, Picture] => [
			`${kebab(resource)}-${kebab(name)}`,
			panel(action, ({ simulator }) => {
				const asked = fields.find(({ required }) => required);
				const { path = '' } = endpointOf(routing.request) ?? {};
				const [{ id }] = asked ? simulator.world.account.at(path) : [{ id: '' }];
				const given =
					asked?.type === 'resourceLocator' ? { __rl: true, mode: 'id', value: id } : id;
				return {
					resource,
					operation,
					...(asked ? { [asked.name]: given } : { limit: 10 }),
				};
			}),
		]),
);

/** Those of `readers` that show more, the creates and the others. */
const pictures: Record<string, Picture> = {
	...Object.fromEntries(readers),
	'invoice-create': panel('Create Invoice', (stage) => ({
		resource: 'invoice',
		operation: 'create',
		customerId: customerOf(stage),
		currency: 'EUR',
		dueDate: '2027-01-31',
		items: { item: [{ name: 'Consulting', amount: '1200.00', quantity: 2 }] },
		additionalFields: { invoiceNumber: '2027-0001' },
		ifInvoiceNumberExists: 'returnExisting',
	})),
	'invoice-create-from-rows': async (editor, stage) => await openPreview(editor, stage),
	'other-readings': async (editor, stage) => {
		// A quantity and an amount can mean two sums.
		const rows = [
			'Customer,Article,Qty,Amount',
			'Núñez GmbH,Screws,10,50.00',
			'Kaya Studio,Hinges,4,18.00',
		];
		const file = path.join(stage.filesFolder, 'invoices.csv');
		const example = fs.readFileSync(file);
		fs.writeFileSync(file, rows.join('\n'));
		await openPreview(editor, stage, { defaults: { currency: 'EUR', dueInDays: 14 } });
		await editor.dismissNotes();
		await editor.openList('reading');
		await editor.part('rlc-item').first().waitFor();
		fs.writeFileSync(file, example);
	},
	'tool-output': async (editor, stage) => {
		const output = { output: 'selected', outputFields: ['payer', 'status', 'total'] };
		const parameters = { resource: 'charge', operation: 'getAll', limit: 5, ...output };
		await openPanel(editor, stage, 'Find Charges', parameters, 'Tool');
	},
	'invoice-get': panel('Get Invoice', ({ simulator }) => {
		const [{ listed }] = simulator.world.account.invoices;
		const value = String(listed.invoice_number);
		return {
			resource: 'invoice',
			operation: 'get',
			invoiceId: { __rl: true, mode: 'number', value },
		};
	}),
	'invoice-get-many': panel('Get Invoices', () => ({
		resource: 'invoice',
		operation: 'getAll',
		limit: 10,
		filters: { status: ['overdue', 'unpaid'], dueBefore: '2026-07-01T00:00:00' },
	})),
	'charge-get-many': panel('Get Charges', () => ({
		resource: 'charge',
		operation: 'getAll',
		limit: 10,
		filters: { currency: 'EUR', status: { __rl: true, mode: 'name', value: 'authorised' } },
	})),
	'member-create': panel('Invite Member', () => ({
		resource: 'member',
		operation: 'create',
		firstName: 'Katarzyna',
		lastName: 'Dąbrowska',
		email: 'katarzyna@team.example',
		jobTitle: 'Accountant',
		role: 'staff',
	})),
	'member-get': panel('Get Member', ({ simulator }) => {
		const [{ id, user, job_title: title }] = simulator.world.account.members;
		const name = `${user.first_name} ${user.last_name} (${title})`;
		return { resource: 'member', operation: 'get', memberId: locator(id, name) };
	}),
	trigger: async (editor, stage) => {
		await canvas('new-charge-to-spreadsheet')(editor, stage);
		await editor.showNode('New Charge');
		await editor.text('Fetch Test Event').click();
		await editor.text('10 items').waitFor();
		await editor.showOutputAs('table');
	},
	credential: async (editor) => {
		await editor.page.goto('/home/credentials');
		const ours = editor.part('resources-list-item').filter({ hasText: 'Invoicing and Payments' });
		await ours.first().click();
		await editor.text('Connection tested successfully').waitFor();
	},
	'node-creator': async (editor) => {
		await editor.searchNode('billing');
		await editor.text('Invoicing and Payments').click();
		await editor.text(/^Actions/).click();
	},
	...Object.fromEntries(exampleNames().map((name) => [`examples/${name}`, canvas(name)])),
	'examples/invoices-from-spreadsheet': async (editor, stage) => {
		await canvas('invoices-from-spreadsheet')(editor, stage);
		await editor.executeWorkflow();
	},
};

let picturesTaken = 0;
const shown = shownPictures();
const tall = ['invoice-create', 'invoice-create-from-rows'];

/** Takes only the files that a page shows, so that a dark picture is taken only if there is one. */
async function takeAll(
	browser: Browser,
	stage: Stage,
	wanted: string[],
	folder: string,
): Promise<void> {
	for (const theme of ['light', 'dark'] as const) {
		const end = theme === 'dark' ? '.dark.png' : '.png';
		const names = wanted.filter((name) => shown.includes(`${name}${end}`));
		if (!names.length) continue;
		const editor = await Editor.open(browser, stage.n8n.url, theme);
		for (const name of names) {
			await stage.useKey(`your-simulator-key-${(picturesTaken += 1)}`);
			await editor.page.setViewportSize({ width: 1280, height: tall.includes(name) ? 1240 : 800 });
			await pictures[name](editor, stage);
			await editor.dismissNotes();
			// Wait for animations.
			await editor.page.waitForTimeout(500);
			const target = path.join(folder, `${name}${end}`);
			fs.mkdirSync(path.dirname(target), { recursive: true });
			await editor.page.screenshot({ path: target });
			log(target);
		}
		await editor.page.close();
	}
}

/** Takes all pictures of the documentation in a real n8n, or only named ones. `--out` sets the folder. */
async function main(): Promise<void> {
	const { values, positionals } = parseArgs({
		allowPositionals: true,
		options: { out: { type: 'string', default: picturesFolder } },
	});
	const known = Object.keys(pictures);
	const unknown = positionals.filter((name) => !known.includes(name));
	if (unknown.length) {
		throw new Error(`There is no picture ${unknown.join(', ')}. Known: ${known.join(', ')}`);
	}
	const unused = positionals.filter((name) => !shown.includes(`${name}.png`));
	if (unused.length) {
		throw new Error(`No page shows ${unused.join(', ')}. Add it to a page, then take it.`);
	}
	const userFolder = fs.mkdtempSync(path.join(os.tmpdir(), 'invoicing-payments-'));
	const stage = await openStage({ userFolder, log });
	try {
		const browser = await openBrowser();
		try {
			await takeAll(browser, stage, positionals.length ? positionals : known, values.out);
		} finally {
			await browser.close();
		}
	} finally {
		await stage.close();
		fs.rmSync(userFolder, { recursive: true, force: true });
	}
}

main().catch((error: unknown) => {
	nodeProcess.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
	nodeProcess.exitCode = 1;
});
