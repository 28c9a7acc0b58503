import type { Browser, Page } from 'playwright-core';
import { openBrowser, openEditor, openNode } from '../../host/browser';
import { readExample } from '../../host/stage';
import { useStage } from '../helpers/stage';

const n8n = useStage();
jest.setTimeout(120_000);

let browser: Browser;
let page: Page;
beforeAll(async () => {
	browser = await openBrowser();
	page = await openEditor(browser, n8n.stage.n8n.url);
}, 60_000);
afterAll(async () => await browser?.close());

const text = (words: string | RegExp) => page.getByText(words).first();

test('a person finds the node by a word of their own and picks an operation', async () => {
	await page.goto('/workflow/new');
	await page
		.locator('[data-test-id=canvas-add-button], [data-test-id=node-creator-plus-button]')
		.first()
		.click();
	await page.locator('[data-test-id=node-creator-search-bar]').fill('receivable');
	await text('Invoicing and Payments').click();
	await text(/^Actions/).click();
	await text('Create an invoice for a customer with items').click();
	for (const label of ['Customer ID', 'Currency', 'Due Date', 'Items', 'Additional Fields']) {
		await page
			.locator('[data-test-id=parameter-item], .parameter-item, label')
			.filter({ hasText: label })
			.first()
			.waitFor();
	}
});

test('the editor runs the spreadsheet example and shows what came out', async () => {
	const example = readExample('invoices-from-spreadsheet', n8n.stage);
	await n8n.stage.api.saveWorkflow(example);
	await page.goto(`/workflow/${example.id}`);
	await page.locator('[data-test-id=execute-workflow-button]').first().click();
	await text('Workflow executed successfully').waitFor();
	// What came out is gone when the page is loaded again.
	await page.locator('[data-test-id=canvas-node][data-node-name="Create Invoices"]').click();
	await page.keyboard.press('Enter');
	await text('Columns that belong to no field and were not used: "Customer".').waitFor();
	await text('25 rows for 20 invoices: 20 created.').waitFor();
	expect(
		n8n.stage.simulator.world.account.invoices.length - n8n.stage.simulator.world.settings.invoices,
	).toBe(40);
});

test('the columns of a sheet are mapped by hand', async () => {
	const example = readExample('invoices-from-spreadsheet', n8n.stage);
	const create = { resource: 'invoice', operation: 'createFromRows' };
	await n8n.stage.api.saveWorkflow({
		...example,
		nodes: example.nodes.map((node) =>
			node.name === 'Create Invoices' ? { ...node, parameters: create } : node,
		),
	});
	await openNode(page, example.id, 'Create Invoices');
	for (const label of ['Item Name', 'Item Amount', 'Item Quantity']) await text(label).waitFor();
	await text('Add field to send').click();
	await text('Discount Percentage').waitFor();
	await page.keyboard.press('Escape');
});

test('before the first run the editor shows which fields will come', async () => {
	const example = readExample('invite-team-member', n8n.stage);
	await n8n.stage.api.saveWorkflow(example);
	await openNode(page, example.id, 'Get Member');
	await text('Usually outputs the following fields').waitFor();
	await text('job_title').waitFor();
});

test('the credential dialog tests the key', async () => {
	await page.locator('[data-test-id=credential-edit-button]').first().click();
	await text('Connection tested successfully').waitFor();
	n8n.stage.simulator.world.set({ apiKey: 'another-example-key' });
	await page.getByRole('button', { name: 'Retry' }).click();
	await text('More details').click();
	await text('The service did not accept the API key').waitFor();
});

test('the trigger is found by what it is for, and shows the newest charges', async () => {
	await page.goto('/workflow/new');
	await page
		.locator('[data-test-id=canvas-add-button], [data-test-id=node-creator-plus-button]')
		.first()
		.click();
	await page.locator('[data-test-id=node-creator-search-bar]').fill('payment received');
	await text('Invoicing and Payments').click();
	await text('On new charge').click();
	for (const words of ['Start With', 'Filters', 'Poll Times']) {
		await text(words).waitFor();
	}
	await page.getByPlaceholder('Add Filter').first().waitFor();

	n8n.stage.simulator.world.reset();
	const example = readExample('new-charge-to-spreadsheet', n8n.stage);
	await n8n.stage.api.saveWorkflow(example);
	await openNode(page, example.id, 'New Charge');
	await text('Fetch Test Event').click();
	await text('10 items').waitFor();
	await n8n.stage.api.saveWorkflow({
		...example,
		nodes: example.nodes.map((node) =>
			node.name === 'New Charge'
				? { ...node, parameters: { ...node.parameters, filters: { currency: 'XXX' } } }
				: node,
		),
	});
	await openNode(page, example.id, 'New Charge');
	await text('Fetch Test Event').click();
	await text('No charge matches the filters yet').waitFor();
});

test('publishing with a wrong key says so', async () => {
	const example = readExample('new-charge-to-spreadsheet', n8n.stage);
	await n8n.stage.api.saveWorkflow(example);
	n8n.stage.simulator.world.set({ apiKey: 'another-example-key' });
	await page.goto(`/workflow/${example.id}`);
	await page
		.getByRole('button', { name: /Publish/ })
		.first()
		.click();
	await page
		.getByRole('dialog')
		.getByRole('button', { name: /Publish/ })
		.first()
		.click();
	await text('The service did not accept the API key').waitFor({ timeout: 60_000 });
	await n8n.stage.api.deactivate(example.id);
});
