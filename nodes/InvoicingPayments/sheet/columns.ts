import type { IDataObject, IExecuteFunctions, ResourceMapperValue } from 'n8n-workflow';
import { referenceIn } from '../../shared/fields/plainValue';
import { hasKnownAccents, moneyHeader, plainHeader } from './headers';
import { namesAmount, namesOtherMoney } from './headerKinds';
import type { RowField } from './rowFields';
import { bareAmount, rowField, rowFields } from './rowFields';
import type { RowSettings } from './rowSettings';
import type { TotalKind } from './words/fieldHeaders';
import { countsUnits, isPricedTime, pricedNoun, pricedUnit } from './units';
import { totalsOf } from './words';
import { totalHeaders } from './words/fieldHeaders';

export interface FieldColumn {
	field: RowField;
	/** The column of the sheet. `undefined` for fixed values and expressions. */
	header?: string;
	/** The currency in the header: `Unit Price (EUR)`. */
	currency?: string;
	/** Whether it is one value for all rows. */
	isFixed?: boolean;
	/** Whether it is a price for an hour, a day or a night. */
	isPerTime?: boolean;
	/** Whether it may be the line total as well: all quantities are 1. */
	isEither?: boolean;
	/** Whether a total stands in for the price, because there is no other amount. */
	isWholeTotal?: boolean;
	read(row: IDataObject, index: number): unknown;
}

/** A column of totals, to be compared with the computed sums. */
export interface TotalColumn {
	header: string;
	kind: TotalKind;
	currency?: string;
}

export interface Columns {
	/** If several columns fill a field, the more specific one comes first. */
	fields: FieldColumn[];
	totals: TotalColumn[];
	/** Headers that no field or total takes. */
	unmapped: string[];
	ignored: string[];
	/** Unmapped headers that turned out to be part of the quantity. */
	factors?: string[];
	group?: string;
}

/** Headers of all rows in order. Readers omit empty cells, so one row is not enough. */
export function headersIn(rows: IDataObject[]): string[] {
	const headers = new Set<string>();
	for (const row of rows) for (const header of Object.keys(row)) headers.add(header);
	return [...headers];
}

export const columnList = (headers: string[]) =>
	`The columns are ${headers.map((header) => `"${header}"`).join(', ') || 'none'}`;

export const mappingOf = (context: IExecuteFunctions) =>
	(context.getNode().parameters.columns ?? {}) as Partial<ResourceMapperValue>;

export function isMappedByHand(context: IExecuteFunctions): boolean {
	const { columnsMode } = context.getNode().parameters;
	if (columnsMode !== undefined) return columnsMode === 'manual';
	return mappingOf(context).mappingMode === 'defineBelow';
}

/** Maps the columns as the Columns parameter says: by headers, or by hand. */
export function columnsOf(
	context: IExecuteFunctions,
	headers: string[],
	{ used: ignored }: IgnoredColumns,
	group?: string,
): Columns {
	const { value } = mappingOf(context);
	const seen = headers.filter((header) => !ignored.includes(header));
	const columns = isMappedByHand(context)
		? mapByHand(context, value ?? {}, seen)
		: mapByHeader(seen, group);
	const isUnmapped = (header: string) => header !== group && header !== 'row_number';
	return {
		...columns,
		unmapped: columns.unmapped.filter(isUnmapped),
		ignored,
		...(group !== undefined && { group }),
	};
}

/** Ignored columns, and those that do not exist in the sheet. */
export interface IgnoredColumns {
	used: string[];
	unknown: string[];
}

/** Ignores case and spaces. */
export const lowerHeader = (header: string) => header.trim().replace(/\s+/g, ' ').toLowerCase();

/** n8n inserts a dragged column as a path: `['Tax Amount']`. */
const headerIn = (text: string) => /^\[\s*['"](.*)['"]\s*\]$/.exec(text.trim())?.[1] ?? text;

/** Parses headers as errors list them: `Tax, "Fees, other", ""`. */
const listIn = (text: string): string[] =>
	[...text.matchAll(/\s*(?:"((?:[^"]|"")*)"|([^,]*))\s*(?:,|$)/g)].flatMap(([, quoted, bare]) => {
		if (quoted !== undefined) return [quoted.replace(/""/g, '"')];
		return bare.trim() ? [bare.trim()] : [];
	});

export function ignoredIn(headers: string[], { ignoreColumns = [] }: RowSettings): IgnoredColumns {
	const find = (text: string) =>
		headers.filter((header) => lowerHeader(header) === lowerHeader(text));
	const wanted = ignoreColumns
		.map(headerIn)
		.filter((text) => text.trim())
		// A header may itself contain a comma.
		.flatMap((text) => (find(text).length ? [text] : listIn(text)));
	return {
		used: headers.filter((header) =>
			wanted.some((text) => lowerHeader(text) === lowerHeader(header)),
		),
		unknown: wanted.filter((text) => find(text).length === 0),
	};
}

const fields = [...rowFields, bareAmount];
const totals = new Map(
	(Object.keys(totalHeaders) as TotalKind[]).flatMap((kind) =>
		totalsOf(kind).map((header) => [plainHeader(header), kind] as const),
	),
);

interface FieldMatch {
	field: RowField;
	/** 0 is the most specific. */
	rank: number;
	currency?: string;
}

type HeaderMatch = FieldMatch & { header: string };

function matchOf(header: string, names: 'headers' | 'fallbacks'): FieldMatch | undefined {
	const whole = plainHeader(header);
	const money = moneyHeader(header);
	if (!hasKnownAccents(money?.name ?? header)) return undefined;
	for (const field of fields) {
		const name = field.isMoney ? money?.plain : whole;
		const rank = name === undefined ? -1 : field[names].indexOf(name);
		if (rank >= 0) {
			const currency = field.isMoney ? money?.currency : undefined;
			return { field, rank, ...(currency && { currency }) };
		}
	}
	if (names === 'headers' || !money || pricedUnit(money.name) === undefined) return undefined;
	const { currency } = money;
	return { field: rowField('itemAmount'), rank: Infinity, ...(currency && { currency }) };
}

/** The field that a header stands for. */
export const fieldOf = (header: string): FieldMatch | undefined =>
	matchOf(header, 'headers') ?? matchOf(header, 'fallbacks');

type Mapped = Pick<Columns, 'fields' | 'totals' | 'unmapped'>;

/** Whether the field changes an invoice's total. */
export const feedsFigures = ({ name, isMoney }: RowField) =>
	isMoney || name === 'itemQuantity' || name === 'discountPercentage';

/** Maps columns by their headers, ignoring case, spaces and punctuation. */
export function mapByHeader(headers: string[], group?: string): Mapped {
	const matches = (names: 'headers' | 'fallbacks', open: string[]) =>
		open.flatMap((header) => {
			const match = matchOf(header, names);
			return match ? [{ header, ...match }] : [];
		});
	const first = matches('headers', headers);
	const isOpen = (header: string) =>
		header !== group && !first.some((one) => one.header === header) && !kindOfTotal(header);
	const second = matches('fallbacks', headers.filter(isOpen)).filter(
		({ field, rank }, _at, all) =>
			!first.some((one) => saysTheSame(one.field, field)) &&
			all.every((one) => one.field !== field || one.rank >= rank),
	);
	const found = [...first, ...second, ...countOf([...first, ...second], headers.filter(isOpen))];
	const mapped = fields.flatMap((field) =>
		found
			.filter((one) => one.field === field)
			.sort((a, b) => a.rank - b.rank)
			.map(({ header, currency }) => fieldColumn(field, header, currency)),
	);
	const rest = restOf(headers, new Set(found.map(({ header }) => header)));
	const total =
		rest.totals.find(({ kind }) => kind === 'invoiceOrRow') ??
		rest.totals.find(({ kind }) => kind === 'invoice');
	const isMoneyThere =
		mapped.some(({ field }) => feedsFigures(field) && field.name !== 'itemQuantity') ||
		rest.unmapped.some((header) => namesAmount(header) || namesOtherMoney(header));
	if (!total || isMoneyThere) return { fields: mapped, ...rest };
	const whole = fieldColumn(rowField('itemTotal'), total.header, total.currency);
	const others = rest.totals.filter((one) => one !== total);
	return { fields: [...mapped, { ...whole, isWholeTotal: true }], ...rest, totals: others };
}

/** Finds the quantity by its unit: `Lessons` beside `Price per lesson`, or the pair `Ticket Price` and `Tickets`. */
function countOf(found: HeaderMatch[], open: string[]): HeaderMatch[] {
	if (found.some(({ field }) => field.name === 'itemQuantity')) return [];
	const isFree = (header: string) => !found.some((one) => one.header === header);
	const free = open.filter(isFree);
	const quantity = (header: string): HeaderMatch => ({
		header,
		field: rowField('itemQuantity'),
		rank: 0,
	});
	const price = found.find(({ field }) => field.name === 'itemAmount');
	if (price) {
		const unit = pricedUnit(price.header);
		const header = unit && free.find((one) => countsUnits(one, unit));
		return header ? [quantity(header)] : [];
	}
	if (found.some(({ field }) => prices.includes(field.name))) return [];
	for (const header of free) {
		const money = moneyHeader(header);
		const noun = money && pricedNoun(money.name);
		const counting = noun && free.find((one) => one !== header && countsUnits(one, noun));
		if (!counting) continue;
		const { currency } = money;
		const priced = {
			header,
			field: rowField('itemAmount'),
			rank: 0,
			...(currency && { currency }),
		};
		return [priced, quantity(counting)];
	}
	return [];
}

/** Fields with the cost of an item. A sheet needs one of them. */
const prices = ['itemAmount', 'itemTotal', bareAmount.name];
const saysTheSame = (one: RowField, other: RowField) =>
	one === other || (prices.includes(one.name) && prices.includes(other.name));

const fieldColumn = (field: RowField, header: string, currency?: string): FieldColumn => ({
	field,
	header,
	...(currency && { currency }),
	...(field.name === 'itemAmount' && isPricedTime(header) && { isPerTime: true }),
	read: (row) => cellOf(row, header),
});

const kindOfTotal = (header: string) =>
	totals.get(moneyHeader(header)?.plain ?? '') ?? totals.get(plainHeader(header));

function restOf(headers: string[], used: Set<string>): Pick<Columns, 'totals' | 'unmapped'> {
	const rest = headers.filter((header) => !used.has(header));
	const sums = rest.flatMap((header): TotalColumn[] => {
		const kind = kindOfTotal(header);
		const currency = moneyHeader(header)?.currency;
		return kind ? [{ header, kind, ...(currency && { currency }) }] : [];
	});
	return {
		totals: sums,
		unmapped: rest.filter((header) => !sums.some((one) => one.header === header)),
	};
}

/** The column in an expression that is only `{{ $json.Amount }}` or `{{ $json["Due Date"] }}`. */
export const columnIn = (expression: string): string | undefined =>
	expression.startsWith('=') ? referenceIn(`=${expression.slice(1).trim()}`) : undefined;

/** The conditions of an expression, before a question mark or first in an `if`: they choose, but add no figure. */
const conditions = /[^?{}()]*\?(?![.?])|\bif\s*\([^,]*,/g;

/** The columns whose figures an expression uses. Empty if it may use any. */
function columnsIn(expression: string): string[] {
	const names: string[] = [];
	const rest = expression
		.replace(conditions, ' ')
		.replace(
			/\bjson\s*(?:\?\.|\.)?\s*(?:([A-Za-z_$][\w$]*)|\[\s*(?:"([^"\\]*)"|'([^'\\]*)')\s*\])/g,
			(_all, ...found: Array<string | undefined>) => {
				names.push(...found.slice(0, 3).filter((name): name is string => typeof name === 'string'));
				return '';
			},
		);
	return /\bjson\b/.test(rest) ? [] : names;
}

function mapByHand(context: IExecuteFunctions, values: IDataObject, headers: string[]): Mapped {
	const used = new Set<string>();
	const mapped = rowFields.flatMap((field): FieldColumn[] => {
		const value = values[field.name];
		if (value === undefined || value === null || value === '') return [];
		if (typeof value !== 'string' || !value.startsWith('=')) {
			return [{ field, isFixed: true, read: () => value }];
		}
		const header = columnIn(value);
		// Shortcut: evaluating an expression takes n8n about a millisecond.
		if (header !== undefined) {
			used.add(header);
			return [
				fieldColumn(field, header, field.isMoney ? moneyHeader(header)?.currency : undefined),
			];
		}
		if (feedsFigures(field)) for (const name of columnsIn(value)) used.add(name);
		const name = `columns.value.${field.name}`;
		return [{ field, read: (_row, index) => context.getNodeParameter(name, index, '') }];
	});
	return { fields: mapped, ...restOf(headers, used) };
}

/** Whether a column, a value or an expression fills the field. */
export const isMapped = ({ fields: mapped }: Pick<Columns, 'fields'>, name: string) =>
	mapped.some(({ field }) => field.name === name);

/** A cell by its header, without inherited properties such as `constructor`. */
export const cellOf = (row: IDataObject, header: string) =>
	Object.prototype.hasOwnProperty.call(row, header) ? row[header] : undefined;
