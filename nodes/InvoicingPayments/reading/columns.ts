import type { CustomerIndex } from '../../shared/customers/customerIndex';
import { isEmpty, toUuid } from '../../shared/fields/text';
import { readDate, toTermDays } from './cells/dates';
import { readCurrency } from './cells/read';
import { itemsField, meansWithoutCells, sheetFields } from './fields';
import { saysNo, saysYes } from './marks';
import {
	allWordsOf,
	exactScore,
	fieldsNamed,
	hasWord,
	isNamed,
	isNumberSign,
	isPerOne,
	timeUnitOf,
	wordScore,
} from './names';
import type { Column, Profile } from './profile';
import type { Certainty, Statements } from './statements';
import { namedHeaders } from './statements';
import type { Money, SaidMoney } from './sums';
import { moneyReadings } from './sums';
import { headersFor } from './words';

/** The columns of these fields. */
export const columnsOf = ({ fields }: Pick<Roles, 'fields'>, ...names: string[]): Column[] =>
	names.flatMap((name) => fields.get(name) ?? []);

/** Values that the user has mapped or typed, for each input row. They win over columns. */
export type GivenValues = ReadonlyMap<string, (index: number) => unknown>;

/** Which column fills which field. */
export interface Roles {
	fields: Map<string, Column[]>;
	how: Map<string, Certainty>;
	/** Other good combinations of price, quantity and line total. */
	otherMoney: Money[];
	/** Stands beside the first column of the customer: `Vorname + Nachname`. */
	restOfName?: Column;
}

interface RoleSettings {
	said?: Statements;
	given: GivenValues;
	/** Customers that are known. `undefined`: not looked up yet. */
	customers?: CustomerIndex;
	/** What a person has set for cells that are empty. */
	defaults: { itemAmount?: string; itemName?: string; dueInDays?: number; customerId?: string };
	/** YYYY-MM-DD */
	today: string;
	zone: string;
}

/** Decides for each field which column fills it. What a person has said wins; then names, cells and sums decide. */
export const rolesOf = (profile: Profile, settings: RoleSettings): Generator<void, Roles> =>
	new Choice(profile, settings).roles();

const moneyRoles = [
	['price', 'itemAmount'],
	['quantity', 'itemQuantity'],
	['line', 'itemTotal'],
] as const;

/** What the column of a field must be like. */
interface Wish {
	fits?: (column: Column) => boolean;
	/** The lowest score. 8 takes only columns with a name of the field. */
	least?: number;
	bonus?: (column: Column) => number;
	/** Fields whose names count. */
	names?: string[];
}

const columnsPerStep = 50;

class Choice {
	readonly fields = new Map<string, Column[]>();
	private readonly how = new Map<string, Certainty>();
	private readonly free: Set<Column>;
	/** The column with the rest of a customer's name. */
	private restOfName?: Column;

	constructor(
		private readonly profile: Profile,
		private readonly settings: RoleSettings,
	) {
		const { said } = settings;
		const named = said ? namedHeaders(said) : new Set();
		this.free = new Set(
			profile.columns.filter(({ header, filled }) => filled.length > 0 && !named.has(header)),
		);
		for (const [field, sources] of said?.fields ?? []) {
			const columns = sources.flatMap(({ header }) => profile.byHeader.get(header) ?? []);
			// A column that the contract reports is left out of the text, and its field is open again.
			const isIdle =
				meansWithoutCells.includes(field) && columns.every(({ filled }) => filled.length === 0);
			if (columns.length === 0 || isIdle) continue;
			this.fields.set(field, columns);
			const rest = sources[0]?.and;
			if (field === 'customerId' && rest !== undefined)
				this.restOfName = profile.byHeader.get(rest);
			this.how.set(field, 'said');
		}
		for (const field of settings.given.keys()) this.how.set(field, 'said');
	}

	*roles(): Generator<void, Roles> {
		yield* this.pick('currency', {
			fits: isCurrencyColumn,
			least: 3,
			bonus: (one) => (one.is('currency') ? 4 : 0),
		});
		this.pickNamed('currency');
		yield;
		yield* this.pickCustomers();
		yield* this.pick('invoiceNumber', {
			fits: (one) =>
				one.is('text', 'number', 'id') &&
				one.filled.every((look) => !look.isMoney) &&
				// `Rechnung: ja` asks whether there is to be one.
				!one.texts.every((text) => !/^\d+$/.test(text) && (saysYes(text) || saysNo(text))),
			least: 6,
			// `N.º: G26/530`
			bonus: (one) =>
				isNumberSign(one.header) && one.header !== '#' && one.texts.every(isCode) ? 6 : 0,
		});
		yield;
		yield* this.pickDates();
		yield;
		for (const { name } of exactOnly) yield* this.pick(name);
		yield* this.pick('discountPercentage', { fits: (one) => one.is('number', 'percent') });
		yield;
		const otherMoney = yield* this.pickMoney();
		yield;
		yield* this.pickTexts();
		// In the order of a printed reading, so that its cells mean the same once it is confirmed.
		const fields = sheetFields.flatMap(({ name }): Array<[string, Column[]]> => {
			const columns = this.fields.get(name);
			return columns ? [[name, columns]] : [];
		});
		return {
			...{ how: this.how, otherMoney, restOfName: this.restOfName },
			fields: new Map(fields),
		};
	}

	/** Whether a person has set a default. */
	private has(name: keyof RoleSettings['defaults']): boolean {
		return this.settings.defaults[name] !== undefined;
	}

	private freeColumns(fits: (column: Column) => boolean): Column[] {
		return [...this.free].filter(fits);
	}

	private use(field: string, column: Column, how: Certainty): void {
		this.fields.set(field, [...(this.fields.get(field) ?? []), column]);
		this.free.delete(column);
		this.how.set(field, how);
	}

	/** The best free column for a field. It is named if it alone has a name of the field. */
	private *pick(
		field: string,
		{ fits = () => true, least = 8, bonus = () => 0, names = [field] }: Wish = {},
	): Generator<void, Column | undefined> {
		if (this.how.has(field)) return undefined;
		const ranked: Array<{ column: Column; exact?: number; score: number }> = [];
		for (const [at, column] of [...this.free].entries()) {
			if (at % columnsPerStep === columnsPerStep - 1) yield;
			if (!fits(column)) continue;
			const { header } = column;
			const exact = names
				.map((name) => exactScore(name, header))
				.find((score) => score !== undefined);
			// `Date` is the name of another field.
			const byWords = isNamedOtherwise(field, header) ? 0 : wordScore(field, header);
			const score = (exact ?? byWords) + bonus(column);
			if (score >= least) ranked.push({ column, exact, score });
		}
		ranked.sort((a, b) => b.score - a.score);
		const [best, second] = ranked as Array<(typeof ranked)[0] | undefined>;
		if (!best) return undefined;
		const { column, exact } = best;
		const isClaimed =
			second?.exact !== undefined &&
			second.exact > (exact ?? 0) - 0.5 &&
			second.column.looks.some((look, at) => look && look.text !== column.looks[at]?.text);
		this.use(field, column, exact !== undefined && !isClaimed ? 'named' : 'guessed');
		return column;
	}

	/** The only column with a name of a field, although its cells are no values of it: they are mistakes, which the preview shows. */
	private pickNamed(field: string): void {
		const named = this.freeColumns(({ header }) => isNamed(field, header));
		if (named.length === 1 && !this.how.has(field)) this.use(field, named[0], 'named');
	}

	/** Cells that are known customers decide between columns; a column of unknown emails is not the customer. */
	private *pickCustomers(): Generator<void> {
		const { customers } = this.settings;
		if (this.how.has('customerId') || this.how.has('customerEmail')) return;
		const shares = new Map<Column, number>();
		for (const column of this.freeColumns((one) => one.share('email', 'id', 'text') > 0.3)) {
			shares.set(column, knownShare(column, customers));
			yield;
		}
		const shareOf = (column: Column) => shares.get(column) ?? 0;
		const isAnyKnown = [...shares.values()].some((share) => share > 0);
		if (customers && !isAnyKnown && this.pickTwoNames(customers)) return;
		const email = yield* this.pick('customerEmail', {
			// Emails may stand below Customer.
			names: ['customerEmail', 'customerId'],
			fits: (one) => one.share('email') > 0.5 && (!isAnyKnown || shareOf(one) > 0),
			least: 0,
		});
		const isEmailKnown = email !== undefined && shareOf(email) > 0;
		const emails = this.profile.columns.filter((one) => one.share('email') > 0.5);
		// Nobody has to look at the only emails, if they all are those of customers.
		if (email && emails.length === 1 && shareOf(email) === 1)
			this.how.set('customerEmail', 'proved');
		const byName = yield* this.pick('customerId', {
			fits: (one) =>
				shares.has(one) &&
				!one.is('email') &&
				(!isEmailKnown || shareOf(one) > 0 || isNamed('customerId', one.header)),
			// Beside a default customer, a column of unknown people needs a clear name.
			least: this.has('customerId') && customers && !isAnyKnown ? 9.5 : 4.5,
			bonus: (one) =>
				9 * shareOf(one) -
				(isForeign(one) ? 5 : 0) -
				(hasWord(one.header, 'identifiers') && !one.is('id') && shareOf(one) === 0 ? 2 : 0),
		});
		// Numbers of another program identify the customer too, but only people can look them up.
		if (email ?? byName)
			for (const one of this.freeColumns(isForeign))
				if (isNamed('customerId', one.header))
					this.use('customerId', one, this.how.get('customerId') ?? 'named');
	}

	/** A first and a last name that together are known customers. */
	private pickTwoNames(customers: CustomerIndex): boolean {
		const names = this.freeColumns((one) => one.is('text')).slice(0, 12);
		for (const first of names) {
			for (const last of names) {
				const pairs = first.looks
					.flatMap((look, at) => {
						const rest = last.looks[at];
						return look && rest ? [`${look.text} ${rest.text}`] : [];
					})
					.slice(0, 50);
				const known = pairs.filter((pair) => customers.withName(pair).length > 0);
				if (first === last || known.length * 2 <= pairs.length) continue;
				this.use('customerId', first, 'guessed');
				this.free.delete(last);
				this.restOfName = last;
				return true;
			}
		}
		return false;
	}

	private *pickDates(): Generator<void> {
		const { today, zone } = this.settings;
		const isDate = (one: Column) =>
			one.filled.filter(({ kind, mayBeDate }) => kind === 'date' || mayBeDate).length >=
			one.filled.length * enoughFor(['dueDate', 'invoiceDate', 'startsAt'], one);
		/** `Term (months)` and `Terms accepted` are no days until an invoice is due. */
		const isTerms = (one: Column) =>
			(timeUnitOf(one.header) ?? 'day') === 'day' &&
			one.texts.every((text) => 'value' in toTermDays(text)) &&
			(isNamed('terms', one.header) || !one.texts.every((text) => /^[01]$/.test(text)));
		/** A day that has passed is hardly a due date, unless the column is called so. */
		const isAhead = (one: Column) =>
			one.texts.every((text) => {
				const read = readDate(text, this.profile.dates.order, zone);
				return 'problem' in read || read.value >= today;
			});
		yield* this.pick('dueDate', {
			// Days may stand below Terms.
			names: ['dueDate', 'terms'],
			fits: (one) => isDate(one) && (isNamed('dueDate', one.header) || isAhead(one)),
			least: 2.5,
		});
		if (this.how.has('dueDate')) yield* this.pick('terms');
		else
			yield* this.pick('terms', {
				// People write `Net 30` under Due Date.
				names: ['terms', 'dueDate'],
				fits: (one) => isTerms(one) && !(one.is('number') && isNamed('dueDate', one.header)),
				least: 3,
				// `30 días` says what it is, `30` only below days to pay.
				bonus: (one) => (/\p{L}/u.test(one.texts.join('')) ? 3 : isOfPayment(one) ? 2 : 0),
			});
		// Terms count from a date.
		const least = this.how.has('terms') && !this.how.has('dueDate') ? 1 : 3;
		yield* this.pick('invoiceDate', { fits: (one) => isDate(one) && this.isOfInvoice(one), least });
		yield* this.pick('startsAt', { fits: isDate });
		if (this.how.has('dueDate') || this.how.has('terms') || this.has('dueInDays')) return;
		const others = this.freeColumns(
			(one) =>
				one.is('date') &&
				one.fullness > 0.5 &&
				isAhead(one) &&
				!isNamedOtherwise('dueDate', one.header),
		);
		if (others.length === 1) this.use('dueDate', others[0], 'guessed');
		this.pickNamed('dueDate');
	}

	/** Columns that say who pays. */
	private owners(): Column[] {
		return this.fields.get('customerEmail') ?? this.fields.get('customerId') ?? [];
	}

	/** Whether a customer's rows have the same date: otherwise it is that of a job. */
	private isOfInvoice(date: Column): boolean {
		if (this.fields.has('invoiceNumber')) return true;
		const owners = this.owners();
		const dates = new Map<string, string>();
		return date.looks.every((look, at) => {
			const owner = owners.map(({ looks }) => looks[at]?.text ?? '').join('\n');
			if (!look || !owner) return true;
			const isSame = (dates.get(owner) ?? look.text) === look.text;
			dates.set(owner, look.text);
			return isSame;
		});
	}

	/** Returns other good combinations. */
	private *pickMoney(): Generator<void, Money[]> {
		// Numbers are read when they are first asked for.
		for (const { numbers } of this.free) if (numbers.length) yield;
		if (this.how.has(itemsField)) {
			this.pickTotals();
			return [];
		}
		const said: SaidMoney = {};
		// A person who says one amount says which amount there is.
		if (this.how.has('itemAmount') || this.how.has('itemTotal'))
			Object.assign(said, { price: undefined, line: undefined });
		for (const [role, field] of moneyRoles)
			if (this.how.has(field)) said[role] = this.fields.get(field)?.[0];
		// A typing error in a short sheet leaves `Rate` what it is called, unless another column has the amounts.
		const hasAmounts = this.freeColumns(isNumeric).some(
			({ header }) => !isNamed('itemQuantity', header),
		);
		const isCalled = (one: Column) =>
			['itemAmount', 'itemTotal', 'itemQuantity', 'amount'].some((field) =>
				isNamed(field, one.header),
			) &&
			(!hasAmounts || one.share('number', 'duration') > 0);
		const columns = new Set([
			...Object.values(said).flatMap((one) => one ?? []),
			...this.freeColumns((one) => isNumeric(one) || isCalled(one)),
		]);
		const hasFixedPrice = this.has('itemAmount') || this.settings.given.has('itemAmount');
		const discount = this.fields.get('discountPercentage')?.[0];
		const all = yield* moneyReadings([...columns], this.groups(), said, hasFixedPrice, discount);
		const [money, ...others] = all as [Money | undefined, ...Money[]];
		if (!money) return [];
		for (const [role, field] of moneyRoles) {
			const column = money[role];
			if (column && !this.how.has(field))
				this.use(field, column, this.howSure(field, column, money));
		}
		// What is paid already may be one of the parts.
		const isSure = !money.items?.some(({ header }) => hasWord(header, 'deductions'));
		for (const column of money.items ?? [])
			this.use(itemsField, column, isSure ? 'proved' : 'guessed');
		this.pickTotals(money);
		return others
			.filter(({ score, sum }) => score > 0 && Math.abs(sum - money.sum) > 0.006)
			.slice(0, 20);
	}

	private pickTotals(money?: Money): void {
		const isTotal = (one: Column) =>
			money?.totals.includes(one) === true || (isNamed('total', one.header) && isNumeric(one));
		if (!this.how.has('total'))
			for (const column of this.freeColumns(isTotal))
				this.use('total', column, money?.isTotalProved ? 'proved' : 'named');
	}

	/**
	 * Sums prove what a column of money is, unless it may be a rate of tax or exchange. A name settles it, unless another column has such
	 * a name too, or it is just called Amount.
	 */
	private howSure(field: string, column: Column, money: Money): Certainty {
		const mayBeRate = column === money.quantity && isRate(column);
		if ((money.isProved || money.isTotalProved) && !mayBeRate) return 'proved';
		if (field === 'itemQuantity' && mayBeWhole(money)) return 'guessed';
		const others = this.freeColumns(
			(one) =>
				one !== column &&
				isNamed(field, one.header) &&
				one.is('number') &&
				!money.totals.includes(one),
		);
		const isBare = isNamed('amount', column.header) && !money.quantity;
		const hasName = isNamed(field, column.header) || isBare;
		return hasName && others.length === 0 ? 'named' : 'guessed';
	}

	/** For each line the invoice that it probably belongs to, with empty cells filled from above. */
	private groups(): string[] {
		const numbers = columnsOf(this, 'invoiceNumber');
		const columns = numbers.length ? numbers : [...this.owners(), ...columnsOf(this, 'dueDate')];
		const above: string[] = [];
		const count = this.profile.columns[0]?.looks.length ?? 0;
		return Array.from({ length: count }, (_, at) =>
			columns
				.map(({ looks }, index) => (above[index] = looks[at]?.text ?? above[index] ?? ''))
				.join('\n'),
		);
	}

	private *pickTexts(): Generator<void> {
		const isText = (one: Column) => one.share('text') > 0.5;
		const isItem = ({ header }: Column) => isNamed('itemName', header);
		const length = (one: Column) =>
			one.filled.reduce((sum, { text }) => sum + Math.min(text.length, 60), 0) / one.filled.length;
		yield* this.pick('itemName', {
			fits: (one) =>
				(isText(one) || (isItem(one) && !one.is('number'))) && !isNamed('note', one.header),
			// Items that are called like their columns have names already.
			least: this.fields.has(itemsField) ? 8 : this.has('itemName') ? 5 : 1.5,
			bonus: (one) =>
				isItem(one)
					? one.fullness * 2 - 2
					: (one.fullness < 1 ? -3 : 0) +
						Math.min(2, length(one) / 8) +
						one.fullness -
						(isNamed('customerId', one.header) ? 3 : 0),
		});
		const [first] = this.fields.get('itemName') ?? [];
		const [spare] = this.freeColumns((one) => isText(one) && isItem(one));
		if (first && spare && first.fullness < 1 && this.how.get('itemName') !== 'said')
			this.use('itemName', spare, 'named');
		yield* this.pick('title', { fits: (one) => one.texts.every((text) => text.length <= 50) });
		yield* this.pick('note', { fits: isText });
	}
}

const isNumeric = (one: Column) =>
	one.is('number', 'duration') &&
	one.fullness > 0.2 &&
	!one.numbers.every((number) => Number.isNaN(number));

/** `Días de pago` */
const isOfPayment = ({ header }: Column) =>
	timeUnitOf(header) === 'day' &&
	allWordsOf(header).some(
		(word) =>
			timeUnitOf(word) === undefined && wordScore('terms', word) + wordScore('dueDate', word) > 1,
	);

const isCode = (text: string) => /\d/.test(text) && /[\p{L}/-]/u.test(text);

const isNamedOtherwise = (field: string, header: string) =>
	fieldsNamed(header).some(
		(one) => one !== field && !['amount', 'total', 'itemTotal'].includes(one),
	);

/** `Sessions` and `Nights` beside a bare `Price`, which may be that of all of them. */
const mayBeWhole = ({ price, quantity, line }: Money) =>
	price !== undefined &&
	quantity !== undefined &&
	line === undefined &&
	!plainCount.test(quantity.header) &&
	!isPerOne(price.header) &&
	timeUnitOf(price.header) === undefined &&
	!/rate|tarif|satz|taux|unit|einzel|stu[kc]k|stück/i.test(price.header);
const plainCount =
	/quant|qt|qté|menge|anz|cant|aant|nombre|nbre|number|num|count|how many|viele|combien|cu[aá]nt|hoeveel|units?\b|unidad|unités|stü?u?ck|stuks|pcs|pieces|pezzi|^#$/i;

/** `VAT factor`, or the same factor in every row. */
const isRate = ({ header, counts }: Column) =>
	counts.size < 2 || hasWord(header, 'taxes', 'extras');

/** How many cells must fit a field. Below its own name, the others are mistakes that a person corrects. */
const enoughFor = (fields: string[], { header }: Column) =>
	fields.some((field) => isNamed(field, header)) ? 0.5 : 0.8;

/** Codes may stand in small letters if the header says that they are currencies. */
const isCurrencyColumn = (one: Column) =>
	one.share('currency') >= enoughFor(['currency'], one) ||
	one.texts.every((text) => {
		const read = readCurrency(isNamed('currency', one.header) ? text.toUpperCase() : text);
		return 'value' in read && /^[A-Z]{3}$/.test(String(read.value));
	});

/** Fields of the API that a sheet fills only under their own names, because no language has others. */
const exactOnly = sheetFields.filter(
	({ property, name }) => property !== undefined && headersFor(name).flat().length === 0,
);

/** Own numbers of another program, such as `C-1001`. */
const isForeign = (one: Column) =>
	one.filled.every(({ text, kind }) => kind !== 'id' && /^\p{L}{0,4}[-_. /]?\d[\d-]*$/u.test(text));

/** Which share of the texts are customers that the service knows. */
function knownShare({ texts }: Column, customers?: CustomerIndex): number {
	if (!customers) return 0;
	return texts.filter((text) => findCustomers(text, customers).length > 0).length / texts.length;
}

export function findCustomers(text: string, customers: CustomerIndex) {
	if (isEmpty(text) || text.length > 200) return [];
	const id = toUuid(text);
	if ('value' in id) return customers.withId(id.value);
	if (text.includes('@')) return customers.withEmail(emailIn(text));
	return (
		namesIn(text)
			.map((name) => customers.withName(name))
			.find((found) => found.length > 0) ?? []
	);
}

/** A name as it stands, and `Doe, Jane` as `Jane Doe`. */
export const namesIn = (text: string): string[] => {
	const [last, first, ...more] = text.split(',');
	return first && more.length === 0 ? [text, `${first.trim()} ${last.trim()}`] : [text];
};

/** The first email of a cell, also in the form `Name <email>`. */
export const emailIn = (text: string): string =>
	(/<([^<>]+)>/.exec(text)?.[1] ?? text.split(/[;,]/)[0]).replace(/^mailto:/i, '').trim();
