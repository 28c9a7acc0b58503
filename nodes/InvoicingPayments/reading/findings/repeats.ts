import { addTo } from '../../../shared/addTo';
import { shorten } from '../../../shared/fields/text';
import { columnsOf, itemsField } from '../columns';
import type { Raise, StatedSheet } from './findings';
import type { Draft } from '../invoices';
import { customersOf } from '../invoices';
import { allWordsOf } from '../table';
import { plainWords } from '../words';
import { rowsLabel } from '../cells';
import type { Column } from '../columns';
import type { Row } from '../rows';
import type { Statements } from '../statements';
import type { Steps } from '../../../shared/steps';
import { mapInSteps, stepTimer } from '../../../shared/steps';
import { acrossCustomers, addSaying, hasKinds, repeating } from '../statements';

/**
 * The same thing billed twice: a row that was pasted or corrected below itself, an order of two customers, an invoice under two numbers.
 * Many sheets repeat something each month. So the reading states which kinds of repetition there were, and only another kind is news.
 */
export function* findRepeats(sheet: StatedSheet, raise: Raise): Steps<void> {
	// Without cells, everything is mapped.
	if (sheet.profile.columns.length === 0) return;
	const { rows } = sheet;
	const copied = yield* findCopies(sheet, rows, raise);
	yield;
	yield* findItems(sheet, rows, copied, { raise });
	const customers = customersOf(sheet.drafts);
	for (const column of sheet.unbilled) {
		yield;
		findReferences(sheet, column, rows, { customers, raise });
	}
}

/** Adds to the statements what repeats, and returns whether it is new to them. */
function state(
	{ statements, said }: StatedSheet,
	name: 'rowsRepeat' | 'amountsRepeat' | 'itemsRepeat',
	isThere: boolean,
): boolean {
	const isKnown: Statements[typeof name] = said?.[name];
	statements[name] = isKnown ?? (isThere || undefined);
	return isThere && !isKnown;
}

/** Rows that are the same in every cell, or in every cell but the amount. Returns all but the first of each. */
function* findCopies(
	sheet: StatedSheet,
	rows: readonly Row[],
	raise: Raise,
): Steps<ReadonlySet<Row>> {
	const { profile, roles, drafts } = sheet;
	const hasNames = roles.fields.has('itemName') || roles.fields.has(itemsField);
	// Without items, amounts are all that distinguishes the rows of a customer.
	const amounts = hasNames ? columnsOf(roles, 'itemAmount', 'itemTotal', itemsField, 'total') : [];
	const others = profile.columns.filter((column) => !amounts.includes(column));
	const customers = customersOf(drafts);
	const contentOf = (columns: readonly Column[], { at }: Row) =>
		columns.map(({ looks }) => looks[at]?.number ?? looks[at]?.text.toLowerCase());
	const byContent = new Map<string, Row[]>();
	const isLong = stepTimer();
	for (const row of rows) {
		if (isLong()) yield;
		const content = [...contentOf(others, row), row.line.isFurther, customers.get(row)];
		addTo(byContent, JSON.stringify(content), row);
	}
	yield;
	const same = [...byContent.values()].filter(({ length }) => length > 1);
	const contents = yield* mapInSteps(same, (those) =>
		those.map((row) => JSON.stringify(contentOf(amounts, row))),
	);
	const isExact = (at: number) => new Set(contents[at]).size < contents[at].length;
	const kinds = [
		{ name: 'rowsRepeat', rows: same.filter((_those, at) => isExact(at)), what: '' },
		{
			name: 'amountsRepeat',
			rows: same.filter((_those, at) => !isExact(at)),
			what: ' but the amount',
		},
	] as const;
	for (const { name, rows: repeated, what } of kinds)
		if (state(sheet, name, repeated.length > 0))
			for (const those of repeated) {
				if (isLong()) yield;
				const text = `${rowsLabel(those)} are the same in every cell${what}`;
				raise('repeats', those, text, { isStated: true });
			}
	return new Set(same.flatMap((those) => those.slice(1)));
}

/** Rows that bill a customer an item twice, in an invoice or under two numbers. */
function* findItems(
	sheet: StatedSheet,
	rows: readonly Row[],
	copied: ReadonlySet<Row>,
	{ raise }: { raise: Raise },
): Steps<void> {
	const { said, drafts } = sheet;
	const byKey = new Map<string, Row[]>();
	const keys = yield* keysOf(sheet);
	const isLong = stepTimer();
	for (const row of rows) {
		const key = keys.get(row);
		if (key !== undefined) addTo(byKey, key, row);
		if (isLong()) yield;
	}
	const repeats = new Set<Row>();
	for (const [, ...more] of [...byKey.values(), ...(yield* sameBills(drafts))])
		for (const row of more) if (!copied.has(row)) repeats.add(row);
	yield;
	const repeated = rows.filter((row) => repeats.has(row));
	const isNew = state(sheet, 'itemsRepeat', repeated.length > 0);
	// A reading that was typed says nothing of it.
	if (!isNew || (said && !hasKinds(said))) return;
	const verb = repeated.length === 1 ? 'bills' : 'bill';
	const text = `items repeat: ${rowsLabel(repeated)} ${verb} what a row above bills to the same customer`;
	raise(said ? 'difference' : 'guess', repeated, text);
}

/** Beginnings of words for what one payment, order or receipt has. */
const transaction =
	/^(?:ref$|refer|rifer|transa|receipt|beleg|quittung|order|auftrag|pedido|ordine|commande|bestel|encomenda|buchung|booking|ticket)/;
export const isReference = (header: string): boolean =>
	allWordsOf(header).some((word) => transaction.test(word));
/** Ends of words that number anything, so that they say less: `Kundennummer`. */
const numbering = /(?:number|nummer|numero|^id)$/;

/** Share of the cells that are different, in a column whose cells identify one row each. A few payments are entered twice. */
const mostlySingle = 0.7;

/** Kinds of repetition in a column of references: an order of several lines, and one that several customers have. */
function findReferences(
	{ statements, said }: StatedSheet,
	column: Column,
	rows: readonly Row[],
	{ customers, raise }: { customers: ReadonlyMap<Row, unknown>; raise: Raise },
): void {
	const { header, counts, filled } = column;
	const isOfTransaction = isReference(header);
	const { grouping, shapes } = statements;
	// What groups the rows has to repeat.
	const groups = grouping?.by === 'column' && grouping.header === header;
	if (groups || column.is('date')) return;
	if (!isOfTransaction && !allWordsOf(header).some((word) => numbering.test(word))) return;
	// One payment has one row.
	const isSingle = counts.size >= filled.length * mostlySingle;
	const seen = said?.shapes.get(header)?.kinds;
	const shape = shapes.get(header);
	for (const [cell, those] of rowsByText(rows, column)) {
		const [first, ...more] = those;
		const others = more.filter(({ line }) => line.index !== first.line.index);
		if (others.length === 0) continue;
		const isShared = others.some((row) => customers.get(row) !== customers.get(first));
		const kind = isShared ? acrossCustomers : repeating;
		addSaying(shape, kind);
		// The number of a customer is in all of its rows.
		const isNews =
			(isShared || isOfTransaction) && (seen ? !seen.includes(kind) : isSingle || isShared);
		const whose = isShared ? ' and several customers' : '';
		const text = `${rowsLabel(those)} have the same ${header}${whose}: ${shorten(cell, 60)}`;
		if (isNews) raise('repeats', those, text, { isStated: shape !== undefined });
	}
}

/** The rows of each text of a column. */
export function rowsByText(rows: readonly Row[], { looks }: Column): Map<string, Row[]> {
	const byText = new Map<string, Row[]>();
	for (const row of rows) {
		const text = looks[row.at]?.text;
		if (text !== undefined) addTo(byText, text, row);
	}
	return byText;
}

/** The first rows of invoices that bill a customer the same items under several numbers. */
function* sameBills(drafts: readonly Draft[]): Steps<Row[][]> {
	const bills = new Map<string, Row[]>();
	const isLong = stepTimer();
	for (const { rows, body } of drafts) {
		if (isLong()) yield;
		const { customer, currency, items, invoice_number: number } = body;
		if (customer && items && number)
			addTo(bills, JSON.stringify([customer, currency, items]), rows[0]);
	}
	return [...bills.values()];
}

/** `Mixing (corrected)` is called Mixing. But `Lesson (2)` is not `Lesson (1)`. */
const withoutNotes = (name: string) => name.replace(/\([^()\p{N}]*\)/gu, ' ');

/** Customer, item, and invoice of each row with an item: its number, what groups its rows, or its due date. */
function* keysOf({ drafts, roles, statements, profile }: StatedSheet): Steps<Map<Row, string>> {
	const { grouping } = statements;
	const column = grouping?.by === 'column' ? profile.byHeader.get(grouping.header) : undefined;
	const names = columnsOf(roles, 'itemName', 'title');
	// Amounts side by side are called like their columns, the same in every row.
	const ofColumns = roles.fields.has(itemsField) ? [itemsField] : [];
	const keys = yield* mapInSteps(drafts, ({ rows, body }) =>
		rows.flatMap((row): Array<[Row, string]> => {
			const texts = names.map(({ looks }) => plainWords(withoutNotes(looks[row.at]?.text ?? '')));
			const item = [...ofColumns, ...texts];
			const customer = body.customer ?? row.customers[0]?.text;
			const { values } = row;
			const invoice = values.get('invoiceNumber') ?? column?.looks[row.at]?.text ?? body.due_date;
			return item.some(Boolean) ? [[row, JSON.stringify([customer, invoice, item])]] : [];
		}),
	);
	return new Map(keys.flat());
}
