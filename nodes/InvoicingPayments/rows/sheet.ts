import type { IDataObject } from 'n8n-workflow';
import { isEmpty } from '../../shared/fields/text';
import { looksForNumber } from '../invoices/invoiceRequest';
import { bareAmounts, meaningOfAmount } from './amounts';
import type { Columns } from './columns';
import { isMapped, listOf, withAmountAs } from './columns';
import { leftMoney, leftQuantities } from './leftMoney';
import { isBlank } from './row';
import { otherHeaders, rowField } from './rowFields';
import type { RowSettings } from './rowSettings';

/** The columns that the user wants to be left out, and those of them that the sheet does not have. */
export interface IgnoredColumns {
	used: string[];
	unknown: string[];
}

const plain = (header: string) => header.trim().toLowerCase();

/** n8n writes a column that is dragged into a field as a path: `['Tax Amount']`. */
const headerIn = (text: string) => /^\[\s*['"](.*)['"]\s*\]$/.exec(text.trim())?.[1] ?? text;

export function ignoredIn(headers: string[], { ignoreColumns = [] }: RowSettings): IgnoredColumns {
	const wanted = ignoreColumns.map(headerIn).filter((header) => header.trim());
	return {
		used: headers.filter((header) => wanted.some((one) => plain(one) === plain(header))),
		unknown: wanted.filter((one) => !headers.some((header) => plain(one) === plain(header))),
	};
}

/** The columns with what is called just Amount settled, where the sheet or the user settles it. */
export function settleColumns(
	columns: Columns,
	items: IDataObject[],
	settings: RowSettings,
): Columns {
	if (bareAmounts(columns).length === 0) return columns;
	const meaning = meaningOfAmount(columns, quantitiesIn(columns, items), settings);
	if (!meaning) return columns;
	return withAmountAs(columns, meaning === 'unitPrice' ? 'itemAmount' : 'itemTotal');
}

/** The quantities of all rows that are not blank; a row without one counts once. */
function quantitiesIn({ columns }: Columns, items: IDataObject[]): unknown[] {
	const found = columns.filter(({ field }) => field.name === 'itemQuantity');
	return items.flatMap((json, index) => {
		if (isBlank(json)) return [];
		const cells = found.map(({ read }) => read(json, index)).filter((cell) => !isEmpty(cell));
		return cells.length ? cells : [1];
	});
}

/** What keeps all rows from being read. */
export interface SheetProblem {
	/** In a few words, for the error's first line. */
	title: string;
	/** All there is to say, and what to do. */
	text: string;
}

const named = (list: string[]) => list.map((header) => `"${header}"`).join(', ');

/** Needed columns that are not there, an Amount that may be two things, and columns with money or quantities that no field takes. */
export function sheetProblems(
	columns: Columns,
	items: IDataObject[],
	headers: string[],
	settings: RowSettings,
): SheetProblem[] {
	const [amount] = bareAmounts(columns);
	const { unused } = columns;
	return [
		...missingColumns(columns, items, headers, settings),
		...(amount ? [ambiguous(amount.header ?? '')] : []),
		...withoutField(leftMoney(unused, items)),
		...quantitiesWithoutField(leftQuantities(unused, items)),
	];
}

const ambiguous = (header: string): SheetProblem => ({
	title: `Column "${header}" may be the unit price or the line total: set 'Amount Is'`,
	text: `Column "${header}" may be the unit price or the line total, and there are quantities other than 1. Options > Amount Is says which`,
});

/** Columns with money that no field takes. */
export function withoutField(money: string[]): SheetProblem[] {
	if (money.length === 0) return [];
	const [column, it, holds] =
		money.length === 1 ? ['column', 'it', 'holds'] : ['columns', 'them', 'hold'];
	return [
		{
			title: `No field for ${column} ${named(money)}: see 'Ignore Columns'`,
			text: `The service has no field for what ${column} ${named(money)} ${holds}, so the invoices would come to a different total than the sheet. To bill without ${it}, add ${it} to Options > Ignore Columns`,
		},
	];
}

function quantitiesWithoutField(quantities: string[]): SheetProblem[] {
	if (quantities.length === 0) return [];
	const [column, it, seems] =
		quantities.length === 1 ? ['Column', 'it', 'seems'] : ['Columns', 'them', 'seem'];
	return [
		{
			title: `${column} ${named(quantities)} ${seems} to hold quantities`,
			text: `${column} ${named(quantities)} ${seems} to hold quantities, but no field takes ${it}. Rename the right one to Quantity, or add ${it} to Options > Ignore Columns`,
		},
	];
}

/** Fields that every invoice needs and that nothing fills. */
function missingColumns(
	columns: Columns,
	items: IDataObject[],
	headers: string[],
	settings: RowSettings,
): SheetProblem[] {
	const has = (...names: string[]) => names.some((name) => isMapped(columns, name));
	const hasMarks = () =>
		columns.columns.some(
			({ field, currency, read }) =>
				field.isMoney &&
				(currency !== undefined ||
					items.some((json, index) => /[\p{L}\p{Sc}]/u.test(String(read(json, index) ?? '')))),
		);
	const isThere: Record<string, boolean> = {
		customerId: has('customerId', 'customerEmail') || settings.customerId !== undefined,
		currency: has('currency') || settings.currency !== undefined || hasMarks(),
		dueDate: has('dueDate', 'terms') || settings.dueInDays !== undefined,
		itemName: has('itemName'),
		itemAmount: has('itemAmount', 'itemTotal') || bareAmounts(columns).length > 0,
		invoiceNumber: has('invoiceNumber') || !looksForNumber(settings),
	};
	const missing = Object.keys(isThere).filter((name) => !isThere[name]);
	if (missing.length === 0) return [];
	const waysOut: Record<string, string> = {
		customerId: "or set 'Default Customer'",
		currency: "or set 'Default Currency'",
		dueDate: "or Terms; or set 'Due in Days'",
		invoiceNumber:
			"required by 'If Invoice Number Exists'; with 'Create Anyway', each row becomes an invoice",
	};
	const fields = missing.map((name) => rowField(name));
	const list = fields.map((field) => {
		const also = otherHeaders(field).slice(0, 4).join(', ');
		const way = waysOut[field.name] ? `; ${waysOut[field.name]}` : '';
		return `${field.displayName} (or: ${also}${way})`;
	});
	const count =
		missing.length === 1 ? 'A needed column was' : `${missing.length} needed columns were`;
	const isShifted = headers.some((header) => /^(?:__EMPTY.*|column_?\d+|)$/i.test(header.trim()));
	const shifted = isShifted
		? '. If the headers stand further down, set the header row in the node that reads the file'
		: '';
	return [
		{
			title: `${count} not found: ${fields.map(({ displayName }) => displayName).join(', ')}`,
			text: `${count} not found: ${list.join('; ')}. Rename columns of the sheet, or choose 'Map Each Column Manually'. ${listOf(headers)}${shifted}`,
		},
	];
}
