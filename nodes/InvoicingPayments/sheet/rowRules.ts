import { addTo } from '../../shared/addTo';
import { toDecimal, toHundredThousandths, toThousandths } from '../../shared/fields/decimal';
import { lineOf } from './amounts';
import type { Draft } from './invoices';
import { isSound } from './invoices';
import type { UnmappedColumn } from './openColumns';
import type { SheetProblem } from './problems';
import { sheetProblem } from './problems';
import type { RowCells, UnmappedCell } from './rowCells';
import type { Row } from './rows';
import type { RowSettings } from './rowSettings';
import {
	asksWhetherBillable,
	asksWhetherDone,
	isNotBilledWord,
	namesDeduction,
	namesSum,
	saysNo,
	saysNotBilled,
	saysYes,
} from './rowWords';

export interface RowDoubts {
	problems: Map<Draft, string[]>;
	warnings: Map<Draft['rows'], string[]>;
}

const billThem = "set 'Rows That Look Like Totals' to Bill";

/** Rows that look like the sum of others, and deductions without a minus. Totals that agree settle both. */
export function doubtfulRows(drafts: Draft[], settings: RowSettings, isProved: boolean): RowDoubts {
	const doubts: RowDoubts = { problems: new Map(), warnings: new Map() };
	if (isProved || settings.totalRows === 'bill') return doubts;
	const sound = drafts.filter((draft) => isSound(draft));
	for (const draft of sound) {
		for (const row of draft.rows.length > 1 ? draft.rows.filter((one) => takesAway(one)) : []) {
			const text = `Row ${row.number}: "${nameIn(row)}" sounds like money that is taken off, but its amount is added to the invoice. Write the amount with a minus, or ${billThem}`;
			addTo(doubts.problems, draft, text);
		}
	}
	for (const draft of drafts) {
		for (const { number, values } of draft.rows) {
			const note = values.get('note');
			if (typeof note !== 'string' || !isNotBilledWord(note)) continue;
			const text = `Row ${number}: Note says ${JSON.stringify(note)}, so the row should perhaps not be billed. Delete it, or add the column to 'Ignore Columns'`;
			addTo(doubts.problems, draft, text);
		}
	}
	const ofRow = new Map(sound.flatMap((draft) => draft.rows.map((row) => [row, draft] as const)));
	const inOrder = [...ofRow.keys()].sort((a, b) => a.index - b.index);
	const long = sound.filter(({ rows }) => rows.length > 2);
	const sums = new Map(long.map((draft) => [draft, sumsAmong(draft.rows)]));
	const isHabit = long.filter((draft) => sums.get(draft)?.length).length * 2 >= long.length;
	const doubt = (found: SumRow, isSure: boolean) => {
		const { row } = found;
		const draft = ofRow.get(row);
		if (!draft) return;
		if (!isSure) addTo(doubts.warnings, draft.rows, 'amount that is the sum of other rows');
		else if (!doubts.problems.get(draft)?.includes(sumProblem(row)))
			addTo(doubts.problems, draft, sumProblem(row));
	};
	const filled = filledCells(inOrder);
	for (const found of [...sums.values()].flat())
		doubt(found, isHabit || isSumInMore(found, filled));
	// A subtotal has no invoice number of its own.
	const isEachAlone = sound.every(
		({ rows: [row, ...others] }) => !others.length && !row.values.has('invoiceNumber'),
	);
	const among = isEachAlone ? sumsAmong(inOrder) : [];
	const sumRows = new Set(among.map(({ row }) => row));
	const usual = new Set(inOrder.filter((row) => !sumRows.has(row)).map(comesTo));
	const isSure = (found: SumRow) =>
		(among.length > 1 && !isUsualPrice(found, usual)) || isSumInMore(found, filled);
	for (const found of among) doubt(found, isSure(found));
	const last = lastSum(inOrder);
	// With two rows it is more often a coincidence.
	if (last && !sumRows.has(last.row))
		doubt(last, last.parts.length > 2 || isSumInMore(last, filled));
	return doubts;
}

/** A row that comes to the sum of others. */
interface SumRow {
	row: Row;
	parts: readonly Row[];
}

/** The last row, if it is the sum of the whole sheet. */
function lastSum(all: readonly Row[]): SumRow | undefined {
	const rows = all.filter((row) => comesTo(row) !== BigInt(0));
	const parts = rows.slice(0, -1);
	const row = rows[rows.length - 1];
	const sum = parts.reduce((before, one) => before + comesTo(one), BigInt(0));
	return parts.length > 1 && sum !== BigInt(0) && comesTo(row) === sum ? { row, parts } : undefined;
}

/** Whether other rows have the same amount, or the row has a customer that none of its parts has: then the sum is chance. */
function isUsualPrice({ row, parts }: SumRow, usual: ReadonlySet<bigint>): boolean {
	const customerOf = ({ values }: Row) => values.get('customerId');
	const isOther = parts.every((one) => customerOf(one) !== customerOf(row));
	return isOther || usual.has(comesTo(row));
}

const cellsOf = ({ cells }: Row) => [...cells.fields, ...cells.unmapped];

/** How many of the rows there are, and how many of them fill each cell. */
interface Filled {
	rows: number;
	cells: number[];
}

function filledCells(all: readonly Row[]): Filled {
	const cells: number[] = [];
	for (const row of all) {
		cellsOf(row).forEach((cell, at) => {
			cells[at] = (cells[at] ?? 0) + Number(cell !== undefined);
		});
	}
	return { rows: all.length, cells };
}

/** Whether more than the amount says so: the quantity is a sum too, or a cell is empty that all other rows fill. */
function isSumInMore({ row, parts }: SumRow, filled: Filled): boolean {
	const quantities = [row, ...parts].map(({ values }) => values.get('itemQuantity'));
	const [own, ...others] = quantities.map((one) =>
		typeof one === 'string' || typeof one === 'number'
			? toHundredThousandths(String(one))
			: undefined,
	);
	const sum = others.reduce<bigint>((before, one) => before + (one ?? BigInt(0)), BigInt(0));
	// At one rate, quantities add up whenever amounts do.
	const isOneRate = parts.every(({ item }) => item?.amount === row.item?.amount);
	if (!isOneRate && others.every((one) => one !== undefined) && own === sum) return true;
	return cellsOf(row).some(
		(cell, at) => cell === undefined && filled.cells[at] === filled.rows - 1,
	);
}

/**
 * Skipped total rows that agree with nothing that is billed: not with the rows of their invoice, of the sheet, or with those since an
 * earlier total. Such a sheet was misread. Discounts, several currencies and rows with errors are not compared.
 */
export function disagreeingTotals(rows: readonly Row[]): SheetProblem[] {
	const billed = rows.filter(({ totalName }) => totalName === undefined);
	const currencies = new Set(billed.map(({ values }) => values.get('currency')));
	const isKnown = (row: Row) => row.item !== undefined && !row.values.has('discountPercentage');
	if (currencies.size > 1 || !billed.every(isKnown)) return [];
	const whole = billed.reduce((sum, row) => sum + comesTo(row), BigInt(0));
	const ofNumber = new Map<unknown, bigint>();
	for (const row of billed) {
		const number = row.values.get('invoiceNumber');
		ofNumber.set(number, (ofNumber.get(number) ?? BigInt(0)) + comesTo(row));
	}
	// A total may cover the rows since any earlier one.
	const starts = new Set([BigInt(0)]);
	let sum = BigInt(0);
	return [...rows]
		.sort((a, b) => a.index - b.index)
		.flatMap((row) => {
			const { totalName, totalAmount, number, values } = row;
			if (totalName === undefined) sum += comesTo(row);
			if (totalName === undefined || totalAmount === undefined) return [];
			const said = toHundredThousandths(totalAmount);
			const own = values.has('invoiceNumber')
				? ofNumber.get(values.get('invoiceNumber'))
				: undefined;
			const agrees = starts.has(sum - said) || [whole, own].includes(said);
			starts.add(sum);
			if (agrees || !namesSum(totalName)) return [];
			return [
				sheetProblem(
					`Row ${number} (${JSON.stringify(totalName)}) says ${toDecimal(said, 5)}, but its rows come to ${toDecimal(own ?? sum, 5)}. Correct the sheet, or turn off 'Check Totals'`,
				),
			];
		});
}

const sumProblem = (row: Row) =>
	`Row ${row.number}: "${nameIn(row)}" is exactly the sum of other rows. Delete the row if it is a total, or ${billThem}`;

const nameIn = ({ item }: Row) => item?.name ?? '';

/** In hundred-thousandths; 0 without an item. */
const comesTo = ({ item }: Row) => (item ? lineOf(item) : BigInt(0));

const takesAway = (row: Row) => comesTo(row) > BigInt(0) && namesDeduction(nameIn(row));

/**
 * Rows whose price or line is the sum of all rows before them, or of at least two since the last such row. Also a first
 * row that is the sum of all others.
 */
function sumsAmong(all: readonly Row[]): SumRow[] {
	const rows = all.filter((row) => comesTo(row) !== BigInt(0));
	if (rows.length < 3) return [];
	const whole = rows.reduce((sum, row) => sum + comesTo(row), BigInt(0));
	const [head] = rows;
	// A package above its parts.
	const isHead = whole !== BigInt(0) && comesTo(head) * BigInt(2) === whole;
	const found: SumRow[] = isHead ? [{ row: head, parts: rows.slice(1) }] : [];
	const sums = new Set(found.map((one) => one.row));
	let before = BigInt(0);
	let since = BigInt(0);
	let count = 0;
	rows.forEach((row, at) => {
		const line = comesTo(row);
		const figures = [line, toHundredThousandths(row.item?.amount ?? '0')];
		const isSum = (sum: bigint) => sum !== BigInt(0) && figures.includes(sum);
		const isOfAll = at > 1 && isSum(before);
		if (isOfAll || (count > 1 && isSum(since))) {
			const parts = rows.slice(isOfAll ? 0 : at - count, at).filter((one) => !sums.has(one));
			found.push({ row, parts });
			sums.add(row);
			since = BigInt(0);
			count = 0;
			return;
		}
		before += line;
		since += line;
		count += 1;
	});
	return found;
}

/** Columns that mark rows as not billable, with these rows. */
export function notBilledColumns(unmapped: UnmappedColumn[]): UnmappedColumn[] {
	return unmapped.flatMap(({ header, cells }) => {
		const those = cells.filter(({ cell }) => saysNotToBill(header, cell));
		return those.length ? [{ header, cells: those }] : [];
	});
}

function saysNotToBill(header: string, cell: UnmappedCell): boolean {
	if (asksWhetherBillable(header)) return saysNo(cell.text);
	if (asksWhetherDone(header)) return saysYes(cell.text) || cell.isDate || saysNotBilled(cell.text);
	return cell.figure === undefined && saysNotBilled(cell.text);
}

/** Why a column says that the row is not billable: `"Billable" says No`. */
export function whyNotBilled(
	{ unmapped: cells }: RowCells,
	unmapped: string[],
): string | undefined {
	const at = unmapped.findIndex((header, index) => {
		const cell = cells[index];
		return cell !== undefined && saysNotToBill(header, cell);
	});
	return at < 0 ? undefined : `"${unmapped[at]}" says ${cells[at]?.text ?? ''}`;
}

/** Oddities to check before an invoice goes out. They do not stop it. */
export function warningsOf(
	drafts: Draft[],
	today: string,
	doubts: ReadonlyMap<readonly Row[], string[]>,
): Map<Draft, string[]> {
	const warnings = new Map<Draft, string[]>();
	const seen = new Set<string>();
	const hasQuantity = ({ values }: Row) => values.has('itemQuantity');
	const hasQuantities = drafts.some(({ rows }) => rows.some(hasQuantity));
	for (const draft of drafts) {
		const { rows, body, sums } = draft;
		if (!sums) continue;
		const found: string[] = [...(doubts.get(rows) ?? [])];
		const amounts = rows.map(({ item }) => toThousandths(item?.amount ?? '0'));
		if (amounts.some((amount) => amount < BigInt(0))) found.push('negative amount');
		if (amounts.some((amount) => amount === BigInt(0))) found.push('amount of 0');
		const quantities = rows.map(({ item }) => item?.quantity ?? 1);
		if (quantities.some((quantity) => quantity < 0)) found.push('negative quantity');
		if (hasQuantities && !rows.every(hasQuantity)) found.push('no quantity, taken for 1');
		const hasOnlyTotal = ({ values }: Row) => values.has('itemTotal') && !values.has('itemAmount');
		if (Number(sums.discount) !== 0 && rows.some(hasOnlyTotal)) {
			found.push('discount taken off the line totals');
		}
		if (quantities.includes(0)) found.push('quantity of 0');
		if (/^-?0\.0+$/.test(sums.total)) found.push('total of 0');
		if (String(body.due_date) < today) found.push('due date in the past');
		const key = JSON.stringify([
			body.customer,
			body.currency,
			body.due_date,
			body.items,
			sums.total,
		]);
		if (seen.has(key)) found.push('same customer, due date, items and total as another invoice');
		seen.add(key);
		if (found.length) warnings.set(draft, found);
	}
	return warnings;
}
