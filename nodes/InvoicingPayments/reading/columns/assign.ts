import type { CustomerIndex } from '../../../shared/customers/customerIndex';
import { addTo } from '../../../shared/addTo';
import { readCurrency, readDate, toTermDays } from '../cells';
import { findCustomers } from './customers';
import type { About, ItemColumns } from './evidence';
import { isDiscount, pointsOf } from './evidence';
import type { Explanation } from './explain';
import { maxLines, partsOf } from './explain';
import {
	dateFields,
	itemNumbers,
	itemsField,
	meansWithoutCells,
	sheetFields,
	wordFields,
} from './fields';
import { isAnswer } from './marks';
import type { Money } from './money';
import { isNumeric, isText, moneyReadings } from './money';
import { isNamed, isNamedOtherwise, timeUnitOf } from '../table';
import { foldedWords, headersFor } from '../words';
import type { Column, Profile } from './profile';
import { shares } from './profile';
import type { Statements } from '../statements';
import { namedHeaders } from '../statements';
import type { Steps } from '../../../shared/steps';
import { stepTimer } from '../../../shared/steps';

/**
 * Which column fills which field. What a person has said wins. Fields whose cells are the easiest to tell take their columns first, texts
 * last. Of the columns that fit a field, the one with the most points takes it (evidence.ts); price, quantity and total are chosen
 * together (money.ts).
 */
export interface Roles {
	fields: Map<string, Column[]>;
	/** Fields whose column nobody has said, and no name or sum tells. */
	guessed: ReadonlySet<string>;
	/** Columns that do not count, because their headers say that they are settled. */
	settled: readonly Column[];
	/** What the amounts are made of, if that chose them. */
	explanation?: Explanation;
	/** Stands beside the first column of the customer: `Vorname + Nachname`. */
	restOfName?: Column;
}

/** Values that the user has mapped or typed, for each input row. They win over columns. */
export type GivenValues = ReadonlyMap<string, (index: number) => unknown>;

/** What a person has set for cells that are empty. */
export interface SheetDefaults {
	currency?: string;
	customerId?: string;
	dueInDays?: number;
	itemName?: string;
	itemAmount?: string;
}

export interface AssignSettings {
	said?: Statements;
	given: GivenValues;
	/** Customers that are known. `undefined`: not looked up yet. */
	customers?: CustomerIndex;
	defaults: SheetDefaults;
	/** YYYY-MM-DD */
	today: string;
	zone: string;
}

/** The columns of these fields. */
export const columnsOf = ({ fields }: Pick<Roles, 'fields'>, ...names: string[]): Column[] =>
	names.flatMap((name) => fields.get(name) ?? []);

/** Columns that say who pays. */
const ownersIn = (roles: Pick<Roles, 'fields'>): Column[] =>
	roles.fields.get('customerEmail') ?? columnsOf(roles, 'customerId');

/** For each line the invoice that it probably belongs to. */
function invoicesOfLines(roles: Pick<Roles, 'fields'>, { columns }: Profile): string[] {
	const due = columnsOf(roles, 'dueDate');
	const terms = columnsOf(roles, 'terms');
	const byTerms = terms.length ? [...columnsOf(roles, 'invoiceDate'), ...terms] : [];
	const keys = roles.fields.get('invoiceNumber') ?? [
		...ownersIn(roles),
		...(due.length ? due : byTerms),
	];
	const count = columns[0]?.looks.length ?? 0;
	return Array.from({ length: count }, (_, at) =>
		keys.map(({ looks }) => looks[at]?.text ?? '').join('\n'),
	);
}

/** What the columns of a field must be like. */
interface Rule {
	field: string;
	/** Fields whose names count. */
	names?: readonly string[];
	fits?: (column: Column, taken: Assignment) => boolean;
	/** Whether a person has set what it is without a column. */
	hasDefault?: (settings: AssignSettings['defaults']) => boolean;
}

/** A column that may fill a field, with what speaks for it. */
export interface Candidate {
	column: Column;
	points: number;
}

const isCurrency = (one: Column) =>
	one.is('currency') ||
	// Codes may stand in small letters if the header says that they are currencies.
	one.texts.every((text) => {
		const read = readCurrency(isNamed('currency', one.header) ? text.toUpperCase() : text);
		return read.ok && /^[A-Z]{3}$/.test(String(read.value));
	});

/** `Rechnung: ja` asks whether there is to be one. */
const mayBeNumber = (one: Column) =>
	one.is('text', 'number', 'id') &&
	one.filled.every((look) => !look.isMoney) &&
	!one.texts.every((text) => !/^\d+$/.test(text) && isAnswer(text));

/** Below a name of a date, numbers may have a time, and other cells are mistakes that a person corrects. */
function isDate(one: Column): boolean {
	const isNamedSo = dateFields.some((name) => isNamed(name, one.header));
	const dates = one.filled.filter(
		({ kind, mayBeDate, mayBeTime }) =>
			kind === 'date' || mayBeDate === true || (isNamedSo && mayBeTime === true),
	);
	return dates.length >= one.filled.length * (isNamedSo ? shares.most : shares.nearlyAll);
}

/** A day that has passed is hardly a due date, unless the column is called so. */
const isAhead = (one: Column, { profile, settings: { today, zone } }: Assignment) =>
	one.texts.every((text) => {
		const read = readDate(text, profile.dates.order, zone);
		return !read.ok || read.value >= today;
	});

/** `Term (months)` and `Terms accepted` are no days until an invoice is due. */
const areTerms = (one: Column) =>
	(timeUnitOf(one.header) ?? 'day') === 'day' &&
	one.texts.every((text) => toTermDays(text).ok) &&
	(isNamed('terms', one.header) || !one.texts.every((text) => /^[01]$/.test(text)));

/** Whether an invoice has one value in all its rows. `Start Date` of a time report is a date of each row. */
function isOfInvoices(valueAt: (at: number) => unknown, { invoices }: Assignment): boolean {
	const byInvoice = new Map<string, unknown>();
	return invoices.every((invoice, at) => {
		const value = valueAt(at);
		const isSame = !byInvoice.has(invoice) || byInvoice.get(invoice) === value;
		byInvoice.set(invoice, value);
		return isSame;
	});
}

/** The rules of most fields, in the order in which fields take their columns. The others have functions of their own, below. */
const rules: Rule[] = [
	{ field: 'currency', fits: isCurrency },
	{
		field: 'customerEmail',
		names: ['customerEmail', 'customerId'],
		fits: (one, taken) =>
			!taken.has('customerId') &&
			one.share('email') > shares.most &&
			(!taken.isAnyKnown() || taken.knownShare(one) > 0),
	},
	{
		field: 'customerId',
		fits: (one, taken) =>
			!taken.wasPayerSaid &&
			one.share('email', 'id', 'text') > shares.many &&
			!one.is('email') &&
			(taken.settings.defaults.customerId === undefined || taken.knownShare(one) > 0),
	},
	{ field: 'invoiceNumber', fits: mayBeNumber },
	{
		field: 'dueDate',
		names: ['dueDate', 'terms'],
		fits: (one, taken) => isDate(one) && (isNamed('dueDate', one.header) || isAhead(one, taken)),
		hasDefault: ({ dueInDays }) => dueInDays !== undefined,
	},
	{
		field: 'terms',
		// People write `Net 30` under Due Date.
		names: ['terms', 'dueDate'],
		fits: (one, taken) =>
			taken.has('dueDate')
				? isNamed('terms', one.header)
				: areTerms(one) && !(one.is('number') && isNamed('dueDate', one.header)),
		hasDefault: ({ dueInDays }) => dueInDays !== undefined,
	},
	{ field: 'invoiceDate', fits: isDate },
	{
		field: 'startsAt',
		fits: (one, taken) => isDate(one) && isOfInvoices((at) => one.looks[at]?.text, taken),
	},
	// Fields of the API that a sheet fills only under their own names, because no language has others.
	...sheetFields
		.filter(({ property, name }) => property !== undefined && headersFor(name).flat().length === 0)
		.map(({ name }) => ({ field: name })),
	{ field: 'discountPercentage', fits: (one) => one.is('number', 'percent') },
	{ field: 'money' },
	{
		field: 'itemName',
		fits: (one, taken) =>
			(isText(one) || (isNamed('itemName', one.header) && !one.is('number'))) &&
			!isNamed('note', one.header) &&
			(isNamed('itemName', one.header) || !taken.areCalledLikeColumns),
		hasDefault: ({ itemName }) => itemName !== undefined,
	},
	{ field: 'title', fits: (one) => one.texts.every((text) => text.length <= 50) },
	{ field: 'note', fits: isText },
];

/** Fields that a column fills only under its own name. */
const exact = new Set(
	rules.filter(({ fits, field }) => !fits && field !== 'money').map(({ field }) => field),
);

/** Which column fills which field, so far. A column fills one field. */
class Assignment {
	readonly fields = new Map<string, Column[]>();
	readonly guessed = new Set<string>();
	readonly free: Set<Column>;
	readonly wasPayerSaid: boolean;
	settled: readonly Column[] = [];
	explanation?: Explanation;
	restOfName?: Column;
	private readonly shares = new Map<Column, number>();

	/** Begins with what a person has said. */
	constructor(
		readonly profile: Profile,
		readonly settings: AssignSettings,
	) {
		const { said } = settings;
		const named = said ? namedHeaders(said) : new Set();
		this.free = new Set(
			profile.columns.filter(({ header, filled }) => filled.length > 0 && !named.has(header)),
		);
		for (const [field, sources] of said?.fields ?? []) {
			const columns = sources.flatMap(({ header }) => profile.byHeader.get(header) ?? []);
			// A quantity or discount without cells is reported as a difference. Another column may fill its field.
			const isIdle =
				meansWithoutCells.includes(field) && columns.every(({ filled }) => filled.length === 0);
			if (columns.length === 0 || isIdle) continue;
			this.fields.set(field, columns);
			const rest = sources[0]?.and;
			if (field === 'customerId' && rest !== undefined)
				this.restOfName = profile.byHeader.get(rest);
		}
		this.wasPayerSaid = this.has('customerId') || this.has('customerEmail');
	}

	/** For each line the invoice that it probably belongs to. */
	get invoices(): string[] {
		return invoicesOfLines(this, this.profile);
	}

	/** Whether a column or the user fills the field. */
	has(field: string): boolean {
		return this.fields.has(field) || this.settings.given.has(field);
	}

	use(field: string, column: Column, isGuess = false): void {
		this.fields.set(field, [...columnsOf(this, field), column]);
		this.free.delete(column);
		if (isGuess) this.guessed.add(field);
	}

	/** Whether all items are amounts side by side. */
	get areCalledLikeColumns(): boolean {
		return this.has(itemsField) && !this.has('itemAmount') && !this.has('itemTotal');
	}

	/** Which share of the texts are customers that the service knows. */
	knownShare(column: Column): number {
		const { customers } = this.settings;
		if (!customers) return 0;
		const { texts } = column;
		const share =
			this.shares.get(column) ??
			texts.filter((text) => findCustomers(text, customers).length > 0).length / texts.length;
		this.shares.set(column, share);
		return share;
	}

	isAnyKnown(): boolean {
		return [...this.free].some(
			(one) => one.share('email', 'id', 'text') > shares.many && this.knownShare(one) > 0,
		);
	}

	/** Whether the texts are parts of their customers' names. */
	isOfCustomer({ looks }: Column): boolean {
		const owners = ownersIn(this);
		if (owners.length === 0) return false;
		const rows = looks.slice(0, maxLines).flatMap((look, at) => (look ? [at] : []));
		const isPart = (at: number) => {
			const owner = owners.flatMap((one) => foldedWords(one.looks[at]?.text ?? ''));
			const words = foldedWords(looks[at]?.text ?? '');
			return words.some((word) => word.length > 2 && owner.includes(word));
		};
		return rows.filter(isPart).length * 2 > rows.length;
	}

	/** The free columns that may fill a field, the best first. */
	*candidates({ field, names = [field], fits = () => true, hasDefault }: Rule): Steps<Candidate[]> {
		const { invoices } = this;
		const about: About = {
			field: exact.has(field) ? 'exact' : field,
			names,
			hasDefault: hasDefault?.(this.settings.defaults) === true,
			knownShare: (one) => this.knownShare(one),
			priceTold: (one) => priceTold(one, this),
			isOfCustomer: (one) => this.isOfCustomer(one),
			differsIn: (one) => differsIn(one, invoices),
		};
		const found: Candidate[] = [];
		const isLong = stepTimer();
		for (const column of this.free) {
			if (isLong()) yield;
			if (fits(column, this)) found.push({ column, points: pointsOf(column, about) });
		}
		return found.sort((a, b) => b.points - a.points);
	}

	*pick(rule: Rule): Generator<void> {
		const { field, names = [field] } = rule;
		if (this.has(field)) return;
		const isCalled = ({ header }: Column) => names.some((name) => isNamed(name, header));
		const best = (yield* this.candidates(rule)).find(({ points }) => points >= 0);
		if (best) this.use(field, best.column, !isCalled(best.column));
		else if (field === 'currency' && this.settings.defaults.currency === undefined)
			this.pickMistaken(field);
	}

	/** The only column with a name of a field, although its cells are no values of it: they are mistakes, which the preview shows. */
	pickMistaken(field: string): void {
		const named = [...this.free].filter(({ header }) => isNamed(field, header));
		if (named.length === 1 && !this.has(field)) this.use(field, named[0]);
	}
}

/** Decides for each field which column fills it. */
export function* rolesOf(profile: Profile, settings: AssignSettings): Generator<void, Roles> {
	const all = new Assignment(profile, settings);
	yield;
	useTwoNames(all);
	for (const rule of rules) {
		yield;
		if (rule.field === 'money') {
			useOnlyDate(all);
			yield* pickMoney(all);
		} else yield* all.pick(rule);
	}
	// In the order of a printed reading, so that its cells mean the same once it is confirmed.
	const fields = sheetFields.flatMap(({ name }): Array<[string, Column[]]> => {
		const columns = all.fields.get(name);
		return columns ? [[name, columns]] : [];
	});
	const { guessed, settled, explanation, restOfName } = all;
	return { guessed, settled, explanation, restOfName, fields: new Map(fields) };
}

/** The columns that could fill a field in place of the one that does, the best first. */
export function* candidatesFor(
	field: string,
	roles: Roles,
	profile: Profile,
	settings: AssignSettings,
): Steps<Candidate[]> {
	const all = new Assignment(profile, { ...settings, said: undefined });
	const textsOfItem = field === 'itemName' ? wordFields : [];
	for (const [name, columns] of roles.fields)
		if (name !== field && !textsOfItem.includes(name))
			for (const column of columns) all.use(name, column);
	const rule = rules.find((one) => one.field === field);
	return rule ? yield* all.candidates(rule) : [];
}

/** A first and a last name that together are known customers, if no column alone has known ones. */
function useTwoNames(all: Assignment): void {
	const { customers } = all.settings;
	if (!customers || all.wasPayerSaid || all.isAnyKnown()) return;
	const names = [...all.free].filter((one) => one.is('text')).slice(0, 12);
	for (const first of names)
		for (const last of names) {
			const pairs = first.looks
				.flatMap((look, at) => {
					const rest = last.looks[at];
					return look && rest ? [`${look.text} ${rest.text}`] : [];
				})
				.slice(0, 50);
			const known = pairs.filter((pair) => customers.withName(pair).length > 0);
			if (first === last || known.length * 2 <= pairs.length) continue;
			all.use('customerId', first, true);
			all.restOfName = last;
			all.free.delete(last);
			return;
		}
}

/** The only date ahead, if nothing else says when an invoice is due. */
function useOnlyDate(all: Assignment): void {
	if (all.has('dueDate') || all.has('terms') || all.settings.defaults.dueInDays !== undefined)
		return;
	const dates = [...all.free].filter(
		(one) =>
			one.is('date') &&
			one.fullness > shares.most &&
			isAhead(one, all) &&
			!isNamedOtherwise('dueDate', one.header),
	);
	if (dates.length === 1) all.use('dueDate', dates[0], true);
	all.pickMistaken('dueDate');
}

/** Price, quantity and line total, or several amounts that are items, and stated totals. */
function* pickMoney(all: Assignment): Generator<void> {
	const { fields, settings, profile } = all;
	if (all.has(itemsField)) {
		pickTotals(all);
		return;
	}
	const said: ItemColumns = {};
	// A person who says the price or the line total says that there is no other amount.
	if (all.has('itemAmount') || all.has('itemTotal'))
		Object.assign(said, { itemAmount: undefined, itemTotal: undefined });
	for (const field of itemNumbers) if (all.has(field)) said[field] = fields.get(field)?.[0];
	const readings = yield* moneyOf(all, [...all.free], profile, { settings, said });
	const [money] = readings as [Money?];
	if (!money) return;
	for (const field of itemNumbers) {
		const column = money[field];
		const isSure = ({ header }: Column) =>
			money.isProved ||
			isNamed(field, header) ||
			// Without a quantity, an amount is both.
			(isNamed('amount', header) && !money.itemQuantity);
		if (column && !all.has(field)) all.use(field, column, !isSure(column));
	}
	for (const column of money.items ?? []) all.use(itemsField, column);
	all.settled = money.settled;
	all.explanation = money.by;
	pickTotals(all, readings);
	const [discount] = columnsOf(all, 'discountPercentage') as Array<Column | undefined>;
	const billed = columnsOf(all, 'itemTotal', 'itemAmount');
	const hasDiscount = ({ by }: Money) =>
		by !== undefined && by.rate === discount && billed.includes(by.whole);
	const isSaid = settings.said?.fields.has('discountPercentage') === true;
	// The amounts have it already.
	if (discount && !isSaid && readings.some(hasDiscount)) {
		fields.delete('discountPercentage');
		all.settled = [...all.settled, discount];
	} else pickLineDiscount(all, money);
}

/** All readings of the amounts in columns that no other field uses. */
export function* moneyOf(
	roles: Pick<Roles, 'fields'>,
	free: readonly Column[],
	profile: Profile,
	{
		settings: { defaults, given },
		said = {},
	}: { settings: Pick<AssignSettings, 'defaults' | 'given'>; said?: ItemColumns },
): Steps<Money[]> {
	const numeric = free.filter(isNumeric);
	const hasAmounts = numeric.some(({ header }) => !isNamed('itemQuantity', header));
	// A typing error in a short sheet leaves `Rate` what it is called, unless another column has the amounts.
	const isMistaken = (one: Column) =>
		[...itemNumbers, 'amount'].some((field) => isNamed(field, one.header)) &&
		(!hasAmounts || one.share('number', 'duration') > 0);
	const own = Object.values(said).flatMap((one) => one ?? []);
	const columns = [
		...new Set([...own, ...free.filter((one) => isNumeric(one) || isMistaken(one))]),
	];
	return yield* moneyReadings(columns, profile.columns, {
		groups: invoicesOfLines(roles, profile),
		said,
		hasFixedPrice: defaults.itemAmount !== undefined || given.has('itemAmount'),
		free,
	});
}

/** `Rabatt: 10%`, if nothing shows that the amounts have it already. One that differs among the rows of an invoice is of the rows. */
function pickLineDiscount(all: Assignment, money: Money): void {
	if (all.has('itemDiscount') || money.by || money.items) return;
	const [ofInvoice] = columnsOf(all, 'discountPercentage') as Array<Column | undefined>;
	if (
		ofInvoice &&
		!all.settings.said?.fields.has('discountPercentage') &&
		!isOfInvoices((at) => ofInvoice.percentageAt(at), all)
	) {
		all.fields.delete('discountPercentage');
		all.use('itemDiscount', ofInvoice, true);
		return;
	}
	const found = [...all.free].filter((one) => mayBeDiscount(one));
	if (found.length === 1) all.use('itemDiscount', found[0], true);
}

/** Whether a column may be what is taken off a row. */
export const mayBeDiscount = (one: Column): boolean =>
	isDiscount(one.header) &&
	one.is('number', 'percent') &&
	one.looks.some((look, at) => look && one.percentageAt(at) !== 0);

function pickTotals(all: Assignment, [money, ...others]: readonly Money[] = []): void {
	// What is explained as the amount of a row is no sum of rows.
	const ofRows = [money, ...others].flatMap((one) => one?.by ?? []);
	const mayBeTotal = (one: Column) =>
		isNamed('total', one.header) &&
		isNumeric(one) &&
		!ofRows.some((by) => by.whole === one || partsOf(by).includes(one));
	// What is open is less than the total.
	if (all.has('total') || all.settled.length) return;
	for (const column of [...all.free])
		if (money?.totals.includes(column) === true || mayBeTotal(column)) all.use('total', column);
}

/** The share of the rows with a text that stands in several, which all cost the same. Nothing is told if all rows cost the same. */
function priceTold({ looks }: Column, { fields }: Assignment): number {
	const [price] = fields.get('itemAmount') ?? fields.get('itemTotal') ?? [];
	if ((price as Column | undefined) === undefined) return 0;
	const byText = new Map<string, number[]>();
	for (const [at, look] of looks.slice(0, maxLines).entries())
		if (look && !Number.isNaN(price.numbers[at])) addTo(byText, look.text, price.numbers[at]);
	const prices = [...byText.values()];
	const told = prices.filter((one) => one.length > 1 && new Set(one).size === 1).flat().length;
	const rows = prices.flat();
	return new Set(rows).size > 1 ? told / rows.length : 0;
}

/** Of the invoices with several rows, the share in which all rows have texts of their own. */
function differsIn({ looks }: Column, invoices: readonly string[]): number | undefined {
	const byInvoice = new Map<string, string[]>();
	for (const [at, look] of looks.slice(0, maxLines).entries())
		if (look) addTo(byInvoice, invoices[at], look.text);
	const several = [...byInvoice.values()].filter(({ length }) => length > 1);
	if (several.length === 0) return undefined;
	return several.filter((texts) => new Set(texts).size === texts.length).length / several.length;
}
