import type { IDataObject } from 'n8n-workflow';
import type { Browser } from 'playwright-core';
import type { StoredExecution } from '../../tools/host/api';
import { openBrowser } from '../../tools/host/browser';
import { Editor } from '../../tools/host/editor';
import { ownId } from '../../tools/host/sharedN8n';
import { ourNode, workflowOf } from '../../tools/host/workflowOf';
import { nodeProcess } from '../../tools/node';
import { fromRowsParameters } from '../helpers/sheets/fromRows';
import { newKey } from '../helpers/service/useSimulator';
import { useStage } from '../helpers/n8n/stage';

/** A sheet whose reading a person has confirmed, and what the next files of the same kind do, in a real n8n. */
const n8n = useStage();
jest.setTimeout(300_000);

let browser: Browser;
let editor: Editor;
beforeAll(async () => {
	browser = await openBrowser();
	editor = await Editor.open(browser, n8n.stage.n8n.url);
	await editor.page.setViewportSize({ width: 1280, height: 800 });
}, 120_000);
beforeEach(async () => {
	await n8n.stage.useKey(newKey());
});
afterAll(async () => await browser?.close());

/** Rows of a practice, with headers that no list knows. */
function treatments(
	change: (row: IDataObject, at: number) => IDataObject = (row) => row,
): IDataObject[] {
	const { customers } = n8n.world().account;
	const known = new Set(
		n8n.world().account.invoices.map(({ listed }) => (listed.customer as { id: string }).id),
	);
	return customers
		.filter(({ id }) => known.has(id))
		.slice(0, 3)
		.map(({ email }, at) =>
			change(
				{
					...{
						'Who pays': email,
						Treatment: ['Massage', 'Taping', 'Advice'][at],
						Fee: `${40 + at}.50`,
					},
					...{ 'How many?': at + 1, State: at === 1 ? 'sent' : 'open', Room: at + 3, Deposit: '' },
				},
				at,
			),
		);
}
const defaults = { currency: 'EUR', dueInDays: 14 };
const nodeOf = (change: object) => ourNode(n8n.stage, fromRowsParameters({ defaults, ...change }));
const outputOf = ({ data }: StoredExecution) =>
	(data.resultData.runData.Node?.[0].data?.main[0] ?? []).map(({ json }) => json);
async function run(rows: IDataObject[], change: object): Promise<StoredExecution> {
	const workflow = { ...workflowOf(rows, nodeOf(change)), id: ownId('reading'), name: 'reading' };
	await n8n.stage.api.saveWorkflow(workflow);
	return await n8n.stage.api.run(workflow.id, 'Start');
}
const asText = (value: unknown) => ({ __rl: true, mode: 'text', value });
/** As a person has picked it from the list in January. */
const asPicked = (value: unknown) => ({
	...{ __rl: true, mode: 'list', value, cachedResultName: 'January' },
});
const confirmed = async (rows: IDataObject[]) =>
	String(outputOf(await run(rows, { previewOnly: true })).at(-1)?.reading);

test('[R1] a confirmed sheet is billed, and the next file of the same kind by itself', async () => {
	const reading = await confirmed(treatments());
	expect(reading).toContain(
		'Unit Price = Fee (number; 40.5 to 42.5); Quantity = How many? (number; 1 to 3)',
	);
	expect(n8n.created()).toHaveLength(0);
	await run(treatments(), { reading: asText(reading) });
	expect(
		n8n
			.created()
			.map(({ full }) => full.amount)
			.sort(),
	).toEqual(['127.50', '40.50', '83.00']);
	// A second run of the same file finds its invoices; next month's file makes new ones.
	await run(treatments(), { reading: asText(reading) });
	expect(n8n.created()).toHaveLength(3);
	await run(
		treatments((row) => ({ ...row, Treatment: 'Training' })),
		{
			reading: asText(reading),
			options: { ifRowsChanged: 'createBoth' },
		},
	);
	expect(n8n.created()).toHaveLength(6);
});

/** The sheet with a title above its headers, as a spreadsheet program exports it. */
function titled(title: string, rows: IDataObject[]): IDataObject[] {
	const headers = Object.keys(rows[0]);
	const row = (cells: unknown[]) =>
		Object.fromEntries(headers.map((_header, at) => [`Column ${at}`, cells[at] ?? '']));
	const body = rows.map((one) => row(headers.map((header) => one[header])));
	return [row([title]), row(headers), ...body] as IDataObject[];
}

interface Change {
	/** The rows of January, unless they are the plain ones. */
	january?: () => IDataObject[];
	february: () => IDataObject[];
	/** Words of the error. */
	says: string[];
	/** Whether January and February are billed as one sheet, that was corrected. */
	isSame?: boolean;
	/** Whether a person can confirm it with the reading that is now in the list. */
	canConfirm?: boolean;
}
const inRow = (wanted: number, change: IDataObject) => () =>
	treatments((row, at) => (at === wanted ? { ...row, ...change } : row));

const changes: Record<string, Change> = {
	'a new column': {
		february: () => treatments((row, at) => ({ ...row, 'Late Fee': at === 1 ? '12.50' : '' })),
		says: ['new column: Late Fee (12.50 in row 3)', 'Late Fee (empty; number)'],
		canConfirm: true,
	},
	'a column that is missing': {
		february: () => treatments((row) => ({ ...row, Fee: undefined })),
		says: ['missing column: Fee, which fills Unit Price'],
	},
	'a new value': {
		february: inRow(2, { State: 'void' }),
		says: ['new value: State: void in row 4. The new reading bills it'],
		canConfirm: true,
	},
	'a note that says paid': {
		february: inRow(0, { Room: 'PAID 12.01.' }),
		says: ['Room: "PAID 12.01." in row 2', 'row 2 says Room: PAID 12.01.', '(says paid) behind Room'],
		canConfirm: true,
	},
	'a price without its point': {
		february: inRow(1, { Fee: '4150' }),
		says: ['Fee: 4150 in row 3; seen so far: 40.5 to 42.5'],
		canConfirm: true,
	},
	'another title': {
		january: () => titled('Treatments of January, net', treatments()),
		february: () => titled('Treatments of February, gross', treatments()),
		says: ['new text above the headers: "Treatments of February, gross"'],
		canConfirm: true,
	},
	'the first deposit': {
		february: inRow(0, { Deposit: '20.00' }),
		says: ['Deposit: "20.00" in row 2; seen so far: empty cells'],
		canConfirm: true,
	},
	'a corrected row below the old one': {
		february: () => [...treatments(), { ...treatments()[2], Treatment: 'Advice (corrected)', Fee: '45.00' }],
		says: ['items repeat: row 5 bills what a row above bills to the same customer'],
	},
	'a changed price': {
		february: inRow(0, { Fee: '45.50' }),
		says: ['You would bill', 'twice: 40.50 from an earlier run', 'and 45.50 now', 'If Rows Changed'],
		isSame: true,
	},
	'another file': {
		february: () => treatments((_row, at) => ({ Product: `Cup ${at}`, Price: 5, Customer: 'Somebody' })),
		says: ['The sheet differs from the reading', 'new column: Product'],
	},
}; // prettier-ignore

test.each(Object.keys(changes))(
	'[R1] %s in the next file stops it before anything is sent, and says what to do',
	async (what) => {
		const { january = treatments, february, says, isSame, canConfirm } = changes[what];
		const options = (month: string) => (isSame ? {} : { options: { numberPrefix: month } });
		const reading = asPicked(await confirmed(january()));
		await run(january(), { reading, ...options('JAN-') });
		expect(n8n.created()).toHaveLength(3);
		const id = ownId('changed');
		const node = nodeOf({ reading, ...options('FEB-') });
		await n8n.stage.api.saveWorkflow({ ...workflowOf(february(), node), id, name: 'changed' });
		await editor.openNode(id, 'Node');
		const text = await editor.executeExpectingError();
		const { READINGS: folder } = nodeProcess.env;
		const picture = async (step: string) => {
			const file = `${folder}/${what.replace(/\W+/g, '-')}${step}.png`;
			if (folder) await editor.page.screenshot({ path: file });
		};
		await picture('');
		expect(text).toContain('Nothing was sent');
		for (const words of says) expect(text).toContain(words);
		expect(n8n.created()).toHaveLength(3);
		if (!canConfirm) return;
		// Two clicks, and the new reading is confirmed.
		await editor.openList('reading');
		await picture('-list');
		await editor.part('rlc-item').filter({ hasText: 'stopped, 3 invoices for 3 rows' }).click();
		await editor.execute();
		expect(n8n.created()).toHaveLength(6);
	},
);

test('[R1] the next month of the same kind is billed by itself', async () => {
	const reading = asPicked(await confirmed(treatments()));
	await run(treatments(), { reading, options: { numberPrefix: 'JAN-' } });
	const next = treatments((row, at) => ({ ...row, Treatment: 'Training', Fee: 38 + at * 2.5 }));
	const { data } = await run(next, { reading, options: { numberPrefix: 'FEB-' } });
	expect(data.resultData.error?.message).toBeUndefined();
	expect(n8n.created()).toHaveLength(6);
});

test('[R1] a total row in the next file is left out, but only after somebody has seen it', async () => {
	const reading = await confirmed(treatments());
	const withTotal = [
		...treatments(),
		{ 'Who pays': '', Treatment: 'Total', Fee: '251.00', 'How many?': '', State: 'open', Room: '' },
	];
	const stopped = await run(withTotal, { reading: asText(reading) });
	expect(stopped.data.resultData.error?.message).toContain('rows left out: totals');
	const again = await run(withTotal, { previewOnly: true, reading: asText(reading) });
	const seen = outputOf(again).at(-1)?.reading;
	expect(seen).toContain('rows left out: totals');
	await run(withTotal, { reading: asText(seen) });
	expect(
		n8n
			.created()
			.map(({ full }) => full.amount)
			.sort(),
	).toEqual(['127.50', '40.50', '83.00']);
});
