import { addTo } from '../../shared/addTo';
import { capitalize } from '../../shared/fields/text';
import { moneyOf, sumsBy } from '../plan/summary';
import type { Sums } from './amounts';
import { isSameSum, lineTotalOf, sumsOf } from './amounts';
import type { Columns, TotalColumn } from './columns';
import { isOtherCurrency } from './currencies';
import type { Draft } from './invoices';
import { isSound } from './invoices';
import type { CellProblem } from './problems';
import { plural, quotedList, rowsLabel } from './problems';
import type { Row } from './rows';
import type { RowSettings } from './rowSettings';
import { toHundredThousandths, toDecimal } from './scales';

export interface TotalsCheck {
	/** Texts for hints: `Total agrees in 2 of 3 invoices`. */
	agreements: string[];
	unbilledSums: string[];
	/** Whether the sheet has a total for every invoice, and all of them agree. */
	isProved: boolean;
	/** Whether the sheet has a total for every row, and all of them agree. */
	lineTotalsAgree: boolean;
	problems: Map<Draft, string[]>;
	cellProblems: Map<Draft, CellProblem[]>;
}

interface StatedTotal {
	draft: Draft;
	row: Row;
	/** In hundred-thousandths. */
	stated: bigint;
	invoiceSums: Sums;
	rowSums: Sums;
	writtenCurrency?: string;
}

/** Compares totals with computed sums. A total that includes an ignored column, such as tax, is right but proves nothing. */
export function checkTotals(drafts: Draft[], columns: Columns, settings: RowSettings): TotalsCheck {
	const check: TotalsCheck = {
		agreements: [],
		unbilledSums: [],
		isProved: false,
		lineTotalsAgree: false,
		problems: new Map(),
		cellProblems: new Map(),
	};
	if (settings.checkTotals === false) return check;
	const sound = drafts.filter(isSound);
	const rowCount = sound.reduce((sum, { rows }) => sum + rows.length, 0);
	columns.totals.forEach((column, at) => {
		const { header, kind } = column;
		const totals = sound.flatMap((draft) => statedTotals(draft, column, at, check));
		if (totals.length === 0) return;
		for (const { draft, row, writtenCurrency } of totals) {
			const { currency } = draft.body;
			if (!isOtherCurrency(writtenCurrency, currency)) continue;
			const text = `Row ${row.number}: Currency is ${String(currency)}, but column "${header}" says ${String(writtenCurrency)}`;
			addTo(check.problems, draft, text);
		}
		const mayBeLineTotals = kind === 'invoiceOrRow' || kind === 'subtotal';
		const areLineTotals = mayBeLineTotals && belongToRows(totals);
		const wrong = new Map<Draft, StatedTotal[]>();
		const higher = new Map<Draft, bigint>();
		for (const one of totals) {
			const { draft, stated } = one;
			const { total, subtotal } = areLineTotals ? one.rowSums : one.invoiceSums;
			// Most sheets state line totals before the invoice's discount.
			const allowed = areLineTotals || kind === 'subtotal' ? [total, subtotal] : [total];
			if (allowed.some((sum) => isSameSum(sum, stated, draft.body.currency as string))) continue;
			const rest = stated - toHundredThousandths(total);
			if (!ignoredSums(areLineTotals ? [one.row] : draft.rows).includes(rest))
				addTo(wrong, draft, one);
			else higher.set(draft, areLineTotals ? (higher.get(draft) ?? BigInt(0)) + rest : rest);
		}
		const groupingColumn = wrong.size ? findGroupingColumn(sound, at, columns) : undefined;
		for (const [draft, those] of wrong) {
			const texts =
				groupingColumn === undefined
					? (areLineTotals ? those : those.slice(0, 1)).map((one) =>
							wrongText(one, header, areLineTotals),
						)
					: [
							`Column "${header}" is what the rows with the same "${groupingColumn}" come to: set 'Group Rows By' to 'Another Column', and 'Group Column' to ${groupingColumn}`,
						];
			addTo(check.problems, draft, ...texts);
		}
		const all = new Set(totals.map(({ draft }) => draft)).size;
		const agreed = all - new Set([...wrong.keys(), ...higher.keys()]).size;
		if (agreed || wrong.size) {
			check.agreements.push(`${header} agrees in ${agreed} of ${plural(all, 'invoice')}`);
		}
		const unbilledSums = higher.size ? [unbilledText(higher, columns)] : [];
		check.unbilledSums = [...new Set([...check.unbilledSums, ...unbilledSums])];
		if (wrong.size || higher.size) return;
		const isPerRow = areLineTotals || sound.every(({ rows }) => rows.length === 1);
		check.lineTotalsAgree ||= mayBeLineTotals && isPerRow && totals.length === rowCount;
		check.isProved ||= all === sound.length && isProof(column, areLineTotals, totals, columns);
	});
	return check;
}

function statedTotals(
	draft: Draft,
	{ header, currency }: TotalColumn,
	at: number,
	{ cellProblems }: TotalsCheck,
): StatedTotal[] {
	const { rows, sums: invoiceSums, body } = draft;
	return rows.flatMap((row): StatedTotal[] => {
		const cell = row.cells.totals[at];
		if (!cell || !row.item || !invoiceSums) return [];
		if ('problem' in cell) {
			addTo(cellProblems, draft, { row: row.number, header, text: cell.problem });
			return [];
		}
		const rowSums = sumsOf([row.item], body.discount_percentage as number | undefined);
		const stated = toHundredThousandths(cell.value);
		return [
			{ draft, row, stated, invoiceSums, rowSums, writtenCurrency: cell.currency ?? currency },
		];
	});
}

function wrongText(
	{ draft, row, stated, invoiceSums, rowSums }: StatedTotal,
	header: string,
	areLineTotals: boolean,
): string {
	const { total } = areLineTotals ? rowSums : invoiceSums;
	return `${capitalize(rowsLabel(areLineTotals ? [row] : draft.rows))}: the items come to ${total}, column "${header}" says ${toDecimal(stated, 5)}. Correct it, or add the column to 'Ignore Columns'`;
}

/** Whether an agreeing column proves all invoices complete. If an invoice has one row, its Total may be a row total that leaves out other columns. */
function isProof(
	{ kind }: TotalColumn,
	areLineTotals: boolean,
	totals: StatedTotal[],
	{ unmapped }: Columns,
): boolean {
	if (kind !== 'invoiceOrRow' || areLineTotals) return kind === 'invoice';
	if (!totals.some(({ draft: { rows } }) => differentRows(rows) > 1)) return false;
	const isSumWith = (at: number) =>
		totals.every(({ row, stated, rowSums }) => {
			const more = row.cells.unmapped[at]?.figure?.thousandths;
			return (
				more !== undefined && toHundredThousandths(rowSums.subtotal) + more * BigInt(100) === stated
			);
		});
	return !unmapped.some((_header, at) => isSumWith(at));
}

/** The column whose equal cells form groups that add up to the sheet's totals, such as `Order No`. */
function findGroupingColumn(
	drafts: Draft[],
	total: number,
	{ unmapped }: Columns,
): string | undefined {
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
				(before, { item }) => before + (item ? lineTotalOf(item) : BigInt(0)),
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

/** Whether the totals belong to rows: they differ within an invoice, or match each row's sum but not the invoice's. */
function belongToRows(totals: StatedTotal[]): boolean {
	const firstTotals = new Map<Draft, bigint>();
	for (const { draft, stated } of totals) {
		if (!firstTotals.has(draft)) firstTotals.set(draft, stated);
		if (firstTotals.get(draft) !== stated) return true;
	}
	const isLine = ({ stated, rowSums, draft }: StatedTotal) =>
		isSameSum(rowSums.subtotal, stated, draft.body.currency as string);
	const isNoCoincidence = ({ draft, invoiceSums, rowSums }: StatedTotal) =>
		differentRows(draft.rows) > 1 && invoiceSums.subtotal !== rowSums.subtotal;
	return totals.some(isNoCoincidence) && totals.every(isLine);
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

/** The sums of ignored columns, each and together. Also for the first row alone, because rows may repeat a figure of the invoice. */
export function ignoredSums(rows: readonly Row[]): bigint[] {
	const sumOf = (figures: bigint[]) => figures.reduce((sum, one) => sum + one, BigInt(0));
	const first = rows[0].cells.ignored.map((figure) => figure * BigInt(100));
	const all = first.map(
		(_figure, at) => sumOf(rows.map(({ cells }) => cells.ignored[at])) * BigInt(100),
	);
	return [...first, ...all, sumOf(first), sumOf(all)].filter((sum) => sum > BigInt(0));
}
