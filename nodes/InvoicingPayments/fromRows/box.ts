import { addTo } from '../../shared/addTo';
import { firstLines, headline } from '../../shared/errors/nodeErrors';
import { shorten } from '../../shared/fields/text';
import { moneyOf, sumsBy } from '../plan/summary';
import type { Finding } from '../reading/findings';
import { isStated } from '../reading/findings';
import { isNear } from '../reading/amounts';
import { sheetField } from '../reading/fields';
import type { Column } from '../reading/profile';
import type { Row } from '../reading/rows';
import { byLine, sumOf } from '../reading/rows';
import { hasWord } from '../reading/names';
import { plural, rowsLabel } from '../reading/problems';
import type { SheetReading } from '../reading/readSheet';
import { seenCode } from '../reading/readSheet';
import type { Source } from '../reading/statements';
import { printReading, written } from '../reading/text';
import { moneyScore } from '../reading/moneyScore';
import type { Refusal } from './errors';

const maxFindings = 10;

/** What nobody has settled, and the reading that settles it. */
export function unsettled(reading: SheetReading): {
	findings: Finding[];
	text: string;
	/** The code of what would be billed. */
	seen: string;
} {
	const seen = seenCode(reading);
	const looks = reading.findings.filter((one) => !isStated(one));
	return {
		seen,
		findings:
			reading.statements.seen === seen ? reading.findings.filter(isStated) : reading.findings,
		text: printReading({ ...reading.statements, seen: looks.length ? seen : undefined }),
	};
}

/** What a finding is, in one line. Guesses stand together. */
function findingLines(findings: readonly Finding[]): string[] {
	const guesses = findings.filter(({ kind }) => kind === 'guess').map(({ text }) => text);
	const others = findings.filter(({ kind }) => kind !== 'guess');
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
		? [`Above the headers: ${table.above.slice(0, 5).join('; ')}.`]
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
function besidesLines({ unbilled, rows, statements, profile }: SheetReading): string[] {
	if (unbilled.length === 0) return [];
	const { fields } = statements;
	const [amount] = ['itemAmount', 'itemTotal'].flatMap((name) => fields.get(name) ?? []);
	// Without names of items, each column of amounts may be one.
	const isOneOfSeveral = amount && !fields.has('itemName');
	const money = unbilled.filter(
		(column) =>
			column.headerCurrency !== undefined ||
			column.filled.some((look) => look.isMoney) ||
			(isOneOfSeveral && column.is('number') && moneyScore('line', column) > 0),
	);
	const texts = [...money, ...unbilled.filter((column) => !money.includes(column))].map(
		(column) => {
			const sum = byLine(rows).reduce((all, [{ at }]) => all + (column.numbers[at] || 0), 0);
			const isShown = money.includes(column) && sum !== 0;
			return `${shorten(column.header, 40)}${isShown ? ` ${sum.toFixed(2)}` : ''}`;
		},
	);
	const more = texts.length > maxUnbilled ? ` and ${texts.length - maxUnbilled} more` : '';
	const isOffered = (column: Column) =>
		moneyScore('line', column) > 0 && !hasWord(column.header, 'deductions');
	const others = fields.has('itemQuantity')
		? []
		: isOneOfSeveral
			? money.filter(isOffered)
			: unbilled.filter((column) => isTaxOf(column, rows));
	const billed = amount && profile.byHeader.get(amount.header);
	const sumAt = (at: number) => others.reduce((sum, { numbers }) => sum + (numbers[at] || 0), 0);
	// What is billed may be the sum of the others.
	const isWhole = byLine(rows).every(([{ at }]) => isNear(billed?.numbers[at] ?? NaN, sumAt(at)));
	const items = [...(billed && !isWhole ? [billed] : []), ...others].map(({ header }) =>
		written(header),
	);
	const offer =
		billed && items.length > 1
			? ` To bill ${isOneOfSeveral ? 'several amounts of a row' : 'the tax as well'}, set 'Reading' to 'As Text' and write: Items = ${items.join(', ')}`
			: '';
	return [`Not on the invoices: ${texts.slice(0, maxUnbilled).join(', ')}${more}.${offer}`];
}

/** Whether the column is what stated totals have more than the items. */
function isTaxOf({ numbers, header }: Column, rows: readonly Row[]): boolean {
	const lines = byLine(rows);
	const stated = lines.reduce((sum, [{ totals }]) => sum + Number(totals[0]?.value ?? NaN), 0);
	const tax = lines.reduce((sum, [{ at }]) => sum + (numbers[at] || 0), 0);
	return hasWord(header, 'taxes') && tax !== 0 && isNear(sumOf(rows) + tax, stated, lines.length);
}

/** The reading for people: without what only later files are compared with, and in short where columns are called like their fields. */
function shortText({ statements }: SheetReading): string {
	const isAsNamed = ([name, [source, ...more]]: [string, Source[]]) =>
		source.header === sheetField(name).displayName &&
		source.and === undefined &&
		(source.formats ?? []).length + more.length === 0;
	const all = [...statements.fields];
	const asNamed = all.filter(isAsNamed).map(([name]) => sheetField(name).displayName);
	const text = printReading({
		...{ ...statements, shapes: new Map(), notBilled: undefined, texts: undefined },
		...{ currencies: undefined, seen: undefined },
		fields: new Map(all.filter((one) => !isAsNamed(one))),
	});
	return [text, asNamed.length ? `${asNamed.join(', ')} as they are called` : '']
		.filter(Boolean)
		.join('; ');
}

/** What a preview says above its table: what it comes to, what to look at, and how the sheet was read. */
export function boxOf(
	reading: SheetReading,
	{
		findings,
		isNeeded,
		isTyped,
		summary,
		examples,
		existing,
	}: {
		/** Those that are not settled. */
		findings: readonly Finding[];
		isNeeded: boolean;
		/** Whether the reading was typed. */
		isTyped: boolean;
		/** What it comes to, and why invoices cannot be created. */
		summary: string[];
		/** Invoices in full. */
		examples: string[];
		/** What to look at among the invoices that exist. */
		existing: string[];
	},
): { lines: string[]; isWarning: boolean } {
	const [first, ...reasons] = summary;
	const isNothing = first.startsWith('Nothing');
	const how = !isNeeded
		? `The sheet is as you confirmed it.${isNothing ? '' : " Turn off 'Preview Only' to create the invoices."}`
		: isNothing && reasons.length
			? 'Correct this, and execute again.'
			: isTyped
				? "If it is right, turn off 'Preview Only'. To have later files compared with it, choose it under 'Reading'."
				: "If it is right, choose it under 'Reading' and turn off 'Preview Only'. To correct it, switch 'Reading' to 'As Text' after you have chosen it.";
	return {
		lines: [
			isNothing ? first : `Nothing was created. ${first}`,
			...reasons,
			...existing,
			...findingLines(findings),
			...examples,
			`Read as: ${shortText(reading)}.`,
			...besidesLines(reading),
			...leftOutLines(reading),
			how,
		],
		isWarning: findings.some(({ kind }) => kind !== 'guess') || existing.length > 0,
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
		isConfirmed,
	}: { text: string; findings: readonly Finding[]; isConfirmed: boolean },
): Refusal | undefined {
	const isEmpty = drafts.length === 0 && !leftOut.some(({ why }) => why === 'value');
	if (findings.length === 0 && isConfirmed && !isEmpty) return undefined;
	const [first] = findings as Array<Finding | undefined>;
	const those = findings.filter(({ kind }) => beginningOf(kind) === beginningOf(first?.kind));
	const title = isEmpty
		? 'No row has anything to bill'
		: !isConfirmed
			? 'Nobody has confirmed how this sheet is read'
			: `${beginningOf(first?.kind)}: ${headline(those.map((one) => one.text))}`;
	const isNew = (one: Finding) => !title.includes(one.text);
	const looks = findings.filter((one) => !isStated(one));
	return {
		title,
		reading: text,
		lines: [
			...(findings.filter(({ kind }) => kind === 'difference').length > 3
				? ['Is this the right file?']
				: []),
			...firstLines(
				[...findingLines(findings.filter(isNew)), ...leftOutLines({ leftOut, table })],
				undefined,
				(count) => `and ${count} more: execute with 'Preview Only'`,
			),
			isEmpty ? noRows : confirmAdvice,
			text,
			...(looks.length ? [settleAdvice(looks)] : []),
		],
	};
}

const beginningOf = (kind: Finding['kind'] | undefined) =>
	kind === 'difference'
		? 'The sheet differs from the reading'
		: kind === 'guess'
			? 'The reading contains a guess'
			: 'Look at the sheet before it is billed';

const confirmAdvice =
	"This is how the sheet would be read. If it is right, choose it under 'Reading', or set 'Reading' to 'As Text' and paste the next line:";
const noRows =
	'Check that the node before this one reads the right sheet, and that the reading names the column of the amounts (Unit Price or Line Total):';

/** How to settle findings for good. */
function settleAdvice(looks: readonly Finding[]): string {
	const [first] = looks.filter(({ word }) => word !== undefined) as Array<Finding | undefined>;
	const kinds = new Set(looks.flatMap(({ kind, word }) => (word === undefined ? [kind] : [])));
	const ways = [
		...(first
			? [`write (says ${written(first.word ?? '')}) behind ${written(first.header ?? '')}`]
			: []),
		...(kinds.size ? [`add: unchecked: ${[...kinds].join(', ')}`] : []),
	];
	return `'seen' in the reading accepts this for exactly these invoices. To accept it in later sheets as well, ${ways.join(', and ')}`;
}
