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

/**
 * What keeps all rows from being read: needed columns that are not there, an Amount that may be two things, and columns with money
 * or quantities that no field takes.
 */
export function sheetProblems(
	columns: Columns,
	items: IDataObject[],
	headers: string[],
	settings: RowSettings,
): string[] {
	const named = (list: string[]) => list.map((header) => `"${header}"`).join(', ');
	const problems = missingColumns(columns, items, headers, settings);
	const [amount] = bareAmounts(columns);
	if (amount) {
		problems.push(
			`Column "${amount.header ?? ''}" may be the unit price or the line total, and there are quantities other than 1: set 'Amount Is' in the options`,
		);
	}
	const money = leftMoney(columns.unused, items);
	if (money.length) {
		problems.push(
			`The service has no field for what ${money.length === 1 ? 'this column holds' : 'these columns hold'}: ${named(money)}. The invoices would come to a different total than the sheet. To bill without ${money.length === 1 ? 'it' : 'them'}, add ${money.length === 1 ? 'it' : 'them'} to 'Ignore Columns' in the options`,
		);
	}
	const quantities = leftQuantities(columns.unused, items);
	if (quantities.length) {
		problems.push(
			`${quantities.length === 1 ? 'This column seems' : 'These columns seem'} to hold quantities, but ${quantities.length === 1 ? 'matches' : 'match'} no field: ${named(quantities)}. Rename ${quantities.length === 1 ? 'it to Quantity' : 'one to Quantity'}, or add ${quantities.length === 1 ? 'it' : 'them'} to 'Ignore Columns' in the options`,
		);
	}
	return problems;
}

/** Fields that every invoice needs and that nothing fills. */
function missingColumns(
	columns: Columns,
	items: IDataObject[],
	headers: string[],
	settings: RowSettings,
): string[] {
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
	const list = missing.map((name) => {
		const field = rowField(name);
		const also = otherHeaders(field).slice(0, 4).join(', ');
		const way = waysOut[name] ? `; ${waysOut[name]}` : '';
		return `${field.displayName} (or: ${also}${way})`;
	});
	const count =
		missing.length === 1 ? 'A needed column was' : `${missing.length} needed columns were`;
	const isShifted = headers.some((header) => /^(?:__EMPTY.*|column_?\d+|)$/i.test(header.trim()));
	const shifted = isShifted
		? '. If the headers stand further down, set the header row in the node that reads the file'
		: '';
	return [
		`Columns: ${count} not found: ${list.join('; ')}. Rename columns of the sheet, or choose 'Map Each Column Manually'. ${listOf(headers)}${shifted}`,
	];
}
