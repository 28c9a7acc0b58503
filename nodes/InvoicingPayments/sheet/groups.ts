import { addTo } from '../../shared/addTo';
import { comparableNumber } from '../invoices/comparableNumber';
import { needsNumberLookup } from '../invoices/invoiceRequest';
import { columnList } from './columns';
import { plainHeader } from './headers';
import type { CellProblem } from './problems';
import { rowsLabel } from './problems';
import type { Key } from './rowCells';
import type { Row } from './rows';
import type { RowSettings } from './rowSettings';

export interface Group {
	readonly rows: readonly Row[];
	readonly problems: readonly string[];
	readonly unassigned: readonly CellProblem[];
	/** Why a valid invoice must wait: a neighboring row may belong to it. */
	readonly blockedBy?: string;
}

export function groupsOf(rows: Row[], settings: RowSettings, groupHeader = ''): Group[] {
	const groups = {
		invoiceNumber: () => groupByNumber(rows, settings.makesNumbers),
		column: () => groupByColumn(rows, groupHeader),
		row: () => groupRows(rows, () => undefined, ''),
	}[settings.groupBy]();
	return withClashes(groups, settings);
}

/** If no row has a key, each row is a group. If only some have one, a row without it may belong to its neighbors, so they are blocked. */
function groupRows(rows: Row[], keyOf: (row: Row) => Key, column: string): Group[] {
	const keys = rows.map((row) => keyOf(row));
	const members = new Map<unknown, number[]>();
	rows.forEach((row, at) => {
		const key = keys[at];
		// Items side by side share one row.
		addTo(members, typeof key === 'object' ? key.key.normalize('NFC') : row.index, at);
	});
	const isAnyGrouped = keys.some((key) => key !== undefined);
	const isLost = (at: number) => isAnyGrouped && typeof keys[at] !== 'object';
	const blocked = new Map<number, string>();
	keys.forEach((_key, at) => {
		if (!isLost(at)) return;
		let before = at - 1;
		while (before >= 0 && isLost(before)) before--;
		let after = at + 1;
		while (after < rows.length && isLost(after)) after++;
		const blockedBy = `Row ${rows[at].number} may be a part of this invoice: correct it first`;
		for (const beside of [before, after]) if (!blocked.has(beside)) blocked.set(beside, blockedBy);
	});
	const text = `${column} is empty, so the row cannot be assigned to an invoice. Enter it in every row, or set 'Fill Merged Cells'`;
	return [...members.values()].map((indexes) => ({
		rows: indexes.map((at) => rows[at]),
		problems: [],
		unassigned: indexes.flatMap((at) =>
			isAnyGrouped && keys[at] === undefined ? [{ row: rows[at].number, text }] : [],
		),
		blockedBy: indexes.map((at) => blocked.get(at)).find((one) => one !== undefined),
	}));
}

export function groupHeaderOf(
	column: string,
	headers: string[],
): { header?: string; problem?: string } {
	if (headers.includes(column)) return { header: column };
	const plain = plainHeader(column);
	const found = headers.filter((header) => plain && plainHeader(header) === plain);
	if (found.length === 1) return { header: found[0] };
	const what = found.length
		? `several columns are called "${column}"`
		: `there is no column "${column}"`;
	return { problem: `Group Column: ${what}. ${columnList(headers)}` };
}

/** Groups by invoice number. Invalid ones already have an error. If numbers are made, a row without one is an invoice by itself. */
export function groupByNumber(rows: Row[], makesNumbers = false): Group[] {
	const isNumbered = rows.some(
		({ values, invalid }) => values.has('invoiceNumber') || invalid.has('invoiceNumber'),
	);
	const keyOf = ({ index, values, invalid, totalName }: Row): Key => {
		if (invalid.has('invoiceNumber')) return 'invalid';
		const key = values.get('invoiceNumber') as string | undefined;
		if (key !== undefined) return { key };
		// A line break cannot occur in an invoice number.
		if (makesNumbers) return { key: `\n${index}` };
		return totalName !== undefined && isNumbered ? 'invalid' : undefined;
	};
	return groupRows(rows, keyOf, 'Invoice Number');
}

function groupByColumn(rows: Row[], header: string): Group[] {
	const checked = rows.map((row): Row => {
		if (row.cells.group !== 'invalid') return row;
		const text = 'must contain text or a number to group rows by';
		return { ...row, problems: [...row.problems, { row: row.number, header, text }] };
	});
	return groupRows(checked, ({ cells }) => cells.group, `column "${header}"`);
}

function withClashes(groups: Group[], settings: RowSettings): Group[] {
	const first = new Map<string, { group: Group; number: string }>();
	const problems = new Map<Group, string>();
	for (const group of groups) {
		const numbered = group.rows.find(({ values }) => values.has('invoiceNumber'));
		if (!numbered) continue;
		const number = String(numbered.values.get('invoiceNumber'));
		const key = comparableNumber(number);
		const before = first.get(key);
		if (!before) first.set(key, { group, number });
		else if (before.number.normalize('NFC') !== number.normalize('NFC')) {
			const problem = `Invoice Number ${JSON.stringify(number)} in row ${numbered.number} and ${JSON.stringify(before.number)} in ${rowsLabel(before.group.rows)} differ only in case or spaces. Write both alike, or give one another number`;
			problems.set(group, problem);
			problems.set(before.group, problem);
		}
		// The number identifies an existing invoice: of two with the same one, the second would be lost.
		else if (needsNumberLookup(settings)) {
			const problem = `Row ${numbered.number}: Invoice Number ${JSON.stringify(number)} is also used by another invoice (${rowsLabel(before.group.rows)}). Group the rows by invoice number, or use a different number for each`;
			problems.set(group, problem);
		}
	}
	return groups.map((group) => {
		const problem = problems.get(group);
		return problem === undefined ? group : { ...group, problems: [...group.problems, problem] };
	});
}
