import type { FileKind, ProgramSheet } from '../../helpers/sheets/programSheets';
import {
	emailOf,
	itemsOf,
	people,
	programSheets,
	sortedInvoices,
} from '../../helpers/sheets/programSheets';
import { previewedAs } from '../../../tools/previewed';
import { readRows } from '../../helpers/sheets/readRows';

/** Sheets of real programs and offices: what a preview reads is what is billed once it is confirmed. */
const named = people.map(({ id, name, email }) => ({ id, name, email: String(email) }));

function customersOf({ set }: ProgramSheet) {
	const listed = set?.options?.customerList;
	if (listed === undefined) return named;
	const more = JSON.parse(listed) as Array<{ id: string; name: string }>;
	return named.map((one) => ({ ...one, ...more.find(({ id }) => id === one.id) }));
}

const read = (sheet: ProgramSheet, kind: FileKind, keepsEmpty?: boolean, confirmed?: string) =>
	readRows(itemsOf(sheet, kind, keepsEmpty), customersOf(sheet), {
		...{ defaults: sheet.set?.defaults ?? {}, today: '2026-06-15' },
		...(confirmed !== undefined && { confirmed }),
	});

describe.each([
	['a CSV file', 'csv', false],
	['a CSV file with Include Empty Cells, or Google Sheets', 'csv', true],
	['an Excel file', 'xlsx', false],
] as const)('%s', (_file, kind, keepsEmpty) => {
	test.each(programSheets)('$name', (sheet) => {
		const preview = read(sheet, kind, keepsEmpty);
		const problems = preview.invoices.flatMap((one) => one.problems);
		if (sheet.says !== undefined) {
			expect(preview.refusal).toBeDefined();
			expect([...problems, ...preview.findings.map(({ text }) => text)]).toContain(sheet.says);
		}
		const [from, to] = sheet.edit ?? ['', ''];
		expect(preview.text).toContain(from);
		const confirmed = previewedAs(preview.text.replace(from, to));
		const { refusal, reading, invoices } = read(sheet, kind, keepsEmpty, confirmed);
		if (!sheet.invoices) {
			expect(refusal).toBeDefined();
			return;
		}
		expect(refusal).toBeUndefined();
		const made = invoices.map(({ currency = '', total = '', due }, at) => {
			const { customer, invoice_number: number } = reading.drafts[at].body as Record<
				string,
				string
			>;
			return {
				...(number && { number }),
				customer: emailOf(customer),
				currency,
				total,
				due_date: due,
			};
		});
		expect(sortedInvoices(made)).toEqual(
			sortedInvoices(sheet.invoices).map((one) => expect.objectContaining(one) as unknown),
		);
	});
});
