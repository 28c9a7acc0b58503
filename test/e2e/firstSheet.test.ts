import type { Browser } from 'playwright-core';
import type { Row } from 'write-excel-file/node';
import writeXlsxFile from 'write-excel-file/node';
import { openBrowser } from '../../tools/host/browser';
import { Editor } from '../../tools/host/editor';
import { ourNode } from '../../tools/host/workflowOf';
import { fs, nodeProcess, path } from '../../tools/node';
import { newKey } from '../helpers/service';
import { useStage } from '../helpers/stage';

/**
 * Typical sheets and a new node without settings: what an office worker clicks in the editor to get the preview and the invoices. There
 * is at most one error, and it says what to click.
 */
const n8n = useStage();
jest.setTimeout(300_000);

let browser: Browser;
let editor: Editor;
let clicks = 0;
const report: string[] = [];
beforeAll(async () => {
	browser = await openBrowser();
	editor = await Editor.open(browser, n8n.stage.n8n.url);
	const { page } = editor;
	await page.setViewportSize({ width: 1280, height: 800 });
	await page.exposeFunction('countClick', () => (clicks += 1));
	await page.addInitScript("addEventListener('click', () => window.countClick(), true)");
}, 120_000);
// The node remembers the customers and invoices of an account.
beforeEach(async () => {
	await n8n.stage.useKey(newKey());
});
afterAll(async () => {
	await browser?.close();
	const { FIRST_SHEETS: file } = nodeProcess.env;
	if (file) fs.writeFileSync(file, `${report.join('\n')}\n`);
});

interface Sheet {
	/** Text for a CSV file; rows for an Excel file. */
	content: string | Array<Array<string | number | Date | null>>;
	/** The words of the one error, and how the user fixes it. */
	error?: { says: string[]; fix(): Promise<void> };
	preview: string;
	warning?: string;
}

/** Customers with invoices and a unique name. */
function customers(): Array<{ name: string; email: string }> {
	const { account } = n8n.world();
	const known = new Set(
		account.invoices.map(({ listed }) => (listed.customer as { id: string }).id),
	);
	return account.customers
		.filter(
			({ id, name }) =>
				known.has(id) && account.customers.filter((one) => one.name === name).length === 1,
		) // prettier-ignore
		.map(({ name, email }) => ({ name, email: String(email) }));
}

const setOption = async (option: string) => await editor.add('Add Option', option);
async function type(field: string, value: string): Promise<void> {
	await editor.field(field).fill(value);
	// n8n shows a tip over the fields below while this one has the focus.
	await editor.page.keyboard.press('Tab');
}
/** The two defaults for a sheet of hours. */
async function setDefaults(): Promise<void> {
	await editor.add('Add Default', 'Default Currency');
	await type('currency', 'EUR');
	await editor.add('Add Default', 'Due in Days');
}
/** Pastes the columns of the error into Ignore Columns. */
async function ignore(columns: string): Promise<void> {
	await setOption('Ignore Columns');
	await type('ignoreColumns', columns);
}

const sheets: Record<string, () => Sheet> = {
	'the sheet of a freelancer': () => {
		const [one, other] = customers();
		return {
			content: [
				['Client', 'Project', 'Description', 'Hours', 'Rate', 'Total'],
				[one.name, 'Website', 'Design', 12, 85, 1020],
				[one.name, 'Website', 'Fixes', 1.5, 85, 127.5],
				[other.name, 'App', 'Workshop', 4, 95, 380],
			],
			error: {
				says: ['2 needed columns were not found: Currency, Due Date', "set 'Default Currency'", "set 'Due in Days'"],
				fix: setDefaults,
			},
			preview: '3 invoices for 3 rows: EUR 1,527.50.',
		}; // prettier-ignore
	},
	'a German sheet': () => {
		const [one, other] = customers();
		return {
			content: [
				['Rechnungs-Nr.', 'Kunde', 'Bezeichnung', 'Menge', 'Einzelpreis', 'Gesamtpreis', 'Währung', 'Rechnungsdatum', 'Zahlungsziel'],
				['G-1', one.name, 'Beratung', 2, 1250, 2500, 'EUR', new Date('2027-03-05'), '30 Tage netto'],
				['G-2', other.name, 'Wartung', 1.5, 80, 120, 'EUR', new Date('2027-03-05'), 'sofort'],
			],
			preview: '2 invoices for 2 rows: EUR 2,620.00.',
		}; // prettier-ignore
	},
	'a German sheet as CSV, with semicolons': () => {
		const [one] = customers();
		return {
			content: `Rechnungs-Nr.;Kunde;Bezeichnung;Menge;Einzelpreis;Waehrung;Faelligkeit\r\nC-1;${one.name};Beratung;2;1250;EUR;2027-03-05\r\n`,
			error: {
				says: ["Several columns arrived as one: set 'Delimiter' to ;"],
				fix: async () => {
					await editor.showNode('Rows');
					await editor.add('Add option', 'Delimiter');
					await editor.field('delimiter').fill(';');
					await editor.showNode('Create Invoices');
				},
			},
			preview: '1 invoice for 1 row: EUR 2,500.00.',
		};
	},
	'an export of an accounting program': () => {
		const [one, other] = customers();
		const line = (number: string, who: { name: string; email: string }, what: string, many: number, price: number) =>
			`${who.name},${who.email},${number},14/05/2027,28/05/2027,${many * price * 1.2},${what},${many},${price},200,20% (VAT on Income),${many * price * 0.2},EUR`; // prettier-ignore
		return {
			content: [
				'*ContactName,EmailAddress,*InvoiceNumber,*InvoiceDate,*DueDate,Total,*Description,*Quantity,*UnitAmount,*AccountCode,*TaxType,TaxAmount,Currency',
				line('X-1', one, 'Analysis', 2, 100),
				line('X-2', other, 'Support', 1, 50),
			].join('\r\n'),
			error: {
				says: ['*TaxType', 'TaxAmount'],
				fix: async () => await ignore('*TaxType, TaxAmount'),
			},
			preview: '2 invoices for 2 rows: EUR 250.00.',
			warning: "The sheet's totals are EUR 50.00 higher",
		};
	},
	'a timesheet': () => {
		const [one, other] = customers();
		return {
			content: [
				'Date,Client,Project,Task,Hours,Billable,Rate',
				`2027-05-03,${one.name},Website,Design,2:30,Yes,80`,
				`2027-05-04,${one.name},Website,Meeting,1:00,No,80`,
				`2027-05-04,${other.name},App,Review,0:45,Yes,100`,
			].join('\r\n'),
			error: {
				says: ['Currency, Due Date', "Set 'Rows Marked as Not Billable' to Skip"],
				fix: async () => {
					await setDefaults();
					await setOption('Rows Marked as Not Billable');
				},
			},
			preview: '2 invoices for 2 rows: EUR 275.00.',
			warning: 'Not billed: row 3 ("Billable" says No)',
		};
	},
	'a sheet with VAT': () => {
		const [one, other] = customers();
		return {
			content: [
				'Invoice,Client,Description,Net Amount,VAT 20%,Invoice Total,Currency,Due',
				`V-1,${one.name},Consulting,500.00,100.00,600.00,EUR,2027-05-31`,
				`V-2,${other.name},Support,533.00,106.60,639.60,EUR,2027-05-31`,
			].join('\r\n'),
			error: { says: ['"VAT 20%"'], fix: async () => await ignore('VAT 20%') },
			preview: '2 invoices for 2 rows: EUR 1,033.00.',
			warning: 'The sheet\'s totals are EUR 206.60 higher: "VAT 20%" is not billed',
		};
	},
	'a title, merged cells and a total': () => {
		const [one, other] = customers();
		const rest = ['EUR', '2027-05-31'];
		return {
			content: [
				['Invoices of May', null, null, null, null, null, null],
				[null, null, null, null, null, null, null],
				['Invoice No', 'Client', 'Item', 'Qty', 'Price', 'Currency', 'Due Date'],
				['M-1', one.name, 'Analysis', 2, 100, ...rest],
				[null, null, 'Travel', 1, 40, null, null],
				['M-2', other.name, 'Support', 1, 60, ...rest],
				['Total', null, null, null, 300, null, null],
			],
			error: {
				says: ["set 'Fill Merged Cells'", "Set 'Rows That Look Like Totals' to Skip"],
				fix: async () => {
					await setOption('Fill Merged Cells');
					await setOption('Rows That Look Like Totals');
				},
			},
			preview: '2 invoices for 3 rows: EUR 300.00.',
			warning: 'Not billed: row 6 (called "Total")',
		};
	},
};

async function writeSheet(name: string, content: Sheet['content']): Promise<string> {
	const kind = typeof content === 'string' ? 'csv' : 'xlsx';
	const file = path.join(n8n.stage.filesFolder, `first-${name.replace(/\W+/g, '-')}.${kind}`);
	if (typeof content === 'string') fs.writeFileSync(file, content);
	else {
		const cells = content.map(
			(row): Row =>
				row.map((value) => {
					if (value === null) return null;
					if (value instanceof Date) return { value, type: Date, format: 'dd.mm.yyyy' };
					return { value };
				}),
		);
		await writeXlsxFile(cells).toFile(file);
	}
	return file.split(path.sep).join('/');
}

test.each(Object.keys(sheets))('[S3] %s is billed after at most one error', async (name) => {
	const { content, error, preview, warning } = sheets[name]();
	const file = await writeSheet(name, content);
	const operation = file.endsWith('csv') ? 'csv' : 'xlsx';
	const id = `first${Date.now()}`;
	const steps = [
		{ name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} },
		{ name: 'Read', type: 'n8n-nodes-base.readWriteFile', typeVersion: 1.1, parameters: { operation: 'read', fileSelector: file, options: {} } },
		{ name: 'Rows', type: 'n8n-nodes-base.extractFromFile', typeVersion: 1.1, parameters: { operation, options: {} } },
		{ name: 'Create Invoices', ...ourNode(n8n.stage, { resource: 'invoice', operation: 'createFromRows' }) },
	]; // prettier-ignore
	await n8n.stage.api.saveWorkflow({
		id,
		name: 'First sheet',
		nodes: steps.map((step, at) => ({ ...step, id: `n${at}`, position: [at * 200, 0] as [number, number] })),
		connections: Object.fromEntries(
			steps.slice(1).map((step, at) => [steps[at].name, { main: [[{ node: step.name, type: 'main' as const, index: 0 }]] }]),
		),
		settings: { executionOrder: 'v1' },
	}); // prettier-ignore
	const picture = async (step: string) => {
		const { FIRST_SHEETS: folder } = nodeProcess.env;
		if (folder) await editor.page.screenshot({ path: `${folder}.${name}.${step}.png` });
	};
	await editor.openNode(id, 'Create Invoices');
	clicks = 0;
	const begin = Date.now();
	if (error) {
		const text = await editor.executeExpectingError();
		await picture('error');
		expect(text).toContain('Nothing was sent');
		for (const words of error.says) expect(text).toContain(words);
		await error.fix();
		await editor.dismissNotes();
	}
	await editor.execute();
	await editor.text(`Nothing was created. ${preview}`).waitFor();
	if (warning) await editor.text(warning).waitFor();
	const [clicked, seconds] = [clicks, Math.round((Date.now() - begin) / 1000)];
	expect(clicked).toBeLessThanOrEqual(20);
	expect(n8n.created()).toEqual([]);
	await editor.showOutputAs('table');
	await picture('preview');
	await editor.dismissNotes();
	await editor
		.part('parameter-input-previewOnly')
		.locator('.el-switch, [role=switch]')
		.first()
		.click();
	await editor.execute();
	expect(n8n.created().length).toBe(Number(/^\d+/.exec(preview)?.[0]));
	report.push(`| ${name} | ${error ? 1 : 0} | ${clicked} | ${seconds} |`);
});
