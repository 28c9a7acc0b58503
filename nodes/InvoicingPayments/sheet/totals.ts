import { addTo } from '../../shared/addTo';
import { toHundredThousandths, toDecimal } from '../../shared/fields/decimal';
import { capitalize } from '../../shared/fields/text';
import { moneyOf, sumsBy } from '../plan/summary';
import type { Sums } from './amounts';
import { isSameSum, lineOf, sumsOf } from './amounts';
import type { Columns, TotalColumn } from './columns';
import { isOtherCurrency } from './currencies';
import type { Draft } from './invoices';
import { isSound } from './invoices';
import type { CellProblem } from './problems';
import { plural, rowsLabel } from './problems';
import type { RowSettings } from './rowSettings';
import type { Row } from './rows';

export interface TotalsCheck {
	/** Which totals agreed, as text. */
	agreeing: string[];
	/** Amounts that the sheet's totals contain but the invoices do not, as text. */
	unbilled: string[];
	/** Whether the sheet states a total for every invoice, and all of them agree exactly. */
	isProved: boolean;
	/** The same for every row. */
	areLinesStated: boolean;
	problems: Map<Draft, string[]>;
	cellProblems: Map<Draft, CellProblem[]>;
}

/** A total that the sheet states in a row. */
interface StatedTotal {
	draft: Draft;
	row: Row;
	/** The sheet's figure, in hundred-thousandths. */
	stated: bigint;
	/** Computed sums of the invoice, and of this row alone. */
	whole: Sums;
	line: Sums;
}

/**
 * Compares the sheet's totals with the computed sums. A figure may be the invoice's or the row's. If it also contains
 * ignored columns, such as taxes, it agrees but proves nothing.
 */
export function checkTotals(drafts: Draft[], columns: Columns, settings: RowSettings): TotalsCheck {
	const check: TotalsCheck = {
		agreeing: [],
		unbilled: [],
		isProved: false,
		areLinesStated: false,
		problems: new Map(),
		cellProblems: new Map(),
	};
	if (settings.checkTotals === false) return check;
	const sound = drafts.filter((draft) => isSound(draft));
	columns.totals.forEach((column, at) => {
		const figures = sound.flatMap((draft) =>
			figuresIn(draft, at, (row, text) =>
				addTo(check.cellProblems, draft, { row: row.number, header: column.header, text }),
			),
		);
		if (figures.length === 0) return;
		for (const { draft, row } of figures) {
			const problem = markProblem(column, at, draft, row);
			if (problem) addTo(check.problems, draft, problem);
		}
		const isOfRow = ['invoiceOrRow', 'subtotal'].includes(column.kind) && isOfEachRow(figures);
		const wrong = new Map<Draft, StatedTotal[]>();
		const higher = new Map<Draft, bigint>();
		for (const figure of figures) {
			const { draft, stated, whole, line } = figure;
			const { total, subtotal } = isOfRow ? line : whole;
			// Few sheets take the invoice's discount off each row.
			const may = isOfRow || column.kind === 'subtotal' ? [total, subtotal] : [total];
			if (may.some((sum) => isSameSum(sum, stated, draft.body.currency as string))) continue;
			const rest = stated - toHundredThousandths(total);
			const rows = isOfRow ? [figure.row] : draft.rows;
			if (!ignoredSums(rows).some((sum) => sum === rest)) addTo(wrong, draft, figure);
			else higher.set(draft, isOfRow ? (higher.get(draft) ?? BigInt(0)) + rest : rest);
		}
		const isExact = wrong.size === 0 && higher.size === 0;
		const by = wrong.size ? groupingOf(sound, at, columns) : undefined;
		for (const [draft, those] of wrong) {
			if (by !== undefined) {
				addTo(
					check.problems,
					draft,
					`Column "${column.header}" is what the rows with the same "${by}" come to: set 'Group Rows By' to 'Another Column', and 'Group Column' to ${by}`,
				);
				continue;
			}
			for (const { row, stated, whole, line } of isOfRow ? those : those.slice(0, 1)) {
				const name = capitalize(rowsLabel(isOfRow ? [row] : draft.rows));
				const { total } = isOfRow ? line : whole;
				addTo(
					check.problems,
					draft,
					`${name}: the items come to ${total}, column "${column.header}" says ${toDecimal(stated, 5)}. Correct it, or add the column to 'Ignore Columns'`,
				);
			}
		}
		const all = new Set(figures.map(({ draft }) => draft));
		const agreed = all.size - new Set([...wrong.keys(), ...higher.keys()]).size;
		if (agreed || wrong.size) {
			check.agreeing.push(`${column.header} agrees in ${agreed} of ${plural(all.size, 'invoice')}`);
		}
		const unbilled = unbilledText(higher, columns);
		if (unbilled && !check.unbilled.includes(unbilled)) check.unbilled.push(unbilled);
		const isOfRows = isOfRow || sound.every(({ rows }) => rows.length === 1);
		const rows = sound.reduce((sum, draft) => sum + draft.rows.length, 0);
		check.areLinesStated ||=
			isExact &&
			isOfRows &&
			figures.length === rows &&
			['invoiceOrRow', 'subtotal'].includes(column.kind);
		check.isProved ||=
			isExact && all.size === sound.length && proves(column, isOfRow, figures, columns);
	});
	return check;
}

/**
 * Whether an agreeing column proves that the invoices are complete: it is named as the invoice's total, or it sums
 * several rows. A bare Total beside one row may only be that row's, before other columns are added.
 */
function proves(
	{ kind }: TotalColumn,
	isOfRow: boolean,
	figures: StatedTotal[],
	{ unmapped }: Columns,
): boolean {
	if (kind !== 'invoiceOrRow' || isOfRow) return kind === 'invoice';
	if (!figures.some(({ draft: { rows } }) => differentRows(rows) > 1)) return false;
	const isSumWith = (at: number) =>
		figures.every(({ row, stated, line }) => {
			const more = row.cells.unmapped[at]?.figure?.thousandths;
			return (
				more !== undefined && toHundredThousandths(line.subtotal) + more * BigInt(100) === stated
			);
		});
	return !unmapped.some((_header, at) => isSumWith(at));
}

/** The column whose equal cells form groups that add up to the stated totals, such as `Order No`. */
function groupingOf(drafts: Draft[], total: number, { unmapped }: Columns): string | undefined {
	const rows = drafts.flatMap((draft) => draft.rows);
	return unmapped.find((_header, at) => {
		const groups = new Map<string, { sum: bigint; stated: Set<bigint>; rows: number }>();
		for (const { cells, item } of rows) {
			const key = cells.unmapped[at]?.text;
			if (key === undefined || !item) return false;
			const group = groups.get(key) ?? { sum: BigInt(0), stated: new Set(), rows: 0 };
			groups.set(key, group);
			group.sum += lineOf(item);
			group.rows += 1;
			const cell = cells.totals[total];
			if (cell && 'value' in cell) group.stated.add(toHundredThousandths(cell.value));
		}
		const all = [...groups.values()];
		return (
			all.some((group) => group.rows > 1) &&
			all.every(({ stated, sum }) => stated.size === 1 && stated.has(sum))
		);
	});
}

const differentRows = (rows: readonly Row[]) =>
	new Set(rows.map(({ cells }) => cells.contentKey)).size;

/** Whether the figures are those of rows: they differ within an invoice, or equal the rows but not the invoice. */
function isOfEachRow(figures: StatedTotal[]): boolean {
	const first = new Map<Draft, bigint>();
	const differ = figures.some(({ draft, stated }) => {
		const before = first.get(draft) ?? stated;
		first.set(draft, before);
		return before !== stated;
	});
	if (differ) return true;
	const isLine = ({ stated, line, draft }: StatedTotal) =>
		isSameSum(line.subtotal, stated, draft.body.currency as string);
	const shows = ({ draft, whole, line }: StatedTotal) =>
		differentRows(draft.rows) > 1 && whole.subtotal !== line.subtotal;
	return figures.some(shows) && figures.every(isLine);
}

function unbilledText(higher: Map<Draft, bigint>, { ignored }: Columns): string | undefined {
	if (higher.size === 0) return undefined;
	const sums = [...higher].map(([{ body }, units]) => ({
		currency: String(body.currency),
		total: toDecimal(units, 5),
	}));
	const rows = [...higher.keys()].flatMap((draft) => draft.rows);
	const isFilled = (at: number) => rows.some(({ cells }) => cells.ignored[at] !== BigInt(0));
	const names = ignored.filter((_header, at) => isFilled(at)).map((header) => `"${header}"`);
	return `The sheet's totals are ${moneyOf(sumsBy(sums))} higher: ${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} not billed. To bill it, include it in the unit prices`;
}

/** What ignored columns add, singly and together. Rows may repeat the invoice's figure, so the first row alone counts too. */
export function ignoredSums(rows: readonly Row[]): bigint[] {
	const [{ cells }] = rows;
	const figures = cells.ignored.map((_figure, at) => {
		const all = rows.map((row) => row.cells.ignored[at] * BigInt(100));
		return { first: all[0], all: all.reduce((sum, one) => sum + one, BigInt(0)) };
	});
	const total = (which: 'first' | 'all') =>
		figures.reduce((sum, one) => sum + one[which], BigInt(0));
	const sums = [...figures.flatMap(({ first, all }) => [first, all]), total('first'), total('all')];
	return sums.filter((sum) => sum > BigInt(0));
}

function markProblem(
	{ header, currency: inHeader }: TotalColumn,
	at: number,
	{ body }: Draft,
	{ number, cells }: Row,
): string | undefined {
	const cell = cells.totals[at];
	const mark = (cell && 'mark' in cell ? cell.mark : undefined) ?? inHeader;
	if (!isOtherCurrency(mark, body.currency)) return undefined;
	return `Row ${number}: Currency is ${String(body.currency)}, but column "${header}" says ${String(mark)}`;
}

function figuresIn(
	draft: Draft,
	at: number,
	refuse: (row: Row, problem: string) => void,
): StatedTotal[] {
	const { rows, sums, body } = draft;
	const percent = body.discount_percentage as number | undefined;
	return rows.flatMap((row): StatedTotal[] => {
		const cell = row.cells.totals[at];
		if (!cell || !row.item || !sums) return [];
		if ('problem' in cell) {
			refuse(row, cell.problem);
			return [];
		}
		const line = sumsOf([row.item], percent);
		return [{ draft, row, stated: toHundredThousandths(cell.value), whole: sums, line }];
	});
}
