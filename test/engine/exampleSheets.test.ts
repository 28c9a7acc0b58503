import type { IDataObject } from 'n8n-workflow';
import example from '../../examples/invoices-from-spreadsheet.json';
import type { Sheet } from '../../tools/commands/makeSpreadsheets';
import {
	csvSample,
	csvTemplate,
	excelSample,
	template,
	writeSheets,
} from '../../tools/commands/makeSpreadsheets';
import { languageSheets } from '../../tools/commands/languageSheets';
import { fs, os, path, projectFolder } from '../../tools/node';
import { isoDay, sampleInvoices } from '../../tools/commands/samples';
import { reading } from '../helpers/sheets/fromRows';
import { useNode } from '../helpers/n8n/nodeRuns';
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
const requested = () =>
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

const written = ['invoices', 'invoice-template', ...Object.keys(languageSheets).map((one) => `invoices.${one}`)]; // prettier-ignore
test.each(written.flatMap((name) => [`${name}.csv`, `${name}.xlsx`]))(
	'examples/data/%s is what make-spreadsheets writes',
	async (name) => {
		const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sheets-'));
		await writeSheets(folder);
		const written = withoutTimes(path.join(folder, name));
		fs.rmSync(folder, { recursive: true });
		expect(withoutTimes(path.join(projectFolder, 'examples', 'data', name)).equals(written)).toBe(
			true,
		);
	},
);

test('the customers of the samples have invoices in the simulator', () => {
	const billed = new Set(service.world.account.invoices.map(({ request }) => request.customer));
	const unknown = sampleInvoices().filter(({ request }) => !billed.has(request.customer));
	expect(unknown).toEqual([]);
});

test('the samples become the expected invoices of the example', async () => {
	const fromCsv = await create(itemsOfCsv(csvSample));
	const fromExcel = await create(itemsOfExcel(excelSample), 'Create Invoices from Excel');
	expect(requested()).toMatchObject(sampleInvoices().map(({ request }) => request));
	const shown = [...fromCsv.json, ...fromExcel.json];
	expect(shown.map(({ rows }) => rows)).toEqual(
		sampleInvoices().map(({ rows }) => rows.join(', ')),
	);
	for (const { json, hints } of [fromCsv, fromExcel]) {
		expect(json.map(({ customer_match: match }) => match)).toEqual(
			json.map(() => expect.objectContaining({ by: 'email' }) as unknown),
		);
		expect(hints).toContainEqual(expect.stringContaining('20 invoices created from 25 rows: '));
	}
});

test.each([
	['CSV', itemsOfCsv(csvTemplate)],
	['Excel', itemsOfExcel(template)],
])('the rows of the %s template become two invoices and use every column', async (_, items) => {
	const none = { reading: { __rl: true, mode: 'list', value: '' } };
	const seen = await create(items, undefined, { ...none, previewOnly: true });
	const { hints } = await create(items, undefined, reading(String(seen.json.at(-1)?.reading)));
	expect(requested()).toMatchObject([
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
