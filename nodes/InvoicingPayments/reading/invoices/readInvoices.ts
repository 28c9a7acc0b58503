import { shorten } from '../../../shared/fields/text';
import type { Steps } from '../../../shared/steps';
import { mapInSteps } from '../../../shared/steps';
import type {
	Columns,
	ColumnSettings,
	CustomerMatching,
	CustomerResult,
	KnownCustomers,
	OpenSheet,
	Roles,
} from '../columns';
import { findCustomer, usedColumns } from '../columns';
import type { Row, Rows } from '../rows';
import type { Table } from '../table';
import type { Grouped } from './grouping';
import { groupingOf, withNeighbours, withoutKey } from './grouping';
import type { Draft, InvoiceSettings } from './invoices';
import { draftOf, withNumberProblems, withProblem } from './invoices';

export interface InvoicesSettings extends ColumnSettings {
	matchCustomersBy: CustomerMatching;
	/** Whether invoices are found again by their numbers. Those can be made if the sheet has none. */
	isFoundByNumber: boolean;
	/** Numbers of the invoices that an earlier run has made, by the index of their rows. */
	billed?: ReadonlyMap<number, string>;
}

/** Customers that are known, and what to say of one that is not. */
export type Directory = KnownCustomers & { notFound(text: string): string };

/** The invoices of a sheet. */
export interface Invoices {
	drafts: Draft[];
	grouped: Grouped;
	/** Whether the sheet has invoice numbers. */
	hasNumbers: boolean;
	/** Whether a customer was not found among those that are known. */
	needsDirectory: boolean;
	/** Some rows have no customer. A column may still have them, which only the customers' names tell. */
	mayHaveCustomers: boolean;
}

/** Finds the customer of each row, groups the rows, and makes an invoice of each group. */
export function* readInvoices(
	{ table, profile }: OpenSheet,
	{ roles, defaults }: Columns,
	{ rows, values }: Rows,
	{ settings, known }: { settings: InvoicesSettings; known: Directory },
): Steps<Invoices> {
	const { said, given, today, isFoundByNumber } = settings;
	const hasNumbers = roles.fields.has('invoiceNumber') || given.has('invoiceNumber');
	const needsNumber = isFoundByNumber && hasNumbers;
	const found = yield* customersOf(rows, settings, known);
	const invoiceSettings: InvoiceSettings = {
		defaults,
		today,
		needsNumber,
		billedAs: ({ line }) => settings.billed?.get(line.index),
		customerOf: (row) => found.get(row),
		missingCustomer: (text) => known.notFound(text),
	};
	const { isSideBySide } = table;
	const isMissing = said?.grouping?.by === 'column' && !profile.byHeader.has(said.grouping.header);
	const form = { said: isMissing ? undefined : said?.grouping, hasNumbers, isSideBySide };
	const grouped = yield* groupingOf(rows, roles, profile, { settings: invoiceSettings, form });
	const made = yield* mapInSteps(grouped.groups, (group) => draftOf(group, invoiceSettings));
	const keyed = withoutKey(withNeighbours(made, invoiceSettings), grouped.grouping, profile);
	const numbered = withNumberProblems(keyed, needsNumber);
	const { grouping } = grouped;
	const alike = alikeColumns(table, roles, [
		...values.map(({ header }) => header),
		...(grouping.by === 'column' ? [grouping.header] : []),
	]);
	return {
		drafts: alike === undefined ? numbered : numbered.map((draft) => withProblem(draft, alike)),
		grouped,
		hasNumbers,
		needsDirectory: [...found.values()].some((result) => result?.kind === 'missing'),
		mayHaveCustomers: rows.some(({ customers }) => customers.length === 0),
	};
}

/** The rows of a customer name them alike, so each name is looked up once. */
function* customersOf(
	rows: readonly Row[],
	{ matchCustomersBy }: InvoicesSettings,
	known: KnownCustomers,
): Steps<Map<Row, CustomerResult | undefined>> {
	const results = new Map<string, CustomerResult | undefined>();
	const found = yield* mapInSteps(rows, (row): [Row, CustomerResult | undefined] => {
		const key = JSON.stringify(row.customers);
		if (!results.has(key)) results.set(key, findCustomer(row.customers, matchCustomersBy, known));
		return [row, results.get(key)];
	});
	return new Map(found);
}

/** Why a sheet cannot be billed: only the places of two columns tell which is which, and columns change their places. */
function alikeColumns(
	{ alike, headers, isSideBySide }: Table,
	roles: Roles,
	deciding: string[],
): string | undefined {
	const used = new Set([...[...usedColumns(roles)].map(({ header }) => header), ...deciding]);
	// Items side by side have columns of their own.
	const isItem = (name: string) => isSideBySide && !headers.includes(name);
	const [, twice] = [...alike].find(([name]) => used.has(name) || isItem(name)) ?? [];
	return twice === undefined
		? undefined
		: `Several columns have the header of ${JSON.stringify(shorten(twice, 60))}, and only their places tell them apart. Give each a header of its own`;
}
