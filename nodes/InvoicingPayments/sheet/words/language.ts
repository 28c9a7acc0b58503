import type { TotalKind } from './fieldHeaders';

/**
 * What a language calls the things that the figures of a sheet may be. Words are in lower case and without accents, as `wordsOf`
 * gives them. They say what a column or a row is; no word ever makes an amount right.
 */
export interface Language {
	/** As Intl has it. */
	code: string;
	/** Where the word stands that says what a header is: `Kundennummer`, but `numéro client`. */
	head: 'first' | 'last';
	/** What follows one of them says nothing of what the header is: `Paid on account`. */
	prepositions: string[];
	/** What numbers are called that only tell things apart. */
	identifiers: string[];
	/** The same as the end of a longer word: `Kundennummer`. */
	identifierEndings?: string[];
	/** What the numbers of such a kind can be: weeks from 1 to 53. */
	ranges: Record<string, [number, number]>;
	/** What a number tells apart where `number` and a preposition stand before it: `numéro de facture`, but not `número de horas`. */
	numbered?: string[];
	/** What days are called. */
	dates: string[];
	/** The same as the end of a longer word: `Rechnungsdatum`. */
	dateEndings?: string[];
	coordinates: string[];
	/** Words for units of time, of a price (`Hourly Rate`) and of a quantity (`Hours`), by unit. */
	timeUnits: Record<string, string[]>;
	/** What times are called, of a day or how long something took. */
	times: string[];
	/** Words that make a moment of whatever they stand beside: `Next visit`. */
	moments: string[];
	/** The days of births, which are long ago. */
	births: string[];
	/** Words for money that a total does not prove away: it may be part of the total that the sheet says. */
	otherMoney: {
		taxes: string[];
		/** What may stand behind a tax without making something else of it: `Tax Name`. */
		taxParts: string[];
		others: string[];
	};
	/** What the price of one is called, and what stands between it and that one: `Price per lesson`. */
	prices: string[];
	per: string[];
	/** What a form asks for that is never paid: `How old`, but not `How many`. */
	how?: { asks: string; harmless: string[] };
	/** What makes a price one for several, or for a part: `Price per dozen`. */
	multiples: string[];
	/** What is measured in units: `Weight (kg)`. */
	dimensions: string[];
	/** What a column is called that names the unit of each quantity. */
	units: string[];
	/** What a header of quantities is called. */
	counts: string[];
	/** What a header of money or of sums is called. */
	amounts: string[];
	/** Names of rows that are the sum of others, and what may stand around them. */
	totals: string[];
	aroundTotals: string[];
	/** Items that take something away. */
	deductions: string[];
	/** Words that turn such a word around, and words that may stand before it: `not paid`, `already paid`. */
	negations: string[];
	already: string[];
	/** What a participle ends with to agree with what it says something of: `pagado`, `pagada`. */
	agreement?: RegExp;
	/** What may follow at once where the first word of an item is one of `deductions`. */
	afterDeductions: string[];
	/** What a cell says of a row that is not to be billed. */
	notBilled: string[];
	/** Headers of columns that say by yes and no whether a row is to be billed, and whether it is done with. */
	billable: string[];
	done: string[];
	yes: string[];
	no: string[];
	/** Headers of the customer who pays, where other columns name another one. */
	billTo: string[];
	/** Headers that stand for a field, by the names of fields, the more telling ones first. */
	headers: Record<string, string[]>;
	/** The same where no column has one of those: beside such a column they may be something else. */
	fallbackHeaders: Record<string, string[]>;
	/** Headers of sums that are compared with what the items come to. */
	totalHeaders: Partial<Record<TotalKind, string[]>>;
	/** What may stand in brackets behind a header of money that the API takes: without taxes. */
	netNotes: string[];
	/** Payment terms: a number of days, what may stand around it, and what says that there is nothing to wait for. */
	terms: { days: string[]; around: string[]; atOnce: string[] };
}
