import type { StoredInvoice } from '../../simulator/data/invoices';
import { sheets } from '../fixtures/sheets';
import type { Cell, SheetFixture } from '../fixtures/sheets/sheet';
import { parametersAfter } from '../fixtures/sheets/sheet';
import { billed, expectWords, toBill, writtenOf } from '../helpers/sheetFixtures';
import type { FileKind, SheetOutcome } from '../helpers/sheets';
import { runSheets } from '../helpers/sheets';
import { useStage } from '../helpers/stage';

/** Sheets that people really have, as files that n8n's own nodes read, in a real n8n. */
const n8n = useStage();

/** Excel holds numbers and days, a CSV file what was written. */
const cellOf = (kind: FileKind, cell: Cell) => {
	if (kind === 'csv') return writtenOf(cell);
	return typeof cell === 'object' ? new Date(`${cell.date}T00:00:00Z`) : cell;
};

const namedSheet = (kind: FileKind, sheet: SheetFixture) => ({
	name: sheet.name,
	headers: sheet.headers,
	cells: sheet.rows.map((row) => row.map((cell) => cellOf(kind, cell))),
	parameters: parametersAfter(sheet),
});

describe.each(['csv', 'xlsx'] as const)('%s files, with everything set', (kind) => {
	let outcomes = new Map<string, SheetOutcome>();
	let created: StoredInvoice[] = [];

	beforeAll(async () => {
		// n8n remembers the numbers that it created in an account, so each kind of file has an account of its own.
		await n8n.stage.useKey(`your-simulator-key-for-${kind}-sheets`);
		outcomes = await runSheets(
			n8n.stage,
			kind,
			sheets.map((sheet) => namedSheet(kind, sheet)),
		);
		// Before each test the simulator starts anew.
		created = n8n.created();
	}, 600_000);

	test.each(sheets)('$name', (sheet) => {
		const { error, ids = [] } = outcomes.get(sheet.name) ?? {};
		if (sheet.invoices) expect(error).toBeUndefined();
		else expectWords(error, sheet.steps[sheet.steps.length - 1].says);
		const own = created.filter(({ full }) => ids.includes(full.id));
		expect(own).toHaveLength(ids.length);
		expect(billed(own)).toEqual(toBill(sheet));
	});

	test('[R1] nothing else was created', () => {
		const known = new Set([...outcomes.values()].flatMap(({ ids }) => ids));
		expect(billed(created.filter(({ full }) => !known.has(full.id)))).toEqual([]);
	});
});
