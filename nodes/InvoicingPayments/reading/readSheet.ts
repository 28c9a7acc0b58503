import { CustomerIndex } from '../../shared/customers/customerIndex';
import { codeOf } from '../../shared/hash';
import type { CellFormat } from './cells/read';
import type { GivenValues, Roles } from './columns';
import { rolesOf } from './columns';
import type { CustomerMatching, CustomerResult, KnownCustomers } from './customers';
import { findCustomer } from './customers';
import type { Hand } from './hands';
import { changesAmounts, raiseHands } from './hands';
import type { Draft, InvoiceSettings } from './invoices';
import { draftOf, groupRows, withNumberProblems } from './invoices';
import { sheetField } from './fields';
import { asksWhetherBillable, isTotalName, markIn, saysNo } from './marks';
import { allWordsOf, askWords, dateWords, hasWord, identifierWords } from './names';
import type { Column, Profile } from './profile';
import { languageOf, profileOf } from './profile';
import type { LeftOut, Row } from './rows';
import { partLines, priceAt, rowOf } from './rows';
import type { Certainty, Format, Grouping, Source, Statements, ValueStatement } from './statements';
import { formats, namedHeaders } from './statements';
import { moneyScore } from './sums';
import type { SheetRow, Table } from './table';
import { tableOf } from './table';

export interface SheetSettings {
	/** What a person has said. */
	said?: Statements;
	/** Fields that are mapped by hand. */
	given: GivenValues;
	/** Columns that are mapped by hand, by field name. */
	mapped: ReadonlyMap<string, string>;
	defaults: {
		currency?: string;
		customerId?: string;
		dueInDays?: number;
		itemName?: string;
		itemAmount?: string;
	};
	matchCustomersBy: CustomerMatching;
	/** Whether invoices are found again by their numbers, and whether those can be made if the sheet has none. */
	isFoundByNumber: boolean;
	mayMakeNumbers: boolean;
	/** Columns that an earlier run has added. */
	without: readonly string[];
	/** The workflow's time zone, and today in it (YYYY-MM-DD). */
	zone: string;
	today: string;
}

/** Something that was guessed, and what another good reading would make of it. */
export interface Guess {
	what: string;
	/** `without it: EUR 9,100.00` */
	other?: string;
}

export interface SheetReading {
	table: Table;
	statements: Statements;
	guesses: Guess[];
	rows: readonly Row[];
	drafts: readonly Draft[];
	leftOut: readonly LeftOut[];
	hands: readonly Hand[];
	/** Columns that fill no field, as the invoices do not carry them. */
	unbilled: readonly Column[];
	profile: Profile;
	/** What the reading would have to say, although nothing is guessed: columns that fill no field. */
	leftOver: readonly string[];
	/** Columns of the sheet that the given reading does not name, and those that it names but the sheet does not have. */
	newColumns: readonly string[];
	missingColumns: ReadonlyArray<{ header: string; field?: string }>;
	/** Cells of columns whose values the reading lists, but not these. */
	newValues: ReadonlyArray<{ header: string; value: string; rows: number[] }>;
	/** Texts of customers that are not found. Empty if the directory was not needed. */
	needsDirectory: boolean;
	/** Whether the sheet has a column of invoice numbers. */
	hasNumbers: boolean;
}

/** The table and its profile, which do not depend on customers. */
export interface OpenSheet {
	table: Table;
	profile: Profile;
}

export function* openSheet(
	rows: readonly SheetRow[],
	settings: Pick<SheetSettings, 'said' | 'without'>,
): Steps<OpenSheet> {
	const table = tableOf(rows, { headerRow: settings.said?.headerRow, without: settings.without });
	yield;
	return { table, profile: yield* profileOf(table) };
}

/** Work in steps of some milliseconds, between which other work can run. */
export type Steps<T> = Generator<void, T>;

/** Does all steps at once. */
export function finish<T>(steps: Steps<T>): T {
	for (;;) {
		const { done, value } = steps.next();
		if (done) return value;
	}
}

/**
 * Reads a sheet: which column means what, which rows form an invoice, and what a person should look at. Pure: it sends nothing and
 * throws nothing. See README.md.
 */
export function readSheet(
	{ table, profile }: OpenSheet,
	settings: SheetSettings,
	known: KnownCustomers & { notFound(text: string): string },
): Steps<SheetReading> {
	return new Reader(table, profile, settings, known).read();
}

const rowsPerStep = 100;

class Reader {
	private readonly guesses: Guess[] = [];
	private readonly index?: CustomerIndex;
	private readonly customerResults = new Map<Row, CustomerResult | undefined>();

	constructor(
		private readonly table: Table,
		private readonly profile: Profile,
		private readonly settings: SheetSettings,
		private readonly known: KnownCustomers & { notFound(text: string): string },
	) {
		const { own, ofService } = known;
		const all = [...own.customers, ...(ofService?.customers ?? [])];
		this.index = all.length ? new CustomerIndex(all) : undefined;
	}

	*read(): Steps<SheetReading> {
		const { table, profile, settings } = this;
		const said = this.said();
		const roles = rolesOf(profile, {
			said,
			given: settings.given,
			customers: this.index,
			hasDefaultPrice: settings.defaults.itemAmount !== undefined,
			hasDefaultItem: settings.defaults.itemName !== undefined,
			hasDefaultDue: settings.defaults.dueInDays !== undefined,
			hasDefaultCustomer: settings.defaults.customerId !== undefined,
			...{ today: settings.today, zone: settings.zone },
		});
		yield;
		const values = this.valuesOf(roles, said);
		const hasAmountAnyway =
			settings.defaults.itemAmount !== undefined ||
			settings.given.has('itemAmount') ||
			settings.given.has('itemTotal');
		const { kept, leftOut } = partLines(
			table,
			roles,
			profile,
			{ values, rowsLeftOut: said?.rowsLeftOut },
			hasAmountAnyway,
		);
		const formatOf = this.formatsOf(roles, said);
		const { cellOf, isFilled } = this.fill(roles, kept, said);
		yield;
		const rowSettings = {
			given: settings.given,
			formats: new Map([...formatOf].map(([column, { format }]) => [column, format])),
			defaults: settings.defaults,
			zone: settings.zone,
		};
		const rows: Row[] = [];
		for (const at of kept) {
			rows.push(rowOf(table.lines[at], at, roles, cellOf, rowSettings));
			if (rows.length % rowsPerStep === 0) yield;
		}
		const invoiceSettings = this.invoiceSettings(roles);
		const grouping = this.groupingOf(roles, rows, invoiceSettings, said);
		const groups = this.group(rows, grouping, invoiceSettings);
		const made: Draft[] = [];
		for (const group of groups) {
			made.push(draftOf(group, invoiceSettings));
			if (made.length % rowsPerStep === 0) yield;
		}
		const drafts = withNumberProblems(
			withNeighbours(made, invoiceSettings),
			settings.isFoundByNumber,
		);
		yield;
		const statements = this.statementsOf(
			roles,
			values,
			grouping,
			formatOf,
			isFilled,
			leftOut,
			said,
		);
		this.guessFields(roles, rows, formatOf, kept);
		const hands = yield* raiseHands({
			...{ table, profile, roles, rows, drafts, statements, said, customers: this.index },
			today: settings.today,
		});
		const named = new Set([
			...(settings.said ? namedHeaders(settings.said) : []),
			...settings.mapped.values(),
		]);
		const used = new Set(
			[...roles.fields.values(), roles.restOfName ?? []].flat().map(({ header }) => header),
		);
		const isEmptyColumn = (header: string) => profile.byHeader.get(header)?.filled.length === 0;
		const leftOver = profile.columns.flatMap(({ header, filled }) =>
			filled.length && !used.has(header) ? [header] : [],
		);
		return {
			...{
				table,
				statements,
				guesses: this.guesses,
				rows,
				drafts,
				leftOut,
				hands,
				profile,
				leftOver,
			},
			unbilled: profile.columns.filter(
				({ header, filled }) => filled.length > 0 && !used.has(header),
			),
			newColumns: settings.said
				? table.headers.filter((header) => !named.has(header) && !isEmptyColumn(header))
				: [],
			missingColumns: this.missingColumns(),
			newValues: this.newValues(said, kept, leftOut),
			needsDirectory: rows.some((row) => {
				const found = this.customerResults.get(row);
				return found !== undefined && 'missing' in found;
			}),
			hasNumbers: roles.fields.has('invoiceNumber') || settings.given.has('invoiceNumber'),
		};
	}

	/** The reading that was given, with the columns that are mapped by hand. */
	private said(): Statements | undefined {
		const { said, mapped } = this.settings;
		if (!said || mapped.size === 0)
			return (
				said ??
				(mapped.size ? { fields: this.mappedFields(), values: [], unchecked: [] } : undefined)
			);
		return { ...said, fields: new Map([...said.fields, ...this.mappedFields()]) };
	}

	private mappedFields(): Map<string, Source[]> {
		return new Map([...this.settings.mapped].map(([field, header]) => [field, [{ header }]]));
	}

	/** Columns of few values that part the rows. */
	private valuesOf(roles: Roles, said?: Statements): ValueStatement[] {
		const used = new Set(
			[...roles.fields.values(), roles.restOfName ?? []].flat().map(({ header }) => header),
		);
		const named = said ? namedHeaders(said) : new Set();
		const found = this.profile.columns.flatMap((column) => {
			if (used.has(column.header) || named.has(column.header)) return [];
			return partingOf(column) ?? [];
		});
		return [...(said?.values ?? []), ...found];
	}

	/** How the cells of each column are written, and whether that is only a guess. */
	private formatsOf(roles: Roles, said?: Statements) {
		const formatOf = new Map<Column, { format: CellFormat; printed: Format[]; guess?: string }>();
		const { dates } = this.profile;
		const isAlwaysDecimal = languageOf(this.profile.columns) !== 'en';
		for (const [field, columns] of roles.fields) {
			for (const column of columns) {
				const given =
					said?.fields.get(field)?.find(({ header }) => header === column.header)?.formats ?? [];
				const saidAs = new Set(given.map((one) => formats[one as keyof typeof formats]));
				const saidNumber = saidAs.has('comma')
					? 'comma'
					: saidAs.has('point')
						? 'point'
						: undefined;
				const saidOrder = saidAs.has('dayMonth')
					? 'dayMonth'
					: saidAs.has('monthDay')
						? 'monthDay'
						: undefined;
				const printed: Format[] = [...given];
				let guess: string | undefined;
				const isDate = field === 'dueDate' || field === 'invoiceDate' || field === 'startsAt';
				if (isDate && !saidOrder && hasOrder(column)) {
					printed.push(dates.order === 'dayMonth' ? 'day/month/year' : 'month/day/year');
					if (dates.isUnclear && field === 'dueDate')
						guess = `${column.header} (${printed[printed.length - 1]})`;
				}
				const isNumber = ['itemAmount', 'itemTotal', 'itemQuantity', 'total'].includes(field);
				const decimal = saidNumber ?? column.numberFormat.decimal;
				const isNeeded =
					column.evidence.unclear !== undefined ||
					(isAlwaysDecimal && column.evidence.proved.has('comma'));
				if (isNumber && !saidNumber && isNeeded && decimal) {
					printed.push(decimal === 'comma' ? '1.234,50' : '1,234.50');
					if (column.isUnclearNumber) guess = `${column.header} (${printed[printed.length - 1]})`;
				}
				if (field === 'itemQuantity' && given.length === 0 && arePartsOfDays(column)) {
					printed.push('parts of a day');
					guess = `${column.header} (parts of a day)`;
				}
				const format: CellFormat = {
					numbers: { decimal, isSaid: saidNumber !== undefined },
					dateOrder: saidOrder ?? dates.order,
					formats: printed,
					hasWholePercentages: column.filled.some(({ number = 0 }) => number > 1),
				};
				formatOf.set(column, { format, printed, ...(guess !== undefined && { guess }) });
			}
		}
		return formatOf;
	}

	/** Merged cells keep their value only in the first row. A number is copied only to rows of no other customer. */
	private fill(roles: Roles, kept: number[], said?: Statements) {
		const columnsOf = (...names: string[]) => names.flatMap((name) => roles.fields.get(name) ?? []);
		const numbers = columnsOf('invoiceNumber');
		const owners = columnsOf('customerId', 'customerEmail');
		const keys = numbers.length ? numbers : owners;
		// If a number groups the rows, it is enough: an invoice takes other fields from any of its rows.
		const columns = numbers.length
			? numbers
			: [...new Set([...owners, ...columnsOf('currency', 'dueDate', 'terms', 'invoiceDate')])];
		const [first] = keys as Array<Column | undefined>;
		/** Goes down the rows with the last filled cell of each column. */
		const walk = (visit: (at: number, above: Map<Column, unknown>) => void) => {
			const above = new Map<Column, unknown>();
			for (const at of kept) {
				const isOther = keys.some(
					(column) =>
						column.looks[at] &&
						above.has(column) &&
						column.looks[at].text !== String(above.get(column)).trim(),
				);
				if (isOther) above.clear();
				visit(at, above);
				for (const column of columns)
					if (column.looks[at]) above.set(column, this.table.lines[at].cells[column.at]);
			}
		};
		const blanks = (at: number, above: Map<Column, unknown>) => {
			// A number is not copied to the row of another customer.
			const hasOtherOwner = owners.some(
				(column) =>
					column.looks[at] &&
					above.has(column) &&
					column.looks[at].text !== String(above.get(column)).trim(),
			);
			return columns.filter(
				(column) =>
					!column.looks[at] && above.has(column) && !(numbers.includes(column) && hasOtherOwner),
			);
		};
		let isMerged = false;
		walk((at, above) => {
			isMerged ||= first !== undefined && blanks(at, above).length > 0;
		});
		const isFilled = said?.isFilledFromAbove ?? (isMerged && !said?.notBilled);
		const cells = new Map<Column, unknown[]>(columns.map((column) => [column, []]));
		if (isFilled) {
			walk((at, above) => {
				for (const column of blanks(at, above))
					(cells.get(column) as unknown[])[at] = above.get(column);
			});
		}
		if (isFilled && said?.isFilledFromAbove === undefined)
			this.guesses.push({ what: 'cells filled from above' });
		const cellOf = (column: Column, at: number) =>
			cells.get(column)?.[at] ?? this.table.lines[at].cells[column.at];
		return { cellOf, isFilled };
	}

	private invoiceSettings(roles: Roles): InvoiceSettings {
		const { settings, known } = this;
		const hasNumbers = roles.fields.has('invoiceNumber') || settings.given.has('invoiceNumber');
		return {
			...{ defaults: settings.defaults, today: settings.today },
			isFoundByNumber: settings.isFoundByNumber && hasNumbers,
			needsNumber: settings.isFoundByNumber && (hasNumbers || !settings.mayMakeNumbers),
			customerOf: (row) => {
				if (!this.customerResults.has(row))
					this.customerResults.set(
						row,
						findCustomer(row.customers, settings.matchCustomersBy, known),
					);
				return this.customerResults.get(row);
			},
			missingCustomer: (text) => known.notFound(text),
		};
	}

	/** By number, else by an ID that repeats in neighbouring rows of one customer, else by customer. */
	private groupingOf(
		roles: Roles,
		rows: Row[],
		settings: InvoiceSettings,
		said?: Statements,
	): Grouping {
		if (said?.grouping) return said.grouping;
		if (roles.fields.has('invoiceNumber') || this.settings.given.has('invoiceNumber'))
			return { by: 'invoiceNumber' };
		if (this.table.itemsPerRow > 0) return { by: 'row' };
		const byCustomer: Grouping = { by: 'customer' };
		const count = this.group(rows, byCustomer, settings).length;
		const id = this.profile.columns.find((column) =>
			this.isInvoiceId(column, roles, rows, settings),
		);
		const grouping: Grouping = id ? { by: 'column', header: id.header } : byCustomer;
		const own = id ? this.group(rows, grouping, settings).length : count;
		const perRow = new Set(rows.map(({ line }) => line.index)).size;
		const other = id && own !== count ? count : perRow;
		if (own !== other)
			this.guesses.push({
				what: id ? `one invoice per ${id.header}` : 'one invoice per customer',
				other: `otherwise ${other}`,
			});
		return grouping;
	}

	private isInvoiceId(
		column: Column,
		roles: Roles,
		rows: Row[],
		settings: InvoiceSettings,
	): boolean {
		const isUsed = [...roles.fields.values()].some((columns) => columns.includes(column));
		if (isUsed || !hasWord(column.header, identifierWords) || !column.is('text', 'number', 'id'))
			return false;
		const texts = rows.map(({ at }) => column.looks[at]?.text);
		if (
			texts.some((text) => text === undefined) ||
			new Set(texts).size === texts.length ||
			new Set(texts).size < 2
		)
			return false;
		const ownerOf = new Map<string, string>();
		const owners = new Set<string>();
		const ended = new Set<string>();
		return (
			rows.every((row, index) => {
				const text = texts[index] ?? '';
				const found = settings.customerOf(row);
				const owner = found && 'id' in found ? found.id : (row.customers[0]?.text ?? '');
				if (index > 0 && texts[index - 1] !== text) ended.add(texts[index - 1] ?? '');
				if (ended.has(text) || (ownerOf.get(text) ?? owner) !== owner) return false;
				ownerOf.set(text, owner);
				owners.add(owner);
				return true;
			}) && owners.size < ownerOf.size
		);
	}

	private group(rows: Row[], grouping: Grouping, settings: InvoiceSettings): Row[][] {
		const column =
			grouping.by === 'column' ? this.profile.byHeader.get(grouping.header) : undefined;
		return groupRows(rows, grouping, ({ at }) => column?.looks[at]?.text, settings);
	}

	private statementsOf(
		roles: Roles,
		values: ValueStatement[],
		grouping: Grouping,
		formatOf: Map<Column, { printed: Format[] }>,
		isFilled: boolean,
		leftOut: LeftOut[],
		said?: Statements,
	): Statements {
		const fields = new Map<string, Source[]>();
		for (const [field, columns] of roles.fields) {
			fields.set(
				field,
				columns.map((column) => {
					const { printed } = formatOf.get(column) ?? { printed: [] };
					const and =
						field === 'customerId' && column === columns[0] ? roles.restOfName?.header : undefined;
					return {
						header: column.header,
						...(and !== undefined && { and }),
						...(printed.length && { formats: printed }),
					};
				}),
			);
		}
		const named = new Set([
			...[...roles.fields.values(), roles.restOfName ?? []].flat().map(({ header }) => header),
			...values.map(({ header }) => header),
			...(grouping.by === 'column' ? [grouping.header] : []),
		]);
		const others = this.profile.columns.flatMap(({ header, filled }) =>
			filled.length && !named.has(header) ? [header] : [],
		);
		const notBilled = [
			...new Set([...(said?.notBilled ?? []).filter((header) => !named.has(header)), ...others]),
		];
		const isSum = leftOut.some(({ why }) => why === 'sum');
		const above = this.table.above.filter(changesAmounts);
		if (isSum && !said?.rowsLeftOut) this.guesses.push({ what: 'rows left out: totals' });
		for (const { header, leaveOut } of values)
			if (leaveOut.length > 0 && !said?.values.some((one) => one.header === header))
				this.guesses.push({ what: `which rows are billed, by ${header}` });
		return {
			...{ fields, values, grouping, unchecked: said?.unchecked ?? [] },
			...(notBilled.length && { notBilled }),
			...((isSum || said?.rowsLeftOut) && { rowsLeftOut: said?.rowsLeftOut ?? 'totals' }),
			...(said?.seen !== undefined && { seen: said.seen }),
			...(this.table.headerRow !== undefined && { headerRow: this.table.headerRow }),
			...(isFilled && { isFilledFromAbove: true }),
			...(this.table.itemsPerRow > 0 && { isSideBySide: true }),
			...(above.length && { above }),
		};
	}

	/** Names what was guessed, with the sum that another good reading would bill. */
	private guessFields(
		roles: Roles,
		rows: Row[],
		formatOf: Map<Column, { guess?: string }>,
		kept: number[],
	): void {
		const names: Record<string, string> = {
			customerId: 'Customer',
			customerEmail: 'Customer Email',
			currency: 'Currency',
			dueDate: 'Due Date',
			terms: 'Terms',
			invoiceNumber: 'Invoice Number',
			itemAmount: 'Unit Price',
			itemTotal: 'Line Total',
			itemQuantity: 'Quantity',
			discountPercentage: 'Discount Percentage',
		};
		const sum = kept.reduce((all, at) => all + (priceAt(roles, at) ?? 0), 0);
		for (const [field, how] of roles.how) {
			if (how !== 'guessed' || !(field in names)) continue;
			this.guesses.push({ what: names[field], ...this.otherSum(field, roles, kept, sum) });
		}
		this.guessQuantity(roles, kept);
		for (const { guess } of formatOf.values())
			if (guess !== undefined && rows.length) this.guesses.push({ what: guess });
	}

	/** A price alone, beside a column that may count. */
	private guessQuantity(roles: Roles, kept: number[]): void {
		const price = roles.fields.get('itemAmount')?.[0];
		if (
			!price ||
			roles.fields.has('itemQuantity') ||
			roles.fields.has('itemTotal') ||
			roles.how.get('itemAmount') === 'said'
		)
			return;
		const used = new Set([...roles.fields.values()].flat());
		const mayCount = this.profile.columns.find(
			(column) =>
				!used.has(column) &&
				column.is('number', 'duration') &&
				moneyScore('quantity', column) > -1.5 &&
				!column.filled.every(({ mayBeDate }) => mayBeDate),
		);
		if (!mayCount) return;
		const total = kept.reduce(
			(sum, at) => sum + (price.numbers[at] * mayCount.numbers[at] || 0),
			0,
		);
		this.guesses.push({
			what: 'no Quantity',
			other: `with ${mayCount.header}: ${total.toFixed(2)}`,
		});
	}

	/** What the sheet would come to if another column filled the field, or none. */
	private otherSum(field: string, roles: Roles, kept: number[], sum: number): { other?: string } {
		const role = ({ itemAmount: 'price', itemQuantity: 'quantity', itemTotal: 'line' } as const)[
			field as 'itemAmount'
		];
		const own = roles.fields.get(field)?.[0];
		const other = role && roles.otherMoney.find((one) => one[role] !== own);
		if (!other) return {};
		const total = kept.reduce((all, at) => {
			const stated = other.line?.numbers[at] ?? NaN;
			const times = other.quantity?.numbers[at] ?? NaN;
			const amount = Number.isNaN(stated)
				? (other.price?.numbers[at] ?? NaN) * (Number.isNaN(times) ? 1 : times)
				: stated;
			return all + (Number.isNaN(amount) ? 0 : amount);
		}, 0);
		if (Math.abs(total - sum) < 0.006) return {};
		const column = other[role];
		return { other: `${column ? `with ${column.header}` : 'without it'}: ${total.toFixed(2)}` };
	}

	/** Columns that fill a field or part the rows, and are not there. An export may leave out what is not billed. */
	private missingColumns() {
		const { fields, values, grouping } = this.settings.said ?? {
			fields: new Map<string, Source[]>(),
			values: [],
		};
		const all = [
			...[...fields].flatMap(([name, sources]) =>
				sources.flatMap(({ header, and }) =>
					[header, and ?? header].map((one) => ({
						header: one,
						field: sheetField(name).displayName,
					})),
				),
			),
			...values.map(({ header }) => ({ header })),
			...(grouping?.by === 'column' ? [{ header: grouping.header }] : []),
		];
		const seen = new Set<string>();
		return all.filter(({ header }) => {
			const isMissing = !this.profile.byHeader.has(header) && !seen.has(header);
			seen.add(header);
			return isMissing;
		});
	}

	/** Cells that the reading does not list. */
	private newValues(said: Statements | undefined, kept: number[], leftOut: LeftOut[]) {
		const lines = [...kept, ...leftOut.flatMap(({ why, at }) => (why === 'value' ? [at] : []))];
		return (said?.values ?? []).flatMap(({ header, bill, leaveOut }) => {
			const column = this.profile.byHeader.get(header);
			const listed = new Set([...bill, ...leaveOut]);
			const rows = new Map<string, number[]>();
			for (const at of column ? lines : []) {
				const value = column?.looks[at]?.text ?? '';
				if (!listed.has(value))
					rows.set(value, [...(rows.get(value) ?? []), this.table.lines[at].number]);
			}
			return [...rows].map(([value, numbers]) => ({ header, value, rows: numbers }));
		});
	}
}

/** A row without a number may belong to a neighbouring invoice, which must then not be sent without it. */
function withNeighbours(
	drafts: Draft[],
	{ needsNumber, isFoundByNumber }: InvoiceSettings,
): Draft[] {
	if (!needsNumber && !isFoundByNumber) return drafts;
	const inOrder = [...drafts].sort((a, b) => a.rows[0].at - b.rows[0].at);
	const blocked = new Map<Draft, number>();
	inOrder.forEach((draft, at) => {
		if (
			draft.rows.some(
				({ values, invalid }) => values.has('invoiceNumber') || invalid.has('invoiceNumber'),
			)
		)
			return;
		for (const other of [inOrder[at - 1], inOrder[at + 1]] as Array<Draft | undefined>)
			if (other?.body.invoice_number !== undefined) blocked.set(other, draft.rows[0].number);
	});
	return drafts.map((draft) => {
		const row = blocked.get(draft);
		return row === undefined
			? draft
			: {
					...draft,
					problems: [
						...draft.problems,
						`Row ${row} may be a part of this invoice: correct it first`,
					],
				};
	});
}

const maxValues = 6;

/** Whether a column of few values parts the rows, and which of them are billed. */
function partingOf(column: Column): ValueStatement | undefined {
	const { header, counts, looks, filled } = column;
	const hasBlank = filled.length < looks.length;
	if (
		filled.length === 0 ||
		counts.size > maxValues ||
		column.is('email', 'id') ||
		isTotalName(header)
	)
		return undefined;
	const repeats = [...counts.values()].some((count) => count > 1);
	const marked = [...counts.keys()].filter((text) => markIn(text) !== undefined);
	const asks = hasWord(header, askWords) || isMarkAlone(header) || asksWhetherBillable(header);
	const areFigures =
		column.is('number', 'percent') &&
		![...counts.keys()].every((text) => text === '0' || text === '1');
	if (
		areFigures ||
		(counts.size < 2 && !hasBlank && marked.length === 0) ||
		(!repeats && !hasBlank) ||
		(!asks && marked.length === 0)
	)
		return undefined;
	if (!asks && [...counts.keys()].some((text) => text.length > 40)) return undefined;
	const isDone = !asksWhetherBillable(header) && isMarkAlone(header);
	const isShort = (text: string) => text.split(/\s+/).length < 3 || (counts.get(text) ?? 0) > 1;
	if (!asks && !marked.every(isShort)) return undefined;
	const isLeftOut = (text: string) => {
		if (asksWhetherBillable(header)) return text !== '' && saysNo(text);
		if (isDone) return text !== '' && !saysNo(text);
		return text !== '' && markIn(text) !== undefined;
	};
	const values = [...counts.keys(), ...(hasBlank ? [''] : [])];
	return {
		header,
		bill: values.filter((text) => !isLeftOut(text)),
		leaveOut: values.filter(isLeftOut),
	};
}

/** `Paid`, `Bezahlt am`, but not `Payment method`. */
const isMarkAlone = (header: string) =>
	markIn(header) !== undefined &&
	allWordsOf(header)
		.filter((word) => word.length > 2 && !markIn(word))
		.every((word) => hasWord(word, dateWords));

const hasOrder = ({ counts }: Column) =>
	[...counts.keys()].some((text) => /^\d{1,2}[/-]\d{1,2}[/-]\d/.test(text));

/** Whether numbers are times, which sheets store as fractions of a day: 1:30 is 0.0625. */
function arePartsOfDays({ filled }: Column): boolean {
	const numbers = filled.flatMap(({ kind, number }) => (kind === 'number' ? (number ?? []) : []));
	const isWhole = (number: number) => Math.abs(number - Math.round(number)) < 1e-6;
	return (
		numbers.length > 0 &&
		numbers.every((one) => one > 0 && one < 2 && isWhole(one * 1440)) &&
		numbers.some((one) => !isWhole(one * 100))
	);
}

/** A code of what would be billed, but not of what exists already, so that a repeated run is settled too. */
export function seenCode(drafts: readonly Draft[]): string {
	const contents = drafts.map(({ body, dueInDays }) =>
		JSON.stringify(
			dueInDays === undefined ? body : { ...body, due_date: dueInDays, invoice_number: undefined },
		),
	);
	return codeOf(contents.sort().join('\n'), 16);
}

export type { Certainty };
