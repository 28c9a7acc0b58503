import type { TotalKind } from './fieldHeaders';

/**
 * The words of a language for the columns and rows of a sheet, in lower case and without accents, as `wordsOf` returns
 * them. They only classify; no word ever makes an amount right.
 */
export interface Language {
	/** Language tag for Intl. */
	code: string;
	/** Where the main word of a header stands: `Kundennummer` (last), `numéro client` (first). */
	head: 'first' | 'last';
	/** Words that end the main part of a header: `Paid on account`. */
	prepositions: string[];
	/** Names of numbers that only identify. */
	identifiers: string[];
	/** The same as word endings: `Kundennummer`. */
	identifierEndings?: string[];
	/** The possible values of such numbers: weeks are 1 to 53. */
	ranges: Record<string, [number, number]>;
	/** What a number identifies after `number` and a preposition: `numéro de facture`, but not `número de horas`. */
	numbered?: string[];
	dates: string[];
	/** The same as word endings: `Rechnungsdatum`. */
	dateEndings?: string[];
	coordinates: string[];
	/** Units of time, in prices (`Hourly Rate`) and quantities (`Hours`). */
	timeUnits: Record<string, string[]>;
	/** Names of times of day and durations. */
	times: string[];
	/** Words that make a date of the words beside them: `Next visit`. */
	moments: string[];
	/** Dates of birth, which may be long ago. */
	births: string[];
	/** Money that a matching total does not explain, because the total may contain it. */
	otherMoney: {
		taxes: string[];
		/** Words after a tax that leave it a tax: `Tax Name`. */
		taxParts: string[];
		others: string[];
	};
	/** Words of a unit price: `Price per lesson`. */
	prices: string[];
	per: string[];
	/** Questions about things that are never billed: `How old`, but not `How many`. */
	how?: { asks: string; harmless: string[] };
	/** Words of prices for a multiple or a part: `Price per dozen`. */
	multiples: string[];
	/** Measured quantities: `Weight (kg)`. */
	dimensions: string[];
	/** Headers of columns with the unit of each quantity. */
	units: string[];
	/** Headers of quantities. */
	counts: string[];
	/** Headers of money or totals. */
	amounts: string[];
	/** Names of total rows that are sums, names of other total rows, and words that may surround both. */
	sums: string[];
	totals: string[];
	aroundTotals: string[];
	/** Items that take money off. */
	deductions: string[];
	/** Words that may stand before one of them or of `done`: `already paid`, `invoice paid`. */
	already: string[];
	/** Endings of gender and number: `pagado`, `pagadas`. */
	agreement?: RegExp;
	/** Words that may follow a word of `deductions` at the start of an item. */
	afterDeductions: string[];
	/** Cells of rows that are not billed. */
	notBilled: string[];
	/** Headers of yes/no columns: whether to bill a row, and whether it is done. */
	billable: string[];
	done: string[];
	yes: string[];
	no: string[];
	/** Headers of the customer who pays, if other columns name another one. */
	billTo: string[];
	/** Headers by field name, the most specific first. */
	headers: Record<string, string[]>;
	/** Headers that count only if no column has one of `headers`: beside it they may mean something else. */
	fallbackHeaders: Record<string, string[]>;
	/** Headers of totals. */
	totalHeaders: Partial<Record<TotalKind, string[]>>;
	/** Notes after a money header that mean without taxes. */
	netNotes: string[];
	/** Payment terms: words for days, words around the number, and words for immediate payment. */
	terms: { days: string[]; around: string[]; atOnce: string[] };
}
