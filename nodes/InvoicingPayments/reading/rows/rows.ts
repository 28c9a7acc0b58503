import { isEmpty } from '../../../shared/fields/text';
import type { CountedItem } from '../../invoices/items';
import { totalOf } from '../../invoices/items';
import {
	amountAt,
	columnsOf,
	figuresAt,
	isCalledTotal,
	isNear,
	isTold,
	isTotalName,
	itemNumbers,
	itemOf,
	itemsField,
	sheetField,
} from '../columns';
import type { CellFormat, CellOutcome, CellProblem } from '../cells';
import { clean, readable, readCell } from '../cells';
import type {
	Column,
	CustomerCell,
	Explanation,
	GivenValues,
	ItemColumns,
	Profile,
	Roles,
} from '../columns';
import { hasWord, isNamed, isTax } from '../table';
import type { Statements } from '../statements';
import { notValid } from '../../../shared/result';
import type { Steps } from '../../../shared/steps';
import { stepTimer } from '../../../shared/steps';
import type { Line, Table } from '../table';
import { leavesOut } from './values';

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
	readonly totals: Array<{ header: string; value: string }>;
	/** Cells of stated totals that are no amounts. */
	readonly unreadTotals: Array<{ header: string; text: string }>;
	/** Several, if amounts stand side by side. `undefined`: they cannot be billed. */
	readonly items?: readonly RowItem[];
	/** The stated total is a rounding away from price times quantity, and not to the nearest hundredth. */
	readonly isRounded?: boolean;
}

/** `header`: the column of its amount, if several stand side by side. */
interface RowItem extends CountedItem {
	header?: string;
}

/**
 * Why a line is not billed. `sum`: a total. `note`: no amount and no customer. `value`: a column says so. `nothing`: all its amounts are
 * empty or 0.
 */
export interface LeftOut {
	line: Line;
	at: number;
	why: 'sum' | 'note' | 'value' | 'nothing';
	name: string;
	amount?: number;
	/** What the rows above come to, if a total says otherwise. */
	sum?: number;
	/** It stands below a sum of several customers, and names none. */
	isBelowAll?: boolean;
}

/** To rank and compare; what is billed is exact. */
export function amountOf(row: Row): number {
	const amount = amounts.get(row) ?? Number(`${totalOf(row.items ?? [])}`);
	amounts.set(row, amount);
	return amount;
}
const amounts = new WeakMap<Row, number>();
export const sumOf = (rows: readonly Row[]) => rows.reduce((sum, row) => sum + amountOf(row), 0);

const deferredFields = ['terms', 'invoiceDate'];

interface RowSettings {
	given: GivenValues;
	read: ReadCell;
	defaults: { itemName?: string; itemAmount?: string };
	/** What items are called for want of a name. */
	calledLike?: string;
	zone: string;
}

const isOfCustomer = (name: string) => name === 'customerId' || name === 'customerEmail';

type CellOf = (column: Column, at: number) => unknown;
type ReadCell = (field: string, column: Column, cell: unknown) => CellOutcome;

/** Reads the cells of columns. In a long sheet most stand there several times, so each different one is read once. */
export function cellReader(formats: ReadonlyMap<Column, CellFormat>, zone: string): ReadCell {
	const known = new Map<string, Map<unknown, CellOutcome>>();
	return (field, column, cell) => {
		const key = `${field} ${column.at}`;
		const outcomes = known.get(key) ?? new Map<unknown, CellOutcome>();
		known.set(key, outcomes);
		if (!outcomes.has(cell))
			outcomes.set(
				cell,
				readCell(sheetField(field), cell, formats.get(column) ?? plainFormat, { zone }),
			);
		return outcomes.get(cell);
	};
}

/** No other cells tell how a given number is written. */
const plainFormat: CellFormat = { numbers: { isMixed: true }, formats: [] };

/** `isEmpty`: it has no amount to bill. */
interface LineRead {
	row: Row;
	isEmpty: boolean;
}

/**
 * Reads a line. Its items are what price, total and quantity make, and each further amount side by side, but for those that are empty or 0.
 */
export function rowOf(
	line: Line,
	at: number,
	roles: Roles,
	{ cellOf, settings }: { cellOf: CellOf; settings: RowSettings },
): LineRead {
	const read = readLine(line, at, roles, { cellOf, settings });
	const columns = columnsOf(roles, itemsField);
	const { given, defaults } = settings;
	const isPriced =
		columnsOf(roles, 'itemAmount', 'itemTotal').length > 0 ||
		given.has('itemAmount') ||
		given.has('itemTotal');
	if (columns.length === 0) return { row: withItem(read, settings), isEmpty: false };
	const row = isPriced ? withItem(read, settings) : read;
	const amounts = columns.flatMap((column) => {
		const cell = settings.read(itemsField, column, cellOf(column, at));
		return cell && !(cell.ok && Number(cell.value) === 0) ? [{ column, read: cell }] : [];
	});
	if (amounts.length || isPriced)
		return { row: withAmounts(row, amounts, isPriced), isEmpty: false };
	if (defaults.itemAmount !== undefined) return { row: withItem(row, settings), isEmpty: false };
	const stated = row.totals.find(({ value }) => Number(value) !== 0);
	if (!stated) return { row, isEmpty: true };
	const headers = columns.map(({ header }) => header).join(', ');
	const text = `${headers} are empty, but ${stated.header} says ${stated.value}`;
	row.problems.push({ row: line.number, text });
	return { row, isEmpty: false };
}

/** With the item that its price, total and quantity make. */
function withItem(row: Row, { defaults, calledLike }: RowSettings): Row {
	const { values, invalid, problems } = row;
	const has = (name: string) => values.has(name) || invalid.has(name);
	if (!has('itemAmount') && !values.has('itemTotal') && defaults.itemAmount !== undefined)
		values.set('itemAmount', defaults.itemAmount);
	const name = defaults.itemName ?? calledLike;
	if (!has('itemName') && name !== undefined) values.set('itemName', name);
	const { item, isRounded, problems: own } = itemOf(row);
	problems.push(...own.map((text) => ({ row: row.number, text })));
	return { ...row, isRounded, items: item && [item] };
}

/** With the figures that make up its amount behind the name of its item: `Filter (2 x 15.00, less 10%)`. */
export function withFigures(row: Row, explanation: Explanation): Row {
	const [item, ...others] = row.items ?? [];
	const figures = isTold(explanation) ? figuresAt(explanation, row.at) : undefined;
	if (
		(item as RowItem | undefined) === undefined ||
		item.count !== undefined ||
		figures === undefined
	)
		return row;
	return item.quantity === 1 ? { ...row, items: [{ ...item, count: figures }, ...others] } : row;
}

type Amount = { column: Column; read: Exclude<CellOutcome, undefined> };

/** With an item for each amount, which is called like its column. */
function withAmounts(row: Row, amounts: readonly Amount[], isPriced: boolean): Row {
	const items: RowItem[] = [];
	for (const { column, read } of amounts) {
		const { header, title, headerCurrency } = column;
		if (!read.ok) {
			row.problems.push(...read.problems.map((text) => ({ row: row.number, header, text })));
			continue;
		}
		row.currencies.push(...[read.currency, headerCurrency].flatMap((one) => one ?? []));
		const own = isPriced ? '' : String(row.values.get('itemName') ?? '');
		// Nobody knows what a subtotal is for.
		const name = [own && isNamed('total', header) ? '' : title, own].filter(Boolean).join(', ');
		items.push({ name, amount: String(read.value), quantity: 1, header });
	}
	if (items.length < amounts.length || (isPriced && !row.items))
		return { ...row, items: undefined };
	return { ...row, items: [...(row.items ?? []), ...items] };
}

/** Reads the cells of a line, but not amounts side by side. A field takes the first of its columns that is filled. */
function readLine(
	line: Line,
	at: number,
	roles: Roles,
	{ cellOf, settings: { given, read, zone } }: { cellOf: CellOf; settings: RowSettings },
): Row {
	const row: Row = {
		line,
		at,
		number: line.number,
		values: new Map(),
		invalid: new Set(),
		problems: [],
		deferred: new Map(),
		currencies: [],
		customers: [],
		totals: [],
		unreadTotals: [],
	};
	const has = (name: string) => row.values.has(name) || row.invalid.has(name);
	const put = (name: string, outcome: CellOutcome, header?: string) => {
		if (!outcome) return;
		if (!outcome.ok) {
			const own = outcome.problems.map((text) => ({ row: line.number, header, text }));
			if (deferredFields.includes(name)) row.deferred.set(name, own);
			else {
				row.invalid.add(name);
				row.problems.push(...own);
			}
			return;
		}
		row.values.set(name, outcome.value);
		if (outcome.currency) row.currencies.push(outcome.currency);
	};
	for (const [name, valueOf] of given) {
		try {
			const value = valueOf(line.index);
			if (isOfCustomer(name) && !isEmpty(value))
				row.customers.push({ text: readable(String(value)), isEmail: name === 'customerEmail' });
			else put(name, readCell(sheetField(name), value, plainFormat, { zone }));
		} catch (error) {
			const text = `${sheetField(name).displayName} cannot be read: ${(error as Error).message}`;
			put(name, notValid([text]));
		}
	}
	for (const [name, all] of roles.fields) {
		if (given.has(name) || name === itemsField) continue;
		for (const column of all) {
			const cell = cellOf(column, at);
			if (isEmpty(cell)) continue;
			const { header, headerCurrency } = column;
			if (isOfCustomer(name)) {
				const rest =
					name === 'customerId' && roles.restOfName ? cellOf(roles.restOfName, at) : undefined;
				const parts = [clean(cell), clean(rest)].filter((part) => !isEmpty(part));
				const text = readable(parts.join(' '));
				row.customers.push({ text, header, isEmail: name === 'customerEmail' });
				continue;
			}
			const outcome = read(name, column, cell);
			if (name !== 'total') {
				if (!has(name)) put(name, outcome, header);
				if (headerCurrency && sheetField(name).isMoney) row.currencies.push(headerCurrency);
			} else if (outcome?.ok) {
				row.totals.push({ header, value: String(outcome.value) });
				if (outcome.currency) row.currencies.push(outcome.currency);
			} else if (outcome) row.unreadTotals.push({ header, text: readable(String(clean(cell))) });
		}
	}
	return row;
}

/**
 * Without a column for it, an item is called like the column of its price: `Rent`. Nobody knows what `Total due` is for: it is called like the
 * parts that make it up, or like the title above the headers.
 */
export function nameOfPrice(
	{ fields }: Roles,
	explanation: Explanation | undefined,
	[above]: readonly string[],
): string | undefined {
	const [price] = fields.get('itemAmount') ?? fields.get('itemTotal') ?? [];
	if (fields.has('itemName') || (price as Column | undefined) === undefined) return undefined;
	const isWhole = explanation?.whole === price;
	if (!isWhole && !isCalledTotal(price.header)) return price.title;
	const { factors = [], terms = [] } = explanation ?? {};
	const added = terms.flatMap(({ column, isLess }) => (isLess ? [] : [column]));
	const parts = factors.length > 1 || !isWhole ? [] : [...factors, ...added];
	const named = parts.filter((one) => !isTax(one) && !isCalledTotal(one.header));
	return named.map(({ title }) => title).join(', ') || above || price.title;
}

/** A title, a heading or a footnote, whichever column it stands in. */
const isAlone = (columns: readonly Column[], at: number) =>
	columns.filter(({ looks }) => looks[at] !== undefined).length < 2;

/** What tells lines apart. */
interface Parting extends Pick<Statements, 'values' | 'rowsLeftOut'> {
	/** Every line has an amount, whatever its cells say. */
	hasAmountAnyway: boolean;
	isCustomer(text: string): boolean;
}

/** `kept`: the lines that may be billed. `blockEnds`: sums of several customers, below which rows belong to nobody above. */
export interface PartedLines {
	kept: number[];
	leftOut: LeftOut[];
	blockEnds: ReadonlySet<number>;
}

/** What the rows above come to: what a total can say. */
class SumsAbove {
	all = 0;
	sinceTotal = 0;
	/** Of the last customer, or the last invoice. A row that names none belongs to that of the row above. */
	ofLast = 0;
	/** With the rows that a column leaves out, and those of everybody. */
	whole = 0;
	/** How many customers there were, one after the other. */
	private owners = 0;
	private readonly lastOwner = new Map<Column, string>();

	constructor(private readonly columns: readonly Column[]) {}

	add(at: number, amount: number): void {
		const named = this.columns.flatMap((column) => {
			const text = column.looks[at]?.text;
			return text === undefined ? [] : [{ column, text }];
		});
		const isOther = named.some(({ column, text }) => (this.lastOwner.get(column) ?? text) !== text);
		if (isOther || this.owners === 0) {
			this.lastOwner.clear();
			this.owners += 1;
			this.ofLast = 0;
		}
		for (const { column, text } of named) this.lastOwner.set(column, text);
		this.all += amount;
		this.sinceTotal += amount;
		this.ofLast += amount;
		this.whole += amount;
	}

	/** Whether a total is of several customers, unless it is what the last one's rows come to. */
	isOfSeveral = (stated = 0): boolean => this.owners > 1 && !isNear(stated, this.ofLast);
}

/**
 * Splits lines into those that may be billed and those that are no items: sums, notes, and lines that a column excludes. A sum of several
 * customers belongs to none of them, and neither does what stands below it without a customer of its own, such as a tax of all.
 */
export function* partLines(
	{ lines }: Table,
	roles: Roles,
	{ columns, byHeader }: Profile,
	{ values, rowsLeftOut, hasAmountAnyway, isCustomer }: Parting,
): Steps<PartedLines> {
	const numbers = columnsOf(roles, 'invoiceNumber');
	const payers = columnsOf(roles, 'customerId', 'customerEmail');
	const owners = [...payers, ...numbers];
	const names = columnsOf(roles, 'itemName');
	const items = columnsOf(roles, itemsField);
	const totals = columnsOf(roles, 'total');
	const money = [...columnsOf(roles, 'itemAmount', 'itemTotal'), ...items, ...totals];
	const ofItem: ItemColumns = Object.fromEntries(
		itemNumbers.map((field) => [field, roles.fields.get(field)?.[0]]),
	);
	const isFilled = (those: Column[], at: number) =>
		those.some(({ looks }) => looks[at] !== undefined);
	const last = lines.length - 1;
	const kept: number[] = [];
	const leftOut: LeftOut[] = [];
	const sums = new SumsAbove(owners);
	const blockEnds = new Set<number>();
	let isBelowAll = false;
	const isLong = stepTimer();
	for (const [at, line] of lines.entries()) {
		if (isLong()) yield;
		const textIn = (header: string) => byHeader.get(header)?.looks[at]?.text;
		const excluding = values.find((value) => leavesOut(value, textIn(value.header)));
		const texts = columns.flatMap(({ looks }) =>
			looks[at]?.kind === 'text' ? [looks[at].text] : [],
		);
		const called = names.flatMap(({ looks }) => looks[at]?.text ?? []);
		const totalName = [...texts.slice(0, 3), ...called].find(isTotalName);
		const numbersIn = (those: readonly Column[]) =>
			those.map((one) => one.numbers[at]).filter((one) => !Number.isNaN(one));
		const beside = numbersIn(items).reduce((all, one) => all + one, 0);
		const own = (amountAt(ofItem, at) || 0) + beside;
		// Of amounts side by side, their sum and the stated total.
		const stated = numbersIn(items).length
			? [own, ...numbersIn(totals)]
			: numbersIn(money).slice(0, 1);
		const [amount] = stated as Array<number | undefined>;
		const isSumOf = (others: number[], one: number, added = 0) =>
			others.some((other) => other !== 0 && isNear(one, other, added));
		const isSum =
			stated.length > 0 &&
			stated.every((one) => isSumOf([sums.all, sums.sinceTotal], one, kept.length));
		const hasOwner = owners.some(({ looks }) => looks[at] && !isTotalName(looks[at].text));
		isBelowAll &&= !hasOwner;
		const isAbove = ({ looks }: Column) => kept.some((row) => looks[row]?.text === looks[at]?.text);
		/** A row with a customer or a number of its own is no sum, whatever adds up. */
		const isOfOwn = () =>
			payers.some((one) => one.looks[at] && !isAbove(one) && isCustomer(one.looks[at].text)) ||
			numbers.some((one) => one.looks[at] && !isAbove(one) && !isTotalName(one.looks[at].text));
		const isCalled = totalName !== undefined && (!hasOwner || (isSum && !isOfOwn()));
		const isLastSum =
			at === last &&
			kept.length > 2 &&
			isSum &&
			called.length === 0 &&
			!owners.some((one) => one.looks[at] && isAbove(one)) &&
			!isOfOwn();
		const leaveOut = (why: LeftOut['why'], name: string, more?: Partial<LeftOut>) =>
			leftOut.push({ line, at, why, name, amount, ...more });
		if (excluding) {
			const { header } = excluding;
			leaveOut('value', `${header}: ${textIn(header) ?? 'empty'}`);
			sums.whole += own;
		} else if (rowsLeftOut !== 'none' && (isCalled || isLastSum)) {
			const isTax = texts.some((text) => hasWord(text, 'taxes'));
			const { all, sinceTotal, ofLast, whole } = sums;
			const wrong = stated.find((one) => !isSumOf([all, sinceTotal, ofLast, whole], one));
			const isWrong = wrong !== undefined && all > 0 && !isTax;
			leaveOut('sum', totalName ?? texts[0] ?? '', isWrong ? { sum: all, amount: wrong } : {});
			isBelowAll ||= sums.isOfSeveral(amount);
			if (isBelowAll) blockEnds.add(at);
			sums.sinceTotal = 0;
		} else if (isBelowAll && texts.length > 0 && isFilled(money, at)) {
			leaveOut('sum', texts[0], { isBelowAll });
			sums.whole += own;
		} else if (!hasAmountAnyway && !isFilled(money, at) && (!hasOwner || isAlone(columns, at)))
			leaveOut('note', texts[0] ?? '');
		else {
			kept.push(at);
			sums.add(at, own);
		}
	}
	return { kept, leftOut, blockEnds };
}
