import type { Browser, Locator, Page } from 'playwright-core';
import { owner } from './api';

/** n8n's editor in a browser, as a user sees it. Every method waits, and throws Playwright's error in the end. */
export class Editor {
	private constructor(readonly page: Page) {}

	static async open(
		browser: Browser,
		url: string,
		theme: 'light' | 'dark' = 'light',
	): Promise<Editor> {
		const page = await browser.newPage({
			baseURL: url,
			viewport: { width: 1440, height: 900 },
			colorScheme: theme,
			locale: 'en-US',
		});
		page.setDefaultTimeout(60_000);
		await page.goto('/signin');
		await page.locator('input[type=email]').fill(owner.email);
		await page.locator('input[type=password]').fill(owner.password);
		await page.locator('button[type=submit], [data-test-id=form-submit-button]').first().click();
		await page.waitForURL((address) => !address.pathname.startsWith('/signin'));
		return new Editor(page);
	}

	/** An element by n8n's own test ID. */
	part(id: string): Locator {
		return this.page.locator(`[data-test-id="${id}"]`);
	}

	text(words: string | RegExp): Locator {
		return this.page.getByText(words).first();
	}

	async openWorkflow(id: string): Promise<void> {
		await this.page.goto(`/workflow/${id}`);
		await this.part('canvas-node').first().waitFor();
	}

	async openNode(workflowId: string, nodeName: string): Promise<void> {
		await this.openWorkflow(workflowId);
		await this.showNode(nodeName);
	}

	/** Opens a node's panel in the open workflow. Earlier output stays. */
	async showNode(name: string): Promise<void> {
		const close = this.part('ndv-close-button');
		if (await close.isVisible()) {
			await close.click();
			await this.part('ndv').waitFor({ state: 'hidden' });
		}
		const node = this.page.locator(`[data-test-id=canvas-node][data-node-name="${name}"]`);
		// The name of a tool covers the middle of its circle.
		await node.first().click({ position: { x: 30, y: 30 } });
		await this.page.keyboard.press('Enter');
		await this.part('ndv').waitFor();
		await this.part('node-parameters').waitFor();
	}

	/** Searches for the first node of a new workflow. */
	async searchNode(words: string): Promise<void> {
		await this.page.goto('/workflow/new');
		await this.page
			.locator('[data-test-id=canvas-add-button], [data-test-id=node-creator-plus-button]')
			.first()
			.click();
		await this.part('node-creator-search-bar').fill(words);
	}

	field(name: string): Locator {
		const at = `[data-test-id="parameter-input-${name}"]`;
		return this.page.locator(`${at} input, ${at} textarea`).first();
	}

	async choose(name: string, option: string): Promise<void> {
		await this.part(`parameter-input-${name}`).click();
		await this.part('parameter-input-item')
			.filter({ hasText: option, visible: true })
			.first()
			.click();
	}

	async chooseSeveral(name: string, ...options: string[]): Promise<void> {
		const opener = this.part(`parameter-input-${name}`).locator('.el-select__caret');
		await opener.click();
		for (const option of options) {
			await this.page
				.getByRole('option', { name: option, exact: true })
				.filter({ visible: true })
				.click();
		}
		await opener.click();
	}

	/** `button`: e.g. Add Option. */
	async add(button: string, field: string): Promise<void> {
		const opener = this.page
			.getByPlaceholder(button, { exact: true })
			.filter({ visible: true })
			.first();
		// At the lower edge of a small window, buttons of the panel cover it.
		await opener.evaluate((element) => element.scrollIntoView({ block: 'center' }));
		await opener.click();
		await this.part('collection-parameter-option')
			.filter({ hasText: field, visible: true })
			.first()
			.click();
	}

	/** After a change of mode, a busy editor may restore the old value. Types until the new one stays. */
	async fillLocator(value: string): Promise<void> {
		const input = this.part('rlc-input').first();
		for (let tries = 0; tries < 20; tries++) {
			await input.fill(value);
			await this.page.waitForTimeout(500);
			if ((await input.inputValue()) === value) return;
		}
		throw new Error(`The locator does not keep "${value}"`);
	}

	/** Executes a node that should fail. Returns the error's text. */
	async executeExpectingError(): Promise<string> {
		const outcome = await this.outcomeOf('node-execute-button');
		if (outcome !== 'error') throw new Error(`The run ended with: ${outcome}`);
		const shown = this.part('output-panel');
		await this.part('node-error-message').or(shown.locator('.node-error-view')).first().waitFor();
		return await shown.innerText();
	}

	async openList(name: string): Promise<void> {
		await this.part(`resource-locator-${name}`).locator('[data-test-id=rlc-input]').click();
	}

	/** Picks the first result. Returns its text. */
	async pick(name: string, search: string): Promise<string> {
		await this.openList(name);
		await this.part('rlc-item').first().waitFor();
		await this.page.keyboard.type(search);
		const found = this.part('rlc-item').filter({ hasText: new RegExp(search, 'i') });
		await found.first().waitFor();
		const words = await found.first().innerText();
		await found.first().click();
		return words;
	}

	async drag(column: string, field: string): Promise<void> {
		const item = this.part('ndv-input-panel')
			.locator('[data-name]')
			.filter({ hasText: new RegExp(`^\\W*${column}\\W*$`) });
		const target = this.page.locator(
			`[data-test-id*='value["${field}"]-parameter-input-options-container']`,
		);
		const mapped = this.text(`{{ $json.${column} }}`);
		// The panel moves during the first drag.
		for (let attempt = 1; !(await mapped.isVisible()) && attempt <= 4; attempt++) {
			await target.evaluate((element) => element.scrollIntoView({ block: 'center' }));
			const from = await item.first().boundingBox();
			if (!from) continue;
			const { mouse } = this.page;
			await mouse.move(from.x + 20, from.y + from.height / 2);
			await mouse.down();
			await mouse.move(from.x + 60, from.y + 40, { steps: 4 });
			const to = await target.boundingBox();
			if (to) await mouse.move(to.x + 60, to.y + to.height + 14, { steps: 8 });
			await mouse.up();
			await mapped.waitFor({ timeout: 2000 }).catch(() => undefined);
		}
		await mapped.waitFor();
	}

	async execute(): Promise<void> {
		await this.run('node-execute-button');
		await this.part('node-run-status-success').waitFor();
	}

	async executeWorkflow(): Promise<void> {
		await this.run('execute-workflow-button');
	}

	/** Throws what the page shows unless the run succeeded. */
	private async run(button: string): Promise<void> {
		const outcome = await this.outcomeOf(button).catch((error: Error) => error.message);
		if (outcome === 'success') return;
		const shown = await this.page.locator('body').innerText();
		throw new Error(`The run ended with: ${outcome}\n\nThe page showed:\n${shown}`);
	}

	/** Not from n8n's note of success: it is missing if the execution ends before the click's response. */
	private async outcomeOf(button: string): Promise<string> {
		const [execution] = await Promise.all([
			this.page.waitForResponse(/\/rest\/executions\/\d+$/),
			this.page.waitForResponse(/\/rest\/workflows\/\w+\/run$/),
			this.part(button).first().click(),
		]);
		return ((await execution.json()) as { data: { status: string } }).data.status;
	}

	async showOutputAs(view: 'schema' | 'table' | 'json'): Promise<void> {
		const choice = `[data-test-id=radio-button-${view}]`;
		await this.part('output-panel').locator(choice).first().click();
	}

	async readTable(): Promise<{ headers: string[]; rows: string[][] }> {
		await this.showOutputAs('table');
		const table = this.part('output-panel').locator('table').first();
		await table.waitFor();
		const headers = await table.locator('thead th').allInnerTexts();
		const lines = await table.locator('tbody tr').all();
		const rows = await Promise.all(
			lines.map(async (line) => await line.locator('td').allInnerTexts()),
		);
		return { headers: headers.map((text) => text.trim()).filter(Boolean), rows };
	}

	async dismissNotes(): Promise<void> {
		const close = this.page.locator('.el-notification__closeBtn');
		while (await close.count()) {
			await close
				.first()
				.click({ timeout: 2000 })
				.catch(() => undefined);
			await this.page.waitForTimeout(300);
		}
	}
}
