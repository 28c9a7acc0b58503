import type { IDataObject, IExecuteFunctions, ResourceMapperValue } from 'n8n-workflow';
import { referenceIn } from '../../shared/fields/plainValue';
import { hasKnownAccents, moneyHeader, namesAmount, namesOtherMoney, plainHeader } from './headers';
import { quotedList } from './problems';
import type { RowField } from './rowFields';
import { bareAmount, rowField, rowFields } from './rowFields';
import type { RowSettings } from './rowSettings';
import { countsUnits, isPricedTime, pricedNoun, pricedUnit } from './units';
import { totalsOf } from './words';
import type { TotalKind } from './words/fieldHeaders';
import { totalHeaders } from './words/fieldHeaders';

export interface FieldColumn {
	field: RowField;
	/** The column of the sheet. `undefined` for fixed values and expressions. */
	header?: string;
	/** The currency in the header: `Unit Price (EUR)`. */
	currency?: string;
	/**
	 * `fixed`: one value for all rows. `perTime`: a price for an hour, a day or a night. `either`: as all quantities are 1, a
	 * price may be the line total as well. `wholeTotal`: a total stands in for the price, because there is no other amount.
	 */
	role?: 'fixed' | 'perTime' | 'either' | 'wholeTotal';
	read(row: IDataObject, index: number): unknown;
}

export interface TotalColumn {
	header: string;
	kind: TotalKind;
	currency?: string;
}

export interface Columns {
	/** If several columns fill a field, the more specific one comes first. */
	fields: FieldColumn[];
	totals: TotalColumn[];
	unmapped: string[];
	ignored: string[];
	/** Unmapped headers that turned out to be part of the quantity. */
	factors?: string[];
	group?: string;
}

type Mapped = Pick<Columns, 'fields' | 'totals' | 'unmapped'>;

/** Maps the columns as the Columns parameter says: by headers, or by hand. */
export function columnsOf(
	context: IExecuteFunctions,
	headers: string[],
	{ used: ignored }: IgnoredColumns,
	group?: string,
): Columns {
	const usable = headers.filter((header) => !ignored.includes(header));
	const columns = isMappedByHand(context) ? mapByHand(context, usable) : mapByHeader(usable, group);
	const isUnmapped = (header: string) => header !== group && header !== 'row_number';
	return { ...columns, unmapped: columns.unmapped.filter(isUnmapped), ignored, group };
}

export function isMappedByHand(context: IExecuteFunctions): boolean {
	const { columnsMode } = context.getNode().parameters;
	if (columnsMode !== undefined) return columnsMode === 'manual';
	return mappingOf(context).mappingMode === 'defineBelow';
}

export const mappingOf = (context: IExecuteFunctions) =>
	(context.getNode().parameters.columns ?? {}) as Partial<ResourceMapperValue>;

/** Headers of all rows in order. Readers omit empty cells, so one row is not enough. */
export function headersIn(rows: IDataObject[]): string[] {
	const headers = new Set<string>();
	for (const row of rows) for (const header of Object.keys(row)) headers.add(header);
	return [...headers];
}

export const columnList = (headers: string[]) => `The columns are ${quotedList(headers) || 'none'}`;

/** A cell by its header, without inherited properties such as `constructor`. */
export const cellOf = (row: IDataObject, header: string) =>
	Object.prototype.hasOwnProperty.call(row, header) ? row[header] : undefined;

export const isMapped = (columns: Columns, name: string) =>
	columns.fields.some(({ field }) => field.name === name);

export interface IgnoredColumns {
	used: string[];
	unknown: string[];
}

export function ignoredIn(headers: string[], { ignoreColumns = [] }: RowSettings): IgnoredColumns {
	const known = new Set(headers.map(lowerHeader));
	const isKnown = (text: string) => known.has(lowerHeader(text));
	const wanted = ignoreColumns
		.map(headerIn)
		.filter((text) => text.trim())
		.flatMap((text) => (isKnown(text) ? [text] : listIn(text)));
	const ignored = new Set(wanted.map(lowerHeader));
	return {
		used: headers.filter((header) => ignored.has(lowerHeader(header))),
		unknown: wanted.filter((text) => !isKnown(text)),
	};
}

export const lowerHeader = (header: string) => header.trim().replace(/\s+/g, ' ').toLowerCase();

/** n8n inserts a dragged column as a path: `['Tax Amount']`. */
const headerIn = (text: string) => /^\[\s*['"](.*)['"]\s*\]$/.exec(text.trim())?.[1] ?? text;

/** Parses headers as errors list them: `Tax, "Fees, other", ""`. */
const listIn = (text: string): string[] =>
	[...text.matchAll(/\s*(?:"((?:[^"]|"")*)"|([^,]*))\s*(?:,|$)/g)].flatMap(([, quoted, bare]) => {
		if (quoted !== undefined) return [quoted.replace(/""/g, '"')];
		return bare.trim() ? [bare.trim()] : [];
	});

const fields = [...rowFields, bareAmount];

interface FieldMatch {
	header: string;
	field: RowField;
	/** 0 is the most specific. */
	rank: number;
	currency?: string;
}

export const fieldOf = (header: string): FieldMatch | undefined =>
	matchOf(header, 'headers') ?? matchOf(header, 'fallbacks');

function matchOf(header: string, names: 'headers' | 'fallbacks'): FieldMatch | undefined {
	const whole = plainHeader(header);
	const money = moneyHeader(header);
	if (!hasKnownAccents(money?.name ?? header)) return undefined;
	for (const field of fields) {
		const name = field.isMoney ? money?.plain : whole;
		const rank = name === undefined ? -1 : field[names].indexOf(name);
		const currency = field.isMoney ? money?.currency : undefined;
		if (rank >= 0) return { header, field, rank, currency };
	}
	if (names === 'headers' || !money || pricedUnit(money.name) === undefined) return undefined;
	return { header, field: rowField('itemAmount'), rank: Infinity, currency: money.currency };
}

/** Whether the field changes an invoice's total. */
export const feedsFigures = ({ name, isMoney }: RowField) =>
	isMoney || name === 'itemQuantity' || name === 'discountPercentage';

export function mapByHeader(headers: string[], group?: string): Mapped {
	const first = headers.flatMap((header) => matchOf(header, 'headers') ?? []);
	const isOpen = (header: string) =>
		header !== group && !first.some((one) => one.header === header) && !kindOfTotal(header);
	const open = headers.filter(isOpen);
	const fallbacks = open.flatMap((header) => matchOf(header, 'fallbacks') ?? []);
	const second = fallbacks.filter(
		({ field, rank }) =>
			!first.some((one) => saysTheSame(one.field, field)) &&
			fallbacks.every((one) => one.field !== field || one.rank >= rank),
	);
	const found = [...first, ...second, ...quantityByUnit([...first, ...second], open)];
	const mapped = fields.flatMap((field) =>
		found
			.filter((one) => one.field === field)
			.sort((a, b) => a.rank - b.rank)
			.map(({ header, currency }) => fieldColumn(field, header, currency)),
	);
	return withTotalAsPrice({
		fields: mapped,
		...restOf(headers, new Set(found.map(({ header }) => header))),
	});
}

/** Fields with the cost of an item. A sheet needs one of them. */
const prices = ['itemAmount', 'itemTotal', bareAmount.name];
const saysTheSame = (one: RowField, other: RowField) =>
	one === other || (prices.includes(one.name) && prices.includes(other.name));

/** Finds the quantity by its unit: `Lessons` beside `Price per lesson`, or the pair `Ticket Price` and `Tickets`. */
function quantityByUnit(found: FieldMatch[], open: string[]): FieldMatch[] {
	if (found.some(({ field }) => field.name === 'itemQuantity')) return [];
	const free = open.filter((header) => !found.some((one) => one.header === header));
	const counting = (unit: string | undefined, price: string): FieldMatch[] => {
		const header = unit && free.find((one) => one !== price && countsUnits(one, unit));
		return header ? [{ header, field: rowField('itemQuantity'), rank: 0 }] : [];
	};
	const price = found.find(({ field }) => field.name === 'itemAmount');
	if (price) return counting(pricedUnit(price.header), price.header);
	if (found.some(({ field }) => prices.includes(field.name))) return [];
	for (const header of free) {
		const money = moneyHeader(header);
		const [quantity] = counting(money && pricedNoun(money.name), header);
		if (!quantity) continue;
		const priced = { header, field: rowField('itemAmount'), rank: 0, currency: money?.currency };
		return [priced, quantity];
	}
	return [];
}

function withTotalAsPrice(mapped: Mapped): Mapped {
	const ofKind = (wanted: TotalKind) => mapped.totals.find(({ kind }) => kind === wanted);
	const total = ofKind('invoiceOrRow') ?? ofKind('invoice');
	const hasOtherMoney =
		mapped.fields.some(({ field }) => feedsFigures(field) && field.name !== 'itemQuantity') ||
		mapped.unmapped.some((header) => namesAmount(header) || namesOtherMoney(header));
	if (!total || hasOtherMoney) return mapped;
	const price = fieldColumn(rowField('itemTotal'), total.header, total.currency);
	return {
		...mapped,
		fields: [...mapped.fields, { ...price, role: 'wholeTotal' }],
		totals: mapped.totals.filter((one) => one !== total),
	};
}

const fieldColumn = (field: RowField, header: string, currency?: string): FieldColumn => ({
	field,
	header,
	currency,
	role: field.name === 'itemAmount' && isPricedTime(header) ? 'perTime' : undefined,
	read: (row) => cellOf(row, header),
});

function restOf(headers: string[], used: Set<string>): Pick<Columns, 'totals' | 'unmapped'> {
	const rest = headers.filter((header) => !used.has(header));
	return {
		totals: rest.flatMap((header): TotalColumn[] => {
			const kind = kindOfTotal(header);
			return kind ? [{ header, kind, currency: moneyHeader(header)?.currency }] : [];
		}),
		unmapped: rest.filter((header) => !kindOfTotal(header)),
	};
}

const kindOfTotal = (header: string) =>
	kindsOfTotals.get(moneyHeader(header)?.plain ?? '') ?? kindsOfTotals.get(plainHeader(header));

const kindsOfTotals = new Map(
	(Object.keys(totalHeaders) as TotalKind[]).flatMap((kind) =>
		totalsOf(kind).map((header) => [plainHeader(header), kind] as const),
	),
);

function mapByHand(context: IExecuteFunctions, headers: string[]): Mapped {
	const values = mappingOf(context).value ?? {};
	const used = new Set<string>();
	const mapped = rowFields.flatMap((field): FieldColumn[] => {
		const value = values[field.name];
		if (value === undefined || value === null || value === '') return [];
		if (typeof value !== 'string' || !value.startsWith('=')) {
			return [{ field, role: 'fixed', read: () => value }];
		}
		const header = columnIn(value);
		// Shortcut: evaluating an expression takes n8n about a millisecond.
		if (header !== undefined) {
			used.add(header);
			const currency = field.isMoney ? moneyHeader(header)?.currency : undefined;
			return [fieldColumn(field, header, currency)];
		}
		if (feedsFigures(field)) for (const name of columnsIn(value)) used.add(name);
		const name = `columns.value.${field.name}`;
		return [{ field, read: (_row, index) => context.getNodeParameter(name, index, '') }];
	});
	return { fields: mapped, ...restOf(headers, used) };
}

/** The column in an expression that is only `{{ $json.Amount }}` or `{{ $json["Due Date"] }}`. */
export const columnIn = (expression: string): string | undefined =>
	expression.startsWith('=') ? referenceIn(`=${expression.slice(1).trim()}`) : undefined;

/** The conditions of an expression, before a question mark or first in an `if`: they choose, but add no figure. */
const conditions = /[^?{}()]*\?(?![.?])|\bif\s*\([^,]*,/g;
const references =
	/\bjson\s*(?:\?\.|\.)?\s*(?:([A-Za-z_$][\w$]*)|\[\s*(?:"([^"\\]*)"|'([^'\\]*)')\s*\])/g;

/** The columns whose figures an expression uses. Empty if it may use any. */
function columnsIn(expression: string): string[] {
	const used = expression.replace(conditions, ' ');
	if (/\bjson\b/.test(used.replace(references, ''))) return [];
	return [...used.matchAll(references)].map(
		([, ...names]) => names.find((name) => name !== undefined) ?? '',
	);
}
