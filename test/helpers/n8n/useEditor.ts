import type { Browser } from 'playwright-core';
import { openBrowser } from '../../../tools/host/browser';
import { Editor } from '../../../tools/host/editor';
import { newKey } from '../service/useSimulator';
import type { useStage } from './stage';

interface Customer {
	name: string;
	email: string;
}

/** The editor of n8n in a browser as large as a laptop's, with a count of the clicks, and an account that nothing remembers. */
export function useEditor(n8n: ReturnType<typeof useStage>) {
	let browser: Browser | undefined;
	let editor: Editor | undefined;
	const counted = { clicks: 0 };
	beforeAll(async () => {
		browser = await openBrowser();
		editor = await Editor.open(browser, n8n.stage.n8n.url);
		const { page } = editor;
		await page.setViewportSize({ width: 1280, height: 800 });
		await page.exposeFunction('countClick', () => (counted.clicks += 1));
		await page.addInitScript("addEventListener('click', () => window.countClick(), true)");
	}, 120_000);
	beforeEach(async () => {
		await n8n.stage.useKey(newKey());
	});
	afterAll(async () => await browser?.close());
	return {
		counted,
		get editor(): Editor {
			if (!editor) throw new Error('The editor did not open');
			return editor;
		},
		/** Customers with invoices and a unique name. */
		customers(): Customer[] {
			const { customers, invoices } = n8n.world().account;
			const known = new Set(invoices.map(({ listed }) => (listed.customer as { id: string }).id));
			const isUnique = (name: string) => customers.filter((one) => one.name === name).length === 1;
			return customers
				.filter(({ id, name }) => known.has(id) && isUnique(name))
				.map(({ name, email }) => ({ name, email: String(email) }));
		},
	};
}
