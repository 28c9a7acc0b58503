import { addTo } from '../../shared/addTo';
import { toThousandths } from '../../shared/fields/decimal';
import type { Draft } from './invoices';
import { isSound } from './invoices';
import type { UnmappedColumn } from './openColumns';
import type { RowCells, UnmappedCell } from './rowCells';
import type { Row } from './rows';
import type { RowSettings } from './rowSettings';
import {
	asksWhetherBillable,
	asksWhetherDone,
	isNotBilledWord,
	namesDeduction,
	saysNo,
	saysNotBilled,
	saysYes,
} from './rowWords';
import { lineOf, toUnits } from './sums';

export interface RowDoubts {
	problems: Map<Draft, string[]>;
	warnings: Map<Draft['rows'], string[]>;
}

const billThem = "set 'Rows That Look Like Totals' to bill it";

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
	const long = sound.filter(({ rows }) => rows.length > 2);
	const sums = new Map(long.map((draft) => [draft, sumsAmong(draft.rows)]));
	const isHabit = long.filter((draft) => sums.get(draft)?.length).length * 2 >= long.length;
	for (const [draft, rows] of sums) {
		for (const row of rows) {
			if (isHabit) addTo(doubts.problems, draft, sumProblem(row));
			else addTo(doubts.warnings, draft.rows, 'amount that is the sum of other rows');
		}
	}
	// The last row may be the sum of the whole sheet.
	const inOrder = sound
		.flatMap((draft) => draft.rows.map((row) => ({ draft, row })))
		.filter(({ row }) => comesTo(row) !== BigInt(0))
		.sort((a, b) => a.row.index - b.row.index);
	const last = inOrder.pop();
	const before = inOrder.reduce((sum, { row }) => sum + comesTo(row), BigInt(0));
	const isSum = last !== undefined && inOrder.length > 1 && comesTo(last.row) === before;
	// With two rows it is more often a coincidence.
	if (isSum && inOrder.length === 2)
		addTo(doubts.warnings, last.draft.rows, 'amount that is the sum of other rows');
	else if (isSum && before !== BigInt(0)) {
		const known = doubts.problems.get(last.draft) ?? [];
		if (!known.includes(sumProblem(last.row)))
			addTo(doubts.problems, last.draft, sumProblem(last.row));
	}
	return doubts;
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
function sumsAmong(all: readonly Row[]): Row[] {
	const rows = all.filter((row) => comesTo(row) !== BigInt(0));
	if (rows.length < 3) return [];
	const whole = rows.reduce((sum, row) => sum + comesTo(row), BigInt(0));
	const [head] = rows;
	// A package above its parts.
	const found: Row[] = whole !== BigInt(0) && comesTo(head) * BigInt(2) === whole ? [head] : [];
	let before = BigInt(0);
	let since = BigInt(0);
	let count = 0;
	rows.forEach((row, at) => {
		const line = comesTo(row);
		const figures = [line, toUnits(row.item?.amount ?? '0')];
		const isSum = (sum: bigint) => sum !== BigInt(0) && figures.includes(sum);
		if ((at > 1 && isSum(before)) || (count > 1 && isSum(since))) {
			found.push(row);
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
