/** A column that fills a field, and how its cells are read if they could mean two things. */
export interface Source {
	header: string;
	/** The column with the rest of a name: `Vorname + Nachname`. */
	and?: string;
	formats?: Format[];
}

export const formats = {
	'day/month/year': 'dayMonth',
	'month/day/year': 'monthDay',
	'1.234,50': 'comma',
	'1,234.50': 'point',
	/** `1:30` is one and a half. */
	hours: 'hours',
	/** 90 is one and a half hours. */
	minutes: 'minutes',
	/** 0.0625 is one and a half hours, as spreadsheets store times. */
	'parts of a day': 'daysAsHours',
	/** 1000 is 10.00. */
	cents: 'cents',
	/** A bare 10 is 10 %. */
	percentages: 'percentages',
} as const;
export type Format = keyof typeof formats | `per ${number}`;

const dateFormats = ['day/month/year', 'month/day/year'];
const numberFormats = ['1.234,50', '1,234.50'];
const unitFormats = ['cents', 'per 1000'];
const timeFormats = ['hours', 'minutes', 'parts of a day'];
/** Of each group, a column has one at most. */
export const formatGroups = [dateFormats, numberFormats, unitFormats, timeFormats, ['percentages']];
/** Whether a format is one of these, in which `per 1000` stands for any number. */
export const isFormatOf = (formatsOfGroup: readonly string[], format: string) =>
	formatsOfGroup.includes(format.replace(/^per .*/, 'per 1000'));
const moneyFormats = [...numberFormats, ...unitFormats];
/** How the cells of a field can be written. */
export const formatsByField: Partial<Record<string, string[]>> = {
	dueDate: dateFormats,
	invoiceDate: dateFormats,
	startsAt: dateFormats,
	itemAmount: moneyFormats,
	itemTotal: moneyFormats,
	total: moneyFormats,
	items: moneyFormats,
	itemQuantity: [...numberFormats, ...timeFormats],
	itemTimes: numberFormats,
	itemDiscount: [...numberFormats, 'percentages'],
};

/** A column of few values that parts the rows. `''` is an empty cell. */
export interface ValueStatement {
	header: string;
	bill: string[];
	leaveOut: string[];
}

/** How rows become invoices. */
export type Grouping =
	| { by: 'invoiceNumber' | 'customer' | 'row' | 'all' }
	| { by: 'column'; header: string };

/** What columns make of an amount in every row. See explain.ts. */
export interface Relation {
	whole: string;
	/** Multiplied. */
	factors: string[];
	/** Added, or taken off (`isLess`). */
	terms: Array<{ header: string; isLess: boolean }>;
	/** A percentage of all this, which is taken off, or added if it is a tax. */
	rate?: string;
	isAdded?: boolean;
	/** The percentage is of the product alone, not of what is added to it. */
	isOfFactors?: boolean;
}

/** `"To pay" = "Qty" x "Price" + "Trip" less "Discount %"` */
export function relationText({
	whole,
	factors,
	terms,
	rate,
	isAdded,
	isOfFactors,
}: Relation): string {
	const percentage =
		rate === undefined ? [] : [`${isAdded ? 'plus' : 'less'} ${JSON.stringify(rate)}`];
	return [
		`${JSON.stringify(whole)} = ${factors.map((one) => JSON.stringify(one)).join(' x ')}`,
		...(isOfFactors ? percentage : []),
		...terms.map(({ header, isLess }) => `${isLess ? '-' : '+'} ${JSON.stringify(header)}`),
		...(isOfFactors ? [] : percentage),
	].join(' ');
}

/** Begins the statement of a relation. */
export const inAllRows = 'in all rows';

/** Begins the statement of currencies. */
export const amountsIn = 'amounts in';

/** Begins the statement of the percentages of taxes. */
export const taxedAt = 'taxed at';

/** What stood in a column when the reading was confirmed. Later files are compared with it. */
export interface Shape {
	/** Of its cells: `number`, `empty`, `code A-9`, `with kg`; and what else is usual: `says paid`, `repeats`. See shapes.ts. */
	kinds: string[];
	/** The smallest and the largest amount or quantity, without their signs. */
	range?: { low: number; high: number };
	/** How many days its dates were apart, and away from the day of the preview at most. */
	days?: { apart: number; away: number };
}

/** How a sheet is read: what a person sees, edits and confirms. The text of it is in text.ts. */
export interface Statements {
	/** Columns by the name of the field that they fill, in the order of preference. */
	fields: Map<string, Source[]>;
	notBilled?: string[];
	values: ValueStatement[];
	rowsLeftOut?: 'totals' | 'none';
	/** Currencies that only stand beside the amounts, so that another file may bring others. */
	currencies?: string[];
	grouping?: Grouping;
	/** A code of the invoices that somebody has looked at. */
	seen?: string;
	/** Kinds of findings that stop no run. */
	unchecked: string[];
	/** What stood in the columns, by header. A reading that a preview has printed has all; one that was typed may have none. */
	shapes: Map<string, Shape>;
	/** Cells of titles, headings, footnotes and total rows, with digits and months masked. */
	texts?: string[];
	/** Whether rows with the same customer, item and invoice are usual. */
	itemsRepeat?: boolean;
	/** Whether rows that are the same in every cell are usual. */
	rowsRepeat?: boolean;
	/** Whether rows that are the same in every cell but the amount are usual. */
	amountsRepeat?: boolean;
	/** Whether stated totals of rows may be a rounding away from price times quantity. */
	areTotalsRounded?: boolean;
	/** What columns make of the amount of a row. */
	relation?: Relation;
	/** Percentages of the taxes that are billed, or that the relation names, such as `19%`. */
	taxRates?: string[];
	/** Of a text: a preview has printed it, and nobody has changed it since. */
	isPreviewed?: boolean;
	/** A row of the sheet. */
	headerRow?: number;
	isFilledFromAbove?: boolean;
	isSideBySide?: boolean;
}

/** Headers that the statements name. */
export const namedHeaders = ({ fields, notBilled = [], values, grouping }: Statements) =>
	new Set([
		...[...fields.values()].flat().flatMap(({ header, and = header }) => [header, and]),
		...notBilled,
		...values.map(({ header }) => header),
		...(grouping?.by === 'column' ? [grouping.header] : []),
	]);

/** How the shape of a column says that a word is usual in it, or a whole cell, with its digits and months masked. */
export const saying = (word: string) => `says ${word}`;
export const being = (mask: string) => `is ${mask}`;
/** How it says that rows of one customer, or of several, have the same cell. */
export const [repeating, acrossCustomers] = ['repeats', 'repeats across customers'];
/** How it says that a column that is not billed names the customer of each row once more. */
export const naming = 'names the customer';
/** How it says of an amount that the last row of each invoice is the sum of its others, and is billed. */
export const addingUp = 'adds up';
export const sayings: readonly string[] = [repeating, acrossCustomers, naming, addingUp];
/** Whether a kind says something of the column besides what its cells are. */
export const isSaying = (kind: string) => /^(?:says|is) /.test(kind) || sayings.includes(kind);

/** Adds a word or a repetition to what stands in a column, in their order, whatever the order of the rows is. */
export function addSaying(shape: Shape | undefined, kind: string): void {
	if (!shape || shape.kinds.includes(kind)) return;
	const at = shape.kinds.findIndex((one) => isSaying(one) && one > kind);
	shape.kinds.splice(at < 0 ? shape.kinds.length : at, 0, kind);
}

/** A reading that was typed says nothing of what stood in the columns. */
export const hasKinds = ({ shapes }: Statements): boolean =>
	[...shapes.values()].some(({ kinds }) => kinds.some((kind) => !isSaying(kind)));
