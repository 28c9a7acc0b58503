import { highestTax, isNear, lowestTax } from './amounts';
import { doubtIn, isTotalName } from './marks';
import { isOnlyIdentifier, moneyScore, saysSettled } from './moneyScore';
import { hasWord, isNamed, wordScore } from './names';
import type { Column } from './profile';

/** Whether a header says that this is a tax. */
export const isTax = ({ header }: Column): boolean => hasWord(header, 'taxes');

/** Bounds the work for long sheets: the exact sums are computed from all rows later. */
export const maxLines = 400;

/** A column with the whole amount of each row, or what is open of it. */
interface Whole {
	column: Column;
	/** Columns that are items: those that it is the sum of, or those of them that are open. */
	parts?: Column[];
	/** Columns that it is the sum of too, but whose headers say that they are paid, waived or on hold. */
	settled?: Column[];
}

/** The column that other columns prove to be the amount of each row. */
export function* wholeAmount(columns: Column[]): Generator<void, Whole | undefined> {
	yield;
	const product = threefold(columns);
	yield;
	const column = product ?? netColumn(columns);
	yield;
	return column ? { column } : sumColumn(columns);
}

/** For each row that has all of these columns, their numbers. Empty if fewer than two rows do, or if one of them does not hold. */
function rowsThat(holds: (row: number[]) => boolean, columns: Column[]): number[][] {
	const rows: number[][] = [];
	const count = Math.min(columns[0].numbers.length, maxLines);
	for (let at = 0; at < count; at++) {
		const row = columns.map(({ numbers }) => numbers[at]);
		if (row.some(Number.isNaN)) continue;
		if (!holds(row)) return [];
		rows.push(row);
	}
	return rows.length > 1 ? rows : [];
}

/** The product of three others in every row: `Qty` x `Days` x `Day rate` = `Hire charge`. */
function threefold(columns: Column[]): Column | undefined {
	for (const whole of columns)
		for (const [at, a] of columns.entries())
			for (const [more, b] of columns.entries())
				for (const c of columns.slice(more + 1)) {
					if (at >= more || [a, b, c].includes(whole)) continue;
					const isProduct = ([x, y, z, product]: number[]) =>
						product !== 0 && isNear(x * y * z, product);
					const rows = rowsThat(isProduct, [a, b, c, whole]);
					// A factor that is always 1 says nothing.
					if ([0, 1, 2].every((factor) => rows.some((row) => row[factor] !== 1))) return whole;
				}
	return undefined;
}

/** The net amount beside its tax and their sum: the same rate in all rows, or a rate or two below a header of taxes. The account adds the tax. */
function netColumn(columns: Column[]): Column | undefined {
	for (const net of columns)
		for (const tax of columns)
			for (const gross of columns) {
				if (net === tax || net === gross || tax === gross) continue;
				const rateOf = ([a, b]: number[]) => Math.round((b / a) * 1000) / 10;
				const isGross = ([a, b, c]: number[]) =>
					isNear(a + b, c) && rateOf([a, b]) >= lowestTax - 3 && rateOf([a, b]) <= highestTax;
				const rows = rowsThat(isGross, [net, tax, gross]);
				const count = new Set(rows.map(rateOf)).size;
				const isProved = isTax(tax) ? count < 3 : count === 1 && rows.length > 2;
				if (rows.length && isProved) return net;
			}
	return undefined;
}

/**
 * A column that is the sum of the others in every row: a rent with its charges. They are items if it is called a total; otherwise
 * `a + b = c` does not say which of them is due.
 */
function sumColumn(columns: Column[]): Whole | undefined {
	const candidates = columns.filter((one) => mayBePart(one) && one.numbers.some(Boolean));
	for (const whole of candidates) {
		const rows = [...whole.numbers.slice(0, maxLines).keys()].filter(
			(at) => !Number.isNaN(whole.numbers[at]),
		);
		const smaller = candidates.filter(
			({ header, numbers }) =>
				header !== whole.header && rows.every((at) => !(numbers[at] > whole.numbers[at] + 0.006)),
		);
		// A subtotal is no part of a total, but a balance is.
		const withoutTotals = smaller.filter(({ header }) => !isNamed('total', header));
		const parts = [withoutTotals, smaller].find((those) => {
			const sumAt = (at: number) => those.reduce((sum, { numbers }) => sum + (numbers[at] || 0), 0);
			return those.length > 1 && rows.every((at) => isNear(sumAt(at), whole.numbers[at]));
		});
		if (!parts || rows.length < 2) continue;
		const settled = settledIn(parts);
		const open = parts.filter((one) => !settled.includes(one));
		const isFilledAt = (those: Column[], at: number) => those.some(({ numbers }) => numbers[at]);
		// Debits and credits of one account stand in rows of their own.
		if (rows.some((at) => isFilledAt(settled, at) && isFilledAt(open, at)))
			return open.length > 1
				? { column: whole, parts: open, settled }
				: { column: open[0], settled };
		return { column: whole, ...(isCalledTotal(whole.header) && { parts }) };
	}
	return undefined;
}

/** Amounts whose headers say that they need not be paid any more, unless all of them say so. The surer words decide first: a `Balance` is open beside a `Deposit`. */
function settledIn(parts: readonly Column[]): Column[] {
	const those = [saysSettled, (header: string) => doubtIn(header) !== undefined].map((says) =>
		parts.filter(({ header }) => says(header)),
	);
	return those.find(({ length }) => length > 0 && length < parts.length) ?? [];
}

/** Whether a column may be an amount among others. A tax is added by nobody, or by the account; counts, days and numbers are no amounts. */
function mayBePart(column: Column): boolean {
	const { header, filled } = column;
	const isPriced = filled.some((look) => look.isMoney);
	const isCount = isOnlyIdentifier(header) || moneyScore('itemQuantity', column) >= 4;
	return !isTax(column) && (isPriced || !isCount) && !filled.every(({ mayBeDate }) => mayBeDate);
}

/** `Gesamt`, `Total mes`, `To pay` */
const isCalledTotal = (header: string) =>
	isNamed('total', header) || isTotalName(header) || wordScore('total', header) >= 1.5;
