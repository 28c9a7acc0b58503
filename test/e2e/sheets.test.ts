import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { ourNode, runWorkflow, workflowOf } from '../../tools/host/workflowOf';
import { headers, sheetsIn } from '../helpers/sheets';
import { useStage } from '../helpers/stage';

/** Sheets that n8n's own nodes read, as the spreadsheet example does, in a real n8n. */
const n8n = useStage();
const { world, created } = n8n;
jest.setTimeout(300_000);

const numbers = () => created().map(({ request }) => request.invoice_number);
const { sheetOf, run } = sheetsIn(n8n);

test.each(['csv', 'xlsx'] as const)(
	'three bad cells of a %s file: nothing is sent, and all are named',
	async (kind) => {
		const sheet = sheetOf(20);
		sheet[3][3] = '12.50 pieces';
		sheet[9][5] = '31/12/2026';
		sheet[15][1] = 'Núñez GmbH';
		const { status, data } = await run(kind, sheet);
		const { message, description } = data.resultData.error ?? {};
		expect(status).toBe('error');
		expect(message).toMatch(
			/^3 cells in 3 rows need a correction: Row 5, column "Amount": Unit Price must be an amount/,
		);
		for (const words of [
			'• Row 5, column "Amount": Unit Price must be an amount, got "12.50 pieces". "pieces" is not a currency',
			'• Row 11: Due Date must be a date in the form YYYY-MM-DD such as 2026-12-31, got "31/12/2026". Day and month are never guessed: set \'Date Order\'',
			'• Row 17, column "Customer ID": Customer: "Núñez GmbH" is a name. To find customers by name, set \'Match Customers By\'',
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

	test('[O2] an answer that is lost is found again, and the run goes on', async () => {
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
			'30 invoices for 30 rows: EUR 442.50 (29 created, 1 recovered).',
			expect.stringMatching(/^The response was lost, .*: invoice S\d-7, row 9\.$/),
		]);
	});

	test('[O6] failed rows come out of the error output, ready to be run again', async () => {
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
				details: { outcome: 'failed', invoice_number: numberOf(7), rows: '9', input: [sheet()[7]] },
			},
		]);
	});
});
