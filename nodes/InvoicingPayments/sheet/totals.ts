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
import { plural, quotedList, rowsLabel } from './problems';
import type { Row } from './rows';
import type { RowSettings } from './rowSettings';

export interface TotalsCheck {
	/** Which totals agreed, as text. */
	agreeing: string[];
	/** Amounts that the sheet's totals contain but the invoices do not, as text. */
	unbilled: string[];
	/** Whether the sheet states a total for every invoice (for every row), and all of them agree exactly. */
	isProved: boolean;
	areLinesStated: boolean;
	problems: Map<Draft, string[]>;
	cellProblems: Map<Draft, CellProblem[]>;
}

interface StatedTotal {
	draft: Draft;
	row: Row;
	/** In hundred-thousandths. */
	stated: bigint;
	/** Computed sums of the invoice, and of this row alone. */
	whole: Sums;
	line: Sums;
	writtenCurrency?: string;
}

/** Compares stated totals with computed sums. A total that also contains ignored columns, such as taxes, agrees but proves nothing. */
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
	const sound = drafts.filter(isSound);
	const rowCount = sound.reduce((sum, { rows }) => sum + rows.length, 0);
	columns.totals.forEach((column, at) => {
		const { header, kind } = column;
		const totals = sound.flatMap((draft) => statedIn(draft, column, at, check));
		if (totals.length === 0) return;
		for (const { draft, row, writtenCurrency } of totals) {
			const { currency } = draft.body;
			if (!isOtherCurrency(writtenCurrency, currency)) continue;
			const text = `Row ${row.number}: Currency is ${String(currency)}, but column "${header}" says ${String(writtenCurrency)}`;
			addTo(check.problems, draft, text);
		}
		const mayBeOfRow = kind === 'invoiceOrRow' || kind === 'subtotal';
		const isOfRow = mayBeOfRow && isOfEachRow(totals);
		const wrong = new Map<Draft, StatedTotal[]>();
		const higher = new Map<Draft, bigint>();
		for (const one of totals) {
			const { draft, stated } = one;
			const { total, subtotal } = isOfRow ? one.line : one.whole;
			// Few sheets take the invoice's discount off each row.
			const may = isOfRow || kind === 'subtotal' ? [total, subtotal] : [total];
			if (may.some((sum) => isSameSum(sum, stated, draft.body.currency as string))) continue;
			const rest = stated - toHundredThousandths(total);
			if (!ignoredSums(isOfRow ? [one.row] : draft.rows).includes(rest)) addTo(wrong, draft, one);
			else higher.set(draft, isOfRow ? (higher.get(draft) ?? BigInt(0)) + rest : rest);
		}
		const by = wrong.size ? groupingOf(sound, at, columns) : undefined;
		for (const [draft, those] of wrong) {
			const texts =
				by === undefined
					? (isOfRow ? those : those.slice(0, 1)).map((one) => wrongText(one, header, isOfRow))
					: [
							`Column "${header}" is what the rows with the same "${by}" come to: set 'Group Rows By' to 'Another Column', and 'Group Column' to ${by}`,
						];
			addTo(check.problems, draft, ...texts);
		}
		const all = new Set(totals.map(({ draft }) => draft)).size;
		const agreed = all - new Set([...wrong.keys(), ...higher.keys()]).size;
		if (agreed || wrong.size) {
			check.agreeing.push(`${header} agrees in ${agreed} of ${plural(all, 'invoice')}`);
		}
		const unbilled = higher.size ? [unbilledText(higher, columns)] : [];
		check.unbilled = [...new Set([...check.unbilled, ...unbilled])];
		if (wrong.size || higher.size) return;
		const isOfRows = isOfRow || sound.every(({ rows }) => rows.length === 1);
		check.areLinesStated ||= mayBeOfRow && isOfRows && totals.length === rowCount;
		check.isProved ||= all === sound.length && proves(column, isOfRow, totals, columns);
	});
	return check;
}

function statedIn(
	draft: Draft,
	{ header, currency }: TotalColumn,
	at: number,
	{ cellProblems }: TotalsCheck,
): StatedTotal[] {
	const { rows, sums: whole, body } = draft;
	return rows.flatMap((row): StatedTotal[] => {
		const cell = row.cells.totals[at];
		if (!cell || !row.item || !whole) return [];
		if ('problem' in cell) {
			addTo(cellProblems, draft, { row: row.number, header, text: cell.problem });
			return [];
		}
		const line = sumsOf([row.item], body.discount_percentage as number | undefined);
		const stated = toHundredThousandths(cell.value);
		return [{ draft, row, stated, whole, line, writtenCurrency: cell.currency ?? currency }];
	});
}

function wrongText(
	{ draft, row, stated, whole, line }: StatedTotal,
	header: string,
	isOfRow: boolean,
): string {
	const { total } = isOfRow ? line : whole;
	return `${capitalize(rowsLabel(isOfRow ? [row] : draft.rows))}: the items come to ${total}, column "${header}" says ${toDecimal(stated, 5)}. Correct it, or add the column to 'Ignore Columns'`;
}

/** Whether a column that agrees proves all invoices complete. A bare Total of one row may lack what other columns add. */
function proves(
	{ kind }: TotalColumn,
	isOfRow: boolean,
	totals: StatedTotal[],
	{ unmapped }: Columns,
): boolean {
	if (kind !== 'invoiceOrRow' || isOfRow) return kind === 'invoice';
	if (!totals.some(({ draft: { rows } }) => differentRows(rows) > 1)) return false;
	const isSumWith = (at: number) =>
		totals.every(({ row, stated, line }) => {
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
		const groups = new Map<string, Row[]>();
		for (const row of rows) {
			const key = row.cells.unmapped[at]?.text;
			if (key === undefined) return false;
			addTo(groups, key, row);
		}
		const agrees = (group: Row[]) => {
			const sum = group.reduce(
				(before, { item }) => before + (item ? lineOf(item) : BigInt(0)),
				BigInt(0),
			);
			const stated = new Set(
				group.flatMap(({ cells: { totals } }) => {
					const cell = totals[total];
					return cell && 'value' in cell ? [toHundredThousandths(cell.value)] : [];
				}),
			);
			return stated.size === 1 && stated.has(sum);
		};
		const all = [...groups.values()];
		return all.some((group) => group.length > 1) && all.every(agrees);
	});
}

const differentRows = (rows: readonly Row[]) =>
	new Set(rows.map(({ cells }) => cells.contentKey)).size;

/** Whether the totals are those of rows: they differ within an invoice, or equal the rows but not the invoice. */
function isOfEachRow(totals: StatedTotal[]): boolean {
	const first = new Map<Draft, bigint>();
	for (const { draft, stated } of totals) {
		if (!first.has(draft)) first.set(draft, stated);
		if (first.get(draft) !== stated) return true;
	}
	const isLine = ({ stated, line, draft }: StatedTotal) =>
		isSameSum(line.subtotal, stated, draft.body.currency as string);
	const isTelling = ({ draft, whole, line }: StatedTotal) =>
		differentRows(draft.rows) > 1 && whole.subtotal !== line.subtotal;
	return totals.some(isTelling) && totals.every(isLine);
}

function unbilledText(higher: Map<Draft, bigint>, { ignored }: Columns): string {
	const sums = [...higher].map(([{ body }, units]) => ({
		currency: String(body.currency),
		total: toDecimal(units, 5),
	}));
	const rows = [...higher.keys()].flatMap((draft) => draft.rows);
	const names = ignored.filter((_header, at) =>
		rows.some(({ cells }) => cells.ignored[at] !== BigInt(0)),
	);
	return `The sheet's totals are ${moneyOf(sumsBy(sums))} higher: ${quotedList(names)} ${names.length === 1 ? 'is' : 'are'} not billed. To bill it, include it in the unit prices`;
}

/** What ignored columns add, singly and together. Rows may repeat the invoice's figure, so the first row alone counts too. */
export function ignoredSums(rows: readonly Row[]): bigint[] {
	const sumOf = (figures: bigint[]) => figures.reduce((sum, one) => sum + one, BigInt(0));
	const first = rows[0].cells.ignored.map((figure) => figure * BigInt(100));
	const all = first.map(
		(_figure, at) => sumOf(rows.map(({ cells }) => cells.ignored[at])) * BigInt(100),
	);
	return [...first, ...all, sumOf(first), sumOf(all)].filter((sum) => sum > BigInt(0));
}
