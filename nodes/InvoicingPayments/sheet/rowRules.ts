import { addTo } from '../../shared/addTo';
import { toDecimal, toHundredThousandths } from '../../shared/fields/decimal';
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

const billThem = "set 'Rows That Look Like Totals' to Bill";

/** Rows that look like the sum of others, and deductions without a minus. Totals that agree settle both. */
export function doubtfulRows(drafts: Draft[], settings: RowSettings, isProved: boolean) {
	const problems = new Map<Draft, string[]>();
	const warnings = new Map<Draft['rows'], string[]>();
	if (isProved || settings.totalRows === 'bill') return { problems, warnings };
	const sound = drafts.filter(isSound);
	for (const draft of sound) {
		for (const row of draft.rows) {
			if (draft.rows.length === 1 || comesTo(row) <= zero || !namesDeduction(nameIn(row))) {
				continue;
			}
			const text = `Row ${row.number}: "${nameIn(row)}" sounds like money that is taken off, but its amount is added to the invoice. Write the amount with a minus, or ${billThem}`;
			addTo(problems, draft, text);
		}
	}
	for (const draft of drafts) {
		for (const { number, values } of draft.rows) {
			const note = values.get('note');
			if (typeof note !== 'string' || !isNotBilledWord(note)) continue;
			const text = `Row ${number}: Note says ${JSON.stringify(note)}, so the row should perhaps not be billed. Delete it, or add the column to 'Ignore Columns'`;
			addTo(problems, draft, text);
		}
	}
	const draftOf = new Map(sound.flatMap((draft) => draft.rows.map((row) => [row, draft] as const)));
	for (const { row, isSure } of doubtfulSums(sound)) {
		const draft = draftOf.get(row) as Draft;
		const text = `Row ${row.number}: "${nameIn(row)}" is exactly the sum of other rows. Delete the row if it is a total, or ${billThem}`;
		if (!isSure) addTo(warnings, draft.rows, 'amount that is the sum of other rows');
		else if (!problems.get(draft)?.includes(text)) addTo(problems, draft, text);
	}
	return { problems, warnings };
}

const zero = BigInt(0);

const nameIn = ({ item }: Row) => item?.name ?? '';

const comesTo = ({ item }: Row) => (item ? lineOf(item) : zero);

const sumOf = (rows: readonly Row[]) => rows.reduce((sum, row) => sum + comesTo(row), zero);

interface SumRow {
	row: Row;
	parts: readonly Row[];
}

/** Rows that are sums within their invoice or within the sheet. `isSure`: hardly by chance. */
function doubtfulSums(sound: Draft[]): Array<SumRow & { isSure: boolean }> {
	const all = sound.flatMap(({ rows }) => rows).sort((a, b) => a.index - b.index);
	const isSumInMore = sumInMoreTest(all);
	const ofLong = sound.filter(({ rows }) => rows.length > 2).map(({ rows }) => sumsAmong(rows));
	const isHabit = ofLong.filter((sums) => sums.length).length * 2 >= ofLong.length;
	// A subtotal has no invoice number of its own.
	const isEachAlone = sound.every(
		({ rows: [row, ...others] }) => !others.length && !row.values.has('invoiceNumber'),
	);
	const ofSheet = isEachAlone ? sumsAmong(all) : [];
	const sumRows = new Set(ofSheet.map(({ row }) => row));
	const usual = new Set(all.filter((row) => !sumRows.has(row)).map(comesTo));
	const last = lastSum(all).filter(({ row }) => !sumRows.has(row));
	const doubt = (found: SumRow[], isSure: (one: SumRow) => boolean) =>
		found.map((one) => ({ ...one, isSure: isSure(one) || isSumInMore(one) }));
	return [
		...doubt(ofLong.flat(), () => isHabit),
		...doubt(ofSheet, (one) => ofSheet.length > 1 && !isUsualPrice(one, usual)),
		// With two rows it is more often a coincidence.
		...doubt(last, ({ parts }) => parts.length > 2),
	];
}

/** Rows that are the sum of all rows before them, or of at least two since the last sum. Also a first row that is the sum of the rest. */
function sumsAmong(all: readonly Row[]): SumRow[] {
	const rows = all.filter((row) => comesTo(row) !== zero);
	if (rows.length < 3) return [];
	const whole = sumOf(rows);
	const [head, ...rest] = rows;
	// A package above its parts.
	const isHead = whole !== zero && comesTo(head) * BigInt(2) === whole;
	const found: SumRow[] = isHead ? [{ row: head, parts: rest }] : [];
	const sums = new Set(found.map(({ row }) => row));
	let before = zero;
	let since = zero;
	let count = 0;
	rows.forEach((row, at) => {
		const line = comesTo(row);
		const figures = [line, toHundredThousandths(row.item?.amount ?? '0')];
		const isSum = (sum: bigint) => sum !== zero && figures.includes(sum);
		const isOfAll = at > 1 && isSum(before);
		if (isOfAll || (count > 1 && isSum(since))) {
			const parts = rows.slice(isOfAll ? 0 : at - count, at).filter((one) => !sums.has(one));
			found.push({ row, parts });
			sums.add(row);
			since = zero;
			count = 0;
			return;
		}
		before += line;
		since += line;
		count += 1;
	});
	return found;
}

function lastSum(all: readonly Row[]): SumRow[] {
	const rows = all.filter((row) => comesTo(row) !== zero);
	const parts = rows.slice(0, -1);
	const row = rows[rows.length - 1];
	const sum = sumOf(parts);
	return parts.length > 1 && sum !== zero && comesTo(row) === sum ? [{ row, parts }] : [];
}

/** Whether other rows have the same amount, or the row has a customer that none of its parts has: then the sum is chance. */
function isUsualPrice({ row, parts }: SumRow, usual: ReadonlySet<bigint>): boolean {
	const customerOf = ({ values }: Row) => values.get('customerId');
	const isOther = parts.every((one) => customerOf(one) !== customerOf(row));
	return isOther || usual.has(comesTo(row));
}

/** Tests whether more than the amount says so: the quantity is a sum too, or a cell is empty that all other rows fill. */
function sumInMoreTest(all: readonly Row[]): (found: SumRow) => boolean {
	const cellsOf = ({ cells }: Row) => [...cells.fields, ...cells.unmapped];
	const filled: number[] = [];
	for (const row of all) {
		cellsOf(row).forEach((cell, at) => {
			filled[at] = (filled[at] ?? 0) + Number(cell !== undefined);
		});
	}
	const quantityOf = ({ values }: Row) => {
		const quantity = values.get('itemQuantity');
		return quantity === undefined ? undefined : toHundredThousandths(String(quantity));
	};
	return ({ row, parts }) => {
		const quantities = parts.map(quantityOf);
		const sum = quantities.reduce<bigint>((before, one) => before + (one ?? zero), zero);
		// At one rate, quantities add up whenever amounts do.
		const isOneRate = parts.every(({ item }) => item?.amount === row.item?.amount);
		if (!isOneRate && !quantities.includes(undefined) && quantityOf(row) === sum) return true;
		return cellsOf(row).some((cell, at) => cell === undefined && filled[at] === all.length - 1);
	};
}

/**
 * Skipped total rows that agree neither with their invoice, nor with the sheet, nor with the rows since an earlier total:
 * the sheet was misread. Sheets with discounts, several currencies or errors are not compared.
 */
export function disagreeingTotals(rows: readonly Row[]): SheetProblem[] {
	const billed = rows.filter(({ totalName }) => totalName === undefined);
	const currencies = new Set(billed.map(({ values }) => values.get('currency')));
	const isKnown = (row: Row) => row.item !== undefined && !row.values.has('discountPercentage');
	if (currencies.size > 1 || !billed.every(isKnown)) return [];
	const whole = sumOf(billed);
	const ofNumber = new Map<unknown, bigint>();
	for (const row of billed) {
		const number = row.values.get('invoiceNumber');
		ofNumber.set(number, (ofNumber.get(number) ?? zero) + comesTo(row));
	}
	// A total may cover the rows since any earlier one.
	const starts = new Set([zero]);
	let sum = zero;
	const inOrder = [...rows].sort((a, b) => a.index - b.index);
	return inOrder.flatMap((row) => {
		const { totalName, totalAmount, number, values } = row;
		if (totalName === undefined) sum += comesTo(row);
		if (totalName === undefined || totalAmount === undefined) return [];
		const said = toHundredThousandths(totalAmount);
		const invoiceNumber = values.get('invoiceNumber');
		const own = invoiceNumber === undefined ? undefined : ofNumber.get(invoiceNumber);
		const agrees = starts.has(sum - said) || [whole, own].includes(said);
		starts.add(sum);
		if (agrees || !namesSum(totalName)) return [];
		const text = `Row ${number} (${JSON.stringify(totalName)}) says ${toDecimal(said, 5)}, but its rows come to ${toDecimal(own ?? sum, 5)}. Correct the sheet, or turn off 'Check Totals'`;
		return [sheetProblem(text)];
	});
}

export function notBilledColumns(unmapped: UnmappedColumn[]): UnmappedColumn[] {
	return unmapped.flatMap(({ header, cells }) => {
		const those = cells.filter(({ cell }) => saysNotToBill(header, cell));
		return those.length ? [{ header, cells: those }] : [];
	});
}

/** Why a column says that the row is not billable: `"Billable" says No`. */
export function whyNotBilled({ unmapped: cells }: RowCells, headers: string[]): string | undefined {
	const at = cells.findIndex((cell, index) => cell && saysNotToBill(headers[index], cell));
	return at < 0 ? undefined : `"${headers[at]}" says ${cells[at]?.text ?? ''}`;
}

function saysNotToBill(header: string, cell: UnmappedCell): boolean {
	if (asksWhetherBillable(header)) return saysNo(cell.text);
	if (asksWhetherDone(header)) return saysYes(cell.text) || cell.isDate || saysNotBilled(cell.text);
	return cell.figure === undefined && saysNotBilled(cell.text);
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
	const hasOnlyTotal = ({ values }: Row) => values.has('itemTotal') && !values.has('itemAmount');
	const hasQuantities = drafts.some(({ rows }) => rows.some(hasQuantity));
	for (const draft of drafts) {
		const { rows, body, sums } = draft;
		if (!sums) continue;
		const amounts = rows.map(({ item }) => toHundredThousandths(item?.amount ?? '0'));
		const quantities = rows.map(({ item }) => item?.quantity ?? 1);
		const { customer, currency, due_date: dueDate, items } = body;
		const content = JSON.stringify([customer, currency, dueDate, items, sums.total]);
		const found = [
			...(doubts.get(rows) ?? []),
			amounts.some((amount) => amount < zero) && 'negative amount',
			amounts.includes(zero) && 'amount of 0',
			quantities.some((quantity) => quantity < 0) && 'negative quantity',
			hasQuantities && !rows.every(hasQuantity) && 'no quantity, taken for 1',
			Number(sums.discount) !== 0 &&
				rows.some(hasOnlyTotal) &&
				'discount taken off the line totals',
			quantities.includes(0) && 'quantity of 0',
			/^-?0\.0+$/.test(sums.total) && 'total of 0',
			String(dueDate) < today && 'due date in the past',
			seen.has(content) && 'same customer, due date, items and total as another invoice',
		].filter((one) => one !== false);
		seen.add(content);
		if (found.length) warnings.set(draft, found);
	}
	return warnings;
}
