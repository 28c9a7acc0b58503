import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { toThousandths } from '../../simulator/money';
import { sheets } from '../fixtures/sheets';
import type { SheetFixture } from '../fixtures/sheets/sheet';
import { parametersAfter } from '../fixtures/sheets/sheet';
import { preview } from '../helpers/fromRows';
import { useNode } from '../helpers/nodeRuns';
import {
	billed,
	csvItems,
	emailOf,
	excelItems,
	expectWords,
	toBill,
} from '../helpers/sheetFixtures';

const { service, run, posts } = useNode();

/** Expects an error with these words, and that nothing was sent. */
async function expectRefusal(parameters: INodeParameters, items: IDataObject[], words: string[]) {
	const { error } = await run(parameters, { items });
	expectWords(error, words);
	expect(posts()).toEqual([]);
}

/** Runs the sheet with all settings: it is billed, or its last error stops it. */
async function finish(sheet: SheetFixture, items: IDataObject[]) {
	const parameters = parametersAfter(sheet);
	if (!sheet.invoices) {
		const words = sheet.steps[sheet.steps.length - 1].says;
		return await expectRefusal(parameters, items, words);
	}
	const { error } = await run(parameters, { items });
	expect(error).toBeUndefined();
	expect(billed(service.created)).toEqual(toBill(sheet));
}

const withInvoices = sheets.filter(({ invoices }) => invoices !== undefined);

describe('the fixtures', () => {
	test('are at least fourteen, with different names', () => {
		expect(sheets.length).toBeGreaterThanOrEqual(14);
		expect(new Set(sheets.map(({ name }) => name)).size).toBe(sheets.length);
	});

	test('have unique invoice numbers', () => {
		const numbers = withInvoices.flatMap(({ invoices = [] }) =>
			invoices.flatMap(({ number }) => number ?? []),
		);
		expect(new Set(numbers).size).toBe(numbers.length);
	});

	test('bill customers with invoices and a unique name', () => {
		const { customers, invoices } = service.world.account;
		const emails = withInvoices.flatMap((sheet) => sheet.invoices?.map(({ customer }) => customer));
		for (const email of emails) {
			const [customer] = customers.filter((one) => one.email === email);
			expect(customers.filter(({ name }) => name === customer.name)).toEqual([customer]);
			expect(invoices.some(({ request }) => request.customer === customer.id)).toBe(true);
		}
	});

	test.each(sheets)('have few rows and steps: $name', ({ headers, rows, steps, invoices }) => {
		expect(rows.length).toBeGreaterThanOrEqual(4);
		expect(rows.length).toBeLessThanOrEqual(8);
		for (const row of rows) expect([0, headers.length]).toContain(row.length);
		expect(steps.length).toBeLessThanOrEqual(3);
		const settings = steps.map(({ set }) => set !== undefined);
		expect(settings).toEqual(steps.map((_, index) => index < steps.length - 1 || !!invoices));
		expect(steps.every(({ says }) => says.length > 0)).toBe(true);
	});
});

describe.each([
	['a CSV file', false],
	['a CSV file with Include Empty Cells, or Google Sheets', true],
])('%s, step by step', (_, includeEmptyCells) => {
	test.each(sheets)('$name', async (sheet) => {
		const items = csvItems(sheet, includeEmptyCells);
		for (const [index, { says }] of sheet.steps.entries()) {
			await expectRefusal(parametersAfter(sheet, index), items, says);
		}
		if (sheet.invoices) await finish(sheet, items);
	});
});

describe('an Excel file, with all settings', () => {
	test.each(sheets)('$name', async (sheet) => await finish(sheet, excelItems(sheet)));
});

describe('a preview shows the same invoices', () => {
	test.each(withInvoices)('$name', async (sheet) => {
		const parameters = preview(parametersAfter(sheet));
		const { error, json } = await run(parameters, { items: csvItems(sheet) });
		expect(error).toBeUndefined();
		expect(posts()).toEqual([]);
		const keyOf = (values: unknown[]) => JSON.stringify(values);
		const shown = json.map(({ customer, currency, total, invoice_number: number }) => {
			const { id } = customer as { id: string };
			return keyOf([number, emailOf(id), currency, String(toThousandths(String(total)))]);
		});
		const expected = (sheet.invoices ?? []).map(({ number, customer, currency, total }) =>
			keyOf([number, customer, currency, String(toThousandths(total))]),
		);
		expect(shown.sort()).toEqual(expected.sort());
		expect(json.map(({ action }) => action)).toEqual(json.map(() => 'create'));
	});
});
