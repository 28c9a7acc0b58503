import type { INodeParameters } from 'n8n-workflow';
import type { Browser } from 'playwright-core';
import type { Row } from 'write-excel-file/node';
import writeXlsxFile from 'write-excel-file/node';
import { openBrowser } from '../../tools/host/browser';
import { Editor } from '../../tools/host/editor';
import { ourNode } from '../../tools/host/workflowOf';
import { fs, nodeProcess, path } from '../../tools/node';
import { newKey } from '../helpers/service/useSimulator';
import { useStage } from '../helpers/n8n/stage';

/**
 * Sheets as offices have them, and a new node without settings: what a person clicks in the editor until the invoices exist. There is
 * never an error before the first table: a preview, the reading picked from the list, Preview Only turned off, the invoices.
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
	/** Options of Extract From File. */
	reader?: { headerRow: false };
	/** Words of the first preview, and what the person then sets, e.g. a currency that stands nowhere. */
	missing?: { says: string[]; set(): Promise<void> };
	/** What the preview says of the sum. */
	preview: string;
	/** Words of the box: guesses, what to look at, what is left out. */
	says: string[];
	invoices: number;
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
const noCurrencyOrDate = {
	says: ["Currency is empty. Fill in the cell, or set 'Default Currency'"],
	set: setDefaults,
};

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
			missing: noCurrencyOrDate,
			preview: '2 invoices for 3 rows: EUR 1,527.50.',
			says: ['one invoice per customer (otherwise 3 invoices)', 'not billed: Project'],
			invoices: 2,
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
			says: ["turn off 'Preview Only'"],
			invoices: 2,
		}; // prettier-ignore
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
			preview: '2 invoices for 2 rows: EUR 250.00.',
			says: ['Total is 20% more than the items in rows 2 and 3, as with a tax. That is not billed'],
			invoices: 2,
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
			missing: noCurrencyOrDate,
			preview: '2 invoices for 2 rows: EUR 275.00.',
			says: ['Left out: row 3 (Billable: No)'],
			invoices: 2,
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
			preview: '2 invoices for 2 rows: EUR 1,033.00.',
			says: ['Invoice Total is 20% more than the items', 'VAT 20% 206.60. To bill the tax as well'],
			invoices: 2,
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
			preview: '2 invoices for 3 rows: EUR 300.00.',
			says: ['cells filled from above', 'Total, 300.00'],
			invoices: 2,
		};
	},
	'the treatments of a practice': () => {
		const [one, other] = customers();
		return {
			content: [
				'Patient,Email,Treatment,Fee,How many?,Room,Paid,Pay by',
				`${one.name},${one.email},Massage,45.50,2,3,,2027-03-31`,
				`${other.name},${other.email},Physiotherapy,60,1,1,cash,2027-03-31`,
			].join('\r\n'),
			missing: { says: ['Currency is empty. Fill in the cell, or set \'Default Currency\''], set: async () => {
				await editor.add('Add Default', 'Default Currency');
				await type('currency', 'EUR');
			} },
			preview: '1 invoice for 1 row: EUR 91.00.',
			says: ['Left out: row 3 (Paid: cash)', 'Guesses: '],
			invoices: 1,
		}; // prettier-ignore
	},
	'the rents of a landlord, in Spanish': () => {
		const [one, other] = customers();
		return {
			content: [
				['Piso', 'Inquilino', 'Correo', 'Renta', 'Comunidad', 'Total mes', 'Vto.'],
				['1.º A', one.name, one.email, '540,00 €', '38,50 €', '578,50 €', '05/03/2027'],
				['1.º B', other.name, other.email, '725,00 €', '45,00 €', '770,00 €', '05/03/2027'],
			],
			preview: '2 invoices for 2 rows: EUR 1,348.50.',
			says: ['Items = Renta', 'Due Date = Vto. (day/month/year'],
			invoices: 2,
		};
	},
	'fees of a club, with a title above the headers': () => {
		const [one, other] = customers();
		return {
			content: `Tennisverein - Beiträge 2027;;;;;;\r\n;;;;;;\r\nMitglied;Beitrag;Kurse;Halle;Summe;Währung;Fällig am\r\n${one.name};120,00;45,00;;165,00;EUR;31.12.2027\r\n${other.name};120,00;;30,50;150,50;EUR;31.12.2027\r\n`,
			reader: { headerRow: false },
			preview: '2 invoices for 2 rows: EUR 315.50.',
			says: ['headers in row 3', 'Items = Beitrag (1.234,50), Kurse', '1 × Beitrag at 120.00; 1 × Kurse at 45.00', 'Above the headers: Tennisverein'],
			invoices: 2,
		}; // prettier-ignore
	},
	'the same in Excel': () => {
		const [one, other] = customers();
		return {
			content: [
				['Tennisverein - Beiträge 2027', null, null, null, null, null, null],
				['Mitglied', 'Beitrag', 'Kurse', 'Halle', 'Summe', 'Währung', 'Fällig am'],
				[one.name, 120, 45, null, 165, 'EUR', '31.12.2027'],
				[other.name, 120, null, 30.5, 150.5, 'EUR', '31.12.2027'],
			],
			preview: '2 invoices for 2 rows: EUR 315.50.',
			says: ['headers in row 2', 'Items = Beitrag, Kurse, Halle'],
			invoices: 2,
		};
	},
	'a file without headers': () => {
		const [one, other] = customers();
		return {
			content: `${one.name},Consulting,120.00,EUR,2027-12-31\r\n${other.name},Support,80.00,EUR,2027-12-31\r\n`,
			reader: { headerRow: false },
			preview: '2 invoices for 2 rows: EUR 200.00.',
			says: ['Customer = A', 'Due Date = E'],
			invoices: 2,
		};
	},
	'orders of a shop': () => {
		const [one, other] = customers();
		return {
			content: [
				'Order ID,Date,Billing Email,Product,SKU,Qty,Price,Currency,Status',
				`4001,2027-02-01,${one.email},Green tea,T-1,2,9.90,EUR,completed`,
				`4001,2027-02-01,${one.email},Tea pot,P-7,1,39.00,EUR,completed`,
				`4002,2027-02-02,${one.email},Mint tea,T-2,3,8.50,EUR,completed`,
				`4003,2027-02-02,${other.email},Cup,C-1,4,6.00,EUR,cancelled`,
			].join('\r\n'),
			missing: { says: ['Due Date is empty. Fill in the cell, or set \'Due in Days\''], set: async () => await editor.add('Add Default', 'Due in Days') },
			preview: '2 invoices for 3 rows: EUR 84.30.',
			says: ['one invoice per Order ID', 'Left out: row 5 (Status: cancelled)'],
			invoices: 2,
		}; // prettier-ignore
	},
	'words per translation, in Dutch': () => {
		const [one, other] = customers();
		return {
			content: `Opdrachtgever;Tekst;Woorden;Woordprijs;Bedrag;Valuta;Betalen voor\r\n${one.name};Jaarverslag;4200;0,12;504,00;EUR;31-03-2027\r\n${other.name};Website;1850;0,11;203,50;EUR;31-03-2027\r\n`,
			preview: '2 invoices for 2 rows: EUR 707.50.',
			says: ['Due Date = Betalen voor (day/month/year'],
			invoices: 2,
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

/** Parameters of Extract From File: a file with semicolons needs its delimiter. */
const delimiterOf = (content: Sheet['content']) =>
	typeof content === 'string' && content.split('\n')[0].includes(';') ? { delimiter: ';' } : {};

/** A workflow that reads the file, and a new node of ours. Gives its ID. */
async function saveSheet(file: string, options: INodeParameters): Promise<string> {
	const operation = file.endsWith('csv') ? 'csv' : 'xlsx';
	const id = `first${Date.now()}`;
	const steps = [
		{ name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} },
		{ name: 'Read', type: 'n8n-nodes-base.readWriteFile', typeVersion: 1.1, parameters: { operation: 'read', fileSelector: file, options: {} } },
		{ name: 'Rows', type: 'n8n-nodes-base.extractFromFile', typeVersion: 1.1, parameters: { operation, options } },
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
	return id;
}

const picture = async (name: string) => {
	const { FIRST_SHEETS: folder } = nodeProcess.env;
	if (folder) await editor.page.screenshot({ path: `${folder}.${name}.png` });
};

test.each(Object.keys(sheets))('[R1] %s is billed without an error', async (name) => {
	const { content, reader, missing, preview, says, invoices } = sheets[name]();
	const file = await writeSheet(name, content);
	const id = await saveSheet(file, { ...delimiterOf(content), ...reader });
	await editor.openNode(id, 'Create Invoices');
	clicks = 0;
	const begin = Date.now();
	await editor.execute();
	if (missing) {
		await editor.showOutputAs('table');
		await picture(`${name}.first`);
		for (const words of missing.says) await editor.text(words).waitFor();
		await missing.set();
		await editor.dismissNotes();
		await editor.execute();
	}
	await editor.text(`Nothing was created. ${preview}`).waitFor();
	for (const words of says) await editor.text(words).waitFor();
	await editor.showOutputAs('table');
	await picture(`${name}.preview`);
	await editor.dismissNotes();
	expect(n8n.created()).toEqual([]);
	await editor.openList('reading');
	const newest = editor.part('rlc-item').first();
	await newest.waitFor();
	await picture(`${name}.list`);
	await newest.click();
	await editor
		.part('parameter-input-previewOnly')
		.locator('.el-switch, [role=switch]')
		.first()
		.click();
	await editor.execute();
	await picture(`${name}.created`);
	const [clicked, seconds] = [clicks, Math.round((Date.now() - begin) / 1000)];
	expect(n8n.created().length).toBe(invoices);
	expect(clicked).toBeLessThanOrEqual(20);
	report.push(`| ${name} | 0 | ${clicked} | ${seconds} |`);
});

test.each([
	['fees of a club, with a title above the headers', "Columns without a name were lost: turn 'Header Row' off in the node that reads the file, or set its 'Starting Line' to 3"],
	['a file without headers', "The file has no headers: turn 'Header Row' off in the node that reads it"],
])('%s says what to do, if its first line was taken for the headers', async (name, message) => {
	const { content } = sheets[name]();
	const id = await saveSheet(await writeSheet(name, content), { ...delimiterOf(content) });
	await editor.openNode(id, 'Create Invoices');
	await editor.page.getByText('Execute step').first().click();
	await editor.text(message).waitFor();
	await picture(`${name}.error`);
	expect(n8n.created()).toEqual([]);
}); // prettier-ignore
