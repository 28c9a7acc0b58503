import { currenciesOf } from './cells';
import { CustomerIndex } from '../../shared/customers/customerIndex';
import { shorten } from '../../shared/fields/text';
import { codeOf, hexOf } from '../../shared/hash';
import type {
	Column,
	CustomerMatching,
	CustomerResult,
	GivenValues,
	KnownCustomers,
	Profile,
	Roles,
	SheetDefaults,
	WrittenColumn,
} from './columns';
import {
	explanationOf,
	findCustomer,
	formatsOf,
	itemsField,
	mayBeCustomer,
	profileOf,
	rolesOf,
} from './columns';
import type { Comparison, Finding, Sheet } from './findings';
import {
	compare,
	findExplanation,
	findOddities,
	guessesOf,
	isStated,
	openFindings,
} from './findings';
import type { Draft, Grouped, InvoiceSettings } from './invoices';
import {
	draftOf,
	groupingOf,
	withNeighbours,
	withNumberProblems,
	withoutKey,
	withProblem,
} from './invoices';
import {
	cellReader,
	fillFromAbove,
	nameOfPrice,
	partingOf,
	partLines,
	rowOf,
	widened,
	withFigures,
} from './rows';
import type { LeftOut, Row } from './rows';
import type { Source, Statements, ValueStatement } from './statements';
import { namedHeaders } from './statements';
import type { SheetRow, Table } from './table';
import { headerOf, isNoHeader, tableOf } from './table';
import type { Steps } from '../../shared/steps';
import { mapInSteps } from '../../shared/steps';

export interface SheetSettings {
	/** What a person has said. */
	said?: Statements;
	/** Fields that are mapped by hand. */
	given: GivenValues;
	/** Columns that are mapped by hand, by field name. */
	mapped: ReadonlyMap<string, string>;
	defaults: SheetDefaults;
	matchCustomersBy: CustomerMatching;
	/** Whether invoices are found again by their numbers. Those can be made if the sheet has none. */
	isFoundByNumber: boolean;
	/** Columns that an earlier run has added. */
	without: readonly string[];
	/** Numbers of the invoices that an earlier run has made, by the index of their rows. */
	billed?: ReadonlyMap<number, string>;
	/** The workflow's time zone, and today in it (YYYY-MM-DD). */
	zone: string;
	today: string;
}

/** The table and its profile, which do not depend on customers. */
interface OpenSheet {
	table: Table;
	profile: Profile;
}

/** A sheet as it was read, and what a person should see of it. */
export interface SheetReading extends OpenSheet {
	statements: Statements;
	roles: Roles;
	/** All that the reading does not settle in its words. Its `seen` may settle more. */
	findings: Finding[];
	/** Settles what is left for exactly these invoices. */
	seenCode: string;
	rows: Row[];
	drafts: Draft[];
	leftOut: LeftOut[];
	/** Columns that fill no field, so that the invoices do not carry them. */
	unbilled: Column[];
	/** Whether a customer was not found among those that are known. */
	needsDirectory: boolean;
	/** Some rows have no customer. A column may still have them, which only the customers' names tell. */
	mayHaveCustomers: boolean;
	/** Whether the sheet has invoice numbers. */
	hasNumbers: boolean;
}

export function* openSheet(
	rows: readonly SheetRow[],
	{ said, without, defaults }: Pick<SheetSettings, 'said' | 'without' | 'defaults'>,
): Steps<OpenSheet> {
	const table = yield* tableOf(rows, {
		headerRow: said?.headerRow,
		headers: said && namedHeaders(said),
		without,
	});
	yield;
	return { table, profile: yield* profileOf(table, defaults.currency) };
}

/**
 * Reads a sheet: which column means what, which rows form an invoice, and what a person should look at. Pure: it sends nothing and
 * throws nothing. See README.md.
 */
export function* readSheet(
	sheet: OpenSheet,
	settings: SheetSettings,
	known: KnownCustomers & { notFound(text: string): string },
): Steps<SheetReading> {
	const { table, profile } = sheet;
	const { given, zone, today } = settings;
	const defaults = { ...settings.defaults };
	const all = [...known.own.customers, ...(known.ofService?.customers ?? [])];
	const customers = all.length ? new CustomerIndex(all) : undefined;
	const said = withMapped(settings);

	// Columns
	const roles = yield* rolesOf(profile, { said, given, customers, defaults, today, zone });
	// What was confirmed of all amounts holds for those without a sign.
	const [confirmed, ...more] = roles.fields.has('currency') ? [] : (said?.currencies ?? []);
	if (confirmed && !more.length) defaults.currency ??= confirmed;
	const hasCurrency = defaults.currency !== undefined || roles.fields.has('currency');
	const sign = hasCurrency ? undefined : onlyCurrency(roles, profile);
	const dollars = !hasCurrency && sign === undefined && hasDollars(profile);
	defaults.currency ??= dollars ? 'USD' : sign;
	const used = new Set([...roles.fields.values(), roles.restOfName ?? []].flat());
	const unbilled = profile.columns.filter(
		(column) => column.filled.length > 0 && !used.has(column),
	);
	const named = said ? namedHeaders(said) : new Set();
	const values = [
		...(said?.values ?? []).flatMap((one) => {
			const column = profile.byHeader.get(one.header);
			return column ? [widened(one, column)] : [];
		}),
		...unbilled.flatMap((column) => (named.has(column.header) ? [] : (partingOf(column) ?? []))),
	];
	const written = formatsOf(roles, profile, said);
	yield;

	// Rows
	const parted = { values, rowsLeftOut: said?.rowsLeftOut };
	const isCustomer = (text: string) => !customers || mayBeCustomer(text, customers);
	const anyway = { hasAmountAnyway: hasAmount(settings), isCustomer };
	const { kept, ...others } = yield* partLines(table, roles, profile, parted, anyway);
	const filled = yield* fillFromAbove(roles, table.lines, kept);
	const leftOut = others.leftOut.filter(
		({ why, at }) => why !== 'note' || !filled.headings.has(at),
	);
	const formats = new Map([...written].map(([column, { format }]) => [column, format]));
	const withoutAmount: Row[] = [];
	const explanation = said?.relation
		? explanationOf(said.relation, profile.byHeader)
		: yield* findExplanation(roles, profile, kept);
	const calledLike = nameOfPrice(roles, explanation, table.above);
	const rowSettings = { given, read: cellReader(formats, zone), defaults, calledLike, zone };
	const isOfTotal = explanation && roles.fields.get('itemTotal')?.[0] === explanation.whole;
	/** What is left of an amount is 0: `Balance` = `Price` - `Paid`. */
	const nothingIsOpen = (at: number) =>
		isOfTotal === true &&
		explanation?.terms.some(({ isLess }) => isLess) === true &&
		explanation.whole.numbers[at] === 0;
	const read = yield* mapInSteps(kept, (at) => {
		const line = table.lines[at];
		const row = rowOf(line, at, roles, filled.cellOf, rowSettings);
		const isNothing = 'nothing' in row || nothingIsOpen(at);
		if (!isNothing) return [explanation && isOfTotal ? withFigures(row, explanation) : row];
		withoutAmount.push('nothing' in row ? row.nothing : row);
		leftOut.push({ line, at, why: 'nothing', name: 'no amount' });
		return [];
	});
	const rows = read.flat();

	// Invoices
	const hasNumbers = roles.fields.has('invoiceNumber') || given.has('invoiceNumber');
	const needsNumber = settings.isFoundByNumber && hasNumbers;
	// The rows of a customer name them alike.
	const results = new Map<string, CustomerResult | undefined>();
	const found = new Map(
		yield* mapInSteps(rows, (row): [Row, CustomerResult | undefined] => {
			const key = JSON.stringify(row.customers);
			if (!results.has(key))
				results.set(key, findCustomer(row.customers, settings.matchCustomersBy, known));
			return [row, results.get(key)];
		}),
	);
	const invoiceSettings: InvoiceSettings = {
		...{ defaults, today },
		needsNumber,
		billedAs: ({ line }) => settings.billed?.get(line.index),
		customerOf: (row) => found.get(row),
		missingCustomer: (text) => known.notFound(text),
	};
	const { isSideBySide } = table;
	const isMissing = said?.grouping?.by === 'column' && !profile.byHeader.has(said.grouping.header);
	const form = { said: isMissing ? undefined : said?.grouping, hasNumbers, isSideBySide };
	const grouped = yield* groupingOf(rows, roles, profile, invoiceSettings, form);
	const made = yield* mapInSteps(grouped.groups, (group) => draftOf(group, invoiceSettings));
	const keyed = withoutKey(withNeighbours(made, invoiceSettings), grouped.grouping, profile);
	const numbered = withNumberProblems(keyed, needsNumber);
	const alike = alikeColumns(table, roles, [
		...values.map(({ header }) => header),
		...groupedBy(grouped),
	]);
	const drafts =
		alike === undefined ? numbered : numbered.map((draft) => withProblem(draft, alike));

	// Reading
	const excluded = leftOut.flatMap(({ why, at }) => (why === 'value' ? [at] : []));
	const whole: Sheet = {
		...{ table, profile, roles, written, rows, drafts, leftOut, unbilled, said, values, today },
		explanation,
		withoutAmount,
		mustNameAll: settings.said !== undefined,
		lines: [...kept, ...excluded],
	};
	const compared = yield* compare(whole);
	const isSum = leftOut.some(({ why }) => why === 'sum');
	const statements: Statements = {
		fields: sourcesOf(roles, written),
		...{ grouping: grouped.grouping, unchecked: said?.unchecked ?? [], seen: said?.seen },
		values: values.map((one) => withNewValues(one, compared)),
		rowsLeftOut: said?.rowsLeftOut ?? (isSum ? 'totals' : undefined),
		headerRow: table.headerRow,
		isFilledFromAbove: filled.isMerged || said?.isFilledFromAbove,
		...{ isSideBySide, shapes: compared.shapes, texts: compared.texts },
		relation: compared.relation,
		taxRates: compared.taxRates,
		...(compared.currencies && { currencies: compared.currencies }),
	};
	const stated = namedHeaders(statements);
	const unused = profile.columns.filter(
		(column) => !used.has(column) && (column.filled.length > 0 || !isNoHeader(column.header)),
	);
	const unnamed = new Set([...(said?.notBilled ?? []), ...unused.map(({ header }) => header)]);
	statements.notBilled = [...unnamed].filter((header) => !stated.has(header));
	const hasName = defaults.itemName !== undefined || given.has('itemName');
	const guesses = guessesOf({ ...whole, statements }, grouped, hasName ? undefined : calledLike);
	const guess = (text: string) => guesses.push({ kind: 'guess', text, rows: [], money: 0 });
	if (dollars && drafts.some(({ body }) => body.currency === 'USD')) guess('$ is USD');
	if (sign !== undefined && rows.some(({ currencies }) => currencies.length === 0))
		guess(`prices without a currency are in ${sign}`);
	if (!said && profile.byHeader.get('')?.filled.length)
		guess('only one column has no name (n8n gives the last of several)');
	const oddities = yield* findOddities({ ...whole, statements });
	const findings = openFindings([...compared.findings, ...guesses, ...oddities], {
		unchecked: statements.unchecked,
		shapes: said?.shapes ?? new Map(),
	});
	return {
		...{ table, profile, statements, roles, findings, rows, drafts, leftOut, unbilled, hasNumbers },
		seenCode: yield* seenCodeOf(drafts, findings, leftOut),
		needsDirectory: [...found.values()].some((result) => result && 'missing' in result),
		mayHaveCustomers: rows.some(({ customers: cells }) => cells.length === 0),
	};
}

/** Rows with another new value are billed if that is confirmed. */
const withNewValues = (one: ValueStatement, { newValues }: Comparison): ValueStatement => ({
	...one,
	bill: [
		...one.bill,
		...newValues
			.filter(({ header, isLeftOut }) => header === one.header && !isLeftOut)
			.map(({ value }) => value),
	],
});

const groupedBy = ({ grouping }: Grouped): string[] =>
	grouping.by === 'column' ? [grouping.header] : [];

/** Why a sheet cannot be billed: only the places of two columns tell which is which, and columns change their places. */
function alikeColumns(
	{ alike, headers, isSideBySide }: Table,
	{ fields, restOfName }: Roles,
	deciding: string[],
): string | undefined {
	const columns = [...[...fields.values()].flat(), ...(restOfName ? [restOfName] : [])];
	const used = new Set([...columns.map(({ header }) => header), ...deciding]);
	// Items side by side have columns of their own.
	const isItem = (name: string) => isSideBySide && !headers.includes(name);
	const [, twice] = [...alike].find(([name]) => used.has(name) || isItem(name)) ?? [];
	return twice === undefined
		? undefined
		: `Several columns have the header of ${JSON.stringify(shorten(twice, 60))}, and only their places tell them apart. Give each a header of its own`;
}

/** The reading that was given, with the columns that are mapped by hand. */
function withMapped({ said, mapped }: SheetSettings): Statements | undefined {
	if (mapped.size === 0) return said;
	const fields = [...mapped].map(([field, header]): [string, Source[]] => [
		field,
		[{ header: headerOf(header) }],
	]);
	const own = said ?? { values: [], unchecked: [], shapes: new Map() };
	return { ...own, fields: new Map([...(said?.fields ?? []), ...fields]) };
}

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

/** Whether every line has an amount, whatever its cells say. */
const hasAmount = ({ defaults, given }: SheetSettings) =>
	defaults.itemAmount !== undefined || given.has('itemAmount') || given.has('itemTotal');

function sourcesOf({ fields, restOfName }: Roles, written: ReadonlyMap<Column, WrittenColumn>) {
	const sources = [...fields].map(([field, columns]): [string, Source[]] => [
		field,
		columns.map((column, at) => ({
			header: column.header,
			and: field === 'customerId' && at === 0 ? restOfName?.header : undefined,
			formats: written.get(column)?.printed,
		})),
	]);
	return new Map(sources);
}

/**
 * A code of all that somebody saw: what would be billed, what to look at, and which rows are left out. Not of what exists already, so that
 * a repeated run is settled too. 80 bits of SHA-256, because it authorizes what is billed.
 */
function* seenCodeOf(
	drafts: readonly Draft[],
	findings: readonly Finding[],
	leftOut: readonly LeftOut[],
): Steps<string> {
	const invoices = yield* mapInSteps(drafts, ({ body, dueInDays }) =>
		hexOf(
			JSON.stringify(
				dueInDays === undefined
					? body
					: { ...body, due_date: dueInDays, invoice_number: undefined },
			),
		),
	);
	const others = [
		...findings.flatMap((one) => (isStated(one) ? [] : [`${one.kind}: ${one.text}`])),
		...leftOut.map(({ name, amount = '', why, line }) =>
			why === 'nothing' ? `${name} ${line.number}` : `${name} ${amount}`,
		),
	];
	return codeOf(JSON.stringify([invoices.sort(), others.sort()]), 16);
}
