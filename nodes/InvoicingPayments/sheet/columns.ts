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
	/** The currency in the header: EUR in `Unit Price (EUR)`. */
	currency?: string;
	/**
	 * `fixed`: one value for all rows. `perTime`: a price for an hour, a day or a night. `either`: the unit price or the line
	 * total, which are equal if all quantities are 1. `wholeTotal`: a total used as the price, because there is no other amount.
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

/** Maps the columns by their headers or by hand, depending on the Columns parameter. */
export function columnsOf(
	context: IExecuteFunctions,
	headers: string[],
	{ matched: ignored }: IgnoredColumns,
	group?: string,
): Columns {
	const usable = headers.filter((header) => !ignored.includes(header));
	const columns = isMappedByHand(context) ? mapByHand(context, usable) : mapByHeader(usable, group);
	const isUnmapped = (header: string) => header !== group && header !== 'row_number';
	return { ...columns, unmapped: columns.unmapped.filter(isUnmapped), ignored, group };
}

export function isMappedByHand(context: IExecuteFunctions): boolean {
	return context.getNode().parameters.columnsMode === 'manual';
}

export const mappingOf = (context: IExecuteFunctions) =>
	(context.getNode().parameters.columns ?? {}) as Partial<ResourceMapperValue>;

/** The headers of all rows, in order. Nodes that read files omit empty cells, so one row is not enough. */
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
	matched: string[];
	unknown: string[];
}

export function ignoredIn(headers: string[], { ignoreColumns = [] }: RowSettings): IgnoredColumns {
	const known = new Set(headers.map(lowerHeader));
	const isKnown = (text: string) => known.has(lowerHeader(text));
	const requested = ignoreColumns
		.map(headerIn)
		.filter((text) => text.trim())
		.flatMap((text) => (isKnown(text) ? [text] : parseHeaderList(text)));
	const ignored = new Set(requested.map(lowerHeader));
	return {
		matched: headers.filter((header) => ignored.has(lowerHeader(header))),
		unknown: requested.filter((text) => !isKnown(text)),
	};
}

export const lowerHeader = (header: string) => header.trim().replace(/\s+/g, ' ').toLowerCase();

/** n8n inserts a dragged column as a path: `['Tax Amount']`. */
const headerIn = (text: string) => /^\[\s*['"](.*)['"]\s*\]$/.exec(text.trim())?.[1] ?? text;

/** Parses a list of headers in the format of our error messages: `Tax, "Fees, other", ""`. */
const parseHeaderList = (text: string): string[] =>
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

export const matchField = (header: string): FieldMatch | undefined =>
	matchIn(header, 'headers') ?? matchIn(header, 'fallbacks');

function matchIn(header: string, source: 'headers' | 'fallbacks'): FieldMatch | undefined {
	const whole = plainHeader(header);
	const money = moneyHeader(header);
	if (!hasKnownAccents(money?.name ?? header)) return undefined;
	for (const field of fields) {
		const name = field.isMoney ? money?.plain : whole;
		const rank = name === undefined ? -1 : field[source].indexOf(name);
		const currency = field.isMoney ? money?.currency : undefined;
		if (rank >= 0) return { header, field, rank, currency };
	}
	if (source === 'headers' || !money || pricedUnit(money.name) === undefined) return undefined;
	return { header, field: rowField('itemAmount'), rank: Infinity, currency: money.currency };
}

export const affectsTotal = ({ name, isMoney }: RowField) =>
	isMoney || name === 'itemQuantity' || name === 'discountPercentage';

export function mapByHeader(headers: string[], group?: string): Mapped {
	const exact = headers.flatMap((header) => matchIn(header, 'headers') ?? []);
	const isUnmatched = (header: string) =>
		header !== group && !exact.some((one) => one.header === header) && !kindOfTotal(header);
	const unmatched = headers.filter(isUnmatched);
	const fallbacks = unmatched.flatMap((header) => matchIn(header, 'fallbacks') ?? []);
	const byFallback = fallbacks.filter(
		({ field, rank }) =>
			!exact.some((one) => isSameOrBothPrices(one.field, field)) &&
			fallbacks.every((one) => one.field !== field || one.rank >= rank),
	);
	const byHeader = [...exact, ...byFallback];
	const matches = [...byHeader, ...quantityByUnit(byHeader, unmatched)];
	const mapped = fields.flatMap((field) =>
		matches
			.filter((one) => one.field === field)
			.sort((a, b) => a.rank - b.rank)
			.map(({ header, currency }) => fieldColumn(field, header, currency)),
	);
	return withTotalAsPrice({
		fields: mapped,
		...totalsAndUnmapped(headers, new Set(matches.map(({ header }) => header))),
	});
}

/** Fields with the cost of an item. A sheet needs one of them. */
const prices = ['itemAmount', 'itemTotal', bareAmount.name];
const isSameOrBothPrices = (one: RowField, other: RowField) =>
	one === other || (prices.includes(one.name) && prices.includes(other.name));

/** Finds the quantity by its unit: `Lessons` beside `Price per lesson`, or the pair `Ticket Price` and `Tickets`. */
function quantityByUnit(matches: FieldMatch[], headers: string[]): FieldMatch[] {
	if (matches.some(({ field }) => field.name === 'itemQuantity')) return [];
	const unmatched = headers.filter((header) => !matches.some((one) => one.header === header));
	const findQuantity = (unit: string | undefined, price: string): FieldMatch[] => {
		const header = unit && unmatched.find((one) => one !== price && countsUnits(one, unit));
		return header ? [{ header, field: rowField('itemQuantity'), rank: 0 }] : [];
	};
	const price = matches.find(({ field }) => field.name === 'itemAmount');
	if (price) return findQuantity(pricedUnit(price.header), price.header);
	if (matches.some(({ field }) => prices.includes(field.name))) return [];
	for (const header of unmatched) {
		const money = moneyHeader(header);
		const [quantity] = findQuantity(money && pricedNoun(money.name), header);
		if (!quantity) continue;
		const priced = { header, field: rowField('itemAmount'), rank: 0, currency: money?.currency };
		return [priced, quantity];
	}
	return [];
}

function withTotalAsPrice(mapped: Mapped): Mapped {
	const findTotal = (kind: TotalKind) => mapped.totals.find((one) => one.kind === kind);
	const total = findTotal('invoiceOrRow') ?? findTotal('invoice');
	const hasOtherMoney =
		mapped.fields.some(({ field }) => affectsTotal(field) && field.name !== 'itemQuantity') ||
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

function totalsAndUnmapped(
	headers: string[],
	mapped: Set<string>,
): Pick<Columns, 'totals' | 'unmapped'> {
	const rest = headers.filter((header) => !mapped.has(header));
	return {
		totals: rest.flatMap((header): TotalColumn[] => {
			const kind = kindOfTotal(header);
			return kind ? [{ header, kind, currency: moneyHeader(header)?.currency }] : [];
		}),
		unmapped: rest.filter((header) => !kindOfTotal(header)),
	};
}

const kindOfTotal = (header: string) =>
	totalKindByHeader.get(moneyHeader(header)?.plain ?? '') ??
	totalKindByHeader.get(plainHeader(header));

const totalKindByHeader = new Map(
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
		const header = soleColumnOf(value);
		// n8n takes about a millisecond to evaluate an expression, so read the cell directly.
		if (header !== undefined) {
			used.add(header);
			const currency = field.isMoney ? moneyHeader(header)?.currency : undefined;
			return [fieldColumn(field, header, currency)];
		}
		if (affectsTotal(field)) for (const name of columnsUsedBy(value)) used.add(name);
		const name = `columns.value.${field.name}`;
		return [{ field, read: (_row, index) => context.getNodeParameter(name, index, '') }];
	});
	return { fields: mapped, ...totalsAndUnmapped(headers, used) };
}

/** The column in an expression that is only `{{ $json.Amount }}` or `{{ $json["Due Date"] }}`. */
export const soleColumnOf = (expression: string): string | undefined =>
	expression.startsWith('=') ? referenceIn(`=${expression.slice(1).trim()}`) : undefined;

/** Conditions in an expression: `a` in `a ? b : c` and `if(a, …)`. Their columns choose a value but are not part of it. */
const conditions = /[^?{}()]*\?(?![.?])|\bif\s*\([^,]*,/g;
const references =
	/\bjson\s*(?:\?\.|\.)?\s*(?:([A-Za-z_$][\w$]*)|\[\s*(?:"([^"\\]*)"|'([^'\\]*)')\s*\])/g;

/** The columns whose values an expression uses. Empty if that is unclear, so that all of them stay unmapped. */
function columnsUsedBy(expression: string): string[] {
	const used = expression.replace(conditions, ' ');
	if (/\bjson\b/.test(used.replace(references, ''))) return [];
	return [...used.matchAll(references)].map(
		([, ...names]) => names.find((name) => name !== undefined) ?? '',
	);
}
