import Table from 'cli-table3';
import { evidence, jointEvidence } from '../../nodes/InvoicingPayments/reading/columns/evidence';
import { clicksToRight, labelledSheets, readLabelled } from '../../test/helpers/sheets/bookkeeper';
import { log, nodeProcess } from '../node';

/**
 * What each line of the table of evidence buys: switches it off over all labelled sheets, and prints how many first previews, and how many
 * that are right after one click, need it. A line that fewer than two sheets need can go. A part of a line's name as the argument tries only
 * those lines.
 */
const sheets = labelledSheets();

/** For each sheet, the clicks until its invoices are right. 2: more than one. */
const clicksOf = () => sheets.map((sheet) => clicksToRight(sheet) ?? 2);

function tryWithout(lines: Array<{ name: string }>, at: number): number[] {
	const [line] = lines.splice(at, 1);
	try {
		return clicksOf();
	} finally {
		lines.splice(at, 0, line);
	}
}

const [part = ''] = nodeProcess.argv.slice(2);
const all = clicksOf();
const right = (clicks: number[], most: number) => clicks.filter((one) => one <= most).length;
const offers = sheets.filter((sheet, at) => all[at] === 0 && readLabelled(sheet).others().length);
log(
	`${sheets.length} sheets: ${right(all, 0)} right at first, ${right(all, 1)} after one click. ${offers.length} that are right at first offer another reading.\n`,
);
const table = new Table({
	head: ['evidence', 'points', 'fields', 'example', 'first', 'one click', 'sheets'],
	colAligns: ['left', 'right', 'left', 'left', 'right', 'right', 'left'],
	style: { head: [], compact: true },
});
for (const [lines, ofBoth] of [
	[evidence, ''],
	[jointEvidence, 'price and quantity'],
] as const)
	for (const [at, line] of lines.entries()) {
		if (!line.name.includes(part)) continue;
		const clicks = tryWithout(lines as Array<{ name: string }>, at);
		const [first, one] = [0, 1].map((most) => right(all, most) - right(clicks, most));
		const moved = sheets.filter((_sheet, index) => all[index] === 0 && clicks[index] > 0);
		const fields = 'fields' in line ? line.fields.join(', ') : ofBoth;
		const names = moved.slice(0, 2).map(({ name }) => name.slice(0, 30));
		table.push([
			line.name,
			line.points,
			fields,
			line.example.slice(0, 40),
			first,
			one,
			names.join('; '),
		]);
	}
log(table.toString());
