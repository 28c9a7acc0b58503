import { CustomerIndex } from '../../shared/customers/customerIndex';
import type { Steps } from '../../shared/steps';
import type { Columns, OpenSheet } from './columns';
import { readColumns } from './columns';
import type { Findings } from './findings';
import { readFindings } from './findings';
import type { Directory, Invoices, InvoicesSettings } from './invoices';
import { readInvoices } from './invoices';
import type { Rows } from './rows';
import { readRows } from './rows';
import type { Source, Statements } from './statements';
import { headerOf } from './table';
import type { Verdict } from './verdict';
import { verdictOf } from './verdict';

export interface SheetSettings extends InvoicesSettings {
	/** Columns that are mapped by hand, by field name. */
	mapped: ReadonlyMap<string, string>;
	/** Columns that an earlier run has added. */
	without: readonly string[];
	/** An agent has entered the rows under our names, so no reading has to be confirmed if all of them are billed. */
	isEntered?: boolean;
}

/** A sheet as it was read: what each step has found. */
export interface SheetReading extends OpenSheet, Columns, Rows, Invoices, Findings {
	verdict: Verdict;
}

/**
 * Reads a sheet: which column means what, which rows form an invoice, and what a person should look at. Pure: it sends nothing and
 * throws nothing. See README.md.
 */
export function* readSheet(
	open: OpenSheet,
	{ mapped, ...given }: SheetSettings,
	known: Directory,
): Steps<SheetReading> {
	const all = [...known.own.customers, ...(known.ofService?.customers ?? [])];
	const customers = all.length ? new CustomerIndex(all) : undefined;
	const settings = { ...given, said: withMapped(given.said, mapped) };
	const columns = yield* readColumns(open.profile, settings, customers);
	yield;
	const rows = yield* readRows(open, columns, settings, { customers });
	const invoices = yield* readInvoices(open, columns, rows, { settings, known });
	const read = { ...open, ...columns, ...rows, ...invoices };
	const found = yield* readFindings({
		...read,
		said: settings.said,
		known: customers,
		mustNameAll: given.said !== undefined,
		hasName: columns.defaults.itemName !== undefined || given.given.has('itemName'),
		today: settings.today,
	});
	const isConfirmed =
		given.said !== undefined || (given.isEntered === true && read.unbilled.length === 0);
	const verdict = yield* verdictOf({ ...read, ...found, said: settings.said, isConfirmed });
	return { ...read, ...found, verdict };
}

/** The reading that was given, with the columns that are mapped by hand. */
function withMapped(
	said: Statements | undefined,
	mapped: ReadonlyMap<string, string>,
): Statements | undefined {
	if (mapped.size === 0) return said;
	const fields = [...mapped].map(([field, header]): [string, Source[]] => [
		field,
		[{ header: headerOf(header) }],
	]);
	const own = said ?? { values: [], unchecked: [], shapes: new Map() };
	return { ...own, fields: new Map([...(said?.fields ?? []), ...fields]) };
}
