import { addTo } from '../../../shared/addTo';
import { firstLines, headline } from '../../../shared/errors/nodeErrors';
import { shorten } from '../../../shared/fields/text';
import type { Notice } from '../../execution/operation';
import type { Finding } from '../../reading/findings';
import { isStated } from '../../reading/findings';
import type { Draft } from '../../reading/invoices';
import { plural, rowsLabel } from '../../reading/cells';
import type { Column } from '../../reading/columns';
import type { SheetReading } from '../../reading/readSheet';
import { isNumeric, pointsFor } from '../../reading/columns';
import { printReading } from '../../reading/text';
import { sumOf } from './draftTexts';
import type { Refusal } from '../settings';
import { invoicesError } from '../settings';
import type { Forecast } from '../run';
import type { Offer } from './otherReadings';
import { planSummary } from './preview';

const maxFindings = 10;

/** What nobody has settled, and the text of the reading that settles it. */
export function unsettled(reading: SheetReading): { findings: Finding[]; text: string } {
	const { seenCode: seen } = reading;
	const needSeen = reading.findings.filter((one) => !isStated(one));
	return {
		findings:
			reading.statements.seen === seen ? reading.findings.filter(isStated) : reading.findings,
		text: printReading({ ...reading.statements, seen: needSeen.length ? seen : undefined }),
	};
}

/** A guess only says how the sheet was read, and any first preview is unseen. */
const isWarning = ({ kind }: Finding) => kind !== 'guess' && kind !== 'unseen';

/** What a finding is, in one line. Guesses stand together. */
function findingLines(findings: readonly Finding[]): string[] {
	const guesses = findings.filter(({ kind }) => kind === 'guess').map(({ text }) => text);
	const others = findings.filter(isWarning);
	const shown = others.slice(0, maxFindings);
	const linesOf = (areDifferences: boolean, beginning: string) =>
		shown
			.filter(({ kind }) => (kind === 'difference') === areDifferences)
			.map(({ text }) => `${beginning}: ${text}`);
	const left = others.length - shown.length;
	return [
		...linesOf(true, 'Differs from the reading'),
		...(guesses.length ? [`Guesses: ${guesses.join('; ')}.`] : []),
		...linesOf(false, 'Look at'),
		...(left > 0 ? [`and ${left} more: see 'warnings' in the preview, with Simplify off`] : []),
	];
}

/** `Above the headers: Prices net.`, `Left out: row 26, Gesamt, 17955.18` */
export function leftOutLines({
	leftOut,
	table,
}: Pick<SheetReading, 'leftOut' | 'table'>): string[] {
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
	const above = table.above.length
		? [
				`Above the headers: ${table.above
					.slice(0, 5)
					.map((text) => shorten(text, 100))
					.join('; ')}.`,
			]
		: [];
	return texts.length
		? [
				...above,
				`Left out: ${texts.slice(0, 10).join('; ')}${texts.length > 10 ? ` and ${texts.length - 10} more` : ''}.`,
			]
		: above;
}

const maxUnbilled = 15;

/** `Not on the invoices: Room, MwSt 190.00`: columns that are not billed, amounts with their sums. */
function besidesLines({ unbilled, rows }: SheetReading): string[] {
	if (unbilled.length === 0) return [];
	const isMoney = (column: Column) =>
		column.headerCurrency !== undefined ||
		column.filled.some((look) => look.isMoney) ||
		(isNumeric(column) &&
			pointsFor('itemTotal', column) > Math.max(0, pointsFor('itemQuantity', column)));
	const money = unbilled.filter(isMoney);
	const texts = [...money, ...unbilled.filter((column) => !isMoney(column))].map((column) => {
		const sum = rows.reduce((all, { at }) => all + (column.numbers[at] || 0), 0);
		const amount = isMoney(column) && sum !== 0 ? ` ${sum.toFixed(2)}` : '';
		return `${shorten(column.header, 40)}${amount}`;
	});
	const more = texts.length > maxUnbilled ? ` and ${texts.length - maxUnbilled} more` : '';
	const advice = money.length
		? " To bill several columns of a row, such as a tax, set 'Reading' to 'As Text' and name them all: Items = Fee, VAT"
		: '';
	return [`Not on the invoices: ${texts.slice(0, maxUnbilled).join(', ')}${more}.${advice}`];
}

/** The reading for people: without what only later files are compared with. */
const shortText = ({ statements }: SheetReading): string =>
	printReading({
		...statements,
		shapes: new Map(),
		notBilled: undefined,
		texts: undefined,
		currencies: undefined,
		seen: undefined,
	});

/** What a preview comes to, and why invoices cannot be created. */
function summaryLines(reading: SheetReading, forecast: Forecast): string[] {
	const { drafts } = reading;
	const isCreated = (draft: Draft) => forecast.lines.get(draft)?.comparison.action === 'create';
	if (drafts.length && drafts.every(isCreated)) return [`Nothing was created. ${sumText(drafts)}.`];
	const summary = `${planSummary(reading, forecast)}.`;
	const { message, lines } = invoicesError(drafts);
	return [
		drafts.some(isCreated) ? `Nothing was created. ${summary}` : summary,
		...firstLines(
			lines.length || !message ? lines : [message],
			undefined,
			(count) => `and ${count} more`,
		),
	];
}

/** What a preview says above its table: what it comes to, what to look at, and how the sheet was read. */
export function boxOf(
	reading: SheetReading,
	forecast: Forecast,
	{
		findings,
		isNeeded,
		examples,
		offers,
	}: {
		/** Those that are not settled. */
		findings: readonly Finding[];
		/** Whether the reading has to be confirmed. */
		isNeeded: boolean;
		/** Invoices in full. */
		examples: string[];
		/** Other readings of the sheet, the likeliest first. */
		offers: readonly Offer[];
	},
): Notice {
	const actions = [...forecast.lines.values()].map(({ comparison }) => comparison.action);
	const [summary, ...reasons] = summaryLines(reading, forecast);
	return {
		lines: [
			summary,
			...offers.map(({ label }) => `${label}.`),
			...reasons,
			...(actions.includes('exists, cancelled') ? [`${cancelledAdvice}.`] : []),
			...findingLines(findings),
			...examples,
			`Read as: ${shortText(reading)}`,
			...besidesLines(reading),
			...leftOutLines(reading),
			isNeeded
				? `If it is right, choose it under 'Reading' and turn off 'Preview Only'. ${offers.length ? otherAdvice : textAdvice}`
				: "The sheet is as you confirmed it, so it is billed when 'Preview Only' is off.",
		],
		isWarning:
			findings.some(isWarning) ||
			actions.some((action) => action === 'exists, differs' || action === 'exists, cancelled'),
	};
}

const otherAdvice = 'If another sum is right, choose that line there, and execute again.';
const textAdvice = "To correct it, switch 'Reading' to 'As Text' after you have chosen it.";

const cancelledAdvice =
	"Nothing is billed for cancelled invoices. To bill them, use other invoice numbers, or set 'If Invoice Number Exists' to 'Create Anyway'";

/** The sum of invoices: `20 invoices for 25 rows: EUR 17,955.18`. */
export function sumText(drafts: SheetReading['drafts']): string {
	const rows = new Set(drafts.flatMap(({ rows: own }) => own.map(({ line }) => line.index))).size;
	const money = sumOf(drafts);
	return `${plural(drafts.length, 'invoice')} for ${plural(rows, 'row')}${money && `: ${money}`}`;
}

/**
 * Why a creating run may not bill a sheet yet: nobody has confirmed how it is read, or something in it is not settled. `undefined`:
 * nothing is in the way.
 */
export function refusalOf(
	{ drafts, leftOut, table }: SheetReading,
	{
		text,
		findings,
		hasReading,
	}: { text: string; findings: readonly Finding[]; hasReading: boolean },
): Refusal | undefined {
	const isEmpty = drafts.length === 0 && !leftOut.some(({ why }) => why === 'value');
	if (findings.length === 0 && hasReading && !isEmpty) return undefined;
	const [first] = findings as Array<Finding | undefined>;
	const those = findings.filter(({ kind }) => beginningOf(kind) === beginningOf(first?.kind));
	const title = isEmpty
		? 'No row has anything to bill'
		: !hasReading
			? notConfirmed
			: `${beginningOf(first?.kind)}: ${headline(those.map((one) => one.text))}`;
	const isNew = (one: Finding) => !title.includes(one.text);
	return {
		title,
		lines: [
			...firstLines(
				[...findingLines(findings.filter(isNew)), ...leftOutLines({ leftOut, table })],
				undefined,
				(count) => `and ${count} more: execute with 'Preview Only'`,
			),
			isEmpty ? noRows : confirmAdvice,
			text,
			...(findings.some((one) => !isStated(one)) ? [seenAdvice] : []),
		],
	};
}

const notConfirmed = 'Nobody has confirmed how this sheet is read';

const beginningOf = (kind: Finding['kind'] | undefined) =>
	kind === 'difference'
		? 'The sheet differs from the reading'
		: kind === 'guess'
			? 'The reading contains a guess'
			: kind === 'unseen'
				? notConfirmed
				: 'Look at the sheet before it is billed';

const confirmAdvice =
	"This is how the sheet would be read. If it is right, choose it under 'Reading', or set 'Reading' to 'As Text' and paste the next line:";
const noRows =
	'Check that the node before this one reads the right sheet, and that the reading names the column of the amounts (Unit Price or Line Total):';

const seenAdvice =
	"'seen' in the reading accepts this for exactly these invoices. For later sheets as well, write 'unchecked', or '(says ...)' behind a column";
