import { addTo } from '../../shared/addTo';
import type { CustomerIndex } from '../../shared/customers/customerIndex';
import { shorten } from '../../shared/fields/text';
import { lineTotalOf } from './amounts';
import type { Roles } from './columns';
import type { Draft } from './invoices';
import { rowsLabel } from './problems';
import type { Column, Profile } from './profile';
import type { LeftOut, Row } from './rows';
import type { Statements } from './statements';
import type { Table } from './table';

/** Something that a person should look at before it is billed. */
export interface Hand {
	/** A reading can settle a whole kind: `unchecked: dates`. */
	kind: 'words' | 'amounts' | 'totals' | 'sums' | 'units' | 'dates' | 'repeats' | 'currencies' | 'customers' | 'texts'; // prettier-ignore
	/** The column that it is about. */
	header?: string;
	/** `row 4 says Paid: cash` */
	text: string;
	/** The invoices' amounts that it touches, to show the weightiest first. */
	money: number;
	rows: number[];
	/** Whether the text of the reading states it, so that confirming that settles it. */
	isStated?: boolean;
}

/** What hands look at. Lines that are left out raise none. */
export interface Sheet {
	table: Table;
	profile: Profile;
	roles: Roles;
	rows: readonly Row[];
	drafts: readonly Draft[];
	statements: Statements;
	/** What a person has said of it. */
	said?: Statements;
	customers?: CustomerIndex;
	/** Columns that fill no field. */
	unbilled: readonly Column[];
	leftOut: readonly LeftOut[];
	/** YYYY-MM-DD */
	today: string;
}

/** Takes something to look at. `about`: a column, or what else the hand says of itself. */
export type Raise = (
	kind: Hand['kind'],
	rows: readonly Row[],
	text: string,
	about?: Pick<Hand, 'header' | 'isStated'>,
) => void;

/** To rank and compare; what is billed is exact. */
export function amountOf(row: Row): number {
	const amount = amounts.get(row) ?? (row.item ? Number(`${lineTotalOf(row.item)}`) : 0);
	amounts.set(row, amount);
	return amount;
}
const amounts = new WeakMap<Row, number>();
export const sumOf = (rows: readonly Row[]) => rows.reduce((sum, row) => sum + amountOf(row), 0);

/** How the reading names the columns of prices and line totals. */
export const moneySources = ({ fields }: Statements) =>
	['itemAmount', 'itemTotal'].flatMap((name) => fields.get(name) ?? []);

/** Columns that neither fill a field nor part the rows. */
export const unbilledColumns = ({ unbilled, statements }: Sheet): Column[] =>
	unbilled.filter(({ header }) => !statements.values.some((one) => one.header === header));

/** The request that bills a row. */
export const requestsByRow = (drafts: readonly Draft[]) =>
	new Map(drafts.flatMap(({ rows, body }) => rows.map((row) => [row, body] as const)));

/** The rows of each text of a column. */
export function rowsByText({ rows }: Sheet, { looks }: Column): Map<string, Row[]> {
	const byText = new Map<string, Row[]>();
	for (const row of rows) {
		const text = looks[row.at]?.text;
		if (text !== undefined) addTo(byText, text, row);
	}
	return byText;
}

export const says = (rows: Row[], { header }: Column, text: string) =>
	`${rowsLabel(rows)} ${rows.length === 1 ? 'says' : 'say'} ${header}: ${shorten(text, 80)}`;
