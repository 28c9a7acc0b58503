import { daysBetween } from '../../shared/fields/dates';
import { addTo } from '../../shared/addTo';
import { shorten } from '../../shared/fields/text';
import { columnsOf } from './columns';
import { itemsField } from './fields';
import type { Finding, Raise, StatedSheet } from './findings';
import type { Draft } from './invoices';
import { customersOf } from './invoices';
import { asksWhetherBillable, doubtIn, markIn, multipleIn, saysNo } from './marks';
import { allWordsOf, hasWord, plainWords } from './names';
import { rowsLabel } from './problems';
import type { Column } from './profile';
import type { Row } from './rows';
import { sumOf } from './rows';
import { hasKinds, saying } from './statements';
import { findTotals } from './totals';

/** What a person should look at in any sheet: words, dates, repetitions, sums, invoices of 0. */
export function* findOddities(sheet: StatedSheet): Generator<void, Finding[]> {
	const found = new Map<string, Finding>();
	const raise: Raise = (kind, rows, text, about = {}) => {
		const money = Math.abs(sumOf(rows.length ? rows : sheet.rows));
		if (!found.has(text))
			found.set(text, { kind, text, rows: rows.map(({ number }) => number), money, ...about });
	};
	yield* findWords(sheet, raise);
	findDates(sheet, raise);
	yield;
	yield* findRepeats(sheet, raise);
	yield* findTotals(sheet, raise);
	yield;
	for (const { rows, sums } of sheet.drafts)
		if (sums && Number(sums.total) === 0)
			raise('amounts', rows, `${rowsLabel(rows)} would be an invoice of 0.00`);
	return [...found.values()];
}

/** Fields whose cells are no words. */
const wordless = 'customerId customerEmail currency dueDate invoiceDate itemAmount itemTotal itemQuantity items'; // prettier-ignore

/** Words such as paid, void or free in any cell, and filled cells below such a header. */
function* findWords(sheet: StatedSheet, raise: Raise): Generator<void> {
	const { profile, roles, statements, said, unbilled } = sheet;
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
		const isDoubt = isOther && markIn(header) !== undefined;
		const wordOf = (text: string, rows: readonly Row[]): string | undefined => {
			if (asksBillable) return saysNo(text) ? plainWords(text) : undefined;
			// `Paid: cash` says it as well, and `Payment date: 5 Jan`.
			const isFilled = isDoubt && !saysNo(text);
			if (isFilled || (isPayment && looks[rows[0].at]?.kind === 'date')) return plainWords(text);
			const isNote = !items.includes(column) && text.split(' ').length > 2;
			return doubtIn(text) ?? (isNote ? multipleIn(text) : undefined);
		};
		const byWord = new Map<string, Row[]>();
		for (const [text, rows] of rowsByText(sheet.rows, column)) {
			const word = own && !own.bill.includes(text) ? undefined : wordOf(text, rows);
			if (word !== undefined) for (const row of rows) addTo(byWord, word, row);
		}
		for (const [word, rows] of byWord) {
			// A word in several rows, or in what is sold, is usual in this column: confirming the sheet settles it.
			const isUsual = (rows.length > 1 || items.includes(column)) && statements.shapes.has(header);
			const kinds = statements.shapes.get(header)?.kinds;
			if (isUsual && !kinds?.includes(saying(word))) kinds?.push(saying(word));
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

/** The rows of each text of a column. */
function rowsByText(rows: readonly Row[], { looks }: Column): Map<string, Row[]> {
	const byText = new Map<string, Row[]>();
	for (const row of rows) {
		const text = looks[row.at]?.text;
		if (text !== undefined && !row.isOfSameLine) addTo(byText, text, row);
	}
	return byText;
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

/** Numbers that one payment, order or receipt has. */
const transactionWords = new Set(
	'number id ref reference referenz referencia referencie riferimento transaction transaktion receipt beleg quittung order auftrag pedido ordine commande bestelling encomenda buchung booking ticket'.split(
		' ',
	),
);

/** The same thing billed twice: a row that was pasted or corrected below itself, an order, an invoice under two numbers. */
function* findRepeats(sheet: StatedSheet, raise: Raise): Generator<void> {
	const { profile, roles, statements, said } = sheet;
	const rows = sheet.rows.filter(({ isOfSameLine }) => !isOfSameLine);
	// Without items, amounts are all that distinguishes the rows of a customer.
	const amounts = roles.fields.has('itemName')
		? columnsOf(roles, 'itemAmount', 'itemTotal', itemsField, 'total')
		: [];
	const others = profile.columns.filter((column) => !amounts.includes(column));
	const copies = new Map<string, Row[]>();
	const keys = keysOf(sheet);
	const customers = customersOf(sheet.drafts);
	const sameKey = new Map<string, Row[]>();
	// Without cells, everything is mapped.
	for (const [index, row] of (profile.columns.length ? rows : []).entries()) {
		if (index % 100 === 0) yield;
		const content: unknown[] = others.map(
			({ looks }) => looks[row.at]?.number ?? looks[row.at]?.text.toLowerCase(),
		);
		content.push(row.line.isFurther, customers.get(row));
		addTo(copies, JSON.stringify(content), row);
		const key = keys.get(row);
		if (key !== undefined) addTo(sameKey, key, row);
	}
	const copied = new Set<Row>();
	for (const those of copies.values()) {
		if (those.length < 2) continue;
		for (const row of those.slice(1)) copied.add(row);
		raise(
			'repeats',
			those,
			`${rowsLabel(those)} are the same in every cell${amounts.length ? ' but the amount' : ''}`,
		);
	}
	const again = [...sameKey.values(), ...sameBills(sheet.drafts)].flatMap((those) =>
		those.filter((row, at) => at > 0 && !copied.has(row)),
	);
	const repeats = new Set(again);
	const repeated = rows.filter((row) => repeats.has(row));
	statements.itemsRepeat = said?.itemsRepeat ?? (repeated.length > 0 || undefined);
	// A reading that was typed says nothing of it.
	if (repeated.length && !said?.itemsRepeat && (!said || hasKinds(said)))
		raise(
			said ? 'difference' : 'guess',
			repeated,
			`items repeat: ${rowsLabel(repeated)} bill${repeated.length === 1 ? 's' : ''} what a row above bills to the same customer`,
		);
	for (const column of sheet.unbilled) {
		const { header, counts, filled } = column;
		const words = allWordsOf(header).filter((word) => transactionWords.has(word));
		// One payment has one row, an order may have several, but one customer. `No. of towers` counts.
		const isSingle = counts.size >= filled.length * 0.7;
		if (!words.some((word) => isSingle || (word !== 'number' && word !== 'id'))) continue;
		for (const [cell, those] of rowsByText(rows, column)) {
			const [first, ...more] = those;
			const isOther = isSingle
				? more.some(({ line }) => line.index !== first.line.index)
				: more.some((row) => customers.get(row) !== customers.get(first));
			const whose = isSingle ? '' : ' and several customers';
			if (isOther)
				raise(
					'repeats',
					those,
					`${rowsLabel(those)} have the same ${header}${whose}: ${shorten(cell, 60)}`,
				);
		}
	}
}

/** The first rows of invoices that bill a customer the same items under several numbers. */
function sameBills(drafts: readonly Draft[]): Row[][] {
	const bills = new Map<string, Row[]>();
	for (const { rows, body } of drafts) {
		const { customer, currency, items, invoice_number: number } = body;
		if (customer && items && number)
			addTo(bills, JSON.stringify([customer, currency, items]), rows[0]);
	}
	return [...bills.values()];
}

/** `Mixing (corrected)` is called Mixing. */
const withoutNotes = (name: string) => name.replace(/\([^()]*\)/g, ' ');

/** Customer, item, and invoice of each row with an item: its number, what groups its rows, or its due date. */
function keysOf({ drafts, roles, statements, profile }: StatedSheet): Map<Row, string> {
	const { grouping } = statements;
	const column = grouping?.by === 'column' ? profile.byHeader.get(grouping.header) : undefined;
	const names = columnsOf(roles, 'itemName', 'title');
	return new Map(
		drafts.flatMap(({ rows, body }) =>
			rows.flatMap((row): Array<[Row, string]> => {
				const item = names.map(({ looks }) => plainWords(withoutNotes(looks[row.at]?.text ?? '')));
				const customer = body.customer ?? row.customers[0]?.text;
				const { values } = row;
				const invoice = values.get('invoiceNumber') ?? column?.looks[row.at]?.text ?? body.due_date;
				return item.some(Boolean) ? [[row, JSON.stringify([customer, invoice, item])]] : [];
			}),
		),
	);
}
