import type { Browser, Page } from 'playwright-core';
import { chromium } from 'playwright-core';
import { fs, nodeProcess } from '../scripts/node';
import { owner } from './api';

const candidates = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The installed Chromium; CHROMIUM_PATH names another one. Throws an Error that says how to get one. */
function chromiumPath(): string {
	const { CHROMIUM_PATH: chosen } = nodeProcess.env;
	const found = [chosen, ...candidates].find((file) => file !== undefined && fs.existsSync(file));
	if (!found) {
		throw new Error(
			'No Chromium was found. On Debian: apt-get install chromium. Elsewhere set CHROMIUM_PATH to the program of Chromium or Chrome.',
		);
	}
	return found;
}

/** A browser that asks nobody on the internet for anything. */
export async function openBrowser(): Promise<Browser> {
	return await chromium.launch({
		executablePath: chromiumPath(),
		args: [
			'--no-sandbox',
			'--disable-gpu',
			'--disable-quic',
			'--no-first-run',
			'--disable-background-networking',
			'--disable-component-update',
			'--disable-sync',
		],
	});
}

/** A page of n8n's editor, signed in as the owner. */
export async function openEditor(
	browser: Browser,
	url: string,
	theme: 'light' | 'dark' = 'light',
): Promise<Page> {
	const page = await browser.newPage({
		baseURL: url,
		viewport: { width: 1440, height: 900 },
		colorScheme: theme,
		locale: 'en-US',
	});
	page.setDefaultTimeout(30_000);
	await page.goto('/signin');
	await page.locator('input[type=email]').fill(owner.email);
	await page.locator('input[type=password]').fill(owner.password);
	await page.locator('button[type=submit], [data-test-id=form-submit-button]').first().click();
	await page.waitForURL((address) => !address.pathname.startsWith('/signin'));
	return page;
}

/** Opens a workflow and the panel of the node with that name. */
export async function openNode(page: Page, workflowId: string, nodeName: string): Promise<void> {
	await page.goto(`/workflow/${workflowId}`);
	await page.locator(`[data-test-id=canvas-node][data-node-name="${nodeName}"]`).first().click();
	await page.keyboard.press('Enter');
	await page.locator('[data-test-id=ndv], [data-test-id=node-parameters]').first().waitFor();
}
