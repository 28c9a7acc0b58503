import { isEmpty, toEmail, toUuid } from '../../../shared/fields/text';
import { hash48Of } from '../../../shared/hash';
import {
	clean,
	currenciesOf,
	durationIn,
	isCurrencyBeside,
	isDash,
	isDateNumber,
	isDateText,
	numberEvidence,
	provedOrders,
	readable,
	readAmount,
	readQuantity,
} from '../cells';
import type { DateOrder, NumberEvidence, NumberFormat } from '../cells';
import { allWordsOf, moneyHeader } from '../table';
import type { Steps } from '../../../shared/steps';
import { mapInSteps } from '../../../shared/steps';
import type { Table } from '../table';
import { languages } from '../words';

/** What a cell can be. Only `number` and `duration` have a `number`. */
export interface Look {
	kind: 'number' | 'duration' | 'percent' | 'date' | 'email' | 'id' | 'currency' | 'flag' | 'text';
	text: string;
	/** Only to rank: amounts are read again, exactly. */
	number?: number;
	currency?: string;
	/** A number with two decimals or a currency beside it. */
	isMoney?: boolean;
	/** A typed number that can be a day. */
	mayBeDate?: boolean;
	/** A typed number that can be a day with a time. */
	mayBeTime?: boolean;
}

/** What a share of cells or lines counts as. People make mistakes, leave cells empty, and write notes below numbers. */
export const shares = {
	/** Of the cells: what a column is. A few may be written otherwise. */
	nearlyAll: 0.8,
	/** Of the cells: more than anything else. Of the lines: filled as a rule. */
	most: 0.5,
	/** Of the cells: too many for notes. */
	many: 0.3,
	/** Of the lines: filled often enough to be what is billed. */
	some: 0.2,
};

/** A column with all ways to read its cells. Every text is looked at once. */
export class Column {
	/** One for each line; `undefined` for empty cells. */
	readonly looks: Array<Look | undefined>;
	readonly filled: Look[];
	/** How often each text stands there. */
	readonly counts = new Map<string, number>();
	private readonly kinds = new Map<Look['kind'], number>();
	numberFormat: NumberFormat = {};
	/** A number in it can mean two things, and no other figure of the sheet decides. */
	isUnclearNumber = false;
	readonly evidence: NumberEvidence;
	/** The whole header, whose beginning names the column. */
	readonly title: string;
	/** The currency in the header: EUR in `Price (EUR)`. */
	readonly headerCurrency?: string;

	constructor(
		readonly header: string,
		readonly at: number,
		{ titles }: Table,
		{ looks, known }: Looked,
	) {
		this.looks = looks;
		this.filled = this.looks.filter((look) => look !== undefined);
		for (const { text, kind } of this.filled) {
			this.counts.set(text, (this.counts.get(text) ?? 0) + 1);
			this.kinds.set(kind, (this.kinds.get(kind) ?? 0) + 1);
		}
		this.evidence = numberEvidence(
			[...known].flatMap(([cell, look]) =>
				typeof cell === 'string' && /number|percent/.test(look?.kind ?? '') ? [cell] : [],
			),
		);
		this.headerCurrency = moneyHeader(header)?.currency;
		this.title = titles.get(header) ?? header.trim();
	}

	share(...kinds: Array<Look['kind']>): number {
		const fitting = kinds.reduce((sum, kind) => sum + (this.kinds.get(kind) ?? 0), 0);
		return fitting / Math.max(1, this.filled.length);
	}

	/** Whether nearly all cells are of this kind. */
	is(...kinds: Array<Look['kind']>): boolean {
		return this.share(...kinds) >= shares.nearlyAll;
	}

	/** Each different text. */
	get texts(): string[] {
		return [...this.counts.keys()];
	}

	/** The share of lines with a cell. */
	get fullness(): number {
		return this.filled.length / Math.max(1, this.looks.length);
	}

	/** Numbers to rank with; NaN for other cells. */
	get numbers(): number[] {
		this.ranked ??= this.looks.map((look) =>
			look?.kind === 'number' || look?.kind === 'duration' ? (this.numberOf(look) ?? NaN) : NaN,
		);
		return this.ranked;
	}

	/** What the numbers are like as a whole. */
	get figures(): Figures {
		this.summed ??= figuresOf(this);
		return this.summed;
	}

	/** A percentage as a part of 1: 0.2 for `20 %`, and for 0.2 in a column without larger numbers. 0 for other cells. */
	percentageAt(at: number): number {
		const { kind, text } = this.looks[at] ?? {};
		const percent = Number(text?.replace(/[%\s]/g, '').replace(',', '.'));
		if (kind === 'percent') return (percent || 0) / 100;
		return (this.numbers[at] || 0) / (this.figures.known.some((one) => one > 1) ? 100 : 1);
	}

	private ranked?: number[];
	private summed?: Figures;

	private numberOf({ text, number, kind }: Look): number | undefined {
		if (kind === 'duration' || (number !== undefined && !/[.,]/.test(text))) return number;
		const amount = readAmount(text, this.numberFormat);
		const read = amount.ok ? amount : readQuantity(text, this.numberFormat);
		return read.ok ? Number(read.value) : number;
	}
}

/** What the numbers of a column are like as a whole. */
export interface Figures {
	/** Of all cells with a number. */
	known: number[];
	/** Some have two decimals, or a currency beside them. */
	isMoney: boolean;
	hasCurrency: boolean;
	/** None has decimals or a currency. */
	areWhole: boolean;
	/** All cells may be days. */
	mayBeDates: boolean;
	/** All are above 0 and below 1,000. */
	mayCount: boolean;
}

function figuresOf({ numbers, filled, headerCurrency }: Column): Figures {
	const known = numbers.filter((one) => !Number.isNaN(one));
	const isMoney = filled.some((look) => look.isMoney);
	return {
		known,
		isMoney,
		hasCurrency: headerCurrency !== undefined || filled.some((one) => one.currency !== undefined),
		areWhole: !isMoney && known.every((one) => one % 1 === 0),
		mayBeDates: filled.every(({ mayBeDate }) => mayBeDate),
		mayCount: known.every((one) => one > 0 && one < 1000),
	};
}

/** What the cells of a column can be: of each line, and of each different cell. */
interface Looked {
	looks: Array<Look | undefined>;
	known: ReadonlyMap<unknown, Look | undefined>;
}

/** Looks at each different cell of a column once. */
function* looksOf({ lines }: Table, at: number): Steps<Looked> {
	const known = new Map<unknown, Look | undefined>();
	const looks = yield* mapInSteps(lines, ({ cells: { [at]: cell } }) => {
		if (!known.has(cell)) known.set(cell, lookAt(cell));
		return known.get(cell);
	});
	// `1A` and `1B` are flats, not one piece of A and one of B.
	const letters = [...known.values()].flatMap(
		(look) => numberAndLetter.exec(look?.text ?? '')?.[1] ?? [],
	);
	if (new Set(letters).size > 1)
		for (const look of known.values())
			if (look && numberAndLetter.test(look.text))
				Object.assign(look, { kind: 'text', number: undefined });
	return { looks, known };
}
const numberAndLetter = /^\d{1,4}\s?(\p{L})$/u;

/** A price of a word or a kilowatt hour may have more than an amount that is billed. */
const priceDecimals = 8;

/** Looks at a cell without knowing its column. */
function lookAt(cell: unknown): Look | undefined {
	if (isEmpty(cell)) return undefined;
	if (typeof cell === 'number') {
		const mayBeDate = Number.isInteger(cell) && isDateNumber(cell);
		const mayBeTime = !mayBeDate && isDateNumber(cell);
		return { kind: 'number', text: String(cell), number: cell, mayBeDate, mayBeTime };
	}
	if (typeof cell === 'boolean') return { kind: 'flag', text: String(cell) };
	if (cell instanceof Date) return { kind: 'date', text: JSON.stringify(cell).replace(/"/g, '') };
	if (typeof cell === 'object') return { kind: 'text', text: JSON.stringify(cell).slice(0, 500) };
	const text = String(clean(cell)).trim();
	if (isDash(text)) return undefined;
	if (text.length > 60) return { kind: 'text', text: distinct(text) };
	if (text.includes('@')) return { kind: isEmails(text) ? 'email' : 'text', text };
	if (!/\d/.test(text)) return { kind: isCurrency(text) ? 'currency' : 'text', text };
	if (toUuid(text).ok) return { kind: 'id', text };
	if (/^0\d+$/.test(text) || /^\+?\d{11,}$/.test(text)) return { kind: 'text', text };
	if (/^[-+]?[\d.,]+\s*%$/.test(text)) return { kind: 'percent', text };
	const duration = durationIn(text);
	if (duration !== undefined) return { kind: 'duration', text, number: Number(duration) };
	if (isDateText(text)) return { kind: 'date', text };
	if (/^\d{5}$/.test(text))
		return { kind: 'number', text, number: Number(text), mayBeDate: isDateNumber(Number(text)) };
	const amount = readAmount(text, { decimal: 'point', decimals: priceDecimals });
	if (amount.ok) {
		const { value, currency } = amount;
		if (currency !== undefined && !isCurrencyBeside(currency)) return { kind: 'text', text };
		const isMoney = currency !== undefined || /[.,]\d\d\D*$/.test(text);
		return { kind: 'number', text, number: Number(value), isMoney, ...(currency && { currency }) };
	}
	const quantity = readQuantity(text, { decimal: 'point' });
	if (quantity.ok && quantity.unit) return { kind: 'number', text, number: Number(quantity.value) };
	return /^[-+]?\d[\d.,'’ ]*$/.test(text) ? { kind: 'number', text } : { kind: 'text', text };
}

/** What is read of a text, with a hash if that is not all, so that different texts stay different. */
function distinct(text: string): string {
	const read = readable(text);
	return read === text ? text : `${read} ${hash48Of(text)}`;
}

const isEmails = (text: string) =>
	text
		.split(/[;,]/)
		.every((part) => toEmail(part.slice(part.lastIndexOf('<') + 1).split('>')[0]).ok);

const isCurrency = (text: string) =>
	/^[A-Z]{3}$|\p{Sc}$/u.test(text) && currenciesOf(text).length > 0;

/** All columns of a table. How the sheet writes numbers and dates is decided for all of them together. */
export interface Profile {
	columns: Column[];
	byHeader: Map<string, Column>;
	/** The order of days and months, and whether nothing but the language of the headers tells. */
	dates: { order: DateOrder; isUnclear: boolean };
}

/** In steps, between which other work can run. `currency`: of rows that state none. */
export function* profileOf(table: Table, currency?: string): Steps<Profile> {
	const columns: Column[] = [];
	for (const [at, header] of table.headers.entries()) {
		columns.push(new Column(header, at, table, yield* looksOf(table, at)));
		yield;
	}
	const withFigures = columns.filter((column) => column.is('number', 'percent'));
	const proved = new Set(withFigures.flatMap(({ evidence }) => [...evidence.proved]));
	for (const column of columns) {
		const { proved: own, unclear, hasThreeDecimals } = column.evidence;
		const context = sole(own) ?? sole(proved);
		// `1.250` is 1250, unless the column certainly has three decimals.
		const other = unclear && (unclear === 'comma' ? 'point' : 'comma');
		const isOpen = unclear !== undefined && context !== other && !hasThreeDecimals;
		const isMixed = isOpen && own.has(unclear);
		// Beside `14,90`, `12,500` kg is 12.5: a sheet has one decimal separator.
		column.numberFormat = isMixed
			? { decimal: unclear, isMixed }
			: { decimal: isOpen && context !== unclear ? other : (context ?? other) };
		column.isUnclearNumber = isOpen && !isMixed;
	}
	const currencies = new Set(currency === undefined ? [] : [currency]);
	for (const { filled, headerCurrency, numbers } of columns) {
		// They are read when they are first asked for.
		if (numbers.length) yield;
		if (headerCurrency) currencies.add(headerCurrency);
		for (const { kind, text, currency: own } of filled)
			if (kind === 'currency') currencies.add(text);
			else if (own) currencies.add(own);
	}
	return {
		columns,
		byHeader: new Map(columns.map((column) => [column.header, column])),
		dates: dateOrderOf(columns, currencies),
	};
}

const sole = <T>(all: ReadonlySet<T>): T | undefined => (all.size === 1 ? [...all][0] : undefined);

function dateOrderOf(columns: Column[], currencies: ReadonlySet<string>): Profile['dates'] {
	const withDates = columns.filter((column) => column.share('date') > 0);
	const { orders, isUnclear } = provedOrders(withDates.flatMap(({ texts }) => texts));
	const order = sole(orders);
	if (order) return { order, isUnclear };
	const contradicts = orders.size > 1;
	const headers = columns.map(({ header }) => header).join(' ');
	if (/\bMM?[/.-]DD?\b/i.test(headers)) return { order: 'monthDay', isUnclear: false };
	if (/\b(?:DD?|TT?|JJ?|GG?)[/.-]MM?\b/i.test(headers))
		return { order: 'dayMonth', isUnclear: false };
	const isEnglish = languageOf(columns) === 'en';
	const isAmerican = isEnglish && [...currencies].every((one) => /USD|^\$|CAD/.test(one));
	// In no other language of ours do people write the month first.
	return {
		order: isAmerican ? 'monthDay' : 'dayMonth',
		isUnclear: (isUnclear && isEnglish) || contradicts,
	};
}

/** The words of headers in each language. */
const headerWords = languages.map(({ code, headers, prices, counts, amounts, dates }) => ({
	code,
	words: new Set([
		...Object.values(headers).flat().flatMap(allWordsOf),
		...[prices, counts, amounts, dates].flat(),
	]),
}));

/** The language whose words most headers have. */
export function languageOf(columns: Column[]): string {
	const words = columns.flatMap(({ header }) => allWordsOf(header));
	const hitsOf = ({ words: own }: (typeof headerWords)[0]) =>
		words.filter((word) => own.has(word)).length;
	return [...headerWords].sort((a, b) => hitsOf(b) - hitsOf(a))[0].code;
}
