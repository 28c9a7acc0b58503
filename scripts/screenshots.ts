import { openBrowser, openEditor } from '../host/browser';
import { openStage, readExample } from '../host/stage';
import { fs, nodeProcess, os, path, projectFolder } from './node';

/** Takes the pictures of the documentation in a real n8n. */
async function main(): Promise<void> {
	const userFolder = fs.mkdtempSync(path.join(os.tmpdir(), 'invoicing-payments-'));
	const log = (line: string) => nodeProcess.stdout.write(`${line}\n`);
	const stage = await openStage({ userFolder, log });
	try {
		const browser = await openBrowser();
		try {
			const example = readExample('invoices-from-spreadsheet', stage);
			await stage.api.saveWorkflow(example);
			const page = await openEditor(browser, stage.n8n.url);
			await page.goto(`/workflow/${example.id}`);
			await page.locator('[data-test-id=execute-workflow-button]').first().click();
			await page.getByText('Workflow executed successfully').first().waitFor();
			await page.locator('.el-notification__closeBtn').first().click();
			await page.getByText('Workflow executed successfully').first().waitFor({ state: 'hidden' });
			const folder = path.join(projectFolder, 'docs', 'images');
			fs.mkdirSync(folder, { recursive: true });
			await page.screenshot({ path: path.join(folder, 'invoices-from-spreadsheet.png') });
			log(`Pictures are in ${folder}`);
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
