import type { CustomerIndex } from '../../../shared/customers/customerIndex';
import type { Steps } from '../../../shared/steps';
import { currenciesOf } from '../cells';
import type { Statements } from '../statements';
import type { SheetRow, Table } from '../table';
import { tableOf } from '../table';
import type { GivenValues, Roles, SheetDefaults } from './assign';
import { rolesOf } from './assign';
import { itemsField } from './fields';
import type { WrittenColumn } from './formats';
import { formatsOf } from './formats';
import type { Column, Profile } from './profile';
import { profileOf } from './profile';
import { namedHeaders } from '../statements';

export interface ColumnSettings {
	/** What a person has said. */
	said?: Statements;
	/** Fields that are mapped by hand. */
	given: GivenValues;
	defaults: SheetDefaults;
	/** The workflow's time zone, and today in it (YYYY-MM-DD). */
	zone: string;
	today: string;
}

/** The table and its profile, which do not depend on customers. */
export interface OpenSheet {
	table: Table;
	profile: Profile;
}

/** What the columns of a sheet mean. */
export interface Columns {
	roles: Roles;
	/** How dates and numbers are written. */
	written: ReadonlyMap<Column, WrittenColumn>;
	/** Columns with cells that fill no field, so that the invoices do not carry them. */
	unbilled: Column[];
	/** The defaults, with the currency of amounts that state none. */
	defaults: SheetDefaults;
	/** A currency that nobody has said. `dollars`: a `$`, which can mean many. `sign`: the only one in the sheet. */
	foundCurrency: { dollars: boolean; sign?: string };
}

/** The part of a reading that any customers share. */
export function* openSheet(
	rows: readonly SheetRow[],
	{
		said,
		without,
		defaults,
	}: Pick<ColumnSettings, 'said' | 'defaults'> & { without: readonly string[] },
): Steps<OpenSheet> {
	const table = yield* tableOf(rows, {
		headerRow: said?.headerRow,
		headers: said && namedHeaders(said),
		without,
	});
	yield;
	return { table, profile: yield* profileOf(table, defaults.currency) };
}

/** Decides which column fills which field, how its cells are written, and which currency amounts without one have. */
export function* readColumns(
	profile: Profile,
	settings: ColumnSettings,
	customers: CustomerIndex | undefined,
): Steps<Columns> {
	const { said } = settings;
	const defaults = { ...settings.defaults };
	const roles = yield* rolesOf(profile, { ...settings, defaults, customers });
	// What was confirmed of all amounts holds for those without a sign.
	const [confirmed, ...more] = roles.fields.has('currency') ? [] : (said?.currencies ?? []);
	if (confirmed && !more.length) defaults.currency ??= confirmed;
	const hasCurrency = defaults.currency !== undefined || roles.fields.has('currency');
	const sign = hasCurrency ? undefined : onlyCurrency(roles, profile);
	const dollars = !hasCurrency && sign === undefined && hasDollars(profile);
	defaults.currency ??= dollars ? 'USD' : sign;
	const used = usedColumns(roles);
	const unbilled = profile.columns.filter((one) => one.filled.length > 0 && !used.has(one));
	const written = formatsOf(roles, profile, said);
	return { roles, written, unbilled, defaults, foundCurrency: { dollars, sign } };
}

/** Columns that fill a field. */
export const usedColumns = ({ fields, restOfName }: Roles): ReadonlySet<Column> =>
	new Set([...fields.values(), restOfName ?? []].flat());

/** The only currency beside what is billed, or else in the sheet: `€/spot` beside `Total`. */
function onlyCurrency({ fields }: Roles, { columns }: Profile): string | undefined {
	const billed = ['itemAmount', 'itemTotal', itemsField, 'total'].flatMap(
		(name) => fields.get(name) ?? [],
	);
	const ofBilled = codesOf(billed);
	const codes = ofBilled.size > 0 ? ofBilled : codesOf(columns);
	const [code] = codes;
	return codes.size === 1 && code.length === 3 ? code : undefined;
}

function codesOf(columns: readonly Column[]): Set<string> {
	const signs = columns
		.flatMap(({ headerCurrency, filled }) => [headerCurrency, ...filled.map((one) => one.currency)])
		.filter((one) => one !== undefined);
	return new Set([...new Set(signs)].map((one) => currenciesOf(one).join()));
}

/** `$` can mean many currencies. If nothing else names one, it is shown as US dollars, to be confirmed. */
const hasDollars = ({ columns }: Profile): boolean =>
	columns.some(
		({ headerCurrency, filled }) =>
			headerCurrency === '$' || filled.some(({ currency }) => currency === '$'),
	);
