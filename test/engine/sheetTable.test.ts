import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { programExports } from '../fixtures/sheetTable/exports';
import { figureLines } from '../fixtures/sheetTable/figures';
import { harmlessColumns } from '../fixtures/sheetTable/harmlessColumns';
import type { SheetLine } from '../fixtures/sheetTable/line';
import { cellOf, itemsOf } from '../fixtures/sheetTable/line';
import { office } from '../fixtures/sheetTable/office';
import { cellLines, rowLines } from '../fixtures/sheetTable/rowLines';
import { strangers } from '../fixtures/sheetTable/strangers';
import { executeNode } from '../helpers/engine';
import { useSimulator } from '../helpers/service';

const service = useSimulator();
const kaya = () => service.world.account.customers[11].email;
/** The customer of all exports, who is called otherwise there. */
const nameOfKaya = () => service.world.account.customers[11].name;

/** What Only Validate says of a sheet: the totals of its invoices, or the error as a person sees it. */
async function validate(
	items: IDataObject[],
	settings: INodeParameters = {},
): Promise<{ totals: string[] } | { message: string; description: string }> {
	try {
		const json = await executeNode({
			credential: service.credential,
			parameters: {
				resource: 'invoice',
				operation: 'createFromRows',
				columns: { mappingMode: 'autoMapInputData', value: null } as never,
				onlyValidate: true,
				...settings,
			},
			items,
		});
		return { totals: json.map(({ total }) => String(total)) };
	} catch (error) {
		const { message, description } = error as Error & { description?: string };
		const text = (description ?? '').replace(/&gt;/g, '>').replace(/&lt;/g, '<');
		return { message, description: text.replace(/&amp;/g, '&') };
	}
}

const lines: SheetLine[] = [...figureLines, ...rowLines, ...cellLines, ...office, ...strangers];

describe('[S1, R1] sheets, one line each', () => {
	test('are at least 300, of which at least 100 are billed', () => {
		expect(lines.length).toBeGreaterThanOrEqual(300);
		expect(lines.filter(([, , outcome]) => 'billed' in outcome).length).toBeGreaterThanOrEqual(100);
	});

	test.each(lines.map((line) => [`${line[0]}: ${line[1]}`, line] as const))(
		'%s',
		async (_name, line) => {
			const [, columns, wanted, settings] = line;
			const outcome = await validate(itemsOf(columns, kaya), settings);
			if ('billed' in wanted) expect(outcome).toEqual({ totals: wanted.billed.split(' ') });
			else {
				expect(outcome).toHaveProperty('message');
				const { message, description } = outcome as { message: string; description: string };
				expect(`${message}\n${description}`.toLowerCase()).toContain(wanted.stops.toLowerCase());
				// No error is longer than a screen.
				expect(description.split('<br>').length).toBeLessThan(15);
			}
		},
	);
});

/** What a person sets or changes who follows an error literally; `undefined`: there is nothing to set, the sheet is to be corrected. */
function follow(
	{ message, description }: { message: string; description: string },
	settings: INodeParameters,
	items: IDataObject[],
): { settings: INodeParameters; items: IDataObject[] } | undefined {
	const text = `${message}\n${description}`;
	const withOption = (options: INodeParameters) => ({
		settings: { ...settings, options: { ...(settings.options as INodeParameters), ...options } },
		items,
	});
	const paste = /paste into Options > Ignore Columns: (.*?)(?:<br>|$)/.exec(text)?.[1];
	if (paste !== undefined) return withOption({ ignoreColumns: [paste] });
	if (text.includes("'Decimal Separator'")) return withOption({ decimalSeparator: 'comma' });
	if (text.includes("'Date Order'")) return withOption({ dateOrder: 'dayMonth' });
	if (text.includes("'Amount Is'")) return withOption({ amountIs: 'lineTotal' });
	if (text.includes("'Fractional Quantities'"))
		return withOption({ fractionalQuantities: 'intoPrice' });
	if (text.includes("'Rows That Look Like Totals'")) return withOption({ totalRows: 'bill' });
	const by = /'Group Column' to (.*?)(?:<br>|$|\n| \()/.exec(text)?.[1];
	if (by !== undefined)
		return { settings: { ...settings, groupBy: 'column', groupColumn: by }, items };
	const column = /[Cc]olumn "([^"]+)".*(?:'Ignore Columns'|Ignore Columns)/.exec(text)?.[1];
	if (column === undefined) return undefined;
	const before = ((settings.options as INodeParameters)?.ignoreColumns ?? []) as string[];
	return withOption({ ignoreColumns: [...before, column] });
}

test('[S1] the advice of each error leads to invoices or to another question, never in a circle', async () => {
	const circles: string[] = [];
	for (const [what, columns, wanted, first = {}] of lines) {
		if ('billed' in wanted) continue;
		let state = { settings: first, items: itemsOf(columns, kaya) };
		const seen = new Set<string>();
		for (;;) {
			const outcome = await validate(state.items, state.settings);
			if ('totals' in outcome) break;
			const text = `${outcome.message}\n${outcome.description}`;
			if (seen.has(text)) {
				circles.push(`${what}: ${text}`);
				break;
			}
			seen.add(text);
			const next = follow(outcome, state.settings, state.items);
			if (!next) {
				// Where there is nothing to set, the error says where the sheet is to be corrected.
				if (!/[Rr]ows? \d|column/i.test(text)) circles.push(`${what}: says no place: ${text}`);
				break;
			}
			state = next;
		}
	}
	expect(circles).toEqual([]);
});

/** Of the exports of programs: questions that a person would perhaps not ask. The fewer, the better. */
const mostExports = 9;

describe('how often a sheet is asked about', () => {
	test(`${harmlessColumns.length} single columns that are no part of what is to be paid`, async () => {
		expect(harmlessColumns).toHaveLength(100);
		const asked: string[] = [];
		for (const [header, ...cells] of harmlessColumns) {
			const items = itemsOf('', kaya).map((item, index) => ({ ...item, [header]: cells[index] }));
			const outcome = await validate(items as IDataObject[]);
			if ('message' in outcome) asked.push(`${header}: ${outcome.message}`);
		}
		expect(asked.length > 8 ? asked : []).toEqual([]);
	});

	test(`${programExports.length} exports of programs`, async () => {
		expect(programExports).toHaveLength(40);
		const asked: string[] = [];
		for (const { name, headers, rows, defaults, withoutNumbers, asks } of programExports) {
			const names = headers.split(' | ');
			const items = rows.map((row) => {
				const cells = row
					.split(' | ')
					.map((text) => (text === 'Demir Trading' ? nameOfKaya() : cellOf(text, kaya)));
				const filled = names.map((header, at) => [header, cells[at]] as const);
				return Object.fromEntries(filled.filter(([, cell]) => cell !== undefined));
			}) as IDataObject[];
			const outcome = await validate(items, {
				...(defaults && { defaults }),
				...(withoutNumbers && { ifInvoiceNumberExists: 'create' }),
			} as INodeParameters);
			if ('message' in outcome && !asks)
				asked.push(`${name}: ${outcome.message} ${outcome.description}`);
			if ('totals' in outcome && asks) asked.push(`${name}: billed ${outcome.totals.join(' ')}`);
		}
		expect(asked.length > mostExports ? asked : []).toEqual([]);
	});
});
