import { daysBetween } from '../../../shared/fields/dates';
import { addTo } from '../../../shared/addTo';
import { shorten } from '../../../shared/fields/text';
import {
	asksWhetherBillable,
	columnsOf,
	doubtIn,
	isDiscount,
	markIn,
	multipleIn,
	saysNo,
	saysUnpaid,
	sumIn,
} from '../columns';
import type { Finding, Look, Raise, StatedSheet } from './findings';
import { fieldsNamed, hasWord } from '../table';
import { plainWords } from '../words';
import { rowsLabel } from '../cells';
import type { Column, Explanation } from '../columns';
import type { Row } from '../rows';
import { amountOf, sumOf } from '../rows';
import { mapInSteps } from '../../../shared/steps';
import { addSaying, being, saying } from '../statements';
import { maskOf } from './shapes';
import { findOtherCustomers } from './otherCustomers';
import { findRepeats, rowsByText } from './repeats';
import { looksAtTotals } from './totals';

/** What a person should look at in any sheet: words, dates, repetitions, sums, invoices of 0. */
export function* findOddities(sheet: StatedSheet): Generator<void, Finding[]> {
	const found = new Map<string, Finding>();
	// The amounts of all rows are asked for again and again.
	yield* mapInSteps(sheet.rows, amountOf);
	const whole = sumOf(sheet.rows);
	const raise: Raise = (kind, rows, text, about = {}) => {
		if (found.has(text)) return;
		const money = Math.abs(rows.length ? sumOf(rows) : whole);
		found.set(text, { kind, text, rows: rows.map(({ number }) => number), money, ...about });
	};
	for (const look of looks) {
		yield* look(sheet, raise) ?? [];
		yield;
	}
	return [...found.values()];
}

/** Invoices of 0. */
function findNothing({ drafts }: StatedSheet, raise: Raise): void {
	for (const { rows, sums } of drafts)
		if (sums && Number(sums.total) === 0)
			raise('amounts', rows, `${rowsLabel(rows)} would be an invoice of 0.00`);
}

/** Fields that change what is billed or when, so that a column that is called like one, and fills none, is worth a look. */
const weighty = [
	'dueDate',
	'terms',
	'itemQuantity',
	'itemAmount',
	'itemTotal',
	'discountPercentage',
];
/** Columns that are called like a field, or a discount, and fill nothing. Confirming the sheet settles them. */
function findIdle({ unbilled, roles, said, statements, rows }: StatedSheet, raise: Raise): void {
	if (said) return;
	const { relation } = statements;
	const used = new Set(
		relation && [
			relation.whole,
			...relation.factors,
			...relation.terms.map(({ header }) => header),
			relation.rate,
		],
	);
	for (const column of [...unbilled, ...roles.settled]) {
		const { header, looks, numbers } = column;
		const field = fieldsNamed(header).find((one) => weighty.includes(one));
		const isIdle = field !== undefined && !roles.fields.has(field);
		if (used.has(header) || !(isIdle || isDiscount(header))) continue;
		// A quantity of 1 says nothing either.
		const idle = field === 'itemQuantity' ? 1 : 0;
		const isText = isIdle && field !== 'discountPercentage';
		const row = rows.find(
			({ at }) => numbers[at] !== idle && (isText || /\d/.test(looks[at]?.text ?? '')) && looks[at],
		);
		if (!row) continue;
		const text = `${header} changes nothing: ${shorten(looks[row.at]?.text ?? '', 40)} in row ${row.number} is not billed`;
		raise('words', [], text, { header, isStated: true });
	}
}

/** Fields whose cells are no words. */
const wordless =
	'customerId customerEmail currency dueDate invoiceDate itemAmount itemTotal itemQuantity items';

/** Words such as paid, void, free or total in any cell, and filled cells below such a header. */
function* findWords(sheet: StatedSheet, raise: Raise): Generator<void> {
	const { profile, roles, statements, said, unbilled, explanation } = sheet;
	const billed = columnsOf(roles, 'itemAmount', 'itemTotal');
	const takenOff = explanation ? takenOffBy(explanation, billed) : [];
	const skipped = new Set(columnsOf(roles, ...wordless.split(' ')));
	const items = columnsOf(roles, 'itemName');
	for (const column of profile.columns) {
		yield;
		const { header, looks } = column;
		const own = statements.values.find((one) => one.header === header);
		// Values that the reading bills are settled once somebody has said so.
		if (skipped.has(column) || said?.values.some((one) => one.header === header)) continue;
		const isOther = unbilled.includes(column) && !own;
		const asksBillable = isOther && asksWhetherBillable(header);
		const isPayment = isOther && hasWord(header, 'deductions');
		const isDoubt = isOther && markIn(header) !== undefined && !takenOff.includes(column);
		const wordOf = (text: string, rows: readonly Row[]): string | undefined => {
			if (asksBillable) return saysNo(text) ? plainWords(text) : undefined;
			// `Paid: cash` says it as well, and `Payment date: 5 Jan`.
			const isFilled = isDoubt && !saysUnpaid(text);
			if (isFilled || (isPayment && looks[rows[0].at]?.kind === 'date')) return plainWords(text);
			const isNote = !items.includes(column) && text.split(' ').length > 2;
			const sum = statements.rowsLeftOut === 'none' ? undefined : sumIn(text);
			return doubtIn(text) ?? sum ?? (isNote ? multipleIn(text) : undefined);
		};
		const settled = said?.shapes.get(header)?.kinds ?? [];
		const byWord = new Map<string, Row[]>();
		for (const [text, all] of rowsByText(sheet.rows, column)) {
			// A credit that is taken off is what it says.
			const rows = items.includes(column) ? all.filter((row) => amountOf(row) >= 0) : all;
			if ((own && !own.bill.includes(text)) || rows.length === 0) continue;
			const word = settled.includes(being(maskOf(text))) ? undefined : wordOf(text, rows);
			if (word !== undefined) for (const row of rows) addTo(byWord, word, row);
		}
		for (const [word, rows] of byWord) {
			// What stands in several rows, or is sold, is usual in this column: confirming the sheet settles it. One cell says nothing of others.
			const masks = new Set(rows.map(({ at }) => maskOf(looks[at]?.text ?? '')));
			const [mask] = masks;
			const isUsual = (rows.length > 1 || items.includes(column)) && statements.shapes.has(header);
			const usual = masks.size === 1 ? being(mask) : saying(word);
			if (isUsual) addSaying(statements.shapes.get(header), usual);
			const text = looks[rows[0].at]?.text ?? '';
			const about = { header, word, isStated: isUsual || own !== undefined };
			raise('words', rows, says(rows, column, text), about);
		}
		const lost = column.filled.find(({ text }) => text.includes('\uFFFD'))?.text;
		if (lost !== undefined) {
			const text = `letters were lost in "${shorten(lost, 60)}": set 'Encoding' in the node that reads the file`;
			raise('words', [], text, { header, word: '\uFFFD' });
		}
	}
}

/** What was taken off the amounts that are billed: `Fee` = `Price` - `Credit`, or `Total` = `Paid` + `Open`. */
function takenOffBy({ whole, factors, terms }: Explanation, billed: readonly Column[]): Column[] {
	const columns = (isLess: boolean) =>
		terms.flatMap((term) => (term.isLess === isLess ? [term.column] : []));
	if (billed.includes(whole)) return columns(true);
	const parts = [...(factors.length === 1 ? factors : []), ...columns(false)];
	return parts.some((one) => billed.includes(one)) ? parts : [];
}

const says = (rows: Row[], { header }: Column, text: string) =>
	`${rowsLabel(rows)} ${rows.length === 1 ? 'says' : 'say'} ${header}: ${shorten(text, 80)}`;

/** Days. */
const [longPast, farAway] = [30, 400];

/** Due dates long past or far away. */
function findDates({ drafts, today }: StatedSheet, raise: Raise): void {
	for (const { rows, body } of drafts) {
		const due = String(body.due_date ?? '');
		if (due === '') continue;
		const look = (more: string) => raise('dates', rows, `${rowsLabel(rows)}: due on ${due}${more}`);
		const away = daysBetween(today, due);
		if (away < -longPast) look(`, more than ${longPast} days ago`);
		if (away > farAway) look(`, more than ${farAway} days from now`);
	}
}

/** What is looked for in any sheet, each with what it says. */
const looks: readonly Look[] = [
	findWords, // row 4 says Paid: cash
	findIdle, // Discount changes nothing: 5 in row 2 is not billed
	findOtherCustomers, // Customer ID says 7f3… in row 3, which is another customer than the one that is billed
	findDates, // row 3: due on 2024-01-31, more than 30 days ago
	findRepeats, // items repeat: row 5 bills what a row above bills to the same customer
	...looksAtTotals,
	findNothing, // row 8 would be an invoice of 0.00
];
