import { addTo } from '../../shared/addTo';
import { CustomerIndex } from '../../shared/customers/customerIndex';
import type { AssignSettings } from './assign';
import { candidatesFor, columnsOf, moneyOf } from './assign';
import type { KnownCustomers } from './customers';
import { saysSettled } from './evidence';
import { explanationOf, explanationsIn } from './explain';
import { itemNumbers, itemsField } from './fields';
import type { Draft } from './invoices';
import { isReady } from './invoices';
import { doubtIn, saysNo } from './marks';
import type { Money } from './money';
import { isNumeric, pointsFor } from './money';
import { hasWord, isNamed, isTax } from './names';
import type { Column } from './profile';
import type { SheetReading, SheetSettings } from './readSheet';
import { readSheet } from './readSheet';
import type { Grouping, Source, Statements } from './statements';
import type { Steps } from './steps';
import { partingOf } from './values';

/**
 * What a sheet can mean besides. A first preview is one guess, and a person knows the sum: so a preview offers other readings beside its
 * own, the likeliest first, each with what it comes to.
 *
 * An alternative is the reading with **one decision changed**: what the amounts mean, what items are called, which rows are one invoice, which
 * rows are billed, who pays. It is read again by the same engine, so that it is a reading like any other: printed, picked, confirmed and
 * compared. One that makes the invoices of another above it is not offered. What the sums of a sheet prove has no other sum, except net and
 * gross.
 */
export interface OtherReading {
	/** The decision that differs. */
	decision: 'money' | 'names' | 'grouping' | 'rows' | 'payer';
	/** `Amount is the total of a row`, `one per Order` */
	what: string;
	/** Points behind the reading that is shown. */
	behind: number;
	reading: SheetReading;
}

/** At most this many are offered. */
const maxOffered = 5;
/** At most this many are read, to find those that differ: each takes as long as a preview. */
const maxRead = 10;
/** Lines. Of longer sheets fewer are read, so that a preview takes at most twice as long. */
const [longSheet, maxReadOfLong] = [1000, 3];

/** A change of the reading. */
interface Proposal {
	decision: OtherReading['decision'];
	what: string;
	change: Partial<Statements>;
	/** Points behind the reading that is shown. */
	behind: number;
}

/**
 * Points. How far alternatives that no evidence compares stand behind the reading that is shown, and from where on one is not serious: of
 * the labelled sheets, none that was right stood farther behind.
 */
const behinds = {
	/** A tax beside net and gross: only a person knows whether the account adds it. */
	tax: 0,
	/** Rows with a word such as paid or frozen. */
	marked: 2,
	/** An order that several rows share. */
	order: 3,
	/** Another amount of the row, which nothing bills. */
	besides: 4,
	/** Another column of known customers. */
	payer: 6,
	/** Items that hardly a column calls may be called like their price. */
	unnamed: 3,
};
const serious = { money: 5, names: 7, grouping: 6, rows: 6, payer: 6 };

/** Other readings of a sheet that was read, the likeliest first. */
export function* otherReadings(
	reading: SheetReading,
	settings: SheetSettings,
	known: KnownCustomers & { notFound(text: string): string },
): Steps<OtherReading[]> {
	const { statements, drafts, table } = reading;
	const proposals = [
		...(yield* moneyProposals(reading, settings)),
		...(yield* nameProposals(reading, settings, known)),
		...groupingProposals(reading),
		...rowProposals(reading),
		...(yield* payerProposals(reading, settings, known)),
	].filter(({ decision, behind }) => behind <= serious[decision]);
	proposals.sort((a, b) => a.behind - b.behind);
	const seen = new Set([contentOf(drafts)]);
	const offered: OtherReading[] = [];
	const most = table.lines.length > longSheet ? maxReadOfLong : maxRead;
	for (const { decision, what, change, behind } of proposals.slice(0, most)) {
		if (offered.length === maxOffered) break;
		const said = changed(statements, change);
		const other = yield* readSheet(reading, { ...settings, said, mapped: new Map() }, known);
		const content = contentOf(other.drafts);
		if (seen.has(content) || !isBillable(other, reading)) continue;
		seen.add(content);
		offered.push({ decision, what, behind, reading: other });
	}
	return offered;
}

/** The statements with a change, and without what the sheet says of it: that is read again. */
function changed(statements: Statements, change: Partial<Statements>): Statements {
	const { grouping, values, rowsLeftOut, headerRow, isFilledFromAbove, isSideBySide, unchecked } = statements; // prettier-ignore
	const all = { fields: statements.fields, values, grouping, ...change };
	const used = new Set([
		...[...all.fields.values()].flat().flatMap(({ header, and = header }) => [header, and]),
		...all.values.map(({ header }) => header),
		...(all.grouping?.by === 'column' ? [all.grouping.header] : []),
	]);
	const before = [...statements.fields.values()].flat().map(({ header }) => header);
	const others = [...(statements.notBilled ?? []), ...before, ...values.map(({ header }) => header)];
	return {
		...{ headerRow, isFilledFromAbove, isSideBySide, rowsLeftOut, unchecked, ...all },
		notBilled: [...new Set(others)].filter((header) => !used.has(header)),
		shapes: new Map(),
	};
}

/** What is billed. */
const contentOf = (drafts: readonly Draft[]) =>
	JSON.stringify(
		drafts.map(({ body: { customer, currency, due_date: due, items, discount_percentage: less } }) => [customer, currency, due, items, less]), // prettier-ignore
	);

/** Whether at least as much of it can be billed as of the reading that is shown. */
function isBillable({ drafts }: SheetReading, shown: SheetReading): boolean {
	const stopped = (all: readonly Draft[]) => all.filter((draft) => !isReady(draft)).length;
	const share = (all: readonly Draft[]) => (all.length ? stopped(all) / all.length : 1);
	return drafts.length > 0 && share(drafts) <= share(shown.drafts);
}

const usedBy = ({ roles }: SheetReading, ...except: string[]) =>
	new Set(
		[...roles.fields].flatMap(([field, columns]) => (except.includes(field) ? [] : columns)),
	);

const moneyFields = [...itemNumbers, itemsField, 'total'];
const sourceOf = ({ header }: Column): Source => ({ header });

/** The fields of a reading, with others for its amounts. */
function withMoney({ statements: { fields } }: SheetReading, money: Partial<Money>): Statements['fields'] { // prettier-ignore
	const kept = [...fields].filter(
		([field, [source]]) =>
			!moneyFields.includes(field) &&
			!(field === 'discountPercentage' && source.header === money.by?.rate?.header),
	);
	const own = itemNumbers.flatMap((field): Array<[string, Source[]]> => {
		const column = money[field];
		return column ? [[field, [sourceOf(column)]]] : [];
	});
	const items = money.items ?? [];
	const totals = (money.totals ?? []).filter((one) => !items.includes(one));
	return new Map([
		...kept,
		...own,
		...(items.length ? [[itemsField, items.map(sourceOf)] as const] : []),
		...(totals.length ? [['total', totals.map(sourceOf)] as const] : []),
	]);
}

function* moneyProposals(reading: SheetReading, settings: SheetSettings): Steps<Proposal[]> {
	const { profile, roles, statements } = reading;
	const { given, defaults } = settings;
	if (itemNumbers.some((field) => given.has(field))) return [];
	const used = usedBy(reading, ...moneyFields);
	const free = profile.columns.filter((one) => one.filled.length > 0 && !used.has(one));
	const others = new Map([...roles.fields].filter(([field]) => !moneyFields.includes(field)));
	const all = yield* moneyOf({ fields: others }, free, profile, { given, defaults });
	const own: Partial<Money> = {
		...Object.fromEntries(itemNumbers.map((field) => [field, roles.fields.get(field)?.[0]])),
		items: roles.fields.get(itemsField),
	};
	const shown = all.find((one) => isSameMoney(one, own));
	const propose = (money: Partial<Money>, behind: number, what = moneyText(own, money)): Proposal => ({ decision: 'money', what, change: { fields: withMoney(reading, money) }, behind }); // prettier-ignore
	const relation = statements.relation && explanationOf(statements.relation, profile.byHeader);
	const taxes = taxProposals(own, relation ? [relation] : yield* explanationsIn(profile.columns)); // prettier-ignore
	const isProved = shown?.isProved === true;
	const counts = ({ itemQuantity: count }: Money) => !count || pointsFor('itemQuantity', count) >= 0;
	const likely = isProved ? [] : all.filter((one) => one !== shown && counts(one));
	const top = shown?.points ?? all[0]?.points ?? 0;
	return [
		...taxes.map((money) => propose(money, behinds.tax, taxText(money, own))),
		...likely.map((money) => propose(money, Math.max(0, top - money.points))),
		...(isProved ? [] : besides(reading, own, free).map((money) => propose(money, behinds.besides))), // prettier-ignore
	];
}

const isSameMoney = (one: Partial<Money>, other: Partial<Money>) =>
	itemNumbers.every((field) => one[field] === other[field]) &&
	String(one.items?.map(({ header }) => header) ?? '') ===
		String(other.items?.map(({ header }) => header) ?? '');

type Taxed = Partial<Money> & { tax: Column };

/** Gross in place of net, and net in place of gross. */
function taxProposals(own: Partial<Money>, explanations: Array<NonNullable<Money['by']>>): Taxed[] {
	const billed = [own.itemAmount, own.itemTotal, ...(own.items ?? [])];
	const found = explanations.flatMap((by): Taxed[] => {
		const { whole, factors, terms, rate } = by;
		const tax = [...terms.map(({ column }) => column), ...(rate ? [rate] : [])].find(isTax);
		if (!tax) return [];
		const parts = [...factors, ...terms.map(({ column }) => column)];
		if (billed.includes(whole)) return factors.length === 1 ? [{ itemTotal: factors[0], by, tax }] : []; // prettier-ignore
		return parts.some((one) => billed.includes(one)) ? [{ itemTotal: whole, by, tax }] : [];
	});
	return found.slice(0, 1);
}

const taxText = ({ tax, itemTotal, by }: Taxed, own: Partial<Money>) =>
	`${itemTotal === by?.whole ? 'with' : 'without'} ${tax.header}: bill ${itemTotal?.header ?? own.itemTotal?.header}`; // prettier-ignore

/** Amounts of the row that nothing bills yet, and the items of it that could be left away. */
function besides({ profile, statements }: SheetReading, own: Partial<Money>, free: Column[]): Array<Partial<Money>> { // prettier-ignore
	const { relation } = statements;
	const explanation = relation && explanationOf(relation, profile.byHeader);
	const billed = [own.itemAmount, own.itemQuantity, own.itemTotal, ...(own.items ?? [])];
	const isAmount = (one: Column) =>
		isNumeric(one) &&
		!billed.includes(one) &&
		one !== explanation?.whole &&
		!isTax(one) &&
		!saysSettled(one.header) &&
		pointsFor('total', one) < 8 &&
		(one.figures.hasCurrency || one.figures.isMoney || hasWord(one.header, 'amounts', 'prices')) && // prettier-ignore
		pointsFor('itemAmount', one) > 0;
	const found = free.filter(isAmount);
	const first = own.itemAmount && !own.itemQuantity ? [own.itemAmount] : own.itemTotal && !own.itemAmount && !own.itemQuantity ? [own.itemTotal] : undefined; // prettier-ignore
	const withItems = (more: Column[]): Partial<Money> =>
		first ? { items: [...first, ...(own.items ?? []), ...more] } : { ...own, items: [...(own.items ?? []), ...more] }; // prettier-ignore
	const single = found.length > 1 && found.length < 4 ? found.map((one) => withItems([one])) : [];
	const fewer = (own.items ?? []).length > 1 ? (own.items ?? []).map((one) => ({ ...own, items: own.items?.filter((other) => other !== one) })) : []; // prettier-ignore
	return [...(found.length ? [withItems(found)] : []), ...single, ...fewer.slice(0, 3)];
}

const listed = (columns: readonly Column[]) => columns.map(({ header }) => header).join(', ');

/** What differs, in words. */
function moneyText(own: Partial<Money>, money: Partial<Money>): string {
	const { itemAmount: price, itemQuantity: count, itemTotal: total, items = [] } = money;
	const added = items.filter((one) => !own.items?.includes(one));
	const gone = (own.items ?? []).filter((one) => !items.includes(one));
	const parts = [
		added.length && `${listed(added)} ${added.length === 1 ? 'is an item' : 'are items'}`,
		gone.length && !total && `without ${listed(gone)}`,
		price && price !== own.itemAmount && (price === own.itemTotal || count) && `${price.header} is the price of one`,
		price && price !== own.itemAmount && !(price === own.itemTotal || count) && `${price.header} is billed`,
		total && total !== own.itemTotal && (total === own.itemAmount || count || own.itemQuantity ? `${total.header} is the total of a row` : `${total.header} is billed`),
		count && count !== own.itemQuantity && `${count.header} is the quantity`,
		!count && own.itemQuantity && price && `${own.itemQuantity.header} is no quantity`,
	]; // prettier-ignore
	return parts.filter(Boolean).join(' and ') || 'the amounts are read otherwise';
}

const assignSettings = (
	{ given, defaults, today, zone }: SheetSettings,
	{ own, ofService }: KnownCustomers,
): AssignSettings => {
	const all = [...own.customers, ...(ofService?.customers ?? [])];
	return { given, defaults, today, zone, ...(all.length && { customers: new CustomerIndex(all) }) };
};

/** Each other column of texts, and the header of the price. */
function* nameProposals(reading: SheetReading, settings: SheetSettings, known: KnownCustomers): Steps<Proposal[]> { // prettier-ignore
	const { profile, roles, statements } = reading;
	if (settings.given.has('itemName') || settings.defaults.itemName !== undefined) return [];
	const [own] = columnsOf(roles, 'itemName') as Array<Column | undefined>;
	// A column with a name for it is what a person has called the items.
	if (own && isNamed('itemName', own.header)) return [];
	const candidates = yield* candidatesFor('itemName', roles, profile, assignSettings(settings, known)); // prettier-ignore
	// The header of the price has no points.
	const top = candidates.find(({ column }) => column === own)?.points ?? 0;
	const others = candidates.filter(({ column }) => column !== own);
	const without = [...statements.fields].filter(([field]) => field !== 'itemName');
	const propose = (points: number, column?: Column): Proposal => {
		const isOther = ([, sources]: [string, Source[]]) =>
			!sources.some(({ header }) => header === column?.header);
		const fields = new Map(without.filter(isOther));
		if (column) fields.set('itemName', [sourceOf(column)]);
		const what = column ? `items called by ${column.header}` : 'items called otherwise';
		return { decision: 'names', what, behind: Math.abs(top - points), change: { fields } };
	};
	return [
		...others.map(({ column, points }) => propose(points, column)),
		...(own && top <= behinds.unnamed ? [propose(top)] : []),
	];
}

/** Per order, per customer, per row. */
function groupingProposals({ statements, profile, rows, hasNumbers, roles }: SheetReading): Proposal[] { // prettier-ignore
	if (hasNumbers || rows.length < 2) return [];
	const { grouping } = statements;
	const used = new Set([...roles.fields.values()].flat());
	const repeats = ({ counts, filled }: Column) => counts.size > 1 && counts.size < filled.length;
	const orders = profile.columns.filter(
		(one) =>
			(!used.has(one) || columnsOf(roles, 'title').includes(one)) &&
			one.is('text', 'number', 'id') &&
			one.filled.length >= rows.length &&
			repeats(one) &&
			hasWord(one.header, 'identifiers'),
	);
	const all: Array<[Grouping, string]> = [
		...orders.map(({ header }): [Grouping, string] => [{ by: 'column', header }, `one per ${header}`]), // prettier-ignore
		...(grouping?.by === 'column' ? [[{ by: 'customer' }, 'one per customer'] as [Grouping, string]] : []), // prettier-ignore
	];
	const isOwn = (one: Grouping) => JSON.stringify(one) === JSON.stringify(grouping);
	return all
		.filter(([one]) => !isOwn(one))
		.map(([one, what]) => ({ decision: 'grouping', what, behind: behinds.order, change: { grouping: one } })); // prettier-ignore
}

/** With or without the rows of a value. */
function rowProposals({ statements, unbilled, rows, roles }: SheetReading): Proposal[] {
	const proposals: Proposal[] = [];
	const others = ({ header }: { header: string }) => statements.values.filter((one) => one.header !== header); // prettier-ignore
	for (const one of statements.values) {
		const propose = (what: string, bill: string[], leaveOut: string[], behind: number) =>
			proposals.push({ decision: 'rows', what, behind, change: { values: [...others(one), { ...one, bill, leaveOut }] } }); // prettier-ignore
		if (one.leaveOut.length) propose(`with the rows that say ${one.header}: ${one.leaveOut.join(', ')}`, [...one.bill, ...one.leaveOut], [], behinds.marked); // prettier-ignore
		for (const value of one.bill.filter((text) => one.bill.length > 1 && doubtIn(text) !== undefined))
			propose(
				`without the rows that say ${one.header}: ${value}`,
				one.bill.filter((other) => other !== value),
				[...one.leaveOut, value],
				behinds.marked,
			);
	}
	for (const column of [...unbilled, ...columnsOf(roles, 'note')]) {
		if (statements.values.some(({ header }) => header === column.header)) continue;
		const byText = new Map<string, number[]>();
		for (const { at } of rows) addTo(byText, column.looks[at]?.text ?? '', at);
		const isMarked = (text: string) => text !== '' && !saysNo(text) && (doubtIn(text) ?? (partingOf(column) ? text : undefined)) !== undefined; // prettier-ignore
		const marked = [...byText.keys()].filter(isMarked);
		if (marked.length === 0 || marked.length === byText.size || byText.size > 12) continue;
		const bill = [...byText.keys()].filter((text) => !marked.includes(text));
		const value = { header: column.header, bill, leaveOut: marked };
		const fields = new Map([...statements.fields].filter(([, sources]) => !sources.some(({ header }) => header === column.header))); // prettier-ignore
		proposals.push({
			...{ decision: 'rows', behind: behinds.marked },
			what: `without the rows that say ${column.header}: ${marked.join(', ')}`,
			change: { values: [...statements.values, value], fields },
		});
	}
	return proposals;
}

/** The other columns of known customers, or the default. */
function* payerProposals(reading: SheetReading, settings: SheetSettings, known: KnownCustomers): Steps<Proposal[]> { // prettier-ignore
	const { profile, roles, statements } = reading;
	const { given, defaults } = settings;
	if (given.has('customerId') || given.has('customerEmail')) return [];
	const used = usedBy(reading, 'customerId', 'customerEmail', 'itemName', 'title', 'note');
	const all = assignSettings(settings, known);
	const without = new Map([...roles.fields].filter(([field]) => !field.startsWith('customer')));
	const texts = yield* candidatesFor('customerId', { ...roles, fields: without }, profile, all);
	const emails = yield* candidatesFor('customerEmail', { ...roles, fields: without }, profile, all);
	const own = columnsOf(roles, 'customerId', 'customerEmail');
	const kept = [...statements.fields].filter(([field]) => !field.startsWith('customer'));
	const propose = (what: string, fields: Array<[string, Source[]]>): Proposal => ({ decision: 'payer', what, behind: behinds.payer, change: { fields: new Map([...kept.filter(([, sources]) => !fields.some(([, [one]]) => sources.some(({ header }) => header === one.header))), ...fields]) } }); // prettier-ignore
	const found = [
		...texts.map((one) => ({ ...one, field: 'customerId' })),
		...emails.map((one) => ({ ...one, field: 'customerEmail' })),
	].filter(({ column, points }) => points > 0 && !own.includes(column) && !used.has(column));
	return [
		...found.slice(0, 2).map(({ column, field }) => propose(`billed to ${column.header}`, [[field, [sourceOf(column)]]])), // prettier-ignore
		...(own.length && defaults.customerId !== undefined ? [propose('billed to the default customer', [])] : []), // prettier-ignore
	];
}
