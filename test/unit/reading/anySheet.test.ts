import { nodeProcess } from '../../../tools/node';
import type { AnySheet } from '../../helpers/sheets/anySheet';
import {
	flawedSheetOf,
	flaws,
	invoiceText,
	people,
	plainSheetOf,
	sheetOf,
	today,
} from '../../helpers/sheets/anySheet';
import type { ReadRows } from '../../helpers/sheets/readRows';
import { readRows } from '../../helpers/sheets/readRows';

// The same sheets each time; the nightly run draws others.
const { SEED: first = 0, SHEETS: many = 200 } = nodeProcess.env;
const count = Number(many);
const seeds = Array.from({ length: count }, (_, at) => Number(first) * count + at + 1);

const read = ({ rows, defaults }: AnySheet, confirmed?: string): ReadRows =>
	readRows(rows, people, { defaults, today, confirmed });

const invoicesOf = ({ invoices }: ReadRows) =>
	invoices.map((one) => one.problems[0] ?? invoiceText(one)).sort();
const isRight = (sheet: AnySheet, outcome: ReadRows) =>
	JSON.stringify(invoicesOf(outcome)) === JSON.stringify([...sheet.right].sort());

/** What somebody needs who looks at a wrong sheet. */
const describeSheet = (seed: number, sheet: AnySheet, outcome: ReadRows) =>
	[
		`seed ${seed}: ${JSON.stringify(sheet.rows.slice(0, 3))}`,
		outcome.text,
		`${invoicesOf(outcome).join(', ')} instead of ${sheet.right.join(', ')}`,
	].join('\n');

test(`[R1] of ${count} random sheets in seven languages, the preview shows the right invoices of nearly all, and none is billed unseen`, () => {
	const wrong: string[] = [];
	for (const seed of seeds) {
		const sheet = sheetOf(seed);
		const outcome = read(sheet);
		expect([seed, outcome.refusal]).not.toContain(undefined);
		if (!isRight(sheet, outcome)) wrong.push(describeSheet(seed, sheet, outcome));
	}
	expect(wrong.length > count * 0.05 ? wrong : []).toEqual([]);
}, 600_000);

test(`[R1] a confirmed random sheet with a flaw is never billed before somebody has looked`, () => {
	const names = Object.keys(flaws);
	const seen = new Map(names.map((name) => [name, 0]));
	for (const seed of seeds) {
		const plain = plainSheetOf(seed);
		const preview = read(plain);
		// Nobody confirms a wrong sum.
		if (!isRight(plain, preview)) continue;
		// Few sheets have a place for some flaws, so what came least goes first.
		for (const [name, times] of [...seen].sort(([, one], [, other]) => one - other)) {
			const sheet = flawedSheetOf(seed, name);
			if (!sheet) continue;
			seen.set(name, times + 1);
			const outcome = read(sheet, preview.text);
			if (outcome.refusal === undefined && !isRight(sheet, outcome))
				throw new Error(`billed in spite of ${name}\n${describeSheet(seed, sheet, outcome)}`);
			break;
		}
	}
	expect([...seen].filter(([, times]) => times < count / 100)).toEqual([]);
}, 600_000);

test('a random sheet whose reading is confirmed bills exactly what its preview showed', () => {
	for (const seed of seeds.slice(0, count / 2)) {
		const sheet = sheetOf(seed);
		const preview = read(sheet);
		const run = read(sheet, preview.text);
		expect({ seed, refusal: run.refusal, invoices: run.invoices }).toEqual({
			...{ seed, invoices: preview.invoices },
			refusal: preview.invoices.flatMap(({ problems }) => problems).find(Boolean),
		});
	}
}, 600_000);
