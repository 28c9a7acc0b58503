import { addTo } from '../../shared/addTo';
import { firstLines, headline } from '../../shared/errors/nodeErrors';
import { shorten } from '../../shared/fields/text';
import { moneyOf, sumsBy } from '../plan/summary';
import type { Hand } from '../reading/hand';
import { rowsLabel } from '../reading/problems';
import type { SheetReading } from '../reading/readSheet';
import { written } from '../reading/text';
import type { Refusal } from './errors';

const maxHands = 10;

/** `Guesses: Unit Price; Quantity (without it: 9100.00).` */
export const guessLine = (guesses: SheetReading['guesses']): string[] =>
	guesses.length ? [`Guesses: ${guesses.map(guessText).join('; ')}.`] : [];

const guessText = ({ what, other }: SheetReading['guesses'][number]) =>
	other === undefined ? what : `${what} (${other})`;

/** At most ten lines, by money. */
export function handLines(hands: readonly Hand[]): string[] {
	const lines = hands.slice(0, maxHands).map(({ text }) => `Look at: ${text}`);
	return hands.length > maxHands
		? [...lines, `and ${hands.length - maxHands} more: see 'warnings' in the preview`]
		: lines;
}

/** `Left out: row 26, Gesamt, 17955.18` */
export function leftOutLines({ leftOut }: SheetReading): string[] {
	const byName = new Map<string, typeof leftOut>();
	for (const one of leftOut) {
		const key = one.why === 'value' ? one.name : `${one.why}${one.name}`;
		addTo(byName, key, one);
	}
	const texts = [...byName.values()].map((those) => {
		const [{ name, amount, why }] = those;
		const rows = rowsLabel(those.map(({ line }) => line));
		const sum =
			those.length === 1 && amount !== undefined && !Number.isNaN(amount)
				? `, ${amount.toFixed(2)}`
				: '';
		return why === 'value'
			? `${rows} (${name})`
			: `${rows}${name && `, ${shorten(name, 60)}`}${sum}`;
	});
	return texts.length
		? [
				`Left out: ${texts.slice(0, 10).join('; ')}${texts.length > 10 ? ` and ${texts.length - 10} more` : ''}.`,
			]
		: [];
}

/** What a preview says above its table. `text`: the reading. Without anything to confirm, it only says how the sheet was read. */
export function boxOf(
	reading: SheetReading,
	{
		text,
		hands,
		isNeeded,
		summary,
		differs,
	}: {
		text: string;
		hands: readonly Hand[];
		isNeeded: boolean;
		summary: string;
		/** Whether an invoice exists that differs from the sheet. */
		differs: boolean;
	},
): { lines: string[]; isWarning: boolean } {
	const how = isNeeded
		? "This is how the sheet was read. If it is right, choose this preview under 'Reading' (or set it to 'As Text' and paste the next line), and turn off 'Preview Only'."
		: "This is how the sheet was read. If it is right, turn off 'Preview Only'.";
	return {
		lines: [
			summary.startsWith('Nothing') ? summary : `Nothing was created. ${summary}`,
			how,
			text,
			...changesOf(reading).map((change) => `Differs from the reading that you chose: ${change}.`),
			...guessLine(reading.guesses),
			...handLines(hands),
			...leftOutLines(reading),
		],
		isWarning: hands.length > 0 || differs,
	};
}

/** The sum of invoices: `20 invoices for 25 rows: EUR 17,955.18`. */
export function sumText(drafts: SheetReading['drafts']): string {
	const rows = new Set(drafts.flatMap(({ rows: own }) => own.map(({ line }) => line.index))).size;
	const money = moneyOf(
		sumsBy(
			drafts.flatMap(({ sums, body }) =>
				sums && body.currency ? [{ currency: String(body.currency), total: sums.total }] : [],
			),
		),
	);
	const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;
	return `${count(drafts.length, 'invoice')} for ${count(rows, 'row')}${money && `: ${money}`}`;
}

/**
 * Why a creating run may not bill a sheet yet: it differs from its reading, something is guessed or left over, or a hand is raised.
 * `undefined`: nothing is in the way.
 */
export function refusalOf(
	reading: SheetReading,
	{ text, hands, hasReading }: { text: string; hands: readonly Hand[]; hasReading: boolean },
): Refusal | undefined {
	const changes = changesOf(reading);
	const isGuessed = reading.guesses.length > 0;
	const isLeftOver = !hasReading && reading.unbilled.length > 0;
	const isEmpty =
		reading.drafts.length === 0 && !reading.leftOut.some(({ why }) => why === 'value');
	if (changes.length + hands.length === 0 && !isGuessed && !isLeftOver && !isEmpty)
		return undefined;
	const names = reading.unbilled
		.slice(0, 5)
		.map(({ header }) => `"${header}"`)
		.join(', ');
	const title = changes.length
		? `The sheet differs from the reading: ${headline(changes)}`
		: isEmpty
			? 'No row has anything to bill'
			: hands.length
				? `Look at the sheet before it is billed: ${headline(hands.map((hand) => hand.text))}`
				: isGuessed
					? `The reading contains a guess: ${headline(reading.guesses.map(guessText))}`
					: `The reading of this sheet is not confirmed: ${names} would not be billed`;
	const isNew = (words: string) => !title.includes(`: ${words}`);
	return {
		title,
		reading: text,
		lines: [
			...(changes.length > 3 ? ['Is this the right file?'] : []),
			isEmpty ? noRows : confirmAdvice,
			text,
			...(hands.length ? [settleAdvice(hands)] : []),
			...firstLines(
				[
					...changes.filter(isNew),
					...guessLine(reading.guesses.filter((guess) => isNew(guessText(guess)))),
					...handLines(hands.filter((hand) => isNew(hand.text))),
					...leftOutLines(reading),
				],
				undefined,
				(count) => `and ${count} more: execute with 'Preview Only'`,
			),
		],
	};
}

const confirmAdvice =
	"This is how the sheet would be read. If it is right, set 'Reading' to 'As Text' and paste the next line, or choose it there after a run with 'Preview Only':";
const noRows =
	'Check that the node before this one reads the right sheet, and that the reading names the column of the amounts (Unit Price or Line Total):';

/** How to settle hands for good. */
function settleAdvice(hands: readonly Hand[]): string {
	const names = [
		...new Set(
			hands
				.slice(0, maxHands)
				.map(({ header, kind }) => (header === undefined ? kind : written(header))),
		),
	];
	return `'seen' in the reading accepts this for exactly these invoices. To accept it in later sheets as well, add: unchecked: ${names.slice(0, 5).join(', ')}`;
}

/** How the sheet differs from the reading, one line each. */
function changesOf({
	newColumns,
	missingColumns,
	newValues,
	profile,
	table,
}: SheetReading): string[] {
	return [
		...newColumns.map((header) => {
			const column = profile.byHeader.get(header);
			const at = column?.looks.findIndex((look) => look !== undefined) ?? -1;
			const example =
				at < 0
					? ''
					: ` (${shorten(column?.looks[at]?.text ?? '', 40)} in row ${table.lines[at].number})`;
			return `new column: ${header}${example}`;
		}),
		...missingColumns.map(
			({ header, field }) =>
				`${profile.byHeader.has(header) ? 'empty' : 'missing'} column: ${header}${field === undefined ? '' : `, which fills ${field}`}`,
		),
		...newValues.map(
			({ header, value, rows }) =>
				`new value: ${header}: ${value || 'empty'} in ${rowsLabel(rows.map((number) => ({ number })))}. The new reading bills it`,
		),
	];
}
