import fc from 'fast-check';
import type { DateOrder, DateStyle, NumberStyle, PercentStyle } from './cells';
import { currencies, dateStyles, percentStyles } from './cells';
import { people } from './customers';

/** A row. Amount and quantity are thousandths. */
export interface ItemChoice {
	name: string;
	amount: number;
	quantity: number;
}

export interface InvoiceChoice {
	/** Index in `people`. */
	customer: number;
	currency: string;
	/** Days from today. */
	due: number;
	/** Days from the invoice date to the due date. */
	terms: number;
	/** A whole percentage. */
	discount: number;
	items: ItemChoice[];
}

/**
 * All choices that make up a sheet. The first value of each is the simplest: fast-check shrinks towards it.
 * `plain`: recommended headers and settings, so the node must bill it. `odd`: plain except for one oddity. `wild`: anything.
 */
export interface SheetChoice {
	kind: 'plain' | 'odd' | 'wild';
	oddity: string;
	invoices: InvoiceChoice[];
	/** The columns that hold prices, and the meaning of a bare `Amount`. */
	prices:
		| 'unit'
		| 'line'
		| 'both'
		| 'unitAndAmount'
		| 'amountAsUnit'
		| 'amountAsLine'
		| 'lineAndAmountAsUnit'
		| 'lineAndAmountAsLine';
	isAmountExplained: boolean;
	fractions: 'unset' | 'refuse' | 'intoPrice';
	typed: 'all' | 'some' | 'none';
	isNoisy: boolean;
	style: NumberStyle;
	separator: 'set' | 'ifNeeded' | 'unset';
	shownCurrency: 'none' | 'sign' | 'code';
	quantities: 'typed' | 'text' | 'decimals' | 'threeDecimals' | 'withUnit';
	currency: 'column' | 'default' | 'partlyDefault' | 'shown' | 'columnOfSigns';
	due: 'dueDate' | 'terms' | 'termsFromToday' | 'dueInDays' | 'dueDateAndTerms';
	termsStyle: 'net' | 'number' | 'numberText' | 'days' | 'lowerNet' | 'withCashDiscount';
	dates: DateStyle;
	order: DateOrder;
	dateOrder: 'set' | 'ifNeeded' | 'unset';
	customers:
		| 'id'
		| 'email'
		| 'name'
		| 'nameAndEmail'
		| 'default'
		| 'idAndName'
		| 'idAndEmail'
		| 'foreignIdAndName'
		| 'mixed';
	matchCustomersBy: 'idOrEmail' | 'idEmailOrName';
	list: 'json' | 'objects' | 'items';
	grouping: 'number' | 'column' | 'row' | 'none';
	numbers: 'text' | 'digits' | 'zeros' | 'slashed' | 'accents' | 'cases' | 'zerosAndDigits';
	isInterleaved: boolean;
	followUps: 'repeat' | 'blank';
	blank: 'missing' | 'empty' | 'null' | 'spaces';
	blankRows: number;
	totals: 'none' | 'everyRow' | 'firstRows' | 'beforeDiscount' | 'perLine';
	checkTotals: 'unset' | 'on' | 'off';
	money: 'none' | 'zero' | 'ignored' | 'ignoredAndZero' | 'figures';
	percents: PercentStyle;
	extraColumns: number;
	hasNotes: boolean;
	headersOf: 'recommended' | 'all';
	headerCase: 'asIs' | 'any';
	isShuffled: boolean;
	continues: boolean;
	seed: number;
}

/** Chooses the first value more often. */
const mostly = <T>(times: number, first: T, ...others: T[]) =>
	fc.constantFrom(...Array.from({ length: times }, () => first), ...others);

const anyAmount = fc.oneof(
	{ weight: 4, arbitrary: fc.integer({ min: 1, max: 500 }).map((whole) => whole * 1000) },
	{ weight: 5, arbitrary: fc.integer({ min: 1, max: 999_999 }).map((cents) => cents * 10) },
	{ weight: 1, arbitrary: fc.integer({ min: 1, max: 9_999_999 }) },
	// 1.234 is a thousand in some countries and one in others.
	{ weight: 1, arbitrary: fc.integer({ min: 1000, max: 9999 }) },
	{ weight: 1, arbitrary: fc.integer({ min: 1000, max: 9999 }).map((whole) => whole * 1000) },
	{ weight: 1, arbitrary: fc.integer({ min: 1, max: 99_999 }).map((cents) => cents * -10) },
	{ weight: 1, arbitrary: fc.constantFrom(19_990, 0, 1_234_567_890, 9_999_999_999_990) },
);

const anyQuantity = fc.oneof(
	{ weight: 6, arbitrary: fc.constant(1000) },
	{ weight: 6, arbitrary: fc.integer({ min: 2, max: 12 }).map((whole) => whole * 1000) },
	{ weight: 2, arbitrary: fc.constantFrom(1500, 500, 2250, 250, 1333) },
	{ weight: 1, arbitrary: fc.constantFrom(1000, 1500, 1234).map((whole) => whole * 1000) },
	{ weight: 1, arbitrary: fc.constantFrom(0, 1000, 1000, -1000) },
);

const anyItem: fc.Arbitrary<ItemChoice> = fc.record({
	name: fc.constantFrom('Consulting', 'Chairs', 'Licence 2027', 'Réparation, pièces', '5 boxes'),
	amount: anyAmount,
	quantity: anyQuantity,
});

const anyInvoice: fc.Arbitrary<InvoiceChoice> = fc.record({
	customer: fc.nat(people.length - 1),
	currency: mostly(4, 'EUR', 'EUR', 'USD', ...Object.keys(currencies)),
	// Often one of the first twelve days, which could be a month as well.
	due: fc.oneof(
		fc.constantFrom(45, 46, 77, 107, 15, 16, 18, 21, 48, 51, 79),
		// Within two calendar years, so that a two-digit year is never a day.
		fc.integer({ min: 0, max: 770 }),
	),
	terms: fc.constantFrom(30, 14, 0, 7, 10, 60, 90),
	discount: fc.oneof(
		{ weight: 4, arbitrary: fc.constant(0) },
		{ weight: 1, arbitrary: fc.constantFrom(10, 1, 5, 50, 100, 33) },
	),
	items: fc.array(anyItem, { minLength: 1, maxLength: 4 }),
});

const anyStyle: fc.Arbitrary<NumberStyle> = fc.record({
	decimalSeparator: fc.constantFrom('point', 'comma'),
	group: fc.constantFrom(
		...(['none', 'other', 'other', 'space', 'noBreakSpace', 'apostrophe'] as const),
		...(['narrowSpace', 'curlyApostrophe'] as const),
	),
	decimals: fc.constantFrom(0, 2, 2, 3),
	negative: fc.constantFrom('minus', 'brackets', 'longMinus', 'trailingMinus'),
	currency: fc.constantFrom('beforeWithSpace', 'before', 'afterWithSpace', 'after'),
});

/** `oddities`: names of all oddities. */
export const anyChoice = (oddities: readonly string[]): fc.Arbitrary<SheetChoice> =>
	fc.record({
		// A fixed share of plain sheets.
		kind: fc.constantFrom(
			...(['plain', 'plain', 'plain', 'plain', 'odd', 'odd', 'odd', 'odd'] as const),
			...(['wild', 'wild', 'wild'] as const),
		),
		oddity: fc.constantFrom(...oddities),
		invoices: fc.array(anyInvoice, { minLength: 1, maxLength: 4 }),
		prices: fc.constantFrom(
			...(['unit', 'unit', 'line', 'line', 'both', 'unitAndAmount', 'unitAndAmount'] as const),
			...(['amountAsUnit', 'amountAsLine', 'lineAndAmountAsUnit', 'lineAndAmountAsLine'] as const),
		),
		isAmountExplained: mostly(2, true, false),
		fractions: fc.constantFrom('unset', 'refuse', 'intoPrice', 'intoPrice'),
		typed: fc.constantFrom('all', 'some', 'none', 'none'),
		isNoisy: fc.boolean(),
		style: anyStyle,
		separator: mostly(2, 'set', 'ifNeeded', 'unset'),
		shownCurrency: mostly(3, 'none', 'sign', 'code'),
		quantities: mostly(3, 'typed', 'text', 'text', 'decimals', 'threeDecimals', 'withUnit'),
		currency: mostly(3, 'column', 'default', 'partlyDefault', 'shown', 'columnOfSigns'),
		due: mostly(4, 'dueDate', 'terms', 'termsFromToday', 'dueInDays', 'dueDateAndTerms'),
		termsStyle: fc.constantFrom(
			...(['net', 'number', 'numberText', 'days', 'lowerNet', 'withCashDiscount'] as const),
		),
		dates: fc.constantFrom(...dateStyles),
		order: fc.constantFrom('dayMonth', 'monthDay'),
		dateOrder: mostly(2, 'set', 'ifNeeded', 'unset'),
		customers: mostly(
			2,
			...(['id', 'email', 'email', 'name', 'name', 'nameAndEmail', 'default'] as const),
			...(['idAndName', 'idAndEmail', 'foreignIdAndName', 'mixed'] as const),
		),
		matchCustomersBy: fc.constantFrom('idOrEmail', 'idEmailOrName', 'idEmailOrName'),
		list: mostly(3, 'json', 'objects', 'items'),
		grouping: mostly(5, 'number', 'column', 'row', 'none'),
		numbers: fc.constantFrom(
			...(['text', 'digits', 'zeros', 'slashed', 'accents', 'cases', 'zerosAndDigits'] as const),
		),
		isInterleaved: fc.boolean(),
		followUps: fc.constantFrom('repeat', 'blank'),
		blank: fc.constantFrom('missing', 'empty', 'null', 'spaces'),
		blankRows: fc.constantFrom(0, 0, 1, 2),
		totals: mostly(3, 'none', 'everyRow', 'firstRows', 'beforeDiscount', 'perLine'),
		checkTotals: mostly(3, 'unset', 'on', 'off'),
		money: mostly(4, 'none', 'zero', 'ignored', 'ignoredAndZero', 'figures'),
		percents: fc.constantFrom(...percentStyles),
		extraColumns: fc.constantFrom(0, 0, 1, 2, 3),
		hasNotes: mostly(4, false, true),
		headersOf: fc.constantFrom('recommended', 'all'),
		headerCase: fc.constantFrom('asIs', 'any', 'any'),
		isShuffled: fc.boolean(),
		continues: mostly(4, false, true),
		seed: fc.nat(),
	});
