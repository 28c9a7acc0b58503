import { clear } from '../../fixtures/sheetTable/clear';
import { programExports } from '../../fixtures/sheetTable/exports';
import type { SheetLine } from '../../fixtures/sheetTable/line';
import { cellOf, knownCustomers } from '../../fixtures/sheetTable/line';
import { traps } from '../../fixtures/sheetTable/traps';
import {
	happensIn,
	readingDifference,
	readLine,
	withoutShapes,
} from '../../helpers/sheets/readLine';
import type { ReadRows } from '../../helpers/sheets/readRows';
import { readRows } from '../../helpers/sheets/readRows';

/** A line says only some words of why an invoice stops. */
const withWordsOf = (happens: string, wanted: string) => {
	const words = /stops: (.*?)(?= \| |$)/.exec(wanted)?.[1];
	return happens.replace(/stops: .*?(?= \| |$)/, (all) =>
		words !== undefined && all.includes(words) ? `stops: ${words}` : all,
	);
};
const unconfirmed = 'Nobody has confirmed how this sheet is read';
const named = (lines: SheetLine[]) =>
	lines.map((line) => [`${line[0]}: ${line[1]}`, line] as const);

describe('[R1] sheets, one line each', () => {
	test.each(named([...clear, ...traps]))(
		'%s',
		(_name, [, columns, wantedReading, wanted, settings]) => {
			const { reads, happens, first, read } = readLine(columns, settings);
			expect([unconfirmed, 'No row has anything to bill']).toContain(first.refusal);
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
	const again = read(first.text);
	expect(again.invoices).toEqual(first.invoices);
	expect(again.text).toBe(first.text);
	expect(readingDifference(again)).toBe(readingDifference(first));
	const problem = first.invoices.flatMap(({ problems }) => problems).find(Boolean);
	const isEmpty = first.refusal?.startsWith('No row') === true;
	expect(again.refusal).toBe(isEmpty ? first.refusal : problem);
}

test('a look is asked for at nearly all sheets with a trap, and at few without one', () => {
	const asks = (lines: SheetLine[]) =>
		lines.filter(([, , , happens]) => /look at|guess|stops/.test(happens)).length / lines.length;
	expect(asks(traps)).toBeGreaterThan(0.7);
	expect(asks(clear)).toBeLessThan(0.2);
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
			reads: withoutShapes(first),
			happens: happensIn(first, ''),
		}).toEqual({ reads, happens });
		expectSameWhenConfirmed(first, read);
	},
);
