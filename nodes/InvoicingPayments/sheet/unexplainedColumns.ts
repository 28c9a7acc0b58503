import { lineTotalOf } from './amounts';
import type { Columns } from './columns';
import { matchField, isMapped } from './columns';
import { isOtherCurrency } from './currencies';
import {
	asksHow,
	holdsDates,
	holdsTimes,
	isCoordinate,
	isIdentifier,
	isOnScale,
	moneyHeader,
	namesAmount,
	namesCount,
	namesOtherMoney,
	namesPrice,
	namesTax,
	headerBeforeBracket,
} from './headers';
import type { Draft } from './invoices';
import type { UnmappedCell } from './rowCells';
import type { Row } from './rows';
import { saysNo } from './rowWords';
import type { TotalsCheck } from './totals';
import { ignoredSums } from './totals';
import { namesMeasure } from './units';
import { toHundredThousandths } from './scales';

export interface ColumnCell {
	row: Row;
	draft: Draft;
	cell: UnmappedCell;
}

export interface UnmappedColumn {
	header: string;
	cells: ColumnCell[];
}

/** An unmapped column with figures that nothing accounts for. */
export interface UnexplainedColumn extends UnmappedColumn {
	mayBe?: 'quantity';
}

export function unmappedColumns(columns: Columns, drafts: Draft[]): UnmappedColumn[] {
	const { unmapped, factors = [] } = columns;
	return unmapped.flatMap((header, at) => {
		if (factors.includes(header)) return [];
		const cells = drafts.flatMap((draft) =>
			draft.rows.flatMap((row) => {
				const cell = row.cells.unmapped[at];
				return cell ? [{ row, draft, cell }] : [];
			}),
		);
		return [{ header, cells }];
	});
}

/** Leaves out repeated prices or totals, identifiers and dates. If the sheet's totals agree, keeps only other money, such as taxes. */
export function unexplainedColumns(
	unmapped: UnmappedColumn[],
	columns: Columns,
	{ isProved, lineTotalsAgree }: TotalsCheck,
): UnexplainedColumn[] {
	const repetitions = unmapped.map((column) => repetition(column, columns));
	const hasLineTotals =
		lineTotalsAgree || isMapped(columns, 'itemTotal') || repetitions.includes('lines');
	const lacksQuantity =
		isMapped(columns, 'itemAmount') &&
		!isMapped(columns, 'itemQuantity') &&
		!isMapped(columns, 'itemTotal');
	const unexplained = unmapped.flatMap((column, at): UnmappedColumn[] => {
		const isRepetition = repetitions[at] !== undefined;
		const cells = unexplainedCells(column, columns, { isProved, hasLineTotals, isRepetition });
		return cells.length ? [{ header: column.header, cells }] : [];
	});
	return unexplained
		.filter((column) => !unmapped.some((other) => isFactor(column, other)))
		.map(({ header, cells }): UnexplainedColumn => {
			const isCount =
				!namesOtherMoney(header) &&
				!namesAmount(header) &&
				cells.every(
					({ cell }) => cell.figure?.isBareInteger && (cell.figure.number ?? 0) < 100_000,
				);
			return { header, cells, ...(lacksQuantity && isCount && { mayBe: 'quantity' }) };
		});
}

function unexplainedCells(
	{ header, cells }: UnmappedColumn,
	columns: Columns,
	{
		isProved,
		hasLineTotals,
		isRepetition,
	}: { isProved: boolean; hasLineTotals: boolean; isRepetition: boolean },
): ColumnCell[] {
	const all = cells.filter(({ cell }) => cell.figure);
	// A 0 matters if the column may be the missing quantity.
	const mayBeQuantity = namesCount(header) && !isMapped(columns, 'itemQuantity');
	const figures = all.filter(({ cell }) => mayBeQuantity || !cell.figure?.isZero);
	const numbers = figures.flatMap(({ cell }) => cell.figure?.number ?? []);
	const isCode = figures.every(({ cell }) => cell.figure?.isCode);
	const hasNumbers = numbers.length === figures.length;
	const isNumber =
		(isCode && (isIdentifier(header, numbers) || asksHow(header))) ||
		(hasNumbers && (isCoordinate(header, numbers) || isOnScale(header, numbers)));
	if (namesPrice(header)) return cells.filter(({ cell }) => !saysNo(cell.text));
	if (namesTax(header) && !isNumber) {
		return cells.filter(({ cell }) =>
			cell.figure ? !cell.figure.isZero : !saysNo(cell.text) && /\p{L}/u.test(cell.text),
		);
	}
	const isOtherMoney = namesOtherMoney(header);
	// A count of 1 changes nothing.
	const areAllOne = cells.every(({ cell }) => cell.text === '1');
	const mayBeFlags = !isOtherMoney && (areAllOne || !namesCount(header));
	if (isNumber || (mayBeFlags && areFlags(cells))) return [];
	const isTime = figures.every(({ cell }) => cell.figure?.isDuration);
	const isClock = figures.every(({ cell }) => cell.figure?.isClock);
	// Beside a quantity, times of day are not billed.
	const areTimesOfDay = isClock && (hasQuantityOrTotal(columns) || holdsTimes(header));
	const isDay = isTime ? areTimesOfDay && holdsDates(header, []) : holdsDates(header, numbers);
	if (figures.length && hasNumbers && isDay) return [];
	if (isOtherMoney && all.length) {
		// Beside zeros, unreadable text may be an amount.
		return cells.filter(({ cell }) => (cell.figure ? !cell.figure.isZero : !saysNo(cell.text)));
	}
	// `Quantity (see below)`: without it, the total is right but the items are wrong.
	const isQuantity =
		!isMapped(columns, 'itemQuantity') &&
		matchField(headerBeforeBracket(header))?.field.name === 'itemQuantity';
	if (figures.length === 0 || (isProved && !isQuantity)) return [];
	// If the sheet states line totals, quantities do not matter.
	if (isTime && (hasLineTotals || hasTotal(columns))) return [];
	if (hasLineTotals && namesMeasure(header) && figures.every(hasNoCurrency)) return [];
	return isRepetition ? [] : figures;
}

const hasNoCurrency = ({ cell }: ColumnCell) =>
	cell.figure?.number !== undefined && cell.figure.currency === undefined;

const hasTotal = ({ fields }: Columns) =>
	fields.some(({ field, role }) => field.name === 'itemTotal' || role === 'either');
const hasQuantityOrTotal = (columns: Columns) =>
	isMapped(columns, 'itemQuantity') || hasTotal(columns);

/** Whether the product of two columns is the line total in every row: `Lessons` and `Price per lesson`. */
function isFactor(one: UnmappedColumn, other: UnmappedColumn): boolean {
	const isOther = one.header !== other.header && one.cells.length === other.cells.length;
	if (!isOther || namesOtherMoney(one.header) || namesOtherMoney(other.header)) return false;
	const ofRow = new Map(other.cells.map(({ row, cell }) => [row, cell.figure?.thousandths]));
	const pairs = one.cells.map(({ row, cell }) => ({
		line: row.item && lineTotalOf(row.item) * BigInt(10),
		a: cell.figure?.thousandths,
		b: ofRow.get(row),
	}));
	const thousand = BigInt(1000);
	return (
		pairs.every(({ line, a, b }) => a !== undefined && b !== undefined && a * b === line) &&
		// 1 times the line total proves nothing.
		pairs.some(({ a, b }) => a !== thousand && b !== thousand)
	);
}

/** Columns of 0 and 1 usually mean no and yes. */
const areFlags = (cells: ColumnCell[]) =>
	cells.every(({ cell }) => cell.text === '0' || cell.text === '1');

/** What a column repeats: line totals (`lines`), or prices, quantities or invoice totals (`others`). `undefined` if it may be chance. */
function repetition(
	{ header, cells }: UnmappedColumn,
	columns: Columns,
): 'lines' | 'others' | undefined {
	const sound = cells.filter(({ draft }) => draft.sums !== undefined);
	if (!sound.length || !sound.every(({ cell }) => cell.figure?.thousandths !== undefined))
		return undefined;
	// In another currency it is another amount.
	const inHeader = moneyHeader(header)?.currency;
	const isForeign = ({ cell, draft }: ColumnCell) =>
		isOtherCurrency(cell.figure?.currency ?? inHeader, draft.body.currency);
	if (sound.some(isForeign)) return undefined;
	const first = sound[0].cell.figure?.thousandths;
	const differs = sound.some(({ cell }) => cell.figure?.thousandths !== first);
	const isNoCoincidence = differs || namesAmount(header);
	const equalsAll = (known: (row: Row, draft: Draft) => Array<bigint | undefined>) =>
		sound.every(({ cell, row, draft }) =>
			known(row, draft).includes((cell.figure?.thousandths ?? BigInt(0)) * BigInt(100)),
		);
	const price = ({ item }: Row) => item && toHundredThousandths(item.amount);
	const line = ({ item }: Row) => item && lineTotalOf(item);
	// The sheet's quantity: items of fractional quantities are billed as one unit.
	const quantity = ({ values }: Row) =>
		toHundredThousandths(String(values.get('itemQuantity') ?? 1));
	const hasProducts = sound.some(({ row }) => line(row) !== price(row));
	if (equalsAll((row) => [line(row)]) && (isNoCoincidence || hasProducts)) {
		return hasProducts || namesAmount(header) ? 'lines' : 'others';
	}
	const isQuantified = isMapped(columns, 'itemQuantity');
	if (isQuantified && differs && equalsAll((row) => [quantity(row)])) return 'others';
	if (!isNoCoincidence) return undefined;
	const ofInvoice = (which: 'subtotal' | 'total') =>
		equalsAll((_row, { sums, rows }) => {
			const sum = sums && toHundredThousandths(sums[which]);
			// Also the sum plus ignored columns, such as taxes.
			return sum === undefined ? [] : [sum, ...ignoredSums(rows).map((more) => sum + more)];
		});
	const isOther = equalsAll((row) => [price(row)]) || ofInvoice('total') || ofInvoice('subtotal');
	return isOther ? 'others' : undefined;
}
