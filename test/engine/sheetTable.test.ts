import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { programExports } from '../fixtures/sheetTable/exports';
import { figureLines } from '../fixtures/sheetTable/figures';
import { harmlessColumns } from '../fixtures/sheetTable/harmlessColumns';
import type { SheetLine } from '../fixtures/sheetTable/line';
import { cellOf, itemsOf } from '../fixtures/sheetTable/line';
import { office } from '../fixtures/sheetTable/office';
import { cellLines, rowLines } from '../fixtures/sheetTable/rowLines';
import { strangers } from '../fixtures/sheetTable/strangers';
import { traps } from '../fixtures/sheetTable/traps';
import { useNode } from '../helpers/nodeRuns';

const { service, validate } = useNode();
/** Words of the fixtures for customers of the service. */
const emails = () => {
	const { customers } = service.world.account;
	return { kaya: String(customers[11].email), berg: String(customers[7].email) };
};

const lines: SheetLine[] = [
	...figureLines,
	...rowLines,
	...cellLines,
	...office,
	...strangers,
	...traps,
];

describe('[S1, R1] sheets, one line each', () => {
	test('are at least 300, and at least 100 of them are billed', () => {
		expect(lines.length).toBeGreaterThanOrEqual(300);
		expect(lines.filter(([, , outcome]) => 'billed' in outcome).length).toBeGreaterThanOrEqual(100);
	});

	test.each(lines.map((line) => [`${line[0]}: ${line[1]}`, line] as const))(
		'%s',
		async (_name, [, columns, wanted, settings]) => {
			const outcome = await validate(itemsOf(columns, emails()), settings);
			if ('billed' in wanted) expect(outcome).toMatchObject({ totals: wanted.billed.split(' ') });
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

/** Options that an error names, and the value that a user would set. */
const advised: Array<[words: string, option: INodeParameters]> = [
	["as set in 'Decimal Separator'", { decimalSeparator: 'point' }],
	["'Decimal Separator'", { decimalSeparator: 'comma' }],
	["'Date Order'", { dateOrder: 'dayMonth' }],
	["'Amount Is'", { amountIs: 'lineTotal' }],
	["'Fractional Quantities'", { fractionalQuantities: 'intoPrice' }],
	["'Rows That Look Like Totals'", { totalRows: 'bill' }],
];

/** The settings of a user who follows an error literally; `undefined` if the error asks to correct the sheet. */
function follow(text: string, settings: INodeParameters): INodeParameters | undefined {
	const options = settings.options as INodeParameters | undefined;
	const withOption = (option: INodeParameters) => ({
		...settings,
		options: { ...options, ...option },
	});
	const paste = /paste into Options > Ignore Columns: (.*?)(?:<br>|$)/.exec(text)?.[1];
	if (paste !== undefined) return withOption({ ignoreColumns: [paste] });
	const found = advised.find(([words]) => text.includes(words));
	if (found) return withOption(found[1]);
	const groupColumn = /'Group Column' to (.*?)(?:<br>|$|\n| \()/.exec(text)?.[1];
	if (groupColumn !== undefined) return { ...settings, groupBy: 'column', groupColumn };
	const column = /[Cc]olumn "([^"]+)".*(?:'Ignore Columns'|Ignore Columns)/.exec(text)?.[1];
	if (column === undefined) return undefined;
	return withOption({ ignoreColumns: [...((options?.ignoreColumns ?? []) as string[]), column] });
}

test('[S1] following the advice of each error never leads in a circle', async () => {
	const problems: string[] = [];
	for (const [what, columns, wanted, first = {}] of lines) {
		if ('billed' in wanted) continue;
		const seen = new Set<string>();
		let settings: INodeParameters | undefined = first;
		while (settings) {
			const outcome = await validate(itemsOf(columns, emails()), settings);
			if ('totals' in outcome) break;
			const text = `${outcome.message}\n${outcome.description}`;
			if (seen.has(text)) problems.push(`${what}: ${text}`);
			settings = seen.has(text) ? undefined : follow(text, settings);
			if (!settings && !/[Rr]ows? \d|column/i.test(text))
				problems.push(`${what}: does not say which cells to correct: ${text}`);
			seen.add(text);
		}
	}
	expect(problems).toEqual([]);
});

/** How many exports may raise a question that a user would perhaps not ask. */
const mostExports = 9;

describe('few sheets raise a question', () => {
	test(`${harmlessColumns.length} single columns that are not part of the price`, async () => {
		expect(harmlessColumns).toHaveLength(100);
		const asked: string[] = [];
		for (const [header, ...cells] of harmlessColumns) {
			const items = itemsOf('', emails()).map(
				(item, at): IDataObject => ({ ...item, [header]: cells[at] as string }),
			);
			const outcome = await validate(items);
			if ('message' in outcome) asked.push(`${header}: ${outcome.message}`);
		}
		expect(asked.length > 8 ? asked : []).toEqual([]);
	});

	test(`${programExports.length} exports of programs`, async () => {
		expect(programExports).toHaveLength(40);
		/** The customer of all exports has another name there. */
		const names = { 'Demir Trading': service.world.account.customers[11].name };
		const asked: string[] = [];
		for (const { name, headers, rows, defaults, withoutNumbers, asks } of programExports) {
			const columns = headers.split(' | ');
			const items = rows.map((row): IDataObject => {
				const cells = row.split(' | ').map((text) => cellOf(text, { ...emails(), ...names }));
				const filled = columns.map((header, at) => [header, cells[at]] as const);
				return Object.fromEntries(filled.filter(([, cell]) => cell !== undefined)) as IDataObject;
			});
			const outcome = await validate(items, {
				...(defaults && { defaults }),
				...(withoutNumbers && { ifInvoiceNumberExists: 'create' }),
			});
			if ('message' in outcome && !asks)
				asked.push(`${name}: ${outcome.message} ${outcome.description}`);
			if ('totals' in outcome && asks) asked.push(`${name}: billed ${outcome.totals.join(' ')}`);
		}
		expect(asked.length > mostExports ? asked : []).toEqual([]);
	});
});
