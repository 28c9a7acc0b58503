import { addTo } from '../../../shared/addTo';
import { isEmpty, shorten } from '../../../shared/fields/text';
import {
	columnsOf,
	isCalledTotal,
	isNear,
	isSameSum,
	itemNumbers,
	sumsOf,
	taxRateOf,
} from '../columns';
import type { Column } from '../columns';
import type { Look, Raise, StatedSheet } from './findings';
import type { Draft } from '../invoices';
import { customersOf } from '../invoices';
import { rowsLabel } from '../cells';
import type { Row } from '../rows';
import { amountOf, sumOf } from '../rows';
import { addingUp, addSaying, being, hasKinds } from '../statements';
import { maskOf } from './shapes';
import { roundRateOf } from './taxRates';
import { hasWord, isTax } from '../table';
import type { Steps } from '../../../shared/steps';
import { mapInSteps, stepTimer } from '../../../shared/steps';

/** Headers of totals before the discount: `Subtotal`, `Zwischensumme`. */
const beforeDiscount =
	/sub|zwischen|sous|parcial|parziale|tussen|imponible|before|without|vor\b|voor\b|ohne|zonder|avant|sans|antes|sin\b|sem\b|prima|senza/i;

/** Rows that are left out as sums, and state another sum. */
function wrongSums({ leftOut }: StatedSheet, raise: Raise): void {
	for (const { line, name, amount = 0, sum } of leftOut)
		if (sum !== undefined)
			raise(
				'sums',
				[],
				`row ${line.number} (${shorten(name, 60)}) says ${amount.toFixed(2)}, the rows above it come to ${sum.toFixed(2)}`,
			);
}

/** Stated totals of rows that are a rounding away from price times quantity, further than to the nearest hundredth. */
function roundedTotals({ rows, statements, said }: StatedSheet, raise: Raise): void {
	const rounded = rows.filter(({ isRounded }) => isRounded);
	statements.areTotalsRounded = said?.areTotalsRounded ?? (rounded.length > 0 || undefined);
	if (rounded.length === 0 || said?.areTotalsRounded) return;
	const text = `line totals are rounded: in ${rowsLabel(rounded)}, the stated total is billed, not price times quantity`;
	raise(said && hasKinds(said) ? 'difference' : 'guess', rounded, text);
}

/** Stated totals that are no amounts, so that nothing is compared with them. */
function unreadTotals({ rows }: StatedSheet, raise: Raise): void {
	for (const row of rows)
		for (const { header, text } of row.unreadTotals) {
			const what = `${header} says ${JSON.stringify(shorten(text, 40))} in row ${row.number}`;
			raise('sums', [row], `${what}, which is no amount to compare`, { header });
		}
}

interface Stated {
	header: string;
	value: string;
	text: string;
}

/** Stated totals of invoices that differ from their items. What a relation explains, such as a tax, is no news in a later file. */
function* wrongTotals(
	{ drafts, statements: { relation }, said }: StatedSheet,
	raise: Raise,
): Steps<void> {
	const related = new Set(
		relation ? [relation.whole, ...relation.terms.map(({ header }) => header)] : [],
	);
	const explained = said?.relation ? related : new Set<string>();
	const all = yield* mapInSteps(drafts, (draft) => {
		const stated = wrongTotal(draft, explained);
		return stated ? [{ draft, ...stated }] : [];
	});
	const differing = all.flat();
	const rows = differing.flatMap(({ draft }) => draft.rows);
	const rates = new Set(
		differing.map(({ draft: { sums }, value }) => taxRateOf(Number(value), Number(sums?.total))),
	);
	const [rate] = rates;
	if (differing.length > 1 && rates.size === 1 && rate !== undefined) {
		const text = `${differing[0].header} is ${rate}% more than the items in ${rowsLabel(rows)}, as with a tax. That is not billed`;
		raise('sums', rows, text, { isStated: differing.every(({ header }) => related.has(header)) });
	} else
		for (const { draft, text, header } of differing)
			raise('sums', draft.rows, text, { isStated: related.has(header) });
}

/** The first stated total of an invoice that differs from its items, but for those of columns that are explained. */
function wrongTotal(
	{ rows, sums, body }: Draft,
	explained: ReadonlySet<string>,
): Stated | undefined {
	if (!sums) return undefined;
	const totals = new Map<string, Array<{ row: Row; value: string }>>();
	for (const row of rows)
		for (const { header, value } of row.totals)
			if (!explained.has(header)) addTo(totals, header, { row, value });
	const equals = (exact: string, value: string) => isSameSum(exact, value, body.currency as string);
	const byRow = new Map<number, Row[]>();
	for (const row of rows) addTo(byRow, row.line.index, row);
	const subtotalOf = ({ line }: Row) =>
		sumsOf((byRow.get(line.index) ?? []).flatMap(({ items }) => items ?? [])).subtotal;
	for (const [header, stated] of totals) {
		const isBeforeDiscount = Number(sums.discount) === 0 || beforeDiscount.test(header);
		const areOfRows =
			isBeforeDiscount && stated.every(({ row, value }) => equals(subtotalOf(row), value));
		const isOfInvoice = (value: string) =>
			equals(sums.total, value) || (isBeforeDiscount && equals(sums.subtotal, value));
		const wrong = areOfRows ? undefined : stated.find(({ value }) => !isOfInvoice(value));
		if (wrong) {
			const text = `${header} says ${wrong.value} in row ${wrong.row.number}, the items come to ${sums.total}`;
			return { header, value: wrong.value, text };
		}
	}
	return undefined;
}

/** Further columns of a field, which fill it only where the first one is empty. */
function unbilledAmounts({ roles, rows: all }: StatedSheet, raise: Raise): void {
	for (const field of itemNumbers) {
		const [first, ...more] = columnsOf(roles, field);
		for (const { header, numbers } of more) {
			const isOther = (at: number) => first.looks[at] && numbers[at] !== first.numbers[at];
			const rows = all.filter(({ at }) => numbers[at] && isOther(at));
			const text = `${header} is not billed in ${rowsLabel(rows)}, where ${first.header} is filled`;
			if (rows.length) raise('sums', rows, text, { header });
		}
	}
}

/** Columns that are called a total, and come to something else than what is billed. Confirming the sheet settles them. */
function unbilledTotals({ unbilled, rows, said, statements }: StatedSheet, raise: Raise): void {
	if (said) return;
	const { relation } = statements;
	const explained = relation ? [relation.whole, ...relation.factors] : [];
	const billed = sumOf(rows);
	for (const one of unbilled) {
		if (!isCalledTotal(one.header) || isTax(one) || explained.includes(one.header)) continue;
		const sum = rows.reduce((all, { at }) => all + (one.numbers[at] || 0), 0);
		if (sum === 0 || isNear(sum, billed, rows.length)) continue;
		const text = `${one.header} comes to ${sum.toFixed(2)} in all, and what is billed to ${billed.toFixed(2)}`;
		raise('sums', [], text, { header: one.header, isStated: true });
	}
}

/** Columns that repeat the amounts, but not in each row. */
function* unequalRepeats(sheet: StatedSheet, raise: Raise): Steps<void> {
	for (const { header, numbers } of sheet.unbilled) {
		yield;
		const stated = sheet.rows.filter(({ at }) => !Number.isNaN(numbers[at]));
		const wrong = stated.filter((row) => !isNear(numbers[row.at], amountOf(row)));
		if (wrong.length * 2 >= stated.length) continue;
		for (const row of wrong)
			raise(
				'sums',
				[row],
				`${header} says ${numbers[row.at]} in row ${row.number}, which is billed as ${amountOf(row).toFixed(2)}`,
				{ header },
			);
	}
}

/**
 * Rows that may be the sum of others. Two amounts often add up to a third, so what looks like an item is a sum only until the sheet is
 * confirmed:
 *
 *   a row of an invoice that is the sum of those below it               always
 *   the sum of the rows above it, of its invoice or of the sheet:
 *     it has a customer of its own, or is filled like the others         until the sheet is confirmed
 *     otherwise, if it is the last row or its customer stands above it   always
 *   the last row of each invoice that has more than two, if several do   always
 */
function* sumsOfOthers(sheet: StatedSheet, raise: Raise): Steps<void> {
	if (sheet.statements.rowsLeftOut === 'none') return;
	const isLong = stepTimer();
	for (const { rows } of sheet.drafts) {
		if (isLong()) yield;
		const [whole, ...parts] = rows;
		const below = parts.reduce((sum, row) => sum + amountOf(row), 0);
		if (parts.length > 1 && below > 0 && isNear(amountOf(whole), below))
			raise('sums', [whole], `row ${whole.number} is the sum of the rows below it`);
	}
	yield;
	const ofInvoices = new Set(sheet.drafts.flatMap(({ rows }) => sumsIn(rows)));
	// One sum may be luck, but not the same in all of several invoices.
	const long = sheet.drafts.filter(({ rows }) => rows.length > 2);
	const areSums =
		long.length > 1 && long.every(({ rows }) => ofInvoices.has(rows[rows.length - 1]));
	const [amount] = columnsOf(sheet.roles, 'itemTotal', 'itemAmount') as Array<Column | undefined>;
	const header = amount?.header ?? '';
	const isUsual = sheet.said?.shapes.get(header)?.kinds.includes(addingUp) === true;
	if (areSums && !sheet.said) addSaying(sheet.statements.shapes.get(header), addingUp);
	const isNews = areSums && sheet.said !== undefined && !isUsual;
	const all = sheet.rows;
	const ofSheet = new Set(sumsIn(all));
	yield;
	const customers = customersOf(sheet.drafts);
	const customersAbove = new Set<unknown>();
	const fullest = sheet.rows.reduce((most, row) => Math.max(most, countCells(row)), 0);
	const isConfirmed = sheet.said !== undefined && hasKinds(sheet.said);
	for (const [index, row] of all.entries()) {
		if (isLong()) yield;
		const customer = customers.get(row);
		const isTotal = index === all.length - 1 && ofSheet.has(row);
		// A sum names no customer, or one from the rows above.
		const isOfAbove = ofSheet.has(row) && customersAbove.has(customer);
		const isOwn = customer !== undefined && !customersAbove.has(customer);
		const isLikeItem = isOwn || (countCells(row) === fullest && !isTotal);
		const text = `row ${row.number} (${amountOf(row).toFixed(2)}) is the sum of the rows above it`;
		if ((ofInvoices.has(row) || isTotal || isOfAbove) && !(isLikeItem && isConfirmed && !isNews))
			raise('sums', [row], text, { isStated: isLikeItem && !isNews });
		customersAbove.add(customer);
	}
}

const countCells = ({ line }: Row) => line.cells.filter((cell) => !isEmpty(cell)).length;

/** Rows with the sum of all rows above them, at least two. It may be off by a rounding for each. */
function sumsIn(rows: readonly Row[]): Row[] {
	let sum = 0;
	return rows.filter((row, index) => {
		const amount = amountOf(row);
		sum += amount;
		return index > 1 && amount > 0 && isNear(amount, sum - amount, index);
	});
}

/** Percent. Nowhere is a tax on sales higher. */
const highestTax = 30;

/** Taxes in rows that name no customer, and that are none of the customer above: they may be of all. Confirming the sheet settles the text. */
function taxesOfAll({ drafts, roles, said, statements }: StatedSheet, raise: Raise): void {
	const owners = columnsOf(roles, 'customerId', 'customerEmail', 'invoiceNumber');
	const [names] = columnsOf(roles, 'itemName') as Array<Column | undefined>;
	if (owners.length === 0 || drafts.length < 2 || !names) return;
	const textOf = ({ at }: Row) => names.looks[at]?.text ?? '';
	const isTaxRow = (row: Row) => hasWord(textOf(row), 'taxes');
	const settled = said?.shapes.get(names.header)?.kinds ?? [];
	for (const { rows } of drafts) {
		const taxes = rows.filter(isTaxRow);
		const own = rows
			.filter((row) => !taxes.includes(row))
			.reduce((sum, row) => sum + amountOf(row), 0);
		for (const row of taxes) {
			const tax = amountOf(row);
			const rate = own === 0 ? undefined : roundRateOf({ tax, amount: own });
			const isOwn =
				owners.some(({ looks }) => looks[row.at]) || (rate !== undefined && rate <= highestTax);
			const usual = being(maskOf(textOf(row)));
			if (isOwn || settled.includes(usual)) continue;
			if (!said) addSaying(statements.shapes.get(names.header), usual);
			const text = `row ${row.number} (${tax.toFixed(2)}) is a tax, but none of the ${own.toFixed(2)} above it`;
			raise('sums', [row], text, { isStated: !said });
		}
	}
}

/** What is looked for in the totals of a sheet, each with what it says. */
export const looksAtTotals: readonly Look[] = [
	wrongSums, // row 26 (Total) says 940.00, the rows above it come to 904.00
	roundedTotals, // line totals are rounded: in row 3, the stated total is billed, not price times quantity
	unreadTotals, // Total says "see below" in row 4, which is no amount to compare
	wrongTotals, // Total says 120.00 in row 2, the items come to 100.00
	unbilledAmounts, // Fee 2 is not billed in row 5, where Fee is filled
	unbilledTotals, // Gross comes to 714.00 in all, and what is billed to 600.00
	unequalRepeats, // Net says 90 in row 7, which is billed as 100.00
	taxesOfAll, // row 6 (32.00) is a tax, but none of the 60.00 above it
	sumsOfOthers, // row 9 (300.00) is the sum of the rows above it
];
