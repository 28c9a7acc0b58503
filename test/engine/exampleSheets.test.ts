/** The sheets of the examples, and the invoices that the example workflow creates from them. */

import type { IDataObject } from 'n8n-workflow';
import example from '../../examples/invoices-from-spreadsheet.json';
import { languageSheets } from '../../tools/commands/languageSheets';
import type { Sheet } from '../../tools/commands/makeSpreadsheets';
import {
	csvSample,
	csvTemplate,
	excelSample,
	template,
	writeSheets,
} from '../../tools/commands/makeSpreadsheets';
import { isoDay, keptStart, sampleInvoices } from '../../tools/commands/samples';
import { fs, os, path, projectFolder } from '../../tools/node';
import { useNode } from '../helpers/n8n/nodeRuns';
import { reading } from '../helpers/sheets/fromRows';
import { itemsOf } from '../helpers/sheets/programSheets';

const { service, run } = useNode();

const tableOf = ({ headers, rows }: Sheet) => ({
	headers,
	rows: rows.map((row) =>
		row.map((cell) =>
			cell instanceof Date ? { date: isoDay(cell), written: isoDay(cell) } : cell,
		),
	),
});
const itemsOfCsv = (sheet: Sheet) => itemsOf({ name: '', ...tableOf(sheet) }, 'csv');
const itemsOfExcel = (sheet: Sheet) => itemsOf({ name: '', ...tableOf(sheet) }, 'xlsx');

/** Creates invoices as the spreadsheet example does. */
async function create(items: IDataObject[], by = 'Create Invoices', change: object = {}) {
	const node = example.nodes.find(({ name }) => name === by);
	const { timezone } = example.settings;
	const parameters = { ...node?.parameters, ...change };
	const { json, hints, error } = await run(parameters, { items, timezone });
	expect(error).toBeUndefined();
	return { json, hints };
}

/** The requested invoices in the order of their numbers, because several are created at the same time. */
const inOrder = () =>
	service.created
		.map(({ request }) => request)
		.sort((a, b) => String(a.invoice_number).localeCompare(String(b.invoice_number)));

/** The content of a file without the times at which it was written. */
function withoutTimes(file: string): Buffer {
	const bytes = fs.readFileSync(file);
	if (!file.endsWith('.xlsx')) return bytes;
	for (const [mark, offset] of [
		['PK\x03\x04', 10],
		['PK\x01\x02', 12],
	] as const) {
		let at = bytes.indexOf(mark, 0, 'latin1');
		for (; at >= 0; at = bytes.indexOf(mark, at + 1, 'latin1')) {
			bytes.fill(0, at + offset, at + offset + 4);
		}
	}
	return bytes;
}

describe('the sheets of the examples', () => {
	const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sheets-'));
	beforeAll(async () => await writeSheets(folder, keptStart));
	afterAll(() => fs.rmSync(folder, { recursive: true }));

	const translated = Object.keys(languageSheets(keptStart)).map(
		(language) => `invoices.${language}`,
	);
	const names = ['invoices', 'invoice-template', ...translated];
	test.each(names.flatMap((name) => [`${name}.csv`, `${name}.xlsx`]))(
		'are what make-spreadsheets writes: %s',
		(name) => {
			const kept = withoutTimes(path.join(projectFolder, 'examples/data', name));
			expect(kept.equals(withoutTimes(path.join(folder, name)))).toBe(true);
		},
	);

	test('have customers with invoices in the simulator', () => {
		const billed = new Set(service.world.account.invoices.map(({ request }) => request.customer));
		const unknown = sampleInvoices(keptStart).filter(
			({ request }) => !billed.has(request.customer),
		);
		expect(unknown).toEqual([]);
	});

	test('become the expected invoices of the example', async () => {
		const fromCsv = await create(itemsOfCsv(csvSample(keptStart)));
		const fromExcel = await create(
			itemsOfExcel(excelSample(keptStart)),
			'Create Invoices from Excel',
		);
		expect(inOrder()).toMatchObject(sampleInvoices(keptStart).map(({ request }) => request));
		const shown = [...fromCsv.json, ...fromExcel.json];
		expect(shown.map(({ rows }) => rows)).toEqual(
			sampleInvoices(keptStart).map(({ rows }) => rows.join(', ')),
		);
		for (const { json, hints } of [fromCsv, fromExcel]) {
			expect(json.map(({ customer_match: match }) => match)).toEqual(
				json.map(() => expect.objectContaining({ by: 'email' }) as unknown),
			);
			expect(hints).toContainEqual(expect.stringContaining('20 invoices created from 25 rows: '));
		}
	});

	test.each([
		['CSV', itemsOfCsv(csvTemplate(keptStart))],
		['Excel', itemsOfExcel(template(keptStart))],
	])('become two invoices that use every column, from the %s template', async (_, items) => {
		const none = { reading: { __rl: true, mode: 'list', value: '' } };
		const seen = await create(items, undefined, { ...none, previewOnly: true });
		const { hints } = await create(items, undefined, reading(String(seen.json.at(-1)?.reading)));
		expect(inOrder()).toMatchObject([
			{
				invoice_number: '2027-0001',
				title: 'Services in January',
				currency: 'EUR',
				due_date: '2027-02-28',
				items: [
					{ name: 'Consulting', quantity: 8 },
					{ name: 'Travel costs', quantity: 1 },
				],
			},
			{ invoice_number: '2027-0002', items: [{ name: 'Hosting, one year', quantity: 1 }] },
		]);
		expect(service.created.map(({ full }) => full.amount).sort()).toEqual(['1046.40', '240.00']);
		expect(hints).toEqual(['2 invoices created from 3 rows: EUR 1,286.40.']);
	});
});
