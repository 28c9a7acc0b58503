import { stringify } from 'csv-stringify/sync';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import writeXlsxFile from 'write-excel-file/node';
import type { StoredExecution } from '../../host/api';
import { readExample, triggerOf } from '../../host/stage';
import { ourNode, runWorkflow, workflowOf } from '../../host/workflowOf';
import { delay, fs, path } from '../../scripts/node';
import { until } from '../../scripts/until';
import { useStage } from '../helpers/stage';

/** Sheets that n8n's own nodes read, as the spreadsheet example does, in a real n8n. */
const n8n = useStage();
const { world, created } = n8n;
jest.setTimeout(300_000);

const numbers = () => created().map(({ request }) => request.invoice_number);
const outputOf = ({ data }: StoredExecution, output = 0) =>
	(data.resultData.runData['Create Invoices'] ?? []).flatMap((run) =>
		(run.data?.main[output] ?? []).map(({ json }) => json),
	);

const headers = ['Invoice Number', 'Customer ID', 'Item', 'Amount', 'Currency', 'Due Date'];
type Cell = string | number | Date;
type Sheet = Cell[][];

const sheetOf = (count: number): Sheet => {
	const { id } = world().account.customers[0];
	return Array.from({ length: count }, (_, index) => [
		`S-${index}`,
		id,
		'Consulting',
		`${index}.25`,
		'EUR',
		'2027-01-15',
	]);
};

/** Writes a file for the example and leaves out the branch that reads the other one. */
async function workflowFor(kind: 'csv' | 'xlsx', sheet: Sheet, parameters: INodeParameters = {}) {
	const file = path.join(n8n.stage.filesFolder, `invoices.${kind}`);
	if (kind === 'csv') {
		fs.writeFileSync(file, stringify([headers, ...(sheet as string[][])]));
	} else {
		const cells = sheet.map((row) =>
			row.map((value) => ({ value, ...(value instanceof Date && { format: 'dd/mm/yyyy' }) })),
		);
		await writeXlsxFile([headers.map((value) => ({ value })), ...cells] as never, {
			sheet: 'Sheet',
		}).toFile(file);
	}
	const example = readExample('invoices-from-spreadsheet', n8n.stage);
	const trigger = triggerOf(example);
	const first = kind === 'csv' ? 'Read CSV File' : 'Read Excel File';
	const workflow = {
		...example,
		nodes: example.nodes.map((node) =>
			node.name === 'Create Invoices'
				? { ...node, parameters: { ...node.parameters, ...parameters } }
				: node,
		),
		connections: {
			...example.connections,
			[trigger]: { main: [[{ node: first, type: 'main' as const, index: 0 }]] },
		},
	};
	await n8n.stage.api.saveWorkflow(workflow);
	return { id: workflow.id, trigger };
}

async function run(...args: Parameters<typeof workflowFor>): Promise<StoredExecution> {
	const { id, trigger } = await workflowFor(...args);
	return await n8n.stage.api.run(id, trigger);
}

test.each(['csv', 'xlsx'] as const)(
	'three bad cells of a %s file: nothing is sent, and all are named',
	async (kind) => {
		const sheet = sheetOf(20);
		sheet[3][3] = '€ 12.50';
		sheet[9][5] = '31/12/2026';
		sheet[15][1] = 'Núñez GmbH';
		const { status, data } = await run(kind, sheet);
		const { message, description } = data.resultData.error ?? {};
		expect(status).toBe('error');
		expect(message).toMatch(
			/^3 problems in the rows: Row 5, column "Amount": Item Amount must be a number/,
		);
		for (const words of [
			'• Row 5, column "Amount": Item Amount must be a number without a currency, got "€ 12.50"',
			'• Row 11: Due Date must be a date in the form YYYY-MM-DD such as 2026-12-31, got "31/12/2026". Day and month are never guessed: set the option Date Order',
			'• Row 17: Customer ID must be an ID in UUID format',
		]) {
			expect(description).toContain(words);
		}
		expect(world().traffic.requestCount).toBe(0);
	},
);

test('a European Excel file: date cells, decimal commas, numbers as numbers', async () => {
	const sheet = sheetOf(4);
	sheet[0][5] = new Date(Date.UTC(2027, 0, 31));
	sheet[1][5] = '31.01.2027';
	sheet[1][3] = '1 234,50';
	sheet[2][3] = 1234.5;
	sheet[3][0] = 2027001;
	const options = { decimalSeparator: 'comma', dateOrder: 'dayMonth' };
	const plain = sheet.map((row, index) =>
		index === 0 || index === 3 ? [...row.slice(0, 3), index + 1, ...row.slice(4)] : row,
	);
	const execution = await run('xlsx', plain, { options });
	expect(execution.data.resultData.error?.message).toBeUndefined();
	const shown = created().map(({ request: { invoice_number: number, due_date: due, items } }) => [
		number,
		due,
		items[0].amount,
	]);
	expect(shown.sort()).toEqual([
		['2027001', '2027-01-15', '4'],
		['S-0', '2027-01-31', '1'],
		['S-1', '2027-01-31', '1234.50'],
		['S-2', '2027-01-15', '1234.5'],
	]);
});

test('n8n is killed in the middle, twice: the runs that follow finish the sheet, each invoice once', async () => {
	const count = 300;
	world().set({ latency: 30 });
	const { id, trigger } = await workflowFor('csv', sheetOf(count));
	let before = 0;
	for (const share of [0.3, 0.6]) {
		await n8n.stage.api.start(id, trigger);
		await until(
			() => numbers().length >= share * count,
			() => `Only ${numbers().length} invoices were created`,
			20,
		);
		await n8n.stage.n8n.kill();
		// What was on its way arrives.
		await delay(500);
		expect(numbers().length).toBeGreaterThan(before);
		expect(numbers().length).toBeLessThan(count);
		before = numbers().length;
		await n8n.stage.restart();
	}
	const execution = await n8n.stage.api.run(id, trigger);
	expect(execution.data.resultData.error?.message).toBeUndefined();
	const outcomes = outputOf(execution).map(({ outcome }) => outcome);
	expect(outcomes.filter((outcome) => outcome === 'found')).toHaveLength(before);
	expect(outcomes).toHaveLength(count);
	expect(numbers()).toHaveLength(count);
	expect(new Set(numbers()).size).toBe(count);
});

describe('a service that fails half-way', () => {
	let sheets = 0;
	// n8n remembers what it created, so each test has numbers of its own.
	beforeEach(() => (sheets += 1));
	const numberOf = (row: number) => `S${sheets}-${row}`;
	const sheet = (): IDataObject[] =>
		sheetOf(30).map((cells, row) => ({
			...Object.fromEntries(headers.map((header, index) => [header, cells[index] as string])),
			'Invoice Number': numberOf(row),
		}));
	const create = async (parameters: INodeParameters = {}, settings: object = {}) =>
		await runWorkflow(
			n8n.stage.api,
			workflowOf(
				sheet(),
				ourNode(
					n8n.stage,
					{
						resource: 'invoice',
						operation: 'createFromRows',
						columns: { mappingMode: 'autoMapInputData', value: null } as never,
						...parameters,
					},
					settings,
				),
			),
		);

	test('an answer that is lost is found again, and the run goes on', async () => {
		world().faults.add({
			contains: `"${numberOf(7)}"`,
			method: 'POST',
			action: { kind: 'reset', work: { lateMs: 1500 } },
		});
		const execution = await create();
		const items = execution.data.resultData.runData.Node[0].data?.main[0] ?? [];
		expect(
			items.map(({ json }) => json.outcome).filter((outcome) => outcome !== 'created'),
		).toEqual(['recovered']);
		expect(new Set(numbers()).size).toBe(30);
		expect(numbers()).toHaveLength(30);
		const hints = execution.data.resultData.runData.Node[0].hints ?? [];
		expect(hints.map(({ message }) => message)).toEqual([
			'30 rows for 30 invoices: 29 created, 1 recovered.',
			expect.stringMatching(/^The answer was lost .*: invoice S\d-7, row 9\.$/),
		]);
	});

	test('failed rows come out of the error output, ready to be run again', async () => {
		world().faults.add({
			contains: `"${numberOf(7)}"`,
			method: 'POST',
			action: { kind: 'status', status: 422, message: 'No credit' },
		});
		const execution = await create({}, { onError: 'continueErrorOutput' });
		const [main, errors] = execution.data.resultData.runData.Node[0].data?.main ?? [];
		expect(main).toHaveLength(29);
		expect(errors?.map(({ json }) => json)).toEqual([
			{
				...sheet()[7],
				error: expect.stringContaining(`No credit [invoice ${numberOf(7)}, row 9]`),
				details: { outcome: 'failed', invoice_number: numberOf(7), rows: [9], input: [sheet()[7]] },
			},
		]);
	});
});
