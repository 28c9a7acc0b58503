import type { CustomerIndex } from '../../../shared/customers/customerIndex';
import type { Steps } from '../../../shared/steps';
import { mapInSteps } from '../../../shared/steps';
import type { Columns, ColumnSettings, Explanation, OpenSheet } from '../columns';
import { explanationOf, findExplanation, mayBeCustomer, partsOf } from '../columns';
import type { ValueStatement } from '../statements';
import { namedHeaders } from '../statements';
import { fillFromAbove } from './merged';
import type { LeftOut, Row } from './rows';
import { cellReader, nameOfPrice, partLines, rowOf, withFigures } from './rows';
import { partingOf, widened } from './values';

/** Which lines of a sheet are billed, and their values. */
export interface Rows {
	rows: Row[];
	/** Rows with nothing to bill. */
	withoutAmount: Row[];
	leftOut: LeftOut[];
	/** Lines that are billed, or that a column leaves out. */
	lines: number[];
	/** Which values are billed, of columns in the sheet. Those that were said come first. */
	values: ValueStatement[];
	/** Cells were filled from those above. */
	isMerged: boolean;
	/** What makes up the amounts, as the reading states it or the sheet shows it. */
	explanation?: Explanation;
	/** What items are called for want of a name. */
	calledLike?: string;
}

/** Leaves out the lines that are no items, and reads the others. */
export function* readRows(
	{ table, profile }: OpenSheet,
	{ roles, written, unbilled, defaults }: Columns,
	settings: ColumnSettings,
	{ customers }: { customers: CustomerIndex | undefined },
): Steps<Rows> {
	const { said, given, zone } = settings;
	const named = said ? namedHeaders(said) : new Set();
	const values = [
		...(said?.values ?? []).flatMap((one) => {
			const column = profile.byHeader.get(one.header);
			return column ? [widened(one, column)] : [];
		}),
		...unbilled.flatMap((column) => (named.has(column.header) ? [] : (partingOf(column) ?? []))),
	];
	const parting = {
		values,
		rowsLeftOut: said?.rowsLeftOut,
		hasAmountAnyway: hasAmount(settings),
		isCustomer: (text: string) => !customers || mayBeCustomer(text, customers),
	};
	const parted = yield* partLines(table, roles, profile, parting);
	const { kept } = parted;
	const filled = yield* fillFromAbove(roles, table.lines, parted);
	const leftOut = parted.leftOut.filter(
		({ why, at }) => why !== 'note' || !filled.headings.has(at),
	);
	const formats = new Map([...written].map(([column, { format }]) => [column, format]));
	const explanation = said?.relation
		? explanationOf(said.relation, profile.byHeader, (header) =>
				Boolean(said.shapes.get(header)?.kinds.includes('empty')),
			)
		: yield* findExplanation(roles, profile, kept);
	const calledLike = nameOfPrice(roles, explanation, table.above);
	const rowSettings = { given, read: cellReader(formats, zone), defaults, calledLike, zone };
	const isOfTotal =
		explanation !== undefined && roles.fields.get('itemTotal')?.[0] === explanation.whole;
	const explaining = explanation
		? [explanation.whole, ...partsOf(explanation)].filter((one) => unbilled.includes(one))
		: [];
	const withoutAmount: Row[] = [];
	const read = yield* mapInSteps(kept, (at) => {
		const line = table.lines[at];
		const { row, isEmpty } = rowOf(line, at, roles, {
			cellOf: filled.cellOf,
			settings: rowSettings,
		});
		// What makes up an amount is in its currency.
		row.currencies.push(...explaining.flatMap(({ looks }) => looks[at]?.currency ?? []));
		if (!isEmpty && !(isOfTotal && nothingIsOpen(explanation, at)))
			return [isOfTotal ? withFigures(row, explanation) : row];
		withoutAmount.push(row);
		leftOut.push({ line, at, why: 'nothing', name: 'no amount' });
		return [];
	});
	const excluded = leftOut.flatMap(({ why, at }) => (why === 'value' ? [at] : []));
	const lines = [...kept, ...excluded];
	const { isMerged } = filled;
	return {
		rows: read.flat(),
		withoutAmount,
		leftOut,
		lines,
		values,
		isMerged,
		explanation,
		calledLike,
	};
}

/** Whether nothing is left of an amount: `Balance` = `Price` - `Paid`. */
const nothingIsOpen = ({ terms, whole }: Explanation, at: number): boolean =>
	terms.some(({ isLess }) => isLess) && whole.numbers[at] === 0;

/** Whether every line has an amount, whatever its cells say. */
const hasAmount = ({ defaults, given }: ColumnSettings) =>
	defaults.itemAmount !== undefined || given.has('itemAmount') || given.has('itemTotal');
