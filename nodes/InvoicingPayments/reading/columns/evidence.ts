import { toTermDays } from '../cells';
import { itemNumbers, wordFields } from './fields';
import { markIn, saysYesOrNo } from './marks';
import {
	allWordsOf,
	exactScore,
	hasWord,
	isNamed,
	isNamedOtherwise,
	isNumberSign,
	isPerOne,
	isTax,
	shareWord,
	timeUnitOf,
	unitOfPrice,
	usualness,
	wordScore,
} from '../table';
import type { Column } from './profile';

/**
 * What speaks for a column as a field, or against it. The code adds up what holds. A column with fewer than 0 points does not fill the field,
 * unless no other amount makes a price: a sheet always has one. `npm run evidence` switches each line off once, over all labelled sheets, and
 * prints how many of them need it.
 */
interface Evidence {
	name: string;
	/** In whole points, times how far it holds. */
	points: number;
	/** The fields that it speaks for, or against. */
	fields: readonly string[];
	/** A header, and cells. */
	example: string;
	/** How far it holds, from 0 to 1. */
	holds(column: Column, about: About): boolean | number;
}

/** What the evidence knows of the sheet besides the column. */
export interface About {
	field: string;
	/** Fields whose names count: emails may stand below Customer. */
	names: readonly string[];
	/** Which share of the texts are customers that are known. */
	knownShare(column: Column): number;
	/** Whether a person has set what the field is without a column. */
	hasDefault: boolean;
	/** Which share of the rows have a text that stands in several rows, which all cost the same. */
	priceTold(column: Column): number;
	/** Of the invoices with several rows, in which share the rows differ in it. `undefined`: there are none. */
	differsIn(column: Column): number | undefined;
	/** Whether the cells are parts of the names of their rows' customers. */
	isOfCustomer(column: Column): boolean;
}

export type MoneyField = (typeof itemNumbers)[number] | 'total';
const [amounts, quantity] = [['itemAmount', 'itemTotal', 'total'], ['itemQuantity']];
const numbers = [...amounts, ...quantity];

const isCalled = ({ header }: Column, { names }: About) =>
	names.some((one) => isNamed(one, header));
const isAmountNamed = ({ header }: Column) => isNamed('amount', header);
/** Whether a column of numbers needs no words: it is called like the field, or just an amount. */
const isNumberNamed = (one: Column, about: About) =>
	isCalled(one, about) ||
	(about.field.startsWith('item') && about.field !== 'itemQuantity' && isAmountNamed(one));
const isDuration = (one: Column) => one.share('duration') > 0.5;
/** `Hora: 09:00`, but `Horas: 09:00` are hours. */
const isTimeNamed = ({ header }: Column) => hasWord(header, 'dates') && !hasWord(header, 'counts');
const isCode = (text: string) => /\d/.test(text) && /[\p{L}/-]/u.test(text);

/** Whether an amount below this header is paid, waived or given back. */
export const saysSettled = (header: string) =>
	hasWord(header, 'deductions') || markIn(header) !== undefined;
/** Whether a header says that a part is taken off. */
export const isDiscount = (header: string): boolean =>
	hasWord(header, 'deductions') &&
	!isTax({ header }) &&
	wordScore('discountPercentage', header) > 0;
const isOnlyIdentifier = (header: string) =>
	hasWord(header, 'identifiers') && !hasWord(header, 'counts', 'prices');
/** Days. Shorter ones are seldom terms. */
const leastTerms = 7;
/** `30 jours`, but not `30`, or `3 jours`. */
function saysTerms(text: string): boolean {
	const days = toTermDays(text);
	return /\p{L}/u.test(text) && days.ok && (days.value === 0 || days.value >= leastTerms);
}
/** `nº prácticas: 5, 4, 5` counts, `nº: 1, 2, 3` numbers the rows. */
function countsThings(one: Column): boolean {
	const all = one.figures.known;
	const numbersRows = all.length > 2 && all.every((number, at) => at === 0 || number > all[at - 1]);
	const isSmall = all.every((number) => number >= 1 && number <= 60 && number % 1 === 0);
	return allWordsOf(one.header)[0] === 'number' && isSmall && !numbersRows && new Set(all).size > 1;
}

// prettier-ignore
export const evidence: Evidence[] = [
	// A column is presumed to fill no field.
	{ name: 'presumed to be no currency', points: -6, fields: ['currency'], example: 'Foo: EU', holds: () => true },
	{ name: 'presumed to be no customer', points: -9, fields: ['customerId'], example: 'Guide: Ann', holds: () => true },
	{ name: 'presumed to be no number of an invoice', points: -12, fields: ['invoiceNumber'], example: 'Foo: A-17', holds: () => true },
	{ name: 'presumed to be no due date', points: -5, fields: ['dueDate'], example: 'Visit: 2027-01-05', holds: () => true },
	{ name: 'presumed to be no terms and no invoice date', points: -6, fields: ['terms', 'invoiceDate'], example: 'Term: 12', holds: () => true },
	{ name: 'presumed to fill no field without its name', points: -16, fields: ['startsAt', 'discountPercentage', ...wordFields, 'exact'], example: 'Rabatt: 10', holds: () => true },
	{ name: 'presumed not to be what is billed', points: -11, fields: ['itemName'], example: 'Town: Leeds', holds: () => true },
	{ name: 'a person has set the days', points: -5, fields: ['dueDate', 'terms'], example: 'Lesson on: 2027-01-05, beside Due in Days', holds: (_one, { hasDefault }) => hasDefault },
	{ name: 'a person has set what items are called', points: -20, fields: ['itemName'], example: 'Town: Leeds, beside Default Item Name', holds: (one, about) => about.hasDefault && !isCalled(one, about) },

	// Names
	{ name: 'called like the field', points: 16, fields: ['all'], example: 'Due Date', holds: isCalled },
	{ name: 'its usual name', points: 4, fields: ['all'], example: 'Unit Price, not Cost Each', holds: ({ header }, { names }) => Math.max(...names.map((one) => usualness(one, header))) },
	{ name: 'words of its names', points: 10, fields: ['all'], example: 'Rechnungsempfänger Kunde', holds: (one, about) => isNumberNamed(one, about) || (!numbers.includes(about.field) && isNamedOtherwise(about.field, one.header)) ? 0 : Math.max(...about.names.map((name) => wordScore(name, one.header))) / 5 },
	{ name: 'a stated total may be all that a row has', points: 13, fields: ['itemTotal'], example: 'Total due: 920.00', holds: (one, about) => !isCalled(one, about) && isNamed('total', one.header) },

	// Cells
	{ name: 'codes or signs of currencies', points: 8, fields: ['currency'], example: 'CHF', holds: (one) => one.is('currency') },
	{ name: 'known customers', points: 18, fields: ['customerEmail', 'customerId'], example: 'Demir Trading', holds: (one, { knownShare }) => knownShare(one) },
	{ name: 'days in words', points: 10, fields: ['terms'], example: 'Règl.: 30 jours', holds: (one) => !hasWord(one.header, 'counts') && one.texts.every(saysTerms) && one.texts.some((text) => /\d/.test(text)) },
	{ name: 'a number sign above codes', points: 12, fields: ['invoiceNumber'], example: 'N.º: G26/530', holds: (one) => isNumberSign(one.header) && one.header !== '#' && one.texts.every(isCode) },
	{ name: 'filled in every row', points: 2, fields: numbers, example: '12 | 5 | 8', holds: ({ fullness }) => fullness },
	{ name: 'filled in every row', points: 12, fields: ['itemName'], example: 'Rent | Water | Rent', holds: ({ fullness }) => fullness },
	{ name: 'cents', points: 4, fields: amounts, example: '37.50', holds: ({ figures }) => !figures.areWhole },
	{ name: 'a currency', points: 4, fields: amounts, example: 'Preis (CHF), € 12', holds: ({ figures }) => figures.hasCurrency },
	{ name: 'figures that may count', points: 1, fields: quantity, example: '1, 12', holds: (one) => !isDuration(one) && one.figures.mayCount },
	{ name: 'figures that hardly count', points: -6, fields: quantity, example: '0, 1200', holds: (one) => !isDuration(one) && !one.figures.mayCount },
	{ name: 'durations', points: 4, fields: quantity, example: '1:30', holds: isDuration },
	{ name: 'times of the day', points: -16, fields: quantity, example: '09:00 | 17:30', holds: (one) => isDuration(one) && one.filled.every(({ text, number = 0 }) => /^\d\d:\d\d$/.test(text) && number >= 6 && number <= 22) },
	{ name: 'called a time', points: -16, fields: quantity, example: 'Hora: 01:30', holds: (one, about) => isDuration(one) && !isCalled(one, about) && isTimeNamed(one) },
	{ name: 'may be days', points: -16, fields: numbers, example: '46388', holds: (one, about) => one.figures.mayBeDates && !isNumberNamed(one, about) },

	// Words of amounts and counts
	{ name: 'counts things', points: 12, fields: quantity, example: 'nº prácticas: 5, 4, 5', holds: (one, about) => countsThings(one) && !isCalled(one, about) },
	{ name: 'a word of an amount', points: -6, fields: quantity, example: 'Net hours value', holds: (one, about) => !isNumberNamed(one, about) && hasWord(one.header, 'amounts') },
	{ name: 'a word of an amount', points: 2, fields: amounts, example: 'Total Kurs', holds: (one, about) => !isNumberNamed(one, about) && hasWord(one.header, 'amounts') },
	{ name: 'a tax is no amount of its own', points: -30, fields: numbers, example: 'VAT: 19.00', holds: isTax },
	{ name: 'only identifies', points: -10, fields: numbers, example: 'Room', holds: (one, about) => !isNumberNamed(one, about) && !one.figures.hasCurrency && isOnlyIdentifier(one.header) },
	{ name: 'a word of a date', points: -8, fields: numbers, example: 'since: 12', holds: (one, about) => !isNumberNamed(one, about) && hasWord(one.header, 'dates') && timeUnitOf(one.header) === undefined },

	// What items are called
	{ name: 'each text has one price', points: 6, fields: ['itemName'], example: 'Plan: Gold, Gold, Silver beside 45, 45, 30', holds: (one, about) => isCalled(one, about) ? 0 : about.priceTold(one) },
	{ name: 'the rows of an invoice differ in it', points: 8, fields: ['itemName'], example: 'Work: hedge | lawn, not Place: Leeds | Leeds', holds: (one, about) => isCalled(one, about) ? 0 : about.differsIn(one) ?? 0 },
	{ name: 'says which rows are billed', points: -12, fields: ['itemName'], example: 'Status: open, open, sent', holds: (one, about) => !isCalled(one, about) && (one.texts.every(saysYesOrNo) || (hasWord(one.header, 'asks') && one.counts.size * 2 <= one.filled.length)) },
	{ name: 'a part of the customer', points: -12, fields: ['itemName'], example: 'Cognome: Rossi', holds: (one, { isOfCustomer }) => isOfCustomer(one) },
	{ name: 'codes', points: -14, fields: ['itemName'], example: 'AG150', holds: ({ texts }) => texts.filter((text) => isCode(text) && !/\s/.test(text.trim())).length / texts.length },
];

/** How well a column fits a field, in points. */
export const pointsOf = (column: Column, about: About): number =>
	evidence.reduce((sum, { points, fields, holds }) => {
		const speaks = fields.includes(about.field) || fields[0] === 'all';
		return speaks ? sum + points * Number(holds(column, about)) : sum;
	}, 0);

/** Which columns of a sheet may be the price, the quantity and the total of an item. */
export type ItemColumns = Partial<Record<(typeof itemNumbers)[number], Column>>;

/** What speaks for a price and a quantity together, or against them. */
interface JointEvidence {
	name: string;
	points: number;
	example: string;
	holds(those: ItemColumns, about: AboutMoney): boolean | number;
}

export interface AboutMoney {
	/**
	 * Whether price times quantity is the total in all rows that have them, several (`told`) or one (`once`), or says nothing, because all
	 * quantities or prices are 1 (`idle`). `undefined`: it is not, or no row has them.
	 */
	product?: 'told' | 'once' | 'idle';
	/** What rows of one item with different quantities show of these amounts. */
	sameItem?: 'price' | 'total';
	/** Whether the amount is called a total and is the same in all rows of each invoice, beside one that differs. */
	isOfInvoice: boolean;
}

const middle = (one: Column) => {
	const sorted = [...one.figures.known].sort((a, b) => a - b);
	return sorted[sorted.length >> 1] ?? 0;
};
const isSameUnit = (price: Column, count: Column) => {
	const unit = timeUnitOf(price.header);
	return unit !== undefined && unit === timeUnitOf(count.header);
};
const isShared = (price: Column, count: Column) =>
	isSameUnit(price, count) || shareWord(price.header, count.header);
/** Evidence of a price and a quantity whose product no column states. */
const ofBoth =
	(holds: (price: Column, count: Column) => boolean) =>
	({ itemAmount, itemQuantity, itemTotal }: ItemColumns) =>
		itemAmount !== undefined &&
		itemQuantity !== undefined &&
		!itemTotal &&
		holds(itemAmount, itemQuantity);
const isUnitOf = ({ header }: Column, count: Column) => {
	const [unit] = allWordsOf(unitOfPrice(header) ?? '') as [string?];
	return unit !== undefined && allWordsOf(count.header).includes(unit);
};
const distance = /(?<!\p{L})(?:km|kilom\p{L}*|quil[oó]m\p{L}*|miles|mileage|millas)(?!\p{L})/iu;
const countsHours = (count: Column) => timeUnitOf(count.header) === 'hour' || isDuration(count);

// prettier-ignore
export const jointEvidence: JointEvidence[] = [
	{ name: 'presumed to be one of each', points: -4, example: 'Guests: 2', holds: ({ itemQuantity }) => itemQuantity !== undefined },
	{ name: 'the product is the total', points: 60, example: '2 x 40 = 80, 3 x 20 = 60', holds: (_those, { product }) => product === 'told' },
	{ name: 'the total repeats the price', points: -6, example: '40, 40', holds: (_those, { product }) => product === 'idle' },
	{ name: 'the same item costs the same, so it is no total', points: -40, example: 'Glue: 3 at 7.00 and 1 at 7.00', holds: ({ itemAmount }, { sameItem }) => itemAmount === undefined && sameItem === 'price' },
	{ name: 'the same item grows with its quantity, so it is no price', points: -40, example: 'Glue: 3 for 21.00 and 1 for 7.00', holds: ({ itemAmount }, { sameItem }) => itemAmount !== undefined && sameItem === 'total' },
	{ name: 'a price is surer than a total with a quantity', points: -3, example: 'Qty: 2, Sum: 80', holds: ({ itemAmount, itemQuantity }) => itemAmount === undefined && itemQuantity !== undefined },
	{ name: 'the price is for what is counted', points: 6, example: 'Tarif nuitée x Nuits', holds: ofBoth(isShared) },
	{ name: 'the price says what is counted', points: 16, example: 'Price/kWh x kWh', holds: ofBoth((price, count) => isUnitOf(price, count)) },
	{ name: 'a price for one', points: 2, example: 'CHF/nuit', holds: ofBoth((price, count) => !isShared(price, count) && isPerOne(price.header)) },
	{ name: 'a package is not paid for each guest', points: -8, example: '1450.00 x 120 guests', holds: ofBoth((price, count) => !isSameUnit(price, count) && middle(price) >= 100 && middle(count) >= 20) },
	{ name: 'nobody pays so much for an hour', points: -20, example: '780.00 x 3 h', holds: ofBoth((price, count) => !isSameUnit(price, count) && timeUnitOf(count.header) === 'hour' && middle(price) >= 250) },
	{ name: 'a distance counts only beside a price for it', points: -12, example: 'Fare x km', holds: ofBoth((price, count) => distance.test(count.header) && !shareWord(price.header, count.header)) },
	{ name: 'an amount is hardly a price for hours', points: -10, example: 'Amount x Hours', holds: ofBoth((price, count) => isAmountNamed(price) && exactScore('itemAmount', price.header) === undefined && countsHours(count)) },
	{ name: 'a total that all rows of an invoice repeat', points: -30, example: '700, 1200 and 500, 1200', holds: (_those, { isOfInvoice }) => isOfInvoice },
];

export const jointPointsOf = (those: ItemColumns, about: AboutMoney): number =>
	jointEvidence.reduce((sum, { points, holds }) => sum + points * Number(holds(those, about)), 0);
