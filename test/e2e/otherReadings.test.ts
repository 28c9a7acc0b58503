import { fs, nodeProcess, path } from '../../tools/node';
import { ourNode } from '../../tools/host/workflowOf';
import { useStage } from '../helpers/n8n/stage';
import { useEditor } from '../helpers/n8n/useEditor';
import { coming } from '../helpers/sheets/coming';
import type { SheetCell } from '../helpers/sheets/sheetFile';
import { workflowOfFile, writeSheet } from '../helpers/sheets/sheetFile';

/**
 * Sheets that can mean several things, in the editor: a person knows the sum, picks it from the list, and types nothing. Set SHOTS to a folder
 * for a picture of each preview.
 */
const n8n = useStage();
jest.setTimeout(300_000);

const user = useEditor(n8n);
const { counted, customers } = user;

interface Sheet {
	content: (one: string, other: string, due: string) => SheetCell[][];
	/** What the first preview comes to. */
	first: string;
	/** The line of the other reading that is picked, and what its preview comes to. */
	pick?: [line: string, sum: string];
	/** The amounts of the invoices, and their items in any order. */
	amounts: string[];
	items: string[];
	/** Clicks from the upload to the invoices at most: three more if another reading is picked. Closing a note of n8n counts. */
	clicks: number;
}

const sheets: Array<[name: string, sheet: Sheet]> = [
	[
		'orders whose Amount is the total of a row',
		{
			content: (one, other, due) => [
				['Customer', 'Item', 'Qty', 'Amount', 'Currency', 'Due Date'],
				[one, 'Screws', 10, 5, 'EUR', due],
				[other, 'Glue', 3, 7, 'EUR', due],
			],
			first: '2 invoices for 2 rows: EUR 71.00.',
			pick: [
				'Or EUR 12.00 if Amount is the total of a row: 10 × Screws at 0.50.',
				'2 invoices for 2 rows: EUR 12.00.',
			],
			amounts: ['5.00', '7.00'],
			items: ['1 Glue (3) 7.00', '10 Screws 0.50'],
			clicks: 10,
		},
	],
	[
		'a club with status and locker',
		{
			content: (one, other, due) => [
				['Member', 'Status', 'Plan', 'Locker', 'Fee', 'Currency', 'Due Date'],
				[one, 'active', 'Gold', 'A-12', 45, 'EUR', due],
				[one, 'active', 'Silver', 'A-13', 30, 'EUR', due],
				[other, 'active', 'Gold', 'B-2', 45, 'EUR', due],
			],
			first: '2 invoices for 3 rows: EUR 120.00.',
			amounts: ['45.00', '75.00'],
			items: ['1 Gold 45.00', '1 Gold 45.00', '1 Silver 30.00'],
			clicks: 7,
		},
	],
	[
		'a landlord',
		{
			content: (one, other, due) => [
				['Flat', 'Tenant', 'Rent', 'Utilities', 'Garage', 'Total due', 'Currency', 'Due Date'],
				['1A', one, 800, 90.5, 30, 920.5, 'EUR', due],
				['1B', other, 750, 80, '', 830, 'EUR', due],
			],
			first: '2 invoices for 2 rows: EUR 1,750.50.',
			amounts: ['830.00', '920.50'],
			items: [
				'1 Garage 30.00',
				'1 Rent 750.00',
				'1 Rent 800.00',
				'1 Utilities 80.00',
				'1 Utilities 90.50',
			],
			clicks: 7,
		},
	],
	[
		'net and gross',
		{
			content: (one, other, due) => [
				['Klant', 'Omschrijving', 'Netto', 'Btw 21%', 'Totaal', 'Valuta', 'Vervaldatum'],
				[one, 'Advies', 1000, 210, 1210, 'EUR', due],
				[other, 'Ontwerp', 613.22, 128.78, 742, 'EUR', due],
			],
			first: '2 invoices for 2 rows: EUR 1,952.00.',
			pick: ['Or EUR 1,613.22 without Btw 21%', '2 invoices for 2 rows: EUR 1,613.22.'],
			amounts: ['1000.00', '613.22'],
			items: ['1 Advies 1000.00', '1 Ontwerp 613.22'],
			clicks: 10,
		},
	],
	[
		'two orders of one customer',
		{
			content: (one, other, due) => [
				['Order', 'Customer', 'Item', 'Price', 'Currency', 'Due Date'],
				['O-7', one, 'Desk', 220, 'EUR', due],
				['O-8', one, 'Lamp', 35.5, 'EUR', due],
				['O-8', one, 'Bulb', 5.5, 'EUR', due],
				['O-9', other, 'Shelf', 90, 'EUR', due],
			],
			first: '2 invoices for 4 rows: EUR 351.00.',
			pick: ['Or 3 invoices: one per Order', '3 invoices for 4 rows: EUR 351.00.'],
			amounts: ['220.00', '41.00', '90.00'],
			items: ['1 Bulb 5.50', '1 Desk 220.00', '1 Lamp 35.50', '1 Shelf 90.00'],
			clicks: 10,
		},
	],
];

async function picture(name: string): Promise<void> {
	const folder = nodeProcess.env.SHOTS;
	if (folder === undefined) return;
	fs.mkdirSync(folder, { recursive: true });
	const file = path.join(folder, `${name.replace(/\W+/g, '-')}.png`);
	await user.editor.page.screenshot({ path: file });
}

async function openNodeFor(content: Sheet['content']): Promise<void> {
	const [one, other] = customers();
	const file = await writeSheet(
		n8n.stage,
		'sheet.xlsx',
		content(one.name, other.name, coming('12-31')),
	);
	const node = ourNode(n8n.stage, { resource: 'invoice', operation: 'createFromRows' });
	const workflow = { ...workflowOfFile(file, {}, node), id: `other${Date.now()}` };
	await user.editor.openNode(await n8n.stage.api.saveWorkflow(workflow), 'Node');
}

test.each(sheets)('[R1] %s: the right sum is picked, and nothing is typed', async (name, sheet) => {
	await openNodeFor(sheet.content);
	counted.clicks = 0;
	await user.editor.execute();
	await user.editor.text(`Nothing was created. ${sheet.first}`).waitFor();
	await user.editor.dismissNotes();
	await picture(`${name} 1 first`);
	if (sheet.pick) {
		const [line, sum] = sheet.pick;
		await user.editor.text(line).waitFor();
		await user.editor.openList('reading');
		await user.editor.part('rlc-item').nth(1).waitFor();
		await picture(`${name} 2 list`);
		await user.editor
			.part('rlc-item')
			.filter({ hasText: line.replace(/\.$/, '') })
			.first()
			.click();
		await user.editor.execute();
		await user.editor.text(`Nothing was created. ${sum}`).waitFor();
		await user.editor.dismissNotes();
		await picture(`${name} 3 picked`);
	} else {
		await user.editor.openList('reading');
		await user.editor.part('rlc-item').first().click();
	}
	expect(n8n.created()).toEqual([]);
	const previewOnly = user.editor.part('parameter-input-previewOnly');
	await previewOnly.locator('.el-switch, [role=switch]').first().click();
	await user.editor.execute();
	const made = n8n.created().map(({ full }) => full);
	expect(made.map(({ amount }) => amount).sort()).toEqual(sheet.amounts);
	const items = made.flatMap((one) => one.items as Array<Record<string, unknown>>);
	const texts = items.map(
		(one) => `${String(one.quantity)} ${String(one.name)} ${String(one.amount)}`,
	);
	expect(texts.sort()).toEqual(sheet.items);
	expect(counted.clicks).toBeLessThanOrEqual(sheet.clicks);
});
