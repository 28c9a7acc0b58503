import { warningsOf } from '../../nodes/InvoicingPayments/fromRows/preview';
import { clear } from '../fixtures/sheetTable/clear';
import { programExports } from '../fixtures/sheetTable/exports';
import type { SheetLine } from '../fixtures/sheetTable/line';
import { cellOf, knownCustomers, rowsOf } from '../fixtures/sheetTable/line';
import { traps } from '../fixtures/sheetTable/traps';
import { happensIn, readingDifference, readLine } from '../helpers/readLine';
import type { ReadRows } from '../helpers/readRows';
import { readRows } from '../helpers/readRows';

/** A line says only some words of why an invoice stops. */
const withWordsOf = (happens: string, wanted: string) => {
	const words = /stops: (.*?)(?= \| |$)/.exec(wanted)?.[1];
	return happens.replace(/stops: .*?(?= \| |$)/, (all) =>
		words !== undefined && all.includes(words) ? `stops: ${words}` : all,
	);
};
const isBilledAtOnce = (happens: string) => !happens.includes(' | ');
const named = (lines: SheetLine[]) =>
	lines.map((line) => [`${line[0]}: ${line[1]}`, line] as const);

describe('[S1, R1] sheets, one line each', () => {
	test.each(named([...clear, ...traps]))(
		'%s',
		(_name, [, columns, wantedReading, wanted, settings]) => {
			const { reads, happens, first, read } = readLine(columns, settings);
			if (!settings?.edit) expect(first.refusal === undefined).toBe(isBilledAtOnce(wanted));
			expect({ reads, happens: withWordsOf(happens, wanted) }).toEqual({
				reads: wantedReading,
				happens: wanted,
			});
			// Whoever has confirmed the reading of the preview gets exactly the invoices of the preview.
			expectSameWhenConfirmed(first, read);
		},
	);
});

function expectSameWhenConfirmed(first: ReadRows, read: (confirmed: string) => ReadRows) {
	const { invoices, refusal, text } = read(first.text);
	expect(invoices).toEqual(first.invoices);
	expect(readingDifference(text)).toBe(readingDifference(first.text));
	const problem = first.invoices.flatMap(({ problems }) => problems).find(Boolean);
	expect(refusal).toBe(problem);
}

test('a sheet with a trap is never billed before somebody has looked', () => {
	expect(traps.length).toBeGreaterThan(400);
	expect(traps.filter(([, , , happens]) => isBilledAtOnce(happens))).toEqual([]);
});

test('of the sheets without a trap, few need more than a look at what is not billed', () => {
	const asked = clear.filter(([, , , happens]) => /look at|guess/.test(happens));
	expect(clear.length).toBeGreaterThan(400);
	expect(asked.length).toBeLessThan(clear.length / 5);
});

test.each(programExports.map((one) => [one.name, one] as const))(
	'an export of a program: %s',
	(_name, { headers, rows, defaults = {}, reads, happens }) => {
		const columns = headers.split(' | ');
		const cells = rows.map((row) => row.split(' | ').map(cellOf));
		const items = cells.map((own) =>
			Object.fromEntries(
				own.flatMap((cell, at) => (cell === undefined ? [] : [[columns[at], cell]])),
			),
		);
		const read = (confirmed?: string) =>
			readRows(items, knownCustomers, { defaults, today: '2026-02-10', confirmed });
		const first = read();
		expect({
			reads: first.text.replace(/; seen: \w+$/, ''),
			happens: happensIn(first, ''),
		}).toEqual({ reads, happens });
		expectSameWhenConfirmed(first, read);
	},
);

test('hints at cells that are odd but possible', () => {
	const { reading } = readRows(
		rowsOf(
			'Invoice No: A | B | C | D | E ; Item: Design | Design | Design | Design | Design ; Qty: -2 | | 1 | 1 | 1 ; Rate: 40 | 0 | 20 | 30 | 30 ; Due Date: 2027-03-01 | 2027-03-01 | 2020-01-01 | 2027-03-01 | 2027-03-01',
		),
		knownCustomers,
	);
	const warnings = warningsOf(reading.drafts, '2026-11-24');
	expect(reading.drafts.map((draft) => warnings.get(draft))).toEqual([
		['negative amount'],
		['amount of 0', 'no quantity, counted as 1', 'total of 0'],
		['due date in the past'],
		undefined,
		['same customer, due date, items and total as another invoice'],
	]);
});
