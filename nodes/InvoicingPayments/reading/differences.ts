import { addTo } from '../../shared/addTo';
import { shorten } from '../../shared/fields/text';
import type { Roles } from './columns';
import { itemsField, meansWithoutCells, sheetField } from './fields';
import type { Finding } from './findings';
import type { WrittenColumn } from './formats';
import type { Draft } from './invoices';
import { rowsLabel } from './problems';
import type { Column, Profile } from './profile';
import type { LeftOut, Row } from './rows';
import { byLine, sumOf } from './rows';
import { cellsOf, maskOf, shapeDifferences, shapeOf } from './shapes';
import type { Shape, Source, Statements, ValueStatement } from './statements';
import { amountsIn, hasKinds, namedHeaders } from './statements';
import type { Table } from './table';
import { isNoHeader } from './table';
import { isListed, leavesOut } from './values';

/** A sheet, as it is compared with the reading that was confirmed for it. */
interface Compared {
	table: Table;
	profile: Profile;
	roles: Roles;
	written: ReadonlyMap<Column, WrittenColumn>;
	rows: readonly Row[];
	/** Rows whose amounts side by side are all empty. */
	nothing: readonly Row[];
	drafts: readonly Draft[];
	leftOut: readonly LeftOut[];
	/** With the columns that are mapped by hand. */
	said?: Statements;
	/** Which values are billed, of columns in the sheet. Those that were said come first. */
	values: readonly ValueStatement[];
	/** Whether a reading was given, so that it has to name all columns. */
	isConfirmed: boolean;
	/** Lines that are billed, or that a column leaves out. */
	lines: readonly number[];
	/** YYYY-MM-DD */
	today: string;
}

/** What the new reading says besides, if somebody confirms it. */
export interface Comparison {
	findings: Finding[];
	/** Cells that a value statement does not list. */
	newValues: Array<{ header: string; value: string; isLeftOut: boolean }>;
	currencies?: string[];
	shapes: Map<string, Shape>;
	texts?: string[];
}

/** Compares a sheet with what was seen, and widens what was seen by the sheet. */
export function* compare(sheet: Compared): Generator<void, Comparison> {
	const { said, isConfirmed, profile, table } = sheet;
	const findings: Finding[] = [];
	const differ = (text: string, rows: readonly Row[] = []) =>
		findings.push({
			kind: 'difference',
			text,
			rows: rows.map(({ number }) => number),
			money: Math.abs(sumOf(rows)),
		});
	if (said) {
		const named = namedHeaders(said);
		const added = profile.columns.filter(
			({ header, filled }) => isConfirmed && filled.length && !named.has(header),
		);
		// A reading that was typed may be short.
		if (added.length > 1 && !hasKinds(said))
			differ(
				`not in the reading yet: ${added.map(({ header }) => shorten(header, 40)).join(', ')}`,
			);
		else
			for (const { header, looks } of added) {
				const at = looks.findIndex((look) => look !== undefined);
				const example = `${shorten(looks[at]?.text ?? '', 40)} in row ${table.lines[at].number}`;
				differ(`new column: ${header} (${example})`);
			}
		for (const text of missingColumns(said, profile)) differ(text);
	}
	yield;
	const newValues = newValuesOf(sheet);
	for (const { header, value, rows, numbers, isLeftOut } of newValues) {
		const what = isLeftOut ? 'leaves it out' : 'bills it';
		const text = `new value: ${header}: ${value || 'empty'} in ${rowsLabel(numbers)}. The new reading ${what}`;
		differ(text, rows);
	}
	const currencies = newCurrencies(sheet);
	for (const [currency, rows] of said?.currencies ? currencies : [])
		differ(`new value: ${amountsIn}: ${currency} in ${rowsLabel(rows)}`, rows);
	const shapes = yield* compareShapes(sheet, differ);
	const texts = compareTexts(sheet, differ);
	return {
		...{ findings, newValues, shapes, texts },
		...((said?.currencies ?? currencies.size > 0) && {
			currencies: [...(said?.currencies ?? []), ...currencies.keys()],
		}),
	};
}

type Differ = (text: string, rows?: readonly Row[]) => void;

/** Columns that fill a field or part the rows, and are missing or empty. An export may leave out what is not billed. */
function missingColumns(said: Statements, { byHeader }: Profile): string[] {
	const isFilled = ({ header }: Source) => Boolean(byHeader.get(header)?.filled.length);
	const needed: Array<{ header: string; field?: string; isEmpty?: boolean }> = [
		...[...said.fields].flatMap(([name, sources]) => {
			// The total is what proves amounts side by side.
			const isProof = name === 'total' && said.fields.has(itemsField);
			if (withoutMoney.includes(name) && !isProof) return [];
			// Without cells, a quantity would silently be 1.
			const isEmpty = meansWithoutCells.includes(name) && !sources.some(isFilled);
			const headers = sources.flatMap(({ header, and = header }) => [header, and]);
			return headers.map((header) => ({ header, field: sheetField(name).displayName, isEmpty }));
		}),
		...said.values.map(({ header }) => ({ header })),
		...(said.grouping?.by === 'column' ? [{ header: said.grouping.header }] : []),
	];
	const texts = needed.flatMap(({ header, field, isEmpty }) =>
		byHeader.has(header) && !isEmpty
			? []
			: [
					`${byHeader.has(header) ? 'empty' : 'missing'} column: ${header}${field === undefined ? '' : `, which fills ${field}`}`,
				],
	);
	return [...new Set(texts)];
}

/** Fields that change neither who is billed nor what. */
const withoutMoney = ['title', 'note', 'total'];

function newValuesOf({ said, values, profile, lines, table, rows }: Compared) {
	const rowsByLine = new Map(rows.map((row) => [row.at, row]));
	return (said?.values ?? []).flatMap((one) => {
		const { header } = one;
		const leaveOut = values.find((other) => other.header === header)?.leaveOut ?? [];
		const looks = profile.byHeader.get(header)?.looks;
		const found = new Map<string, number[]>();
		const others = values.filter((other) => other.header !== header);
		const isLeftOut = (at: number) =>
			others.some((other) => leavesOut(other, profile.byHeader.get(other.header)?.looks[at]?.text));
		for (const at of looks ? lines : [])
			if (!isLeftOut(at)) addTo(found, looks?.[at]?.text ?? '', at);
		const isNew = ([value]: [string, number[]]) => !isListed(one, value);
		return [...found].filter(isNew).map(([value, at]) => ({
			...{ header, value, isLeftOut: leaveOut.includes(value) },
			rows: at.flatMap((one) => rowsByLine.get(one) ?? []),
			numbers: at.map((one) => table.lines[one]),
		}));
	});
}

/** The rows of each currency that nobody has said. */
function newCurrencies({ drafts, said }: Compared): Map<string, Row[]> {
	const found = new Map<string, Row[]>();
	for (const { rows, body } of drafts)
		if (typeof body.currency === 'string' && !said?.currencies?.includes(body.currency))
			for (const row of rows) addTo(found, body.currency, row);
	return found;
}

/** The shapes of all columns but those whose values are listed. */
function* compareShapes(sheet: Compared, differ: Differ): Generator<void, Map<string, Shape>> {
	const { said, profile, roles, written, rows, nothing, today } = sheet;
	const shapes = new Map<string, Shape>(said?.shapes);
	const fields = new Map<Column, string>();
	for (const [field, columns] of roles.fields)
		for (const column of columns) if (!fields.has(column)) fields.set(column, field);
	const grouping = said?.grouping?.by === 'column' && profile.byHeader.get(said.grouping.header);
	if (grouping && !fields.has(grouping)) fields.set(grouping, 'invoiceNumber');
	const lines = byLine(rows);
	for (const column of rows.length ? profile.columns : []) {
		yield;
		const { header, filled } = column;
		if ((filled.length === 0 && isNoHeader(header)) || column === roles.restOfName) continue;
		const field = fields.get(column);
		const formats = written.get(column)?.printed;
		const all = (field !== undefined && roles.fields.get(field)) || [];
		const isSum = field === 'total' || field === itemsField;
		const earlier = isSum ? [] : all.slice(0, Math.max(0, all.indexOf(column)));
		const filledCells = cellsOf(column, lines, { field, formats, before: earlier }, today);
		const emptyCells = nothing.map((row) => ({ row, text: '', kind: 'empty' }));
		const cells = field === itemsField ? [...filledCells, ...emptyCells] : filledCells;
		const before = said?.shapes.get(header);
		if (before)
			for (const { text, rows: those } of shapeDifferences(header, before, cells, field))
				differ(text, those);
		shapes.set(header, shapeOf(cells, before));
	}
	return shapes;
}

/** Titles, headings and footnotes. Sums that agree are none. */
function compareTexts({ said, table, leftOut }: Compared, differ: Differ): string[] | undefined {
	const found = [
		...table.above.map((text) => ({ text, where: 'above the headers' })),
		...leftOut
			.filter(({ why, agrees }) => why === 'note' || (why === 'sum' && !agrees))
			.map(({ text, line }) => ({ text, where: `in row ${line.number}` })),
	];
	const seen = new Set(said?.texts);
	const isCompared = said !== undefined && hasKinds(said);
	for (const { text, where } of found) {
		const mask = maskOf(text);
		if (isCompared && !seen.has(mask))
			differ(`new text ${where}: ${JSON.stringify(shorten(text, 100))}`);
		seen.add(mask);
	}
	return seen.size ? [...seen] : undefined;
}
