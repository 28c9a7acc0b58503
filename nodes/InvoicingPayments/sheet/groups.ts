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
	readonly unassignedProblems: readonly CellProblem[];
	/** Why a valid invoice must not be sent yet: a neighboring row may belong to it. */
	readonly blockedBy?: string;
}

export function groupsOf(rows: Row[], settings: RowSettings, groupHeader = ''): Group[] {
	const groups = {
		invoiceNumber: () => groupByNumber(rows, settings.makesNumbers),
		column: () => groupByColumn(rows, groupHeader),
		row: () => groupRows(rows, () => undefined, ''),
	}[settings.groupBy]();
	return withNumberProblems(groups, settings);
}

/** If no row has a key, each row is a group. Otherwise a row without a key may belong to a neighboring invoice, and blocks both. */
function groupRows(rows: Row[], keyOf: (row: Row) => Key, column: string): Group[] {
	const keys = rows.map((row) => keyOf(row));
	const rowsByKey = new Map<unknown, number[]>();
	rows.forEach((row, at) => {
		const key = keys[at];
		// Items side by side come from the same row.
		addTo(rowsByKey, typeof key === 'object' ? key.key.normalize('NFC') : row.index, at);
	});
	const isAnyKeyed = keys.some((key) => key !== undefined);
	const hasNoKey = (at: number) => isAnyKeyed && typeof keys[at] !== 'object';
	const blocked = new Map<number, string>();
	keys.forEach((_key, at) => {
		if (!hasNoKey(at)) return;
		let previous = at - 1;
		while (previous >= 0 && hasNoKey(previous)) previous--;
		let next = at + 1;
		while (next < rows.length && hasNoKey(next)) next++;
		const blockedBy = `Row ${rows[at].number} may be a part of this invoice: correct it first`;
		for (const keyed of [previous, next]) if (!blocked.has(keyed)) blocked.set(keyed, blockedBy);
	});
	const text = `${column} is empty, so the row cannot be assigned to an invoice. Enter it in every row, or set 'Fill Merged Cells'`;
	return [...rowsByKey.values()].map((indexes) => ({
		rows: indexes.map((at) => rows[at]),
		problems: [],
		unassignedProblems: indexes.flatMap((at) =>
			isAnyKeyed && keys[at] === undefined ? [{ row: rows[at].number, text }] : [],
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
	const matches = headers.filter((header) => plain && plainHeader(header) === plain);
	if (matches.length === 1) return { header: matches[0] };
	const reason = matches.length
		? `several columns are called "${column}"`
		: `there is no column "${column}"`;
	return { problem: `Group Column: ${reason}. ${columnList(headers)}` };
}

/** Groups rows by invoice number. If the node makes the numbers, a row without a number is an invoice by itself. */
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

function withNumberProblems(groups: Group[], settings: RowSettings): Group[] {
	const firstByNumber = new Map<string, { group: Group; number: string }>();
	const problems = new Map<Group, string>();
	for (const group of groups) {
		const numbered = group.rows.find(({ values }) => values.has('invoiceNumber'));
		if (!numbered) continue;
		const number = String(numbered.values.get('invoiceNumber'));
		const key = comparableNumber(number);
		const first = firstByNumber.get(key);
		if (!first) firstByNumber.set(key, { group, number });
		else if (first.number.normalize('NFC') !== number.normalize('NFC')) {
			const problem = `Invoice Number ${JSON.stringify(number)} in row ${numbered.number} and ${JSON.stringify(first.number)} in ${rowsLabel(first.group.rows)} differ only in case or spaces. Write both alike, or give one another number`;
			problems.set(group, problem);
			problems.set(first.group, problem);
		}
		// If two invoices share a number, the second would be taken for the first, and would never be created.
		else if (needsNumberLookup(settings)) {
			const problem = `Row ${numbered.number}: Invoice Number ${JSON.stringify(number)} is also used by another invoice (${rowsLabel(first.group.rows)}). Group the rows by invoice number, or use a different number for each`;
			problems.set(group, problem);
		}
	}
	return groups.map((group) => {
		const problem = problems.get(group);
		return problem === undefined ? group : { ...group, problems: [...group.problems, problem] };
	});
}
