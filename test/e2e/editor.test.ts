import type { Browser } from 'playwright-core';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { events } from '../../nodes/InvoicingPaymentsTrigger/events';
import { openBrowser } from '../../tools/host/browser';
import { Editor } from '../../tools/host/editor';
import { note } from '../../tools/host/secretNotes';
import { ownId, sharedN8n } from '../../tools/host/sharedN8n';
import { readExample, triggerOf } from '../../tools/host/stage';
import { runsN8n1 } from '../../tools/host/version';
import { ourNode, workflowOf } from '../../tools/host/workflowOf';
import { until } from '../../tools/until';
import { useStage } from '../helpers/n8n/stage';
import { coming } from '../helpers/sheets/coming';

const n8n = useStage();
const { world, created } = n8n;
jest.setTimeout(300_000);

let browser: Browser;
let editor: Editor;
beforeAll(async () => {
	browser = await openBrowser();
	editor = await Editor.open(browser, n8n.stage.n8n.url);
}, 120_000);
afterAll(async () => await browser?.close());

/** Opens the panel of our node, behind a node that gives the items. */
async function openOurNode(parameters: INodeParameters, ...items: IDataObject[]): Promise<void> {
	// The editor would show an earlier run under the same ID.
	const id = `panel${Date.now()}`;
	const workflow = {
		...workflowOf(items.length ? items : [{}], ourNode(n8n.stage, parameters)),
		id,
	};
	await editor.openNode(await n8n.stage.api.saveWorkflow(workflow), 'Node');
}

const ourName = 'Invoicing and Payments';

/** Searches nodes by each of the words, and expects ours. */
async function expectFoundBy(...words: string[]): Promise<void> {
	await editor.searchNode(words[0]);
	for (const each of words) {
		// What the last word found must not be taken for this one's.
		await editor.part('node-creator-search-bar').fill('no node has this name');
		await editor.text(ourName).waitFor({ state: 'hidden' });
		await editor.part('node-creator-search-bar').fill(each);
		await editor.text(ourName).waitFor();
	}
	await editor.text(ourName).click();
}

async function expectShown(...words: Array<string | RegExp>): Promise<void> {
	for (const each of words) await editor.text(each).waitFor();
}

/** Runs the node and gives its output. */
async function execute() {
	await editor.dismissNotes();
	await editor.execute();
	return await editor.readTable();
}

/** Saves an example with other parameters of its trigger, and opens the trigger's panel. */
async function openTriggerOf(name: string, change: INodeParameters = {}): Promise<void> {
	const example = readExample(name, n8n.stage);
	const trigger = triggerOf(example);
	const nodes = example.nodes.map((node) =>
		node.name === trigger ? { ...node, parameters: { ...node.parameters, ...change } } : node,
	);
	await editor.openNode(await n8n.stage.api.saveWorkflow({ ...example, nodes }), trigger);
}

const queried = (name: string) => world().traffic.requests.map(({ query }) => query[name]);

test('phrases that people type find the node first', async () => {
	await editor.searchNode('');
	const phrases = [
		...['invoice from sheet', 'invoice from spreadsheet', 'invoices from csv', 'excel invoices'],
		...['bill customers from google sheets', 'customer pays', 'when customer pays'],
		...['payment received', 'overdue invoices', 'find customer'],
		...['who owes me', 'open balance', 'receivables', 'rent invoices', 'outstanding invoices'],
		...['subscription billing', 'vat invoice', 'import csv', 'debtors', 'accounts receivable'],
		...['statement of account', 'Rechnung', 'facture', 'who owes what', 'open invoices'],
		...['payment reminder', 'recurring', 'monthly billing', 'bookkeeping', 'import invoices'],
		...['client list', 'rows to invoices', 'debt collection', 'aging'],
	];
	for (const phrase of phrases) {
		await editor.part('node-creator-search-bar').fill(phrase);
		await editor.text(ourName).waitFor();
		const [first] = await editor.part('item-iterator-item').allInnerTexts();
		expect([phrase, first.split('\n')[0]]).toEqual([phrase, ourName]);
	}
	await editor.text(ourName).click();
	await expectShown('On invoice paid', 'On new charge');
	await editor.text(/^Actions/).click();
	await expectShown('Create invoices from spreadsheet rows', 'Get many customers');
});

test('the node is found by everyday words, and offers its operations', async () => {
	await expectFoundBy(
		...['billing', 'pay link', 'checkout', 'receivable', 'create invoice', 'send invoice'],
		...['spreadsheet invoice', 'refund', 'receipt', 'accounting'],
	);
	await editor.text(/^Actions/).click();
	await editor.text(/^Create invoice$/).click();
	for (const label of ['Customer', 'Currency', 'Due Date', 'Items', 'Invoice Number']) {
		await editor.part('parameter-item').filter({ hasText: label }).first().waitFor();
	}
	await expectShown('Every run creates new invoices');
	await editor.choose('resource', 'Payment Link');
	await expectShown('Payment Link ID');
	await editor.choose('resource', 'Charge');
	await expectShown('Return All');
});

test('an invoice is entered and created, and the second run finds it', async () => {
	await openOurNode({ resource: 'invoice', operation: 'create' });
	const customer = await editor.pick('customerId', 'Ivanova');
	await editor.field('currency').fill('EUR');
	await editor.field('dueDate').fill('2027-01-31');
	await editor.page.keyboard.press('Enter');
	await editor.field('name').fill('Consulting');
	await editor.field('amount').fill('1200.50');
	await editor.field('quantity').fill('2');
	await editor.part('fixed-collection-add').first().click();
	await editor.page.locator('[data-test-id=parameter-input-name] input').nth(1).fill('Travel');
	await editor.page.locator('[data-test-id=parameter-input-amount] input').nth(1).fill('86.4');
	await editor.field('invoiceNumber').fill('2027-0001');
	await editor.choose('ifInvoiceNumberExists', 'Return Existing');
	for (const outcome of ['created', 'found']) {
		const { headers, rows } = await execute();
		expect(headers.slice(0, 4)).toEqual(['outcome', 'invoice_number', 'status', 'amount']);
		expect(rows[0].slice(0, 2)).toEqual([outcome, '2027-0001']);
	}
	expect(created()).toHaveLength(1);
	const [{ request }] = created();
	expect(request).toMatchObject({
		due_date: '2027-01-31',
		items: [
			{ name: 'Consulting', amount: '1200.50', quantity: 2 },
			{ name: 'Travel', amount: '86.4', quantity: 1 },
		],
	});
	const picked = world().account.customers.find(({ id }) => id === request.customer);
	expect(customer).toContain(picked?.name);
});

test('columns are mapped by dragging, and another field is added', async () => {
	const { id } = world().account.customers[0];
	const mapped: Array<[column: string, field: string, value: string]> = [
		['Client', 'customerId', id],
		['What', 'itemName', 'Consulting'],
		['Price', 'itemAmount', '100.00'],
		['Money', 'currency', 'EUR'],
		['Deadline', 'dueDate', coming('01-31')],
		['Nr', 'invoiceNumber', 'A-1'],
	];
	const row = Object.fromEntries(mapped.map(([column, , value]) => [column, value]));
	const columns = { mappingMode: 'defineBelow', value: null } as never;
	const parameters = { resource: 'invoice', operation: 'createFromRows', columns };
	await openOurNode({ ...parameters, columnsMode: 'manual' }, row);
	await editor.text('Execute previous nodes').click();
	await editor.part('run-data-schema-item').first().waitFor();
	await editor.dismissNotes();
	for (const [column, field] of mapped) await editor.drag(column, field);
	const words = 'Add field to send';
	await editor.text(words).or(editor.page.getByPlaceholder(words)).first().click();
	await editor.text('Discount Percentage').click();
	const discount = editor.page
		.locator('.parameter-item', { hasText: 'Discount Percentage' })
		.locator('input')
		.last();
	await discount.fill('10');
	// n8n 1 loses the next click otherwise.
	await discount.blur();
	await editor.page.waitForTimeout(500);
	await editor.execute();
	await editor.dismissNotes();
	await editor.openList('reading');
	await editor.part('rlc-item').first().click();
	await editor
		.part('parameter-input-previewOnly')
		.locator('.el-switch, [role=switch]')
		.first()
		.click();
	const { rows } = await execute();
	expect(rows[0].slice(0, 3)).toEqual(['created', '2', 'A-1']);
	await editor.text('1 invoice created from 1 row: EUR 90.00.').waitFor();
	expect(created()[0].request).toMatchObject({
		customer: id,
		due_date: coming('01-31'),
		items: [{ name: 'Consulting', amount: '100.00', quantity: 1 }],
		discount_percentage: 10,
	});
});

test('the editor runs the spreadsheet example and shows the result', async () => {
	const example = readExample('invoices-from-spreadsheet', n8n.stage);
	await editor.openWorkflow(await n8n.stage.api.saveWorkflow(example));
	await expectShown('Create From Rows: Invoice');
	await editor.executeWorkflow();
	// Loading the page again would lose the result.
	await editor.showNode('Create Invoices');
	await expectShown(/^20 invoices created from 25 rows: .*\.$/);
	expect(created()).toHaveLength(40);
});

test('a list shows why it is empty', async () => {
	world().set({ apiKey: 'another-example-key' });
	await openOurNode({ resource: 'member', operation: 'get' });
	await editor.openList('memberId');
	await editor.part('rlc-error-message').waitFor();
	expect(await editor.part('rlc-error-message').innerText()).toContain(
		'The service did not accept the API key',
	);
});

test('the next node shows the output fields of ours before the first run', async () => {
	// Other test files run the example.
	const id = ownId('outputFields');
	const example = { ...readExample('remind-overdue', n8n.stage), id, pinData: {} };
	await editor.openNode(await n8n.stage.api.saveWorkflow(example), 'One Line Each');
	await expectShown('Usually outputs the following fields', 'invoice_number');
});

test('charges are simplified or whole, with a warning about card data', async () => {
	const parameters = { resource: 'charge', operation: 'getAll', limit: 2 };
	await openOurNode(parameters);
	expect((await execute()).headers).toHaveLength(10);
	// No other service has the same cards.
	const seed = 7003;
	note(sharedN8n()?.root ?? '', { askedFor: seed, by: 'editor.test.ts: Include Card Data' });
	world().reset({ seed });
	await openOurNode({ ...parameters, simplify: false, options: { includeCardData: true } });
	await expectShown('n8n stores card numbers');
	await editor.execute();
	expect((await editor.readTable()).headers.length).toBeGreaterThan(20);
});

test('invoices are filtered by several statuses', async () => {
	await openOurNode({ resource: 'invoice', operation: 'getAll' });
	await editor.add('Add Filter', 'Status');
	await editor.part('parameter-input-status').getByText('Unpaid').first().waitFor();
	await editor.chooseSeveral('status', 'Paid', 'Overdue');
	await editor.execute();
	expect(new Set(queried('status'))).toEqual(new Set(['unpaid', 'paid', 'overdue']));
});

test('an invoice is picked from the list or found by its number', async () => {
	await openOurNode({ resource: 'invoice', operation: 'get' });
	const { full } = world().account.invoices[9];
	await editor.pick('invoiceId', full.invoice_number);
	const picked = await execute();
	expect(picked.headers.slice(0, 3)).toEqual(['invoice_number', 'title', 'status']);
	expect(picked.rows[0][0]).toBe(full.invoice_number);
	await editor.part('rlc-mode-selector').first().click();
	await editor.text('By Number').click();
	await editor.fillLocator('no such number');
	expect(await editor.executeExpectingError()).toContain(
		'No invoice with the number "no such number" was found in the service',
	);
});

test('a credential is created, and its test passes and fails', async () => {
	await editor.page.goto('/home/credentials');
	await editor.part('add-resource-credential').first().click();
	await editor.part('new-credential-type-select').locator('input').fill('Invoicing');
	const types = editor.part('new-credential-type-select-option');
	await types.filter({ hasText: 'Invoicing and Payments API', visible: true }).click();
	// The credential cannot be saved before n8n has named it.
	const named = editor.page.waitForResponse(/\/rest\/credentials\/new/);
	await Promise.all([named, editor.part('new-credential-type-button').click()]);
	// n8n.test.ts has the other results of the test.
	const tested: Array<[apiKey: string, words: string]> = [
		['wrong', 'The service did not accept the API key'],
		[world().settings.apiKey, 'Connection tested successfully'],
	];
	for (const [apiKey, words] of tested) {
		await editor.field('apiKey').fill(apiKey);
		await editor.field('baseUrl').fill(n8n.stage.simulator.url);
		await editor.part('credential-save-button').click();
		const more = editor.text('More details');
		await more.or(editor.text(words)).first().waitFor();
		if (await more.isVisible()) await more.click();
		await editor.text(words).waitFor();
	}
});

test('the trigger is found by its purpose, and shows the newest charges', async () => {
	await expectFoundBy('payment received');
	await editor.text('On new charge').click();
	await expectShown('Start With', 'Filters', 'Poll Times', 'Simplify');
	await editor.page.getByPlaceholder('Add Filter').first().waitFor();
	const example = 'new-charge-to-spreadsheet';
	for (const [change, words] of [
		[{}, '10 items'],
		[{ filters: { currency: 'XXX' } }, 'This is a sample, because nothing matches yet'],
	] as Array<[INodeParameters, string]>) {
		await openTriggerOf(example, change);
		await editor.text('Fetch Test Event').click();
		await expectShown(words);
	}
});

test('every event is found by everyday words', async () => {
	await expectFoundBy(
		...['invoice paid', 'paid invoice', 'overdue', 'late payment', 'dunning', 'invoice cancelled'],
		...[
			'new invoice',
			'new payment',
			'payment failed',
			'declined',
			'refund',
			'team member',
			'paid',
		],
	);
	await expectShown(...events.map(({ action }) => action));
	await editor.text('On invoice paid').click();
	await expect(editor.field('event').inputValue()).resolves.toBe('Invoice Paid');
});

/** Publishes the open workflow with n8n's button and dialog, or activates it with the switch of n8n 1. */
async function publish(): Promise<void> {
	if (runsN8n1()) {
		await editor.part('workflow-activate-switch').click();
		return;
	}
	const button = (within: Editor['page'] | ReturnType<Editor['text']>) =>
		within.getByRole('button', { name: /Publish/ }).first();
	await button(editor.page).click();
	await button(editor.page.getByRole('dialog')).click();
}

test('a template is imported from its file and published', async () => {
	const { api } = n8n.stage;
	await editor.page.goto('/workflow/new');
	await editor.part('canvas-wrapper').waitFor();
	// n8n would pick any credential of the type, and workers that share it have one each.
	const template = readExample('new-charge-notify', n8n.stage);
	const file = { name: 'new-charge-notify.json', mimeType: 'application/json' };
	const buffer = Buffer.from(JSON.stringify(template));
	await editor.part('workflow-import-input').setInputFiles({ ...file, buffer });
	await editor.text('New Charge, authorised').waitFor();
	await publish();
	if (!runsN8n1())
		await editor.text('What happens from now on will trigger this workflow').waitFor();
	const workflowId = () => /workflow\/(\w+)/.exec(editor.page.url())?.[1];
	const isActive = async () => {
		const { data } = await api.try('get', `/workflows/${workflowId()}`);
		return (data as { data?: { active: boolean } }).data?.active === true;
	};
	await until(isActive, () => 'n8n does not publish the template');
	await api.deactivate(String(workflowId()));
});

test('publishing with a wrong key shows an error', async () => {
	const example = readExample('new-charge-to-spreadsheet', n8n.stage);
	const id = await n8n.stage.api.saveWorkflow(example);
	world().set({ apiKey: 'another-example-key' });
	await editor.openWorkflow(id);
	await publish();
	await editor.text('The service did not accept the API key').waitFor({ timeout: 60_000 });
	await n8n.stage.api.deactivate(example.id);
});
