import { addTo } from '../../shared/addTo';
import type { Roles } from './columns';
import { columnsOf } from './columns';
import { meansWithoutCells, sheetField } from './fields';
import type { Draft } from './invoices';
import type { Profile } from './profile';
import type { Source, Statements } from './statements';
import { amountsIn, namedHeaders } from './statements';
import type { Table } from './table';

/** How a sheet differs from the reading that was confirmed for it. */
export interface Differences {
	newColumns: string[];
	/**
	 * Columns that fill a field or part the rows. An export may leave out what is not billed. `isEmpty`: the column is there, but without
	 * a cell, which would silently mean a quantity of 1 or no discount.
	 */
	missingColumns: Array<{ header: string; field?: string; isEmpty?: boolean }>;
	/** Cells that a value statement does not list, and currencies. */
	newValues: Array<{ header: string; value: string; rows: number[] }>;
}

/**
 * The rows of each currency that nobody has said, if they are found only beside amounts. In a header, it is part of the column's name.
 * `said`: of the reading. `fallback`: of rows without any.
 */
export function newCurrencies(
	drafts: readonly Draft[],
	roles: Roles,
	said: string[] | undefined,
	fallback: string | undefined,
): Map<string, number[]> {
	const amounts = columnsOf(roles, 'itemAmount', 'itemTotal');
	const found = new Map<string, number[]>();
	let areMarked = said !== undefined;
	for (const { rows, body } of drafts) {
		const { currency } = body;
		if (typeof currency !== 'string') continue;
		for (const row of rows) {
			const isMarked = amounts.some(({ looks }) => looks[row.at]?.currency !== undefined);
			const isInHeader = amounts.some(({ headerCurrency }) => headerCurrency !== undefined);
			if (row.values.has('currency') || (isInHeader && !isMarked)) continue;
			areMarked ||= isMarked && currency !== fallback;
			if (!said?.includes(currency)) addTo(found, currency, row.number);
		}
	}
	return areMarked ? found : new Map();
}

/**
 * `said`: with the columns that are mapped by hand. `isConfirmed`: it names all columns. `lines`: those that are billed or that a column
 * leaves out. `currencies`: new ones.
 */
export function differencesOf(
	said: Statements | undefined,
	{ table, profile }: { table: Table; profile: Profile },
	isConfirmed: boolean,
	lines: number[],
	currencies: ReadonlyMap<string, number[]>,
): Differences {
	if (!said) return { newColumns: [], missingColumns: [], newValues: [] };
	const named = namedHeaders(said);
	const isFilled = ({ header }: Source) => Boolean(profile.byHeader.get(header)?.filled.length);
	const needed: Differences['missingColumns'] = [
		...[...said.fields].flatMap(([name, sources]) => {
			const isEmpty = meansWithoutCells.includes(name) && !sources.some(isFilled);
			const headers = sources.flatMap(({ header, and = header }) => [header, and]);
			return headers.map((header) => ({ header, field: sheetField(name).displayName, isEmpty }));
		}),
		...said.values.map(({ header }) => ({ header })),
		...(said.grouping?.by === 'column' ? [{ header: said.grouping.header }] : []),
	];
	/** Where each header is named first. */
	const places = new Map(needed.map(({ header }, at) => [header, at] as const).reverse());
	const newCells = said.values.flatMap(({ header, bill, leaveOut }) => {
		const listed = new Set([...bill, ...leaveOut]);
		const rows = new Map<string, number[]>();
		const looks = profile.byHeader.get(header)?.looks;
		for (const at of looks ? lines : []) {
			const value = looks?.[at]?.text ?? '';
			if (!listed.has(value)) addTo(rows, value, table.lines[at].number);
		}
		return [...rows].map(([value, numbers]) => ({ header, value, rows: numbers }));
	});
	const ofAmounts = isConfirmed ? [...currencies] : [];
	return {
		newColumns: profile.columns.flatMap(({ header, filled }) =>
			isConfirmed && filled.length && !named.has(header) ? [header] : [],
		),
		missingColumns: needed.filter(
			({ header, isEmpty }, at) =>
				(!profile.byHeader.has(header) || isEmpty) && places.get(header) === at,
		),
		newValues: [
			...ofAmounts.map(([value, rows]) => ({ header: amountsIn, value, rows })),
			...newCells,
		],
	};
}
