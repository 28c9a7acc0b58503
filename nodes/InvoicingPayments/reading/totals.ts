import { addTo } from '../../shared/addTo';
import { isEmpty, shorten } from '../../shared/fields/text';
import { isNear, isSameSum, sumsOf, taxRateOf } from './amounts';
import type { Raise, Sheet } from './findings';
import type { Draft } from './invoices';
import { customersOf } from './invoices';
import { columnsOf } from './columns';
import { rowsLabel } from './problems';
import type { Column } from './profile';
import type { Row } from './rows';
import { byLine, sumOf } from './rows';
import { hasKinds } from './statements';

/** What is stated before a discount is called so. */
const beforeDiscount =
	/sub|zwischen|sous|parcial|parziale|tussen|imponible|before|without|vor\b|voor\b|ohne|zonder|avant|sans|antes|sin\b|sem\b|prima|senza/i;

interface Stated {
	header: string;
	value: string;
	text: string;
}

/** The same tax in all totals that differ from their items: `Brutto is 19% more than the items in rows 2, 3 and 4`. */
function taxIn(differing: ReadonlyArray<{ draft: Draft } & Stated>): string | undefined {
	const rates = new Set(
		differing.map(({ draft: { sums }, value }) => taxRateOf(Number(value), Number(sums?.total))),
	);
	const [rate] = rates;
	if (differing.length < 2 || rates.size > 1 || rate === undefined) return undefined;
	const rows = differing.flatMap(({ draft }) => [...draft.rows]);
	return `${differing[0].header} is ${rate}% more than the items in ${rowsLabel(rows)}, as with a tax. That is not billed`;
}

/** The first stated total of an invoice that differs from its items. */
function wrongTotal({ rows, sums, body }: Draft): Stated | undefined {
	const totals = new Map<string, Array<{ row: Row; value: string }>>();
	for (const row of rows)
		for (const { header, value } of row.totals) addTo(totals, header, { row, value });
	if (!sums) return undefined;
	const is = (exact: string, value: string) => isSameSum(exact, value, body.currency as string);
	const subtotals = new Map(
		byLine(rows).map((own) => [own[0], sumsOf(own.flatMap(({ item }) => item ?? [])).subtotal]),
	);
	for (const [header, stated] of totals) {
		const isBefore = Number(sums.discount) === 0 || beforeDiscount.test(header);
		const areOfRows =
			isBefore && stated.every(({ row, value }) => is(subtotals.get(row) ?? '', value));
		const isOfInvoice = (value: string) =>
			is(sums.total, value) || (isBefore && is(sums.subtotal, value));
		const wrong = areOfRows ? undefined : stated.find(({ value }) => !isOfInvoice(value));
		if (wrong) {
			const text = `${header} says ${wrong.value} in row ${wrong.row.number}, the items come to ${sums.total}`;
			return { header, value: wrong.value, text };
		}
	}
	return undefined;
}

/** Stated totals that differ from the items, and rows that may be the sum of others: what nobody adds up in the head. */
export function* findTotals(
	sheet: Omit<Sheet, 'profile' | 'today'>,
	raise: Raise,
): Generator<void> {
	for (const { line, name, amount = 0, sum } of sheet.leftOut)
		if (sum !== undefined)
			raise(
				'sums',
				[],
				`row ${line.number} (${shorten(name, 60)}) says ${amount.toFixed(2)}, the rows above it come to ${sum.toFixed(2)}`,
			);
	const differing = sheet.drafts.flatMap((draft) => {
		const stated = wrongTotal(draft);
		return stated ? [{ draft, ...stated }] : [];
	});
	const taxed = taxIn(differing);
	if (taxed !== undefined)
		raise(
			'sums',
			differing.flatMap(({ draft }) => [...draft.rows]),
			taxed,
		);
	else for (const { draft, text } of differing) raise('sums', draft.rows, text);
	for (const field of ['itemAmount', 'itemTotal', 'itemQuantity']) {
		const [first, ...more] = columnsOf(sheet.roles, field) as [Column?, ...Column[]];
		for (const { header, numbers } of more) {
			const isOther = (at: number) => first?.looks[at] && numbers[at] !== first.numbers[at];
			const rows = sheet.rows.filter(({ at }) => numbers[at] && isOther(at));
			const text = `${header} is not billed in ${rowsLabel(rows)}, where ${first?.header} is filled`;
			if (rows.length) raise('sums', rows, text, { header });
		}
	}
	const amounts = new Map(byLine(sheet.rows).map((own) => [own[0], sumOf(own)]));
	const amountOf = (row: Row) => amounts.get(row) ?? 0;
	const firstRows = (rows: readonly Row[]) => rows.filter((row) => amounts.has(row));
	for (const { header, numbers } of sheet.unbilled) {
		yield;
		const stated = firstRows(sheet.rows).filter(({ at }) => !Number.isNaN(numbers[at]));
		const wrong = stated.filter((row) => !isNear(numbers[row.at], amountOf(row)));
		// It repeats the amounts, but not in each row.
		if (wrong.length * 2 >= stated.length) continue;
		for (const row of wrong)
			raise(
				'sums',
				[row],
				`${header} says ${numbers[row.at]} in row ${row.number}, which is billed as ${amountOf(row).toFixed(2)}`,
				{ header },
			);
	}
	yield;
	if (sheet.statements.rowsLeftOut === 'none') return;
	for (const { rows } of sheet.drafts) {
		const [whole, ...parts] = firstRows(rows);
		const below = parts.reduce((sum, row) => sum + amountOf(row), 0);
		if (parts.length > 1 && below > 0 && isNear(amountOf(whole), below))
			raise('sums', [whole], `row ${whole.number} is the sum of the rows below it`);
	}
	yield;
	const ofInvoices = new Set(sheet.drafts.flatMap(({ rows }) => sumsIn(firstRows(rows), amountOf)));
	const customers = customersOf(sheet.drafts);
	const above = new Set<unknown>();
	const all = firstRows(sheet.rows);
	const ofSheet = new Set(sumsIn(all, amountOf));
	yield;
	const fullest = sheet.rows.reduce((most, row) => Math.max(most, countCells(row)), 0);
	for (const [index, row] of all.entries()) {
		const customer = customers.get(row);
		const isLast = index === all.length - 1;
		// Amounts of two rows often add up to a third, so a row with all cells is only shown before a sheet is confirmed.
		const isOfSheet = isLast && ofSheet.has(row);
		const isFull = countCells(row) === fullest && !isOfSheet;
		// The row of a customer who has none above is no sum of them.
		const isSum = ofInvoices.has(row) || (ofSheet.has(row) && (isLast || above.has(customer)));
		const text = `row ${row.number} (${amountOf(row).toFixed(2)}) is the sum of the rows above it`;
		if (isSum && !(isFull && sheet.said && hasKinds(sheet.said)))
			raise('sums', [row], text, { isStated: isFull });
		above.add(customer);
	}
}

const countCells = ({ line }: Row) => line.cells.filter((cell) => !isEmpty(cell)).length;

/** Rows with the sum of at least two rows above them, or that with a tax. */
function sumsIn(rows: readonly Row[], amountOf: (row: Row) => number): Row[] {
	let sum = 0;
	return rows.filter((row, index) => {
		const amount = amountOf(row);
		sum += amount;
		return index > 1 && amount > 0 && isNear(amount, sum - amount, index);
	});
}
