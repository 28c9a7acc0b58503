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
import type { Validation } from '../helpers/nodeRuns';
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

/** Follows the advice of each error. It must never lead in a circle, and say which cells to correct if there is nothing to set. */
async function expectGoodAdvice(items: IDataObject[], first: INodeParameters, failed: Validation) {
	const seen: string[] = [];
	let [settings, outcome]: [INodeParameters | undefined, Validation] = [first, failed];
	while ('message' in outcome) {
		const text = `${outcome.message}\n${outcome.description}`;
		expect(seen).not.toContain(text);
		seen.push(text);
		settings = follow(text, settings);
		if (!settings) {
			expect(text).toMatch(/[Rr]ows? \d|column/i);
			return;
		}
		outcome = await validate(items, settings);
	}
}

describe('[S1, R1] sheets, one line each', () => {
	test('are at least 300, and at least 100 of them are billed', () => {
		expect(lines.length).toBeGreaterThanOrEqual(300);
		expect(lines.filter(([, , outcome]) => 'billed' in outcome).length).toBeGreaterThanOrEqual(100);
	});

	test.each(lines.map((line) => [`${line[0]}: ${line[1]}`, line] as const))(
		'%s',
		async (_name, [, columns, wanted, settings = {}]) => {
			const items = itemsOf(columns, emails());
			const outcome = await validate(items, settings);
			if ('billed' in wanted) {
				expect(outcome).toMatchObject({ totals: wanted.billed.split(' ') });
				return;
			}
			expect(outcome).toHaveProperty('message');
			const { message, description } = outcome as Extract<Validation, { message: string }>;
			expect(`${message}\n${description}`.toLowerCase()).toContain(wanted.stops.toLowerCase());
			// No error is longer than a screen.
			expect(description.split('<br>').length).toBeLessThan(15);
			await expectGoodAdvice(items, settings, outcome);
		},
	);
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
