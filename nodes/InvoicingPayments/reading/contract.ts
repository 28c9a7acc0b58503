import { addTo } from '../../shared/addTo';
import type { Roles } from './columns';
import { meansWithoutCells, sheetField } from './fields';
import type { Draft } from './invoices';
import type { Profile } from './profile';
import type { LeftOut } from './rows';
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
 * The rows of each currency that stands only beside amounts, and that nobody has said: as a default or in the reading. In a header, it is
 * part of the column's name.
 */
export function newCurrencies(
	drafts: readonly Draft[],
	roles: Roles,
	said: string[],
): Map<string, number[]> {
	const amounts = ['itemAmount', 'itemTotal'].flatMap((name) => roles.fields.get(name) ?? []);
	const marked = new Map<string, number[]>();
	for (const { rows, body } of drafts) {
		for (const row of rows) {
			const isMarked = amounts.some(({ looks }) => looks[row.at]?.currency !== undefined);
			const { currency } = body;
			if (isMarked && !row.values.has('currency') && typeof currency === 'string')
				if (!said.includes(currency)) addTo(marked, currency, row.number);
		}
	}
	return marked;
}

/** `mapped`: columns that are mapped by hand, by field. `kept`: the lines that are billed. `currencies`: new ones. */
export function differencesOf(
	said: Statements | undefined,
	{ table, profile }: { table: Table; profile: Profile },
	mapped: ReadonlyMap<string, string>,
	kept: number[],
	leftOut: readonly LeftOut[],
	currencies: ReadonlyMap<string, number[]>,
): Differences {
	const missing = (header: string) => !profile.byHeader.has(header);
	const isFilled = ({ header }: Source) => Boolean(profile.byHeader.get(header)?.filled.length);
	const mappedFields = [...mapped].map(([name, header]): [string, Source[]] => [
		name,
		[{ header }],
	]);
	const fields = [...(said?.fields ?? []), ...mappedFields].flatMap(([name, sources]) =>
		sources.flatMap(({ header, and }) =>
			(and === undefined ? [header] : [header, and]).map((one) => ({
				header: one,
				field: sheetField(name).displayName,
				isEmpty: meansWithoutCells.includes(name) && !sources.some(isFilled),
			})),
		),
	);
	const grouping = said?.grouping?.by === 'column' ? [{ header: said.grouping.header }] : [];
	const all: Differences['missingColumns'] = [
		...fields,
		...(said?.values ?? []).map(({ header }) => ({ header })),
		...grouping,
	];
	const known = said && new Set([...namedHeaders(said), ...mapped.values()]);
	const lines = [...kept, ...leftOut.flatMap(({ why, at }) => (why === 'value' ? [at] : []))];
	const newCells = (said?.values ?? []).flatMap(({ header, bill, leaveOut }) => {
		const listed = new Set([...bill, ...leaveOut]);
		const rows = new Map<string, number[]>();
		const looks = profile.byHeader.get(header)?.looks;
		for (const at of looks ? lines : []) {
			const value = looks?.[at]?.text ?? '';
			if (!listed.has(value)) rows.set(value, [...(rows.get(value) ?? []), table.lines[at].number]);
		}
		return [...rows].map(([value, numbers]) => ({ header, value, rows: numbers }));
	});
	return {
		newColumns: profile.columns.flatMap(({ header, filled }) =>
			known && filled.length && !known.has(header) ? [header] : [],
		),
		missingColumns: all.filter(
			({ header, isEmpty }, at) =>
				(missing(header) || isEmpty) && all.findIndex((one) => one.header === header) === at,
		),
		newValues: [
			...(said ? [...currencies].map(([value, rows]) => ({ header: amountsIn, value, rows })) : []),
			...newCells,
		],
	};
}
