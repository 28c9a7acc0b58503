import { isEmpty } from '../../shared/fields/text';
import type { InvoiceItem } from '../invoices/items';
import { itemOf } from './amounts';
import type { CellFormat, CellOutcome } from './cells/read';
import { readCell } from './cells/read';
import type { Roles, GivenValues } from './columns';
import { sheetField } from './fields';
import { isTotalName, namesNoItem } from './marks';
import type { CellProblem } from './problems';
import type { Column, Profile } from './profile';
import type { Statements } from './statements';
import type { Line, Table } from './table';

export interface CustomerCell {
	text: string;
	header?: string;
	isEmail: boolean;
}

/** A line that may be billed, with the values of its cells. */
export interface Row {
	readonly line: Line;
	readonly at: number;
	readonly number: number;
	readonly values: Map<string, unknown>;
	readonly invalid: Set<string>;
	readonly problems: CellProblem[];
	/** Problems that count only if the field is needed. With a due date, terms are not needed. */
	readonly deferred: Map<string, CellProblem[]>;
	/** Currencies beside amounts and in their headers, such as `€` or `EUR`. */
	readonly currencies: string[];
	readonly customers: CustomerCell[];
	readonly totals: Array<{ header: string; value: string; currency?: string }>;
	readonly unit?: string;
	item?: InvoiceItem;
}

/** Why a line is not billed. `sum`: a total. `note`: no amount and no customer. `value`: a column says so. */
export interface LeftOut {
	line: Line;
	at: number;
	why: 'sum' | 'note' | 'value';
	name: string;
	amount?: number;
}

const deferredFields = ['terms', 'invoiceDate'];

export interface RowSettings {
	given: GivenValues;
	formats: ReadonlyMap<Column, CellFormat>;
	defaults: { itemName?: string; itemAmount?: string };
	zone: string;
}

/** Reads the cells of a line. A field takes the first of its columns that is filled. */
export function rowOf(
	line: Line,
	at: number,
	roles: Roles,
	cellOf: (column: Column, at: number) => unknown,
	{ given, formats, defaults, zone }: RowSettings,
): Row {
	const row: Row = {
		...{ line, at, number: line.number, values: new Map(), invalid: new Set(), problems: [] },
		...{ deferred: new Map(), currencies: [], customers: [], totals: [] },
	};
	let unit: string | undefined;
	const put = (name: string, outcome: CellOutcome, header?: string) => {
		if (!outcome) return;
		if ('problems' in outcome) {
			const own = outcome.problems.map((text) => ({ row: line.number, header, text }));
			if (deferredFields.includes(name)) row.deferred.set(name, own);
			else if (name !== 'total') {
				row.invalid.add(name);
				row.problems.push(...own);
			}
			return;
		}
		row.values.set(name, outcome.value);
		if (outcome.currency) row.currencies.push(outcome.currency);
		unit ??= outcome.unit;
	};
	const plain: CellFormat = { numbers: {}, formats: [] };
	for (const [name, valueOf] of given) {
		const value = valueOf(line.index);
		const isCustomer = name === 'customerId' || name === 'customerEmail';
		if (isCustomer && !isEmpty(value))
			row.customers.push({ text: String(value), isEmail: name === 'customerEmail' });
		else put(name, readCell(sheetField(name), value, plain, zone));
	}
	for (const [name, columns] of roles.fields) {
		if (given.has(name)) continue;
		for (const column of columns) {
			const cell = cellOf(column, at);
			if (isEmpty(cell)) continue;
			const { header } = column;
			if (name === 'customerId' || name === 'customerEmail') {
				const rest =
					name === 'customerId' && roles.restOfName ? cellOf(roles.restOfName, at) : undefined;
				const text = [cell, rest]
					.filter((part) => !isEmpty(part))
					.join(' ')
					.trim();
				row.customers.push({ text, header, isEmail: name === 'customerEmail' });
				continue;
			}
			const outcome = readCell(sheetField(name), cell, formats.get(column) ?? plain, zone);
			if (name === 'total') {
				if (outcome && 'value' in outcome)
					row.totals.push({ header, value: String(outcome.value), currency: outcome.currency });
				continue;
			}
			if (!row.values.has(name) && !row.invalid.has(name)) put(name, outcome, header);
			if (column.headerCurrency && sheetField(name).isMoney)
				row.currencies.push(column.headerCurrency);
		}
	}
	if (
		!row.values.has('itemAmount') &&
		!row.values.has('itemTotal') &&
		!row.invalid.has('itemAmount') &&
		defaults.itemAmount !== undefined
	)
		row.values.set('itemAmount', defaults.itemAmount);
	if (!row.values.has('itemName') && !row.invalid.has('itemName')) {
		const name = defaults.itemName ?? nameOfPrice(roles);
		if (name !== undefined) row.values.set('itemName', name);
	}
	const { item, problems } = itemOf(row);
	row.problems.push(...problems.map((text) => ({ row: line.number, text })));
	return { ...row, item, unit };
}

/** Without a column for it, an item is called like the column of its price: `Rent`. */
const nameOfPrice = ({ fields }: Roles): string | undefined =>
	fields.has('itemName')
		? undefined
		: (fields.get('itemAmount') ?? fields.get('itemTotal'))?.[0]?.header.trim() || undefined;

/** Splits lines into those that may be billed and those that are no items: sums, notes, and lines that a column excludes. */
export function partLines(
	table: Table,
	roles: Roles,
	profile: Profile,
	statements: Pick<Statements, 'values' | 'rowsLeftOut'>,
	hasAmountAnyway: boolean,
): { kept: number[]; leftOut: LeftOut[] } {
	const columnsOf = (...names: string[]) => names.flatMap((name) => roles.fields.get(name) ?? []);
	const owners = columnsOf('customerId', 'customerEmail', 'invoiceNumber');
	const prices = columnsOf('itemAmount', 'itemTotal');
	const amounts = [...prices, ...columnsOf('total')];
	const names = columnsOf('itemName');
	const has = (columns: Column[], at: number) =>
		columns.some(({ looks }) => looks[at] !== undefined);
	const excluding = statements.values.flatMap(({ header, leaveOut }) => {
		const column = profile.byHeader.get(header);
		return column ? [{ column, leaveOut: new Set(leaveOut) }] : [];
	});
	const usesTotals = statements.rowsLeftOut !== 'none';
	const kept: number[] = [];
	const leftOut: LeftOut[] = [];
	let sum = 0;
	const last = table.lines.length - 1;
	const isOwned = (at: number) => owners.some(({ looks }) => looks[at] !== undefined);
	// Merged cells leave rows without a customer, which are items all the same.
	const isMerged = table.lines.some(
		(_line, at) => at > 0 && at < last - 2 && !isOwned(at) && has(names, at),
	);
	table.lines.forEach((line, at) => {
		const excluded = excluding.find(({ column, leaveOut }) =>
			leaveOut.has(column.looks[at]?.text ?? ''),
		);
		const texts = profile.columns.flatMap(({ looks }) =>
			looks[at]?.kind === 'text' ? [looks[at].text] : [],
		);
		const totalName =
			texts.slice(0, 3).find(isTotalName) ??
			names.flatMap(({ looks }) => looks[at]?.text ?? []).find(isTotalName);
		const amount = amountAt(amounts, at);
		const line1 = priceAt(roles, at);
		const owner = owners.find(
			({ looks }) => looks[at] !== undefined && !isTotalName(looks[at].text),
		);
		const isNamed = totalName !== undefined && (!owner || isSumOf(amount, sum));
		const isBareSum =
			owners.length > 0 &&
			!owner &&
			!has(names, at) &&
			amount !== undefined &&
			at > 1 &&
			(at === last || isSumOf(amount, sum));
		const isNoItem =
			!isMerged &&
			owners.length > 0 &&
			!isOwned(at) &&
			at > 0 &&
			at >= last - 3 &&
			texts.slice(0, 2).some(namesNoItem) &&
			(amount ?? 0) >= 0;
		const isNote = !hasAmountAnyway && amount === undefined && !owner;
		const name = totalName ?? texts[0] ?? '';
		if (excluded)
			leftOut.push({
				line,
				at,
				why: 'value',
				name: `${excluded.column.header}: ${excluded.column.looks[at]?.text ?? 'empty'}`,
				amount,
			});
		else if (usesTotals && (isNamed || isBareSum || isNoItem))
			leftOut.push({ line, at, why: 'sum', name, amount });
		else if (isNote) leftOut.push({ line, at, why: 'note', name });
		else {
			kept.push(at);
			sum += line1 ?? 0;
		}
	});
	return { kept, leftOut };
}

const isSumOf = (amount: number | undefined, sum: number) =>
	amount !== undefined && sum !== 0 && Math.abs(amount - sum) < 0.006;

function amountAt(columns: Column[], at: number): number | undefined {
	for (const { numbers } of columns) if (!Number.isNaN(numbers[at])) return numbers[at];
	return columns.some(({ looks }) => looks[at] !== undefined) ? NaN : undefined;
}

/** The amount of a line, to rank and compare. */
export function priceAt(roles: Roles, at: number): number | undefined {
	const at0 = (name: string) => roles.fields.get(name)?.[0]?.numbers[at] ?? NaN;
	const [line, price, quantity] = ['itemTotal', 'itemAmount', 'itemQuantity'].map(at0);
	const amount = Number.isNaN(line) ? price * (Number.isNaN(quantity) ? 1 : quantity) : line;
	return Number.isNaN(amount) ? undefined : amount;
}
