import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { ownId } from '../../tools/host/sharedN8n';
import { ourNode, runWorkflow, workflowOf } from '../../tools/host/workflowOf';
import { useStage } from '../helpers/n8n/stage';
import { useEditor } from '../helpers/n8n/useEditor';
import { coming } from '../helpers/sheets/coming';
import { fromRowsParameters, reading } from '../helpers/sheets/fromRows';
import type { SheetCell } from '../helpers/sheets/sheetFile';
import { workflowOfFile, writeSheet } from '../helpers/sheets/sheetFile';

/**
 * Sheets as offices have them, and a new node without settings: what a person clicks in the editor until the invoices exist, and what
 * the next file does. There is never an error before the first table: a preview, the reading picked from the list, Preview Only turned
 * off, the invoices.
 */
const n8n = useStage();
jest.setTimeout(300_000);

const user = useEditor(n8n);
const { counted, customers } = user;
type Customer = ReturnType<typeof customers>[number];

interface Sheet {
	/** Text for a CSV file; rows for an Excel file. */
	content: (one: Customer, other: Customer) => string | SheetCell[][];
	/** Options of Extract From File. */
	reader?: INodeParameters;
	/** Words of the first preview, after which the person sets the two defaults. */
	missing?: string;
	/** What the preview says of the sum of the two invoices. */
	preview: string;
	/** Words of the box: guesses, what to look at, what is left out. */
	says: string[];
}

const germanDay = coming('12-31').split('-').reverse().join('.');

/** Its title was taken for the headers by n8n's default. */
const club: Sheet = {
	content: (one, other) =>
		`Tennisverein - Beiträge 2027;;;;;;\r\n;;;;;;\r\nMitglied;Beitrag;Kurse;Halle;Summe;Währung;Fällig am\r\n${one.name};120,00;45,00;;165,00;EUR;${germanDay}\r\n${other.name};120,00;;30,50;150,50;EUR;${germanDay}\r\n`,
	reader: { delimiter: ';', headerRow: false },
	preview: '2 invoices for 2 rows: EUR 315.50.',
	says: ['headers in row 3', 'Items = Beitrag (1.234,50), Kurse', '1 × Beitrag at 120.00; 1 × Kurse at 45.00', 'Above the headers: Tennisverein'],
}; // prettier-ignore
const headerless: Sheet = {
	content: (one, other) =>
		`${one.name},Consulting,120.00,EUR,${coming('12-31')}\r\n${other.name},Support,80.00,EUR,${coming('12-31')}\r\n`,
	reader: { headerRow: false },
	preview: '2 invoices for 2 rows: EUR 200.00.',
	says: ['Customer = A', 'Due Date = E'],
};

const sheets: Array<[name: string, Sheet]> = [
	['the sheet of a freelancer', {
		content: (one, other) => [
			['Client', 'Project', 'Description', 'Hours', 'Rate', 'Total'],
			[one.name, 'Website', 'Design', 12, 85, 1020],
			[one.name, 'Website', 'Fixes', 1.5, 85, 127.5],
			[other.name, 'App', 'Workshop', 4, 95, 380],
		],
		missing: "Currency is empty. Fill in the cell, or set 'Default Currency'",
		preview: '2 invoices for 3 rows: EUR 1,527.50.',
		says: ['one invoice per customer (otherwise 3 invoices)', 'not billed: Project'],
	}],
	['a German sheet with dates of Excel', {
		content: (one, other) => [
			['Rechnungs-Nr.', 'Kunde', 'Bezeichnung', 'Menge', 'Einzelpreis', 'Gesamtpreis', 'Währung', 'Rechnungsdatum', 'Zahlungsziel'],
			['G-1', one.name, 'Beratung', 2, 1250, 2500, 'EUR', new Date(coming('03-05')), '30 Tage netto'],
			['G-2', other.name, 'Wartung', 1.5, 80, 120, 'EUR', new Date(coming('03-05')), 'sofort'],
		],
		preview: '2 invoices for 2 rows: EUR 2,620.00.',
		says: ["turn off 'Preview Only'"],
	}],
	['a sheet with VAT', {
		content: (one, other) => [
			'Invoice,Client,Description,Net Amount,VAT 20%,Invoice Total,Currency,Due',
			`V-1,${one.name},Consulting,500.00,100.00,600.00,EUR,${coming('05-31')}`,
			`V-2,${other.name},Support,533.00,106.60,639.60,EUR,${coming('05-31')}`,
		].join('\r\n'),
		preview: '2 invoices for 2 rows: EUR 1,239.60.',
		says: ['Or EUR 1,033.00 without VAT 20%', "turn off 'Preview Only'"],
	}],
	['a title, merged cells and a total', {
		content: (one, other) => [
			['Invoices of May', null, null, null, null, null, null],
			[null, null, null, null, null, null, null],
			['Invoice No', 'Client', 'Item', 'Qty', 'Price', 'Currency', 'Due Date'],
			['M-1', one.name, 'Analysis', 2, 100, 'EUR', coming('05-31')],
			[null, null, 'Travel', 1, 40, null, null],
			['M-2', other.name, 'Support', 1, 60, 'EUR', coming('05-31')],
			['Total', null, null, null, 300, null, null],
		],
		preview: '2 invoices for 3 rows: EUR 300.00.',
		says: ['cells filled from above', 'Total, 300.00'],
	}],
	['the treatments of a practice', {
		content: (one, other) => [
			'Patient,Email,Treatment,Fee,How many?,Room,Paid,Pay by',
			`${one.name},${one.email},Massage,45.50,2,3,,${coming('03-31')}`,
			`${other.name},${other.email},Physiotherapy,60,1,1,cash,${coming('03-31')}`,
			`${other.name},${other.email},Taping,30,1,1,,${coming('03-31')}`,
		].join('\r\n'),
		missing: "Currency is empty. Fill in the cell, or set 'Default Currency'",
		preview: '2 invoices for 2 rows: EUR 121.00.',
		says: ['Left out: row 3 (Paid: cash)', 'Guesses: '],
	}],
	['fees of a club, with a title above the headers', club],
	['a file without headers', headerless],
]; // prettier-ignore

/** Opens a new node behind nodes that read the sheet from a file. */
async function openNodeFor(content: Sheet['content'], options: INodeParameters = {}) {
	const [one, other] = customers();
	const cells = content(one, other);
	const name = typeof cells === 'string' ? 'first.csv' : 'first.xlsx';
	const file = await writeSheet(n8n.stage, name, cells);
	const node = ourNode(n8n.stage, { resource: 'invoice', operation: 'createFromRows' });
	// The editor would show an earlier run under the same ID.
	const workflow = { ...workflowOfFile(file, options, node), id: `first${Date.now()}` };
	await user.editor.openNode(await n8n.stage.api.saveWorkflow(workflow), 'Node');
}

/** The two defaults for a sheet of hours. */
async function setDefaults(): Promise<void> {
	await user.editor.add('Add Default', 'Default Currency');
	await user.editor.field('currency').fill('EUR');
	// n8n shows a tip over the fields below while this one has the focus.
	await user.editor.page.keyboard.press('Tab');
	await user.editor.add('Add Default', 'Due in Days');
}

test.each(sheets)('[R1] %s is billed without an error', async (_name, sheet) => {
	const { content, reader, missing, preview, says } = sheet;
	await openNodeFor(content, reader);
	counted.clicks = 0;
	await user.editor.execute();
	if (missing !== undefined) {
		await user.editor.showOutputAs('table');
		await user.editor.text(missing).waitFor();
		await setDefaults();
		await user.editor.dismissNotes();
		await user.editor.execute();
	}
	await user.editor.text(`Nothing was created. ${preview}`).waitFor();
	for (const words of says) await user.editor.text(words).waitFor();
	await user.editor.dismissNotes();
	expect(n8n.created()).toEqual([]);
	await user.editor.openList('reading');
	await user.editor.part('rlc-item').first().click();
	const previewOnly = user.editor.part('parameter-input-previewOnly');
	await previewOnly.locator('.el-switch, [role=switch]').first().click();
	await user.editor.execute();
	expect(n8n.created()).toHaveLength(2);
	expect(counted.clicks).toBeLessThanOrEqual(20);
});

test.each([
	[
		'fees of a club',
		club,
		"Columns without a name were lost: turn 'Header Row' off in the node that reads the file, or set its 'Starting Line' to 3",
	],
	[
		'a file without headers',
		headerless,
		"The file has no headers: turn 'Header Row' off in the node that reads it",
	],
])(
	'%s says what to do, if its first line was taken for the headers',
	async (_name, { content, reader }, message) => {
		await openNodeFor(content, { ...reader, headerRow: true });
		expect(await user.editor.executeExpectingError()).toContain(message);
		expect(n8n.created()).toEqual([]);
	},
);

/** Rows of a practice, with headers that no list knows. */
const treatments = (change: IDataObject = {}): IDataObject[] =>
	customers()
		.slice(0, 3)
		.map(({ email }, at) => ({
			'Who pays': email,
			Treatment: ['Massage', 'Taping', 'Advice'][at],
			Fee: `${40 + at}.50`,
			'How many?': at + 1,
			State: at === 1 ? 'sent' : 'open',
			...change,
		}));
/** The same with a change in the first row. */
const changedTreatments = (change: IDataObject) => {
	const [first, ...others] = treatments();
	return [{ ...first, ...change }, ...others];
};
const nodeFor = (change: object) =>
	ourNode(
		n8n.stage,
		fromRowsParameters({ defaults: { currency: 'EUR', dueInDays: 14 }, ...change }),
	);
const bill = async (rows: IDataObject[], change: object) =>
	await runWorkflow(n8n.stage.api, workflowOf(rows, nodeFor(change)));
/** The reading that a preview gives. */
const readingOf = async (rows: IDataObject[], change: object = {}) => {
	const { data } = await bill(rows, { ...change, previewOnly: true });
	return String(data.resultData.runData.Node[0].data?.main[0]?.at(-1)?.json.reading);
};
const amounts = () =>
	n8n
		.created()
		.map(({ full }) => full.amount)
		.sort();

test('[R1] a confirmed sheet is billed, and the next file of the same kind by itself', async () => {
	const text = await readingOf(treatments());
	expect(text).toContain(
		'Unit Price = Fee (number; 40.5 to 42.5); Quantity = How many? (number; 1 to 3)',
	);
	expect(n8n.created()).toHaveLength(0);
	await bill(treatments(), reading(text));
	expect(amounts()).toEqual(['127.50', '40.50', '83.00']);
	// A second run of the same file finds its invoices; next month's file makes new ones.
	await bill(treatments(), reading(text));
	expect(n8n.created()).toHaveLength(3);
	await bill(treatments({ Treatment: 'Training' }), {
		...reading(text),
		options: { ifRowsChanged: 'createBoth' },
	});
	expect(n8n.created()).toHaveLength(6);
});

test('[R1] a total row in the next file is left out, but only after somebody has seen it', async () => {
	const text = await readingOf(treatments());
	const total = { 'Who pays': '', Treatment: 'Total', Fee: '251.00', 'How many?': '' };
	const withTotal = [...treatments(), { ...total, State: 'open' }];
	const { data } = await bill(withTotal, reading(text));
	expect(data.resultData.error?.message).toContain('new text in row 5: "Total"');
	const seen = await readingOf(withTotal, reading(text));
	expect(seen).toContain('rows left out: totals');
	await bill(withTotal, reading(seen));
	expect(amounts()).toEqual(['127.50', '40.50', '83.00']);
});

/** Bills a sheet with its reading, and opens the node with the next file and the same reading, as a person has picked it from the list. */
async function openNext(rows: IDataObject[], options: IDataObject = {}) {
	const value = await readingOf(treatments());
	const picked = { reading: { __rl: true, mode: 'list', value, cachedResultName: 'January' } };
	await bill(treatments(), picked);
	expect(n8n.created()).toHaveLength(3);
	const workflow = workflowOf(rows, nodeFor({ ...picked, options }));
	const id = await n8n.stage.api.saveWorkflow({ ...workflow, id: ownId(`next${Date.now()}`) });
	await user.editor.openNode(id, 'Node');
}

test('[R1] a new column in the next file stops it, until its reading is confirmed with two clicks', async () => {
	await openNext(changedTreatments({ 'Late Fee': '12.50' }), { numberPrefix: 'FEB-' });
	const text = await user.editor.executeExpectingError();
	expect(text).toContain('Nothing was sent');
	expect(text).toContain('new column: Late Fee (12.50 in row 2)');
	expect(n8n.created()).toHaveLength(3);
	await user.editor.openList('reading');
	await user.editor.part('rlc-item').filter({ hasText: 'stopped at new column: Late Fee' }).click();
	await user.editor.execute();
	expect(n8n.created()).toHaveLength(6);
});

test('[R1] a price that has changed since the last run bills nobody twice, and says what to do', async () => {
	await openNext(changedTreatments({ Fee: '45.50' }));
	const text = await user.editor.executeExpectingError();
	expect(text).toContain('Nothing was sent');
	for (const words of ['You would bill', 'twice: now 45.50, and in an earlier run EUR 40.50'])
		expect(text).toContain(words);
	expect(text).toContain('If Rows Changed');
	expect(n8n.created()).toHaveLength(3);
});
