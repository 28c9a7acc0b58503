import type { LabelledSheet } from '../../helpers/sheets/bookkeeper';
import {
	clicksToRight,
	labelledPrograms,
	readLabelled,
	sheetsOf,
	wrongPoints,
} from '../../helpers/sheets/bookkeeper';
import type { ReadRows } from '../../helpers/sheets/readRows';

/** A sheet that somebody wrote who had not seen the engine: an export of a program, or the list of an office. */
interface FreshSheet extends LabelledSheet {
	/** What would be billed wrong, and the cells by which a person notices. */
	trap?: string;
	visible?: string[];
}

const previews = new Map<FreshSheet, ReadRows>();
/** The first preview of a sheet. */
function preview(sheet: FreshSheet): ReadRows {
	const outcome = previews.get(sheet) ?? readLabelled(sheet);
	previews.set(sheet, outcome);
	return outcome;
}

const plain = (text: string) => text.replace(/\s+/g, ' ').trim().toLowerCase();

/** What the box and the table of a preview show besides the sums. */
function shownBy({ reading, text, findings, invoices }: ReadRows): string {
	const { leftOut, rows, table, unbilled } = reading;
	return plain(
		[
			text,
			...findings.map((finding) => finding.text),
			...table.above,
			...leftOut.map(({ name }) => name),
			...invoices.flatMap(({ problems }) => problems),
			...rows.flatMap((row) => [
				...(row.items ?? []).map(({ name }) => name),
				String(row.values.get('note') ?? ''),
				...unbilled.map(({ header, looks }) => `${header}: ${looks[row.at]?.text ?? ''}`),
			]),
		].join('\n'),
	);
}

const clear = sheetsOf<FreshSheet>('clear');
const offices = sheetsOf<FreshSheet>('offices');
const traps = sheetsOf<FreshSheet>('traps');

test.each([
	['260 clear sheets', clear, { total: 0.95, all: 0.91, oneClick: 0.97 }],
	['lists of offices', offices, { total: 0.75, all: 0.7, oneClick: 0.92 }],
	[
		'133 more of them',
		sheetsOf<FreshSheet>('moreOffices'),
		{ total: 0.75, all: 0.66, oneClick: 0.8 },
	],
	['exports of programs', labelledPrograms(), { total: 0.88, all: 0.88, oneClick: 0.9 }],
])(
	'of %s, a bookkeeper finds the right invoices at first, or after one click',
	(_what, sheets, least) => {
		const wrong = sheets.map((sheet) => wrongPoints(sheet, preview(sheet)));
		const share = (isRight: (at: number) => boolean) =>
			sheets.filter((_sheet, at) => isRight(at)).length / sheets.length;
		expect(share((at) => !wrong[at].includes('total'))).toBeGreaterThanOrEqual(least.total);
		expect(share((at) => wrong[at].length === 0)).toBeGreaterThanOrEqual(least.all);
		const oneClick = share((at) => clicksToRight(sheets[at], 1, preview(sheets[at])) !== undefined);
		expect(oneClick).toBeGreaterThanOrEqual(least.oneClick);
	},
);

test('another reading is billed as its preview shows, with its own items', () => {
	for (const sheet of [...clear, ...offices])
		for (const { what, text } of preview(sheet).others()) {
			const picked = readLabelled(sheet, text);
			expect([
				sheet.name,
				what,
				picked.findings.filter(
					({ kind }) =>
						kind !== 'words' &&
						kind !== 'sums' &&
						kind !== 'repeats' &&
						kind !== 'dates' &&
						kind !== 'amounts',
				),
			]).toEqual([sheet.name, what, []]);
		}
});

test('clear sheets are billed as the preview shows once its reading is confirmed', () => {
	const refused = clear.flatMap((sheet) => {
		const { text, invoices } = preview(sheet);
		const confirmed = readLabelled(sheet, text);
		expect([sheet.name, confirmed.invoices]).toEqual([sheet.name, invoices]);
		const isReady = invoices.every(({ problems }) => problems.length === 0);
		return isReady && confirmed.refusal !== undefined
			? [`${sheet.name}: ${confirmed.refusal}`]
			: [];
	});
	expect(refused).toEqual([]);
});

test('of all these sheets, none is billed without a confirmed reading', () => {
	const billed = [...clear, ...traps].filter((sheet) => preview(sheet).refusal === undefined);
	expect(billed.map(({ name }) => name)).toEqual([]);
});

test('the traps of 260 sheets are avoided or visible in the preview', () => {
	expect(traps).toHaveLength(260);
	const shown = traps.filter((sheet) => {
		const outcome = preview(sheet);
		const text = shownBy(outcome);
		const { visible = [] } = sheet;
		const isVisible = visible.some((cell) => text.includes(plain(cell).slice(0, 60)));
		return isVisible || wrongPoints(sheet, outcome).length === 0;
	});
	expect(shown.length).toBeGreaterThanOrEqual(0.98 * traps.length);
});
