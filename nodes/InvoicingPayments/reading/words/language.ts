/**
 * The words of a language for the columns, cells and rows of a sheet. They rank, and ask for a look; they never decide (see
 * ../README.md). Headers stand as people write them, the other words folded: in lower case and without accents.
 */
export interface Language {
	/** Language tag for Intl. */
	code: string;
	/** Names of columns by field, the most specific first. */
	headers: Record<string, string[]>;
	/** Names of columns with stated totals. */
	totals: string[];
	/** Words of a price, of a count, and of a tax. */
	prices: string[];
	counts: string[];
	taxes: string[];
	/** Words of any amount. */
	amounts: string[];
	/** Words of numbers that only identify or rank. */
	identifiers: string[];
	/** Words of dates and times. */
	dates: string[];
	/** Units of time, in prices (`Hourly Rate`) and quantities (`Hours`). */
	units: Record<string, string[]>;
	/** Words of multiples and parts of a unit: `per dozen`. */
	multiples: string[];
	/** Names of rows that are sums. */
	sums: string[];
	/** Words in headers of what is taken off or paid. */
	deductions: string[];
	/** Beginnings of words that say that something is paid, void, free or not to be billed. */
	marks: string[];
	/** Beginnings of words that make it worth a look: on hold, optional, a deposit. */
	doubts: string[];
	/** Words in the header of a column that parts the rows: `Status`, `Paid`. */
	asks: string[];
	/** Headers of columns in which a no means not to bill the row. */
	billable: string[];
	yes: string[];
	no: string[];
	/** Answers that say that something is not paid yet. */
	open: string[];
	/** Payment terms: words for days, words around the number, words for immediate payment. */
	terms: { days: string[]; around: string[]; atOnce: string[] };
}

/** Splits a packed list at `|` and line breaks. */
export const list = (packed: string): string[] =>
	packed
		.split(/[|\n]/)
		.map((word) => word.trim())
		.filter(Boolean);
