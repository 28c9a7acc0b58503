import type { StoredInvoice } from '../../simulator/data/invoices';
import { sheets } from '../fixtures/sheets';
import type { Cell, SheetFixture } from '../fixtures/sheets/sheet';
import { parametersAfter } from '../fixtures/sheets/sheet';
import { billed, expectWords, toBill, writtenOf } from '../helpers/sheetFixtures';
import type { FileKind, SheetOutcome } from '../helpers/sheets';
import { runSheets } from '../helpers/sheets';
import { useStage } from '../helpers/stage';

/** Sheets of real programs, read from files by n8n's nodes, in a real n8n. */
const n8n = useStage();

/** An Excel file contains numbers and dates, a CSV file only text. */
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

describe.each(['csv', 'xlsx'] as const)('%s files, with all settings', (kind) => {
	let outcomes = new Map<string, SheetOutcome>();
	let created: StoredInvoice[] = [];

	beforeAll(async () => {
		// The node remembers the created numbers of an account, so each kind of file uses its own account.
		await n8n.stage.useKey(`your-simulator-key-for-${kind}-sheets`);
		outcomes = await runSheets(
			n8n.stage,
			kind,
			sheets.map((sheet) => namedSheet(kind, sheet)),
		);
		// The simulator is reset before each test.
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

	test('[R1] nothing else is created', () => {
		const known = new Set([...outcomes.values()].flatMap(({ ids }) => ids));
		expect(billed(created.filter(({ full }) => !known.has(full.id)))).toEqual([]);
	});
});
