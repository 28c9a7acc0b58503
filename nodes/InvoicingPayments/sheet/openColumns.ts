import type { Columns } from './columns';
import { isMapped } from './columns';
import { isOtherCurrency } from './currencies';
import {
	isCoordinate,
	isIdentifier,
	isOfDates,
	isOfTimes,
	namesAmount,
	namesCount,
	namesOtherMoney,
	namesPrice,
	namesTax,
	timeUnitOf,
} from './headerKinds';
import { moneyHeader } from './headers';
import type { Draft } from './invoices';
import type { LeftCell } from './rowCells';
import { bareAmount } from './rowFields';
import type { Row } from './rows';
import { saysNo } from './rowWords';
import { lineOf, toHundredThousandths, toUnits } from './sums';
import { ignoredSums } from './totals';

/** A column that nothing takes, with its cells that are filled. */
export interface LeftColumn {
	header: string;
	cells: Array<{ row: Row; draft: Draft; cell: LeftCell }>;
}

/** A column whose figures nobody accounts for. */
export interface OpenColumn extends LeftColumn {
	/** What its figures may be. */
	mayBe?: 'quantity';
}

export function leftColumns({ left }: Columns, drafts: Draft[]): LeftColumn[] {
	return left.map((header, at) => ({
		header,
		cells: drafts.flatMap((draft) =>
			draft.rows.flatMap((row) => {
				const cell = row.cells.left[at];
				return cell ? [{ row, draft, cell }] : [];
			}),
		),
	}));
}

/**
 * The columns whose figures stand open: no field takes them, they repeat nothing that is known, they are no identifiers or days, and
 * the sheet's own totals do not prove that they add nothing. Nothing proves away what is named as other money, such as a tax.
 */
export function openColumns(left: LeftColumn[], columns: Columns, isProved: boolean): OpenColumn[] {
	const open = left.flatMap((column): LeftColumn[] => {
		const cells = openCells(column, columns, isProved);
		return cells.length ? [{ header: column.header, cells }] : [];
	});
	return open.flatMap((column): OpenColumn[] => {
		const { cells } = column;
		if (open.some((other) => isFactor(column, other))) return [];
		const lacksQuantity = !isMapped(columns, 'itemQuantity') && !isMapped(columns, 'itemTotal');
		const isCount =
			!namesOtherMoney(column.header) &&
			cells.every(({ cell }) => cell.figure?.isPlain && (cell.figure.number ?? 0) < 1000);
		return [
			{
				...column,
				cells,
				...(lacksQuantity && isCount && !namesAmount(column.header) && { mayBe: 'quantity' }),
			},
		];
	});
}

function openCells({ header, cells }: LeftColumn, columns: Columns, isProved: boolean) {
	const all = cells.filter(({ cell }) => cell.figure);
	// None of something is a quantity as well.
	const isCountOfNone = namesCount(header) && !isMapped(columns, 'itemQuantity');
	const figures = all.filter(({ cell }) => isCountOfNone || !cell.figure?.isZero);
	const numbers = figures.flatMap(({ cell }) => cell.figure?.number ?? []);
	const isCode = figures.every(({ cell }) => cell.figure?.isCode);
	const hasNumbers = numbers.length === figures.length;
	const isNumber =
		(isCode && isIdentifier(header, numbers)) || (hasNumbers && isCoordinate(header, numbers));
	if (namesPrice(header)) return cells.filter(({ cell }) => !saysNo(cell.text));
	if (namesTax(header) && !isNumber) {
		return cells.filter(({ cell }) =>
			cell.figure ? !cell.figure.isZero : !saysNo(cell.text) && /\p{L}/u.test(cell.text),
		);
	}
	const isOtherMoney = namesOtherMoney(header);
	// One of something is what counts anyway.
	const isOnes = cells.every(({ cell }) => cell.text === '1');
	const mayBeFlags = !isOtherMoney && (isOnes || !namesCount(header));
	if (isNumber || (mayBeFlags && isFlags(cells))) return [];
	const isTime = figures.every(({ cell }) => cell.figure?.isDuration);
	const isClock = figures.every(({ cell }) => cell.figure?.isClock);
	// Beside a quantity it does not matter which they are; beside an hourly rate alone, they are the quantity.
	const areTimesOfDay =
		isClock && (hasQuantity(columns) || (isOfTimes(header) && !hasHourlyRate(columns)));
	const isDay = isTime ? areTimesOfDay && isOfDates(header, []) : isOfDates(header, numbers);
	if (figures.length && hasNumbers && isDay) return [];
	if (isOtherMoney && all.length) {
		// Beside zeros, what cannot be read may be an amount.
		return cells.filter(({ cell }) => (cell.figure ? !cell.figure.isZero : !saysNo(cell.text)));
	}
	if (figures.length === 0 || isProved) return [];
	if (isTime && hasTotal(columns)) return [];
	return repeatsKnown({ header, cells }, columns) ? [] : figures;
}

const hasTotal = (columns: Columns) =>
	['itemTotal', bareAmount.name].some((name) => isMapped(columns, name));
const hasHourlyRate = ({ fields }: Columns) =>
	fields.some(
		({ field, header = '' }) => field.name === 'itemAmount' && timeUnitOf(header) !== undefined,
	);
const hasQuantity = (columns: Columns) => isMapped(columns, 'itemQuantity') || hasTotal(columns);

/** Whether two columns are the factors of the line totals, in every row: `Lessons` and `Price per lesson`. */
function isFactor(one: LeftColumn, other: LeftColumn): boolean {
	if (one.header === other.header || namesOtherMoney(one.header) || namesOtherMoney(other.header)) {
		return false;
	}
	const ofRow = new Map(other.cells.map(({ row, cell }) => [row, cell.figure?.thousandths]));
	const isOne = (figure: bigint | undefined) => figure === undefined || figure === BigInt(1000);
	return (
		one.cells.length === other.cells.length &&
		one.cells.every(({ row, cell }) => {
			const [a, b] = [cell.figure?.thousandths, ofRow.get(row)];
			if (isOne(a) || isOne(b) || !row.item) return false;
			return (a ?? BigInt(0)) * (b ?? BigInt(0)) === lineOf(row.item) * BigInt(10);
		})
	);
}

/** A column of 0 and 1 says yes and no. */
const isFlags = (cells: LeftColumn['cells']) =>
	cells.every(({ cell }) => cell.text === '0' || cell.text === '1');

/**
 * Whether a column repeats what the invoices contain: in every row the line's total, price or quantity, or in every invoice its
 * total; and that is no chance. Rows that are wrong anyway count in the next run.
 */
function repeatsKnown({ header, cells }: LeftColumn, columns: Columns): boolean {
	const sound = cells.filter(({ draft }) => draft.sums !== undefined);
	if (!sound.length || !sound.every(({ cell }) => cell.figure?.thousandths !== undefined))
		return false;
	// In another currency it is another amount.
	const inHeader = moneyHeader(header)?.currency;
	const isOther = ({ cell, draft }: LeftColumn['cells'][number]) =>
		isOtherCurrency(cell.figure?.mark ?? inHeader, draft.body.currency);
	if (sound.some(isOther)) return false;
	const first = sound[0].cell.figure?.thousandths;
	const differs = sound.some(({ cell }) => cell.figure?.thousandths !== first);
	const isTelling = differs || namesAmount(header);
	const isSame = (known: (row: Row, draft: Draft) => Array<bigint | undefined>) =>
		sound.every(({ cell, row, draft }) =>
			known(row, draft).includes((cell.figure?.thousandths ?? BigInt(0)) * BigInt(100)),
		);
	const price = ({ item }: Row) => item && toUnits(item.amount);
	const line = ({ item }: Row) => item && lineOf(item);
	const quantity = ({ item }: Row) => (item ? BigInt(item.quantity) * BigInt(100_000) : undefined);
	const isWorkedOut = sound.some(({ row }) => line(row) !== price(row));
	if (isSame((row) => [line(row)]) && (isTelling || isWorkedOut)) return true;
	const isQuantified = isMapped(columns, 'itemQuantity');
	if (isQuantified && differs && isSame((row) => [quantity(row)])) return true;
	if (!isTelling) return false;
	const ofInvoice = (which: 'subtotal' | 'total') =>
		isSame((_row, { sums, rows }) => {
			const sum = sums && toHundredThousandths(sums[which]);
			// With what ignored columns such as taxes add.
			return sum === undefined ? [] : [sum, ...ignoredSums(rows).map((more) => sum + more)];
		});
	return isSame((row) => [price(row)]) || ofInvoice('total') || ofInvoice('subtotal');
}
