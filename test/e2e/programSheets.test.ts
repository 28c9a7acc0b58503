import type { StoredInvoice } from '../../simulator/data/invoices';
import { billed, cellOf, programSheets, toBill } from '../helpers/sheets/programSheets';
import type { SheetOutcome } from '../helpers/sheets/sheets';
import { runSheets } from '../helpers/sheets/sheets';
import { useStage } from '../helpers/n8n/stage';

/** Sheets of real programs, read from files by n8n's nodes, previewed and created, in a real n8n. */
const n8n = useStage();

describe.each(['csv', 'xlsx'] as const)('%s files, previewed and created', (kind) => {
	let outcomes = new Map<string, SheetOutcome>();
	let created: StoredInvoice[] = [];

	beforeAll(async () => {
		// The node remembers the created numbers of an account, so each kind of file uses its own account.
		await n8n.stage.useKey(`your-simulator-key-for-${kind}-sheets`);
		outcomes = await runSheets(
			n8n.stage,
			kind,
			programSheets.map((sheet) => ({
				...sheet,
				cells: sheet.rows.map((row) => row.map((cell) => cellOf(kind, cell))),
			})),
		);
		// The simulator is reset before each test.
		created = n8n.created();
	}, 600_000);

	test.each(programSheets)('$name', (sheet) => {
		const { error, ids = [] } = outcomes.get(sheet.name) ?? {};
		if (sheet.invoices) expect(error).toBeUndefined();
		else expect(error?.message).toBeDefined();
		const own = created.filter(({ full }) => ids.includes(full.id));
		expect(own).toHaveLength(ids.length);
		expect(billed(own)).toEqual(sheet.invoices ? toBill(sheet) : []);
	});

	test('[R1] nothing else is created', () => {
		const expected = programSheets.flatMap(({ invoices = [] }) => invoices).length;
		expect(created).toHaveLength(expected);
	});
});
