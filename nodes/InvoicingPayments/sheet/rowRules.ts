import { addTo } from '../../shared/addTo';
import { lineTotalOf } from './amounts';
import type { Draft } from './invoices';
import { isSound } from './invoices';
import type { UnmappedColumn } from './unexplainedColumns';
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
import { toDecimal, toHundredThousandths } from './scales';

const howToBill = "set 'Rows That Look Like Totals' to Bill";

/** Rows that look like sums, deductions without a minus, and notes such as `void`. Not reported if totals prove the invoices. */
export function doubtfulRows(drafts: Draft[], settings: RowSettings, isProved: boolean) {
	const problems = new Map<Draft, string[]>();
	const warnings = new Map<Draft['rows'], string[]>();
	if (isProved || settings.totalRows === 'bill') return { problems, warnings };
	const sound = drafts.filter(isSound);
	for (const draft of sound) {
		for (const row of draft.rows) {
			if (draft.rows.length === 1 || rowAmount(row) <= zero || !namesDeduction(nameIn(row))) {
				continue;
			}
			const text = `Row ${row.number}: "${nameIn(row)}" sounds like money that is taken off, but its amount is added to the invoice. Write the amount with a minus, or ${howToBill}`;
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
		const text = `Row ${row.number}: "${nameIn(row)}" is exactly the sum of other rows. Delete the row if it is a total, or ${howToBill}`;
		if (!isSure) addTo(warnings, draft.rows, 'amount that is the sum of other rows');
		else if (!problems.get(draft)?.includes(text)) addTo(problems, draft, text);
	}
	return { problems, warnings };
}

const zero = BigInt(0);

const nameIn = ({ item }: Row) => item?.name ?? '';

const rowAmount = ({ item }: Row) => (item ? lineTotalOf(item) : zero);

const sumOf = (rows: readonly Row[]) => rows.reduce((sum, row) => sum + rowAmount(row), zero);

interface SumRow {
	row: Row;
	parts: readonly Row[];
}

/** Rows that are the sum of other rows of their invoice or of the sheet. `isSure`: chance is unlikely. */
function doubtfulSums(sound: Draft[]): Array<SumRow & { isSure: boolean }> {
	const all = sound.flatMap(({ rows }) => rows).sort((a, b) => a.index - b.index);
	const hasOtherEvidence = otherEvidenceTest(all);
	const sumsByInvoice = sound
		.filter(({ rows }) => rows.length > 2)
		.map(({ rows }) => sumsAmong(rows));
	const isFrequent = sumsByInvoice.filter((sums) => sums.length).length * 2 >= sumsByInvoice.length;
	// A subtotal has no invoice number of its own.
	const areAllSingleRows = sound.every(
		({ rows: [row, ...others] }) => !others.length && !row.values.has('invoiceNumber'),
	);
	const sheetSums = areAllSingleRows ? sumsAmong(all) : [];
	const sumRows = new Set(sheetSums.map(({ row }) => row));
	const otherAmounts = new Set(all.filter((row) => !sumRows.has(row)).map(rowAmount));
	const last = lastSum(all).filter(({ row }) => !sumRows.has(row));
	const rated = (sums: SumRow[], isSure: (one: SumRow) => boolean) =>
		sums.map((one) => ({ ...one, isSure: isSure(one) || hasOtherEvidence(one) }));
	return [
		...rated(sumsByInvoice.flat(), () => isFrequent),
		...rated(sheetSums, (one) => sheetSums.length > 1 && !isLikelyChance(one, otherAmounts)),
		// The sum of only two rows is often a coincidence.
		...rated(last, ({ parts }) => parts.length > 2),
	];
}

/** Rows that are the sum of all rows before them, or since the last sum (at least two). Also a first row that is the sum of the rest. */
function sumsAmong(all: readonly Row[]): SumRow[] {
	const rows = all.filter((row) => rowAmount(row) !== zero);
	if (rows.length < 3) return [];
	const whole = sumOf(rows);
	const [head, ...rest] = rows;
	// A first row that is the sum of the rest: a package above its parts.
	const isHead = whole !== zero && rowAmount(head) * BigInt(2) === whole;
	const found: SumRow[] = isHead ? [{ row: head, parts: rest }] : [];
	const sums = new Set(found.map(({ row }) => row));
	let sumOfAll = zero;
	let sumSinceLast = zero;
	let rowsSinceLast = 0;
	rows.forEach((row, at) => {
		const line = rowAmount(row);
		const figures = [line, toHundredThousandths(row.item?.amount ?? '0')];
		const isSum = (sum: bigint) => sum !== zero && figures.includes(sum);
		const isOfAll = at > 1 && isSum(sumOfAll);
		if (isOfAll || (rowsSinceLast > 1 && isSum(sumSinceLast))) {
			const parts = rows
				.slice(isOfAll ? 0 : at - rowsSinceLast, at)
				.filter((one) => !sums.has(one));
			found.push({ row, parts });
			sums.add(row);
			sumSinceLast = zero;
			rowsSinceLast = 0;
			return;
		}
		sumOfAll += line;
		sumSinceLast += line;
		rowsSinceLast += 1;
	});
	return found;
}

function lastSum(all: readonly Row[]): SumRow[] {
	const rows = all.filter((row) => rowAmount(row) !== zero);
	const parts = rows.slice(0, -1);
	const row = rows[rows.length - 1];
	const sum = sumOf(parts);
	return parts.length > 1 && sum !== zero && rowAmount(row) === sum ? [{ row, parts }] : [];
}

/** Whether a sum is likely a coincidence: other rows have the same amount, or none of the parts has the customer of the row. */
function isLikelyChance({ row, parts }: SumRow, otherAmounts: ReadonlySet<bigint>): boolean {
	const customerOf = ({ values }: Row) => values.get('customerId');
	const isOther = parts.every((one) => customerOf(one) !== customerOf(row));
	return isOther || otherAmounts.has(rowAmount(row));
}

/** Tests for other evidence of a sum row: its quantity is a sum too, or it has the only empty cell of a column. */
function otherEvidenceTest(all: readonly Row[]): (found: SumRow) => boolean {
	const cellsOf = ({ cells }: Row) => [...cells.fields, ...cells.unmapped];
	const filledCounts: number[] = [];
	for (const row of all) {
		cellsOf(row).forEach((cell, at) => {
			filledCounts[at] = (filledCounts[at] ?? 0) + Number(cell !== undefined);
		});
	}
	const quantityOf = ({ values }: Row) => {
		const quantity = values.get('itemQuantity');
		return quantity === undefined ? undefined : toHundredThousandths(String(quantity));
	};
	return ({ row, parts }) => {
		const quantities = parts.map(quantityOf);
		const sum = quantities.reduce<bigint>((before, one) => before + (one ?? zero), zero);
		// If all rows have the same price, quantities add up whenever amounts do.
		const isOneRate = parts.every(({ item }) => item?.amount === row.item?.amount);
		if (!isOneRate && !quantities.includes(undefined) && quantityOf(row) === sum) return true;
		return cellsOf(row).some(
			(cell, at) => cell === undefined && filledCounts[at] === all.length - 1,
		);
	};
}

/**
 * Skipped total rows that differ from the sum of their invoice, of the sheet, and of the rows since any earlier total. Such
 * a sheet was misread. Sheets with discounts, several currencies or errors are not compared.
 */
export function disagreeingTotals(rows: readonly Row[]): SheetProblem[] {
	const billed = rows.filter(({ totalName }) => totalName === undefined);
	const currencies = new Set(billed.map(({ values }) => values.get('currency')));
	const isComparable = (row: Row) =>
		row.item !== undefined && !row.values.has('discountPercentage');
	if (currencies.size > 1 || !billed.every(isComparable)) return [];
	const whole = sumOf(billed);
	const sumByNumber = new Map<unknown, bigint>();
	for (const row of billed) {
		const number = row.values.get('invoiceNumber');
		sumByNumber.set(number, (sumByNumber.get(number) ?? zero) + rowAmount(row));
	}
	// A total may cover the rows since any earlier total.
	const starts = new Set([zero]);
	let sum = zero;
	const inOrder = [...rows].sort((a, b) => a.index - b.index);
	return inOrder.flatMap((row) => {
		const { totalName, totalAmount, number, values } = row;
		if (totalName === undefined) sum += rowAmount(row);
		if (totalName === undefined || totalAmount === undefined) return [];
		const stated = toHundredThousandths(totalAmount);
		const invoiceNumber = values.get('invoiceNumber');
		const own = invoiceNumber === undefined ? undefined : sumByNumber.get(invoiceNumber);
		const agrees = starts.has(sum - stated) || [whole, own].includes(stated);
		starts.add(sum);
		if (agrees || !namesSum(totalName)) return [];
		const text = `Row ${number} (${JSON.stringify(totalName)}) says ${toDecimal(stated, 5)}, but its rows come to ${toDecimal(own ?? sum, 5)}. Correct the sheet, or turn off 'Check Totals'`;
		return [sheetProblem(text)];
	});
}

export function notBilledColumns(unmapped: UnmappedColumn[]): UnmappedColumn[] {
	return unmapped.flatMap(({ header, cells }) => {
		const notBilled = cells.filter(({ cell }) => saysNotToBill(header, cell));
		return notBilled.length ? [{ header, cells: notBilled }] : [];
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

/** Oddities that the user should check, such as an amount of 0. They do not stop the invoice. */
export function warningsOf(
	drafts: Draft[],
	today: string,
	doubts: ReadonlyMap<readonly Row[], string[]>,
): Map<Draft, string[]> {
	const warnings = new Map<Draft, string[]>();
	const contents = new Set<string>();
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
			contents.has(content) && 'same customer, due date, items and total as another invoice',
		].filter((one) => one !== false);
		contents.add(content);
		if (found.length) warnings.set(draft, found);
	}
	return warnings;
}
