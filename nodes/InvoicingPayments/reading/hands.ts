import { addTo } from '../../shared/addTo';
import { shorten } from '../../shared/fields/text';
import {
	amountHands,
	currencyHands,
	customerHands,
	formatHands,
	furtherHands,
	idleHands,
	wordHands,
} from './cellHands';
import { columnsOf } from './columns';
import type { Hand, Raise, Sheet } from './hand';
import { rowsByText, sumOf, unbilledColumns } from './hand';
import { doubtIn } from './marks';
import { allWordsOf, hasWord, isPerOne, timeUnitOf } from './names';
import { rowsLabel } from './problems';
import type { Row } from './rows';
import { sumHands, totalHands } from './sumHands';
import { namesCents, namesMultiple, unitHands } from './units';

/** All hands, the weightiest first, without those that the reading settles for good. */
export function* raiseHands(sheet: Sheet): Generator<void, Hand[]> {
	const settled = new Set(sheet.statements.unchecked.map((one) => one.toLowerCase()));
	// A column that is called like a kind settles only itself.
	const headers = new Set(sheet.profile.columns.map(({ header }) => header.toLowerCase()));
	const hands = new Map<string, Hand>();
	const weightOf = (rows: readonly Row[]) => ({
		money: Math.abs(sumOf(rows)),
		rows: rows.map(({ number }) => number),
	});
	// Many hands may be about the whole sheet.
	const ofAll = weightOf(sheet.rows);
	const raise: Raise = (kind, rows, text, { header, isStated } = {}) => {
		const isKindSettled = settled.has(kind) && !headers.has(kind);
		if (isKindSettled || settled.has(header?.toLowerCase() ?? '') || hands.has(text)) return;
		const weight = rows === sheet.rows ? ofAll : weightOf(rows);
		hands.set(text, { kind, header, text, ...weight, isStated });
	};
	const looks: Array<(sheet: Sheet, raise: Raise) => Generator<void> | void> = [
		...[
			wordHands,
			idleHands,
			leftOutHands,
			formatHands,
			furtherHands,
			amountHands,
			totalHands,
			sumHands,
			unitHands,
		],
		...[zeroHands, dateHands, repeatHands, currencyHands, customerHands, textHands, lostHands],
	];
	for (const look of looks) {
		yield* look(sheet, raise) ?? [];
		yield;
	}
	return [...hands.values()].sort((a, b) => b.money - a.money);
}

/** Words such as cancelled in rows that are no items, footnotes and headings, and items without an amount. */
function leftOutHands({ leftOut, rows, profile, roles }: Sheet, raise: Raise) {
	const ofItem = columnsOf(roles, 'itemName', 'itemQuantity');
	for (const { line, at, why, name } of leftOut) {
		if (why === 'value') continue;
		const texts = profile.columns.flatMap(({ looks }) => looks[at]?.text ?? []);
		const said = texts.find((text) => doubtIn(text) !== undefined);
		const isItem = why === 'note' && texts.length > 1 && ofItem.some(({ looks }) => looks[at]);
		const row = `row ${line.number}`;
		if (said !== undefined)
			raise('words', rows, `${row}, which is left out, says ${shorten(said, 80)}`);
		else if (isItem)
			raise('amounts', rows, `${row} (${shorten(name, 60)}) has no amount, so it is left out`);
	}
}

/** Nobody sends an invoice of 0.00 on purpose, but a member may be exempt. */
function zeroHands({ drafts }: Sheet, raise: Raise) {
	for (const { rows, sums } of drafts)
		if (sums && Number(sums.total) === 0)
			raise('amounts', rows, `${rowsLabel(rows)} would be an invoice of 0.00`);
}

const day = 86_400_000;
/** Days. */
const [longPast, farAway] = [30, 400];

/** Due dates long past or far away, and those that contradict the invoice date or the terms. */
function dateHands({ drafts, today }: Sheet, raise: Raise) {
	for (const { rows, body } of drafts) {
		const due = String(body.due_date ?? '');
		if (due === '') continue;
		const look = (more: string) => raise('dates', rows, `${rowsLabel(rows)}: due on ${due}${more}`);
		const valueOf = (name: string) => rows.find(({ values }) => values.has(name))?.values.get(name);
		const [issued, terms] = [String(valueOf('invoiceDate') ?? ''), valueOf('terms')];
		const away = (Date.parse(due) - Date.parse(today)) / day;
		if (away < -longPast) look(`, more than ${longPast} days ago`);
		if (away > farAway) look(`, more than ${farAway} days from now`);
		if (issued > due) look(`, before the invoice date ${issued}`);
		const isLate = Date.parse(issued) + Number(terms) * day !== Date.parse(due);
		if (issued && terms !== undefined && isLate)
			look(`, but the terms are ${String(terms)} days after ${issued}`);
	}
}

/** Numbers that one payment, order or receipt has. */
const transactionWords = new Set(
	'number id ref reference referenz referencia referencie riferimento transaction transaktion receipt beleg quittung order auftrag pedido ordine commande bestelling encomenda buchung booking ticket'.split(
		' ',
	),
);

/** The same transaction twice, or a row that was pasted twice. */
function* repeatHands(sheet: Sheet, raise: Raise): Generator<void> {
	const { rows: all, profile, statements } = sheet;
	const equal = new Map<string, Row[]>();
	// Without cells, everything is mapped.
	for (const [index, row] of (profile.columns.length ? all : []).entries()) {
		if (index % 100 === 0) yield;
		const cells = profile.columns.map(({ looks }) => looks[row.at]);
		const content = cells.map((look) => look?.number ?? look?.text.toLowerCase());
		addTo(equal, JSON.stringify([...content, row.line.isFurther]), row);
	}
	for (const rows of equal.values())
		if (rows.length > 1) raise('repeats', rows, `${rowsLabel(rows)} are the same in every cell`);
	for (const column of unbilledColumns(sheet)) {
		const { header, counts, filled } = column;
		const isOfInvoices =
			statements.grouping?.by === 'column' && statements.grouping.header === header;
		const isTransaction = allWordsOf(header).some((word) => transactionWords.has(word));
		if (isOfInvoices || !isTransaction || counts.size < filled.length * 0.7) continue;
		for (const [cell, rows] of rowsByText(sheet, column)) {
			const text = `${rowsLabel(rows)} have the same ${header}: ${shorten(cell, 60)}`;
			if (rows.some(({ line }) => line.index !== rows[0].line.index))
				raise('repeats', rows, text, column);
		}
	}
}

/** `(1-5)` and `ICD-10` add nothing, `(+15)` does. */
const figureInText =
	/\d\s*%|(?<![\p{L}\d])[+-]\s?\d|\p{Sc}\s?\d|\d\s?\p{Sc}|\d[.,]\d\d\b|\b\d+\s?(?:EUR|USD|GBP|CHF)\b/u;
const currencyInText = /\p{Sc}|\b(?:EUR|USD|GBP|CHF|SEK|NOK|DKK|PLN|CAD|AUD|BRL)\b/u;

/** Whether a text above the headers may change what is billed: a figure, a currency, a unit, a tax, a word such as paid. */
export const needsLook = (text: string) =>
	figureInText.test(text) ||
	currencyInText.test(text) ||
	namesMultiple(text) ||
	namesCents(text) ||
	/\bdraft\b/i.test(text) ||
	(isPerOne(text) && timeUnitOf(text) !== undefined) ||
	hasWord(text, 'taxes') ||
	doubtIn(text) !== undefined;

/** Figures and currencies in headers, and in texts above them that the reading does not state. Parts of some items only. */
function textHands({ table, rows, profile, said, roles }: Sheet, raise: Raise) {
	for (const text of table.above)
		if (needsLook(text) && !said?.above?.includes(text))
			raise('texts', rows, `above the headers: ${text}`, { isStated: true });
	for (const name of table.uneven ?? [])
		raise('texts', rows, `${name} stands beside some of the items only`, { header: name });
	const prices = columnsOf(roles, 'itemAmount', 'itemTotal', 'total');
	for (const column of profile.columns) {
		const isPrice = column.headerCurrency !== undefined && prices.includes(column);
		if (column.filled.length > 0 && figureInText.test(column.header) && !isPrice)
			raise('texts', rows, `the header ${column.header} has a figure`, column);
	}
}

/** Letters that were lost when the file was read. */
function* lostHands(sheet: Sheet, raise: Raise): Generator<void> {
	for (const column of sheet.profile.columns) {
		yield;
		const lost = column.filled.find(({ text }) => text.includes('\uFFFD'))?.text;
		const text = column.header.includes('\uFFFD') ? column.header : lost;
		if (text === undefined) continue;
		const words = `letters were lost in "${shorten(text, 60)}": set 'Encoding' in the node that reads the file`;
		raise('texts', sheet.rows, words, column);
	}
}
