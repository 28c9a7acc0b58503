import { addTo } from '../../../shared/addTo';
import { shorten } from '../../../shared/fields/text';
import {
	columnsOf,
	countsTerms,
	doubtIn,
	findExplanation,
	holdsAt,
	itemsField,
	meansWithoutCells,
	relationOf,
	sheetField,
	wordFields,
} from '../columns';
import type { Finding, Sheet } from './findings';
import { currenciesOf, rowsLabel } from '../cells';
import type { Column, Look, Profile } from '../columns';
import type { LeftOut, Row } from '../rows';
import { isListed, leavesOut, sumOf } from '../rows';
import { cellsOf, maskOf, shapeDifferences, shapeOf } from './shapes';
import type { Relation, Shape, Source, Statements } from '../statements';
import { amountsIn, hasKinds, namedHeaders, relationText, taxedAt } from '../statements';
import type { Steps } from '../../../shared/steps';
import { mapInSteps, stepTimer } from '../../../shared/steps';
import { isNoHeader, isTax } from '../table';
import { isTaxedAt, percentageOf, ratesOf, taxedRows, withMoreRates } from './taxRates';

/** The differences, and what the new reading says of them if somebody confirms it. */
export interface Comparison {
	findings: Finding[];
	/** Cells that a value statement does not list. */
	newValues: Array<{ header: string; value: string; isLeftOut: boolean }>;
	currencies?: string[];
	shapes: Map<string, Shape>;
	texts?: string[];
	relation?: Relation;
	taxRates?: string[];
}

/** Compares a sheet with its confirmed reading, and adds what is new to the reading. */
export function* compare(sheet: Sheet): Generator<void, Comparison> {
	const { said, profile, mustNameAll } = sheet;
	const findings: Finding[] = [];
	const differ = (text: string, rows: readonly Row[] = []) =>
		findings.push({
			kind: 'difference',
			text,
			rows: rows.map(({ number }) => number),
			money: Math.abs(sumOf(rows)),
		});
	// Values that are mapped by hand need no column.
	const hasColumns = profile.columns.some(({ filled }) => filled.length > 0);
	if (said && !said.isPreviewed && mustNameAll && hasColumns && sheet.rows.length) {
		const text = 'the reading was typed or changed, and its preview has not been chosen yet';
		findings.push({ kind: 'unseen', text, rows: [], money: 0 });
	}
	if (said)
		for (const text of [...newColumns(sheet, said), ...missingColumns(said, profile)]) differ(text);
	yield;
	const newValues = newValuesOf(sheet);
	for (const { header, value, rows, lines, isLeftOut } of newValues) {
		const what = isLeftOut ? 'leaves it out' : 'bills it';
		const text = `new value: ${header}: ${value || 'empty'} in ${rowsLabel(lines)}. The new reading ${what}`;
		differ(text, rows);
	}
	const currencies = newCurrencies(sheet);
	if (said?.currencies)
		for (const [currency, rows] of currencies)
			differ(`new value: ${amountsIn}: ${currency} in ${rowsLabel(rows)}`, rows);
	const allCurrencies = [...(said?.currencies ?? []), ...currencies.keys()];
	const shapes = yield* compareShapes(sheet, differ);
	const texts = yield* compareTexts(sheet, differ);
	const relation = yield* compareRelation(sheet, differ);
	return {
		findings,
		newValues,
		shapes,
		texts,
		relation,
		taxRates: compareTaxes(sheet, differ),
		...(allCurrencies.length > 0 && { currencies: allCurrencies }),
	};
}

type Differ = (text: string, rows?: readonly Row[]) => void;

/** What makes up the amounts, as long as it holds in every row. */
function* compareRelation(sheet: Sheet, differ: Differ): Steps<Relation | undefined> {
	const { said, rows, withoutAmount, profile, explanation } = sheet;
	const confirmed = said?.relation;
	if (!confirmed) return explanation && relationOf(explanation);
	for (const { header } of rows.length ? confirmed.terms : []) {
		const column = profile.byHeader.get(header);
		// Without a tax, net and gross are the same, in whichever column they stand.
		if (isTax({ header }) && !rows.some(({ at }) => column?.numbers[at]))
			differ(`${header} is empty or 0 in all rows`);
	}
	const broken = [...rows, ...withoutAmount].filter(
		({ at }) => !explanation || !holdsAt(explanation, at),
	);
	if (broken.length === 0) return confirmed;
	differ(`${relationText(confirmed)} does not hold in ${rowsLabel(broken)}`, broken);
	const lines = rows.map(({ at }) => at);
	const other = yield* findExplanation(sheet.roles, profile, lines);
	return other && relationOf(other);
}

/** The percentages of taxes, with new ones. */
function compareTaxes(sheet: Sheet, differ: Differ): string[] | undefined {
	const taxed = taxedRows(sheet);
	const confirmed = sheet.said?.taxRates;
	if (!confirmed) return ratesOf(taxed);
	const others = taxed.filter((one) => !isTaxedAt(one, confirmed));
	const percentages = [...new Set(others.map(percentageOf))];
	for (const percentage of percentages) {
		const own = others.filter((one) => percentageOf(one) === percentage).map(({ row }) => row);
		differ(`new value: ${taxedAt}: ${percentage} in ${rowsLabel(own)}`, own);
	}
	return withMoreRates(confirmed, percentages);
}

function newColumns({ mustNameAll, profile, table }: Sheet, said: Statements): string[] {
	const named = namedHeaders(said);
	const added = mustNameAll
		? profile.columns.filter(({ header, filled }) => filled.length && !named.has(header))
		: [];
	// A reading that was typed may be short.
	if (added.length > 1 && !hasKinds(said))
		return [`not in the reading yet: ${added.map(({ header }) => shorten(header, 40)).join(', ')}`];
	return added.map(({ header, looks }) => {
		const at = looks.findIndex((look) => look !== undefined);
		const example = `${shorten(looks[at]?.text ?? '', 40)} in row ${table.lines[at].number}`;
		return `new column: ${header} (${example})`;
	});
}

/** Fields that take something off an amount, or are one of several. */
const addsToAmounts = ['itemDiscount', 'discountPercentage', itemsField];

/** Missing or empty columns that fill a field, or decide which rows are billed or grouped. An export may leave out what is not billed. */
function missingColumns(said: Statements, { byHeader }: Profile): string[] {
	const isFilled = ({ header }: Source) => Boolean(byHeader.get(header)?.filled.length);
	// What took nothing off, or added nothing, in a row may do so in all, and many exports leave out such a column.
	const mayLack = (name: string, { header }: Source) =>
		addsToAmounts.includes(name) && said.shapes.get(header)?.kinds.includes('empty') === true;
	const columns: Array<{ header: string; field?: string; isEmpty?: boolean }> = [
		...[...said.fields].flatMap(([name, sources]) => {
			// The total is what proves amounts side by side.
			const isProof = name === 'total' && said.fields.has(itemsField);
			if ((name === 'total' || wordFields.includes(name)) && !isProof) return [];
			// Without cells, a quantity would silently be 1.
			const needed = sources.filter((source) => !mayLack(name, source));
			const isEmpty = meansWithoutCells.includes(name) && !needed.some(isFilled);
			const headers = needed.flatMap(({ header, and = header }) => [header, and]);
			return headers.map((header) => ({ header, field: sheetField(name).displayName, isEmpty }));
		}),
		...said.values.map(({ header }) => ({ header })),
		...(said.grouping?.by === 'column' ? [{ header: said.grouping.header }] : []),
	];
	const texts = columns.flatMap(({ header, field, isEmpty }) =>
		byHeader.has(header) && !isEmpty
			? []
			: [
					`${byHeader.has(header) ? 'empty' : 'missing'} column: ${header}${field === undefined ? '' : `, which fills ${field}`}`,
				],
	);
	return [...new Set(texts)];
}

function newValuesOf({ said, values, profile, lines: billed, table, rows }: Sheet) {
	const rowsByLine = new Map(rows.map((row) => [row.at, row]));
	return (said?.values ?? []).flatMap((one) => {
		const { header } = one;
		const leaveOut = values.find((other) => other.header === header)?.leaveOut ?? [];
		const looks = profile.byHeader.get(header)?.looks;
		const found = new Map<string, number[]>();
		const others = values.filter((other) => other.header !== header);
		const isLeftOut = (at: number) =>
			others.some((other) => leavesOut(other, profile.byHeader.get(other.header)?.looks[at]?.text));
		if (looks) for (const at of billed) if (!isLeftOut(at)) addTo(found, looks[at]?.text ?? '', at);
		const isNew = ([value]: [string, number[]]) => !isListed(one, value);
		return [...found].filter(isNew).map(([value, indexes]) => ({
			header,
			value,
			isLeftOut: leaveOut.includes(value),
			rows: indexes.flatMap((at) => rowsByLine.get(at) ?? []),
			lines: indexes.map((at) => table.lines[at]),
		}));
	});
}

/** The rows of each currency that nobody has said. */
function newCurrencies({ drafts, said }: Sheet): Map<string, Row[]> {
	const found = new Map<string, Row[]>();
	for (const { rows, body } of drafts)
		if (typeof body.currency === 'string' && !said?.currencies?.includes(body.currency))
			for (const row of rows) addTo(found, body.currency, row);
	return found;
}

/** Fields that an invoice has once. */
const ofInvoice = ['currency', 'dueDate', 'terms', 'invoiceDate'];

/** The shapes of all columns but those whose values are listed. */
function* compareShapes(sheet: Sheet, differ: Differ): Generator<void, Map<string, Shape>> {
	const { said, profile, roles, written, rows, withoutAmount, values, today } = sheet;
	const listed = new Set(values.map(({ header }) => header));
	const shapes = new Map([...(said?.shapes ?? [])].filter(([header]) => !listed.has(header)));
	const fields = new Map<Column, string>();
	for (const [field, columns] of roles.fields)
		for (const column of columns) if (!fields.has(column)) fields.set(column, field);
	// The column that groups the rows is compared like numbers of invoices: a cell of another kind would split an invoice.
	const grouping = said?.grouping?.by === 'column' && profile.byHeader.get(said.grouping.header);
	if (grouping && !fields.has(grouping)) fields.set(grouping, 'invoiceNumber');
	const isCounted = countsTerms(roles);
	if (rows.length === 0) return shapes;
	const invoices = new Map(sheet.drafts.flatMap((draft) => draft.rows.map((row) => [row, draft])));
	// An invoice takes its currency and dates from any of its rows, and those of merged cells from above.
	const isElsewhere = (field: string | undefined, row: Row) =>
		ofInvoice.includes(field ?? '') &&
		(invoices.get(row)?.rows ?? [row]).some(({ values: own }) => own.has(field ?? ''));
	for (const column of profile.columns) {
		yield;
		const { header, filled } = column;
		if (listed.has(header)) continue;
		if ((filled.length === 0 && isNoHeader(header)) || column === roles.restOfName) continue;
		const field = fields.get(column);
		const formats = written.get(column)?.printed;
		const all = (field !== undefined && roles.fields.get(field)) || [];
		const isSum = field === 'total' || field === itemsField;
		const preferred = isSum ? [] : all.slice(0, Math.max(0, all.indexOf(column)));
		const filledCells = yield* cellsOf(column, rows, {
			field,
			formats,
			before: preferred,
			today,
		});
		const emptyCells = withoutAmount.map((row) => ({ row, text: '', kind: 'empty' }));
		const own = filledCells.filter(({ kind, row }) => kind !== 'empty' || !isElsewhere(field, row));
		const cells = field === itemsField ? [...own, ...emptyCells] : own;
		const seen = said?.shapes.get(header);
		// Terms count from the invoice date, unless there is a due date.
		const isIdle = ['terms', 'invoiceDate'].includes(field ?? '') && !isCounted;
		if (seen)
			for (const { text, rows: those } of shapeDifferences(header, seen, cells, { field, isIdle }))
				differ(text, those);
		shapes.set(header, shapeOf(cells, seen));
	}
	return shapes;
}

/**
 * Cells of titles, headings, footnotes and total rows. Amounts and dates say nothing new, nor do the customer and the number of an invoice
 * that is billed, as in its total. Neither does, in a row that is known by another of its cells (`sick leave`), what also stands in a
 * row that is billed, or in a column that is not billed without a word that makes it worth a look.
 */
function* compareTexts(sheet: Sheet, differ: Differ): Steps<string[] | undefined> {
	const { said, table, profile, leftOut, lines, unbilled, drafts, roles } = sheet;
	const isLong = stepTimer();
	const billed = new Map<Column, Set<string | undefined>>();
	for (const column of profile.columns) {
		if (isLong()) yield;
		billed.set(column, new Set(lines.map((at) => column.looks[at]?.text)));
	}
	const currencies = [
		...new Set(drafts.flatMap(({ body }) => (body.currency as string | undefined) ?? [])),
	];
	const isKnownSign = (text: string) =>
		currencies.length > 0 && currencies.every((one) => currenciesOf(text).includes(one));
	const known = new Set(said?.texts);
	const owners = columnsOf(roles, 'customerId', 'customerEmail', 'invoiceNumber');
	const cellsOfLine = (at: number, why: LeftOut['why']): Masked[] => {
		const cells = profile.columns.flatMap((column) => {
			const look = column.looks[at];
			const text = look && saidBy(look);
			if (text === undefined || isKnownSign(text)) return [];
			const isBilled = billed.get(column)?.has(look?.text) === true;
			return isBilled && owners.includes(column) ? [] : [{ ...maskedOf(text), column, isBilled }];
		});
		const isFree = ({ text, column, isBilled }: (typeof cells)[0]) =>
			isBilled || (unbilled.includes(column) && doubtIn(text) === undefined);
		const isKnownRow = why === 'note' && cells.some(({ mask }) => known.has(mask));
		return cells.filter((one) => !(isKnownRow && isFree(one)));
	};
	const above = table.above.map((text) => ({
		cells: [maskedOf(text)],
		where: 'above the headers',
	}));
	const notBilled = leftOut.filter(({ why }) => why === 'note' || why === 'sum');
	const rows = yield* mapInSteps(notBilled, ({ at, line, why }) => ({
		cells: cellsOfLine(at, why),
		where: `in row ${line.number}`,
	}));
	const seen = new Set(known);
	for (const { cells, where } of [...above, ...rows]) {
		if (isLong()) yield;
		const found = cells.filter(({ mask }) => !known.has(mask));
		const texts = found.map(({ text }) => JSON.stringify(shorten(text, 100))).join(', ');
		if (said && hasKinds(said) && found.length) differ(`new text ${where}: ${texts}`);
		for (const { mask } of cells) seen.add(mask);
	}
	return seen.size ? [...seen] : undefined;
}

type Masked = { text: string; mask: string };
const maskedOf = (text: string): Masked => ({ text, mask: maskOf(text) });

/** What a cell says besides an amount, a date or an address. `1,407.50 USD` says the currency, `34 paid` all of it. */
function saidBy({ kind, text, currency, mayBeDate }: Look): string | undefined {
	if (kind === 'number')
		return mayBeDate ? undefined : (currency ?? (/\p{L}/u.test(text) ? text : undefined));
	return ['date', 'duration', 'id', 'email'].includes(kind) ? undefined : text;
}
