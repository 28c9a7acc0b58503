import type { SheetSettings } from '../../../nodes/InvoicingPayments/reading/readSheet';
import { languages } from '../../../nodes/InvoicingPayments/reading/words';
import type { Language } from '../../../nodes/InvoicingPayments/reading/words/language';
import type { Dice } from '../dice';
import { diceOf } from '../dice';
import { customerId } from './readRows';

/** A random sheet with the invoices behind it. */
export interface AnySheet {
	rows: Array<Record<string, unknown>>;
	defaults: SheetSettings['defaults'];
	/** What the sheet means: one text for each invoice, as `invoiceText` writes it. */
	right: string[];
}

export const today = '2026-11-24';

/** Names and emails as people have them. */
export const people = [
	{ name: 'Acme Ltd', email: 'billing@acme.example' },
	{ name: 'Müller GmbH', email: 'rechnung@mueller.example' },
	{ name: 'Café Zoë', email: 'zoe@cafe.example' },
	{ name: "O'Brien & Sons, Inc.", email: 'accounts@obrien.example' },
	{ name: 'Łódź Design', email: 'hello@lodz.example' },
	{ name: 'Jane Doe', email: 'jane.doe@mail.example' },
];

export const invoiceText = (one: {
	customer?: string;
	currency?: string;
	due?: string;
	total?: string;
}) => [one.customer, one.currency, one.total, one.due].join(' ');

interface Item {
	name: string;
	/** Cents. */
	price: number;
	/** Tenths. */
	count: number;
}
interface Invoice {
	number: string;
	customer: number;
	currency: string;
	/** Days from today, and days of the terms. */
	due: number;
	terms: number;
	/** A whole percentage. */
	discount: number;
	items: Item[];
}

const daysLater = (days: number) =>
	new Date(Date.parse(today) + days * 86_400_000).toISOString().slice(0, 10);
const centsOf = ({ price, count }: Item) => (price * count) / 10;
const sumOf = ({ items }: Invoice) => items.reduce((sum, item) => sum + centsOf(item), 0);
const totalOf = (invoice: Invoice) => (sumOf(invoice) * (100 - invoice.discount)) / 100;

const works = [
	...['Beratung', 'Website care', 'Réparation', 'Corso di inglese', 'Mantenimiento', 'Tegels'],
	...['Workshop, 2 days', 'Fotos', 'Hosting', 'Traduction FR–DE', 'Limpeza', 'Montage'],
];

/** Invoices that differ in customer, currency or due date, so that they stay apart without numbers. */
function anyInvoices(dice: Dice): Invoice[] {
	const count = dice.int(1, 5);
	const currency = dice.pick(['EUR', 'EUR', 'EUR', 'USD', 'GBP', 'CHF']);
	const due = dice.int(5, 120);
	const owners = dice.shuffle(people.map((_one, at) => at));
	return Array.from({ length: count }, (_, at): Invoice => {
		const names = dice.shuffle(works);
		return withoutDebt({
			number: `${dice.pick(['2027-', 'INV-', 'R'])}${101 + at}`,
			customer: owners[at],
			currency,
			due: dice.chance(50) ? due : dice.int(5, 120),
			terms: dice.pick([14, 30, 7, 60]),
			discount: 0,
			items: Array.from({ length: dice.int(1, 3) }, (_item, line) => ({
				name: names[line],
				// Even cents, so that half an hour costs whole ones. Some rows are credits.
				price:
					(line > 0 && dice.chance(5) ? -1 : 1) *
					(dice.chance(40) ? dice.int(5, 240) * 100 : dice.int(75, 9999) * 2),
				count: dice.chance(80) ? dice.int(1, 9) * 10 : dice.int(1, 24) * 5,
			})),
		});
	});
}

/** The service has no invoices below 0. */
const withoutDebt = (invoice: Invoice): Invoice =>
	sumOf(invoice) > 0
		? invoice
		: {
				...invoice,
				items: invoice.items.map((item) => ({ ...item, price: Math.abs(item.price) })),
			};

/** How a program writes numbers and days. */
function anyStyle(dice: Dice, { code }: Language, currency: string) {
	const isTyped = dice.chance(35);
	const decimal = code === 'en' || dice.chance(15) ? '.' : ',';
	const group = dice.pick(['', decimal === ',' ? '.' : ',', ' ', '\u00a0', "'"]);
	const days = dice.pick(['iso', 'iso', 'dots', 'slashes', 'words', 'typed', 'time'] as const);
	const isMonthFirst = days === 'slashes' && code === 'en' && currency === 'USD';
	const plain = (value: number, least = 2) => {
		const [whole, fraction] = value.toFixed(2).split('.');
		const grouped = whole.replace(/\B(?=(\d{3})+$)/g, group);
		return least === 0 && fraction === '00' ? grouped : `${grouped}${decimal}${fraction}`;
	};
	return {
		isMonthFirst,
		money: (cents: number, sign = '') => {
			if (isTyped && !sign) return cents / 100;
			const text = plain(cents / 100);
			return (sign && (sign.length === 1 ? `${sign}${text}` : `${text} ${sign}`)) || text;
		},
		count: (tenths: number) => (isTyped ? tenths / 10 : String(tenths / 10).replace('.', decimal)),
		day: (days_: number) => {
			const iso = daysLater(days_);
			const [year, month, day] = iso.split('-');
			const date = new Date(`${iso}T00:00:00Z`);
			if (days === 'dots') return `${day}.${month}.${year}`;
			if (days === 'slashes')
				return isMonthFirst ? `${month}/${day}/${year}` : `${day}/${month}/${year}`;
			if (days === 'typed') return Date.parse(iso) / 86_400_000 + 25_569;
			if (days === 'time') return `${iso}T00:00:00.000Z`;
			if (days === 'words')
				return `${Number(day)} ${new Intl.DateTimeFormat(code, { month: 'long', timeZone: 'UTC' }).format(date)} ${year}`;
			return iso;
		},
	};
}

/** Columns that change no amount. */
const harmless: Array<[header: string, cellOf: (dice: Dice, at: number) => unknown]> = [
	['Zip', (dice) => String(dice.int(10_000, 99_999))],
	['Telefon', (dice) => `+49 30 ${dice.int(100_000, 999_999)}`],
	['Order ID', (dice) => `A-${dice.int(1000, 9999)}`],
	['Kostenstelle', (dice) => dice.int(4100, 4190)],
	['Created at', (dice) => `2026-0${dice.int(1, 9)}-1${dice.int(0, 9)}T09:12:00Z`],
	['Ville', (dice) => dice.pick(['Lyon', 'Paris', 'Nantes'])],
	['Newsletter', (dice) => dice.chance(50)],
	['Status', () => 'open'],
	['Responsable', (dice) => dice.pick(['Inés', 'Marta', 'Jon'])],
	['Link', (dice) => `https://x.example/${dice.int(10, 99)}`],
	['#', (_dice, at) => at + 1],
];

type Column = { field: string; header: string; cells: unknown[]; isOfInvoice?: boolean };

/** A sheet before its columns become rows. */
export interface Draft {
	dice: Dice;
	language: Language;
	invoices: Invoice[];
	/** The invoice and the item of each row. */
	lines: Array<{ invoice: Invoice; item: Item; isFirst: boolean }>;
	columns: Column[];
	defaults: SheetSettings['defaults'];
	style: ReturnType<typeof anyStyle>;
	totalRow?: Record<string, unknown>;
}

const writings: Array<(header: string) => string> = [
	...[0, 1, 2].map(() => (header: string) => header),
	(header) => header.toUpperCase(),
	(header) => ` ${header} `,
	(header) => header.toLowerCase(),
	(header) => `${header}:`,
];

/** Chooses the columns of a sheet and writes its cells. */
function draftOf(seed: number): Draft {
	const dice = diceOf(seed);
	const language = languages[seed % languages.length];
	const invoices = anyInvoices(dice);
	const lines = invoices.flatMap((invoice) =>
		invoice.items.map((item, at) => ({ invoice, item, isFirst: at === 0 })),
	);
	const style = anyStyle(dice, language, invoices[0].currency);
	const columns: Column[] = [];
	const draft: Draft = { dice, language, invoices, lines, columns, defaults: {}, style };
	const write = dice.pick(writings);
	const add = (
		field: string,
		cellOf: (line: Draft['lines'][0], at: number) => unknown,
		isOfInvoice = false,
	) => {
		// People mix languages.
		const { headers, totals } = dice.chance(10) ? dice.pick(languages) : language;
		const all = field === 'total' ? totals : (headers[field] ?? []);
		// `€/uur` states a currency.
		const own = all.filter((name) => !/\p{Sc}/u.test(name));
		const names = own.length ? own : languages[0].headers[field];
		// The first names are the usual ones.
		const header = write(dice.chance(60) ? names[0] : dice.pick(names));
		if (columns.some((column) => column.header === header)) return;
		columns.push({ field, header, cells: lines.map(cellOf), isOfInvoice });
	};
	if (dice.chance(60)) add('invoiceNumber', ({ invoice }) => invoice.number, true);
	const owner = dice.pick(['email', 'email', 'name', 'both', 'id']);
	if (owner === 'id') add('customerId', ({ invoice }) => customerId(invoice.customer), true);
	if (owner === 'name' || owner === 'both')
		add('customerId', ({ invoice }) => people[invoice.customer].name, true);
	if (owner === 'email' || owner === 'both')
		add('customerEmail', ({ invoice }) => people[invoice.customer].email, true);
	add('itemName', ({ item }) => item.name);
	writeMoney(draft, add);
	writeDue(draft, add);
	for (const [header, cellOf] of dice.shuffle(harmless).slice(0, dice.pick([0, 0, 1, 2, 3])))
		if (!columns.some((column) => column.header === header))
			columns.push({ field: 'other', header, cells: lines.map((_line, at) => cellOf(dice, at)) });
	return draft;
}

type Add = (
	field: string,
	cellOf: (line: Draft['lines'][0]) => unknown,
	isOfInvoice?: boolean,
) => void;

/** A price with a count, or without one if each is one; a line total; a currency in some place. */
function writeMoney({ dice, lines, invoices, style, columns, defaults }: Draft, add: Add): void {
	const [{ currency }] = invoices;
	const signs: Record<string, string> = { EUR: '€', GBP: '£' };
	const place = dice.pick(['column', 'column', 'default', 'code', 'sign', 'header']);
	const sign = place === 'code' ? currency : place === 'sign' ? (signs[currency] ?? currency) : '';
	if (dice.chance(10)) {
		const isWhole = invoices.every((invoice) => sumOf(invoice) % 10 === 0);
		for (const invoice of invoices) invoice.discount = isWhole ? dice.pick([10, 20, 50]) : 0;
		add('discountPercentage', ({ invoice }) => `${invoice.discount}%`);
	}
	const money = dice.pick(['price', 'price', 'both', 'single', 'line']);
	if (money === 'single') for (const { item } of lines) item.count = 10;
	if (money !== 'line') add('itemAmount', ({ item }) => style.money(item.price, sign));
	if (money === 'price' || money === 'both')
		add('itemQuantity', ({ item }) => style.count(item.count));
	if (money === 'both' || money === 'line')
		add('itemTotal', ({ item }) => style.money(centsOf(item), sign));
	if (money !== 'line' && dice.chance(25))
		add('total', ({ invoice }) => style.money(totalOf(invoice), sign), true);
	if (place === 'column') add('currency', () => currency, true);
	if (place === 'default') defaults.currency = currency;
	if (place === 'header')
		for (const column of columns)
			if (amounts.includes(column.field)) column.header = `${column.header} (${currency})`;
}

/** A due date, or terms after the invoice date, or a default. */
function writeDue({ dice, invoices, style, defaults }: Draft, add: Add): void {
	const how = dice.pick(['date', 'date', 'date', 'terms', 'default']);
	if (how === 'date') add('dueDate', ({ invoice }) => style.day(invoice.due), true);
	if (how === 'terms') {
		for (const invoice of invoices) invoice.due = invoice.terms - 3;
		add('invoiceDate', () => style.day(-3), true);
		add('terms', ({ invoice }) => dice.pick([invoice.terms, `${invoice.terms}`]), true);
	}
	if (how === 'default') {
		defaults.dueInDays = 20;
		for (const invoice of invoices) invoice.due = 20;
	}
}

/** What a person meant: what is to be billed, whatever the sheet looks like. */
function rightOf({ invoices }: Draft): string[] {
	return invoices.map((invoice) =>
		invoiceText({
			customer: people[invoice.customer].email,
			currency: invoice.currency,
			total: (totalOf(invoice) / 100).toFixed(2),
			due: daysLater(invoice.due),
		}),
	);
}

/** The rows, perhaps with merged cells, blank rows and columns in any order. */
function rowsOf({ dice, columns, lines, totalRow }: Draft, mayMerge: boolean): AnySheet['rows'] {
	const ordered = dice.chance(30) ? dice.shuffle(columns) : columns;
	const isNumbered = columns.some(({ field }) => field === 'invoiceNumber');
	const isMerged = mayMerge && isNumbered && dice.chance(20);
	const rows: AnySheet['rows'] = lines.map(({ isFirst }, at) =>
		Object.fromEntries(
			ordered.flatMap(({ field, header, cells, isOfInvoice }) => {
				const isBlank = isMerged && isOfInvoice && !isFirst && field !== 'invoiceNumber';
				return cells[at] === undefined || isBlank ? [] : [[header, cells[at]]];
			}),
		),
	);
	if (totalRow) rows.push(totalRow);
	if (dice.chance(15)) rows.push({}, {});
	return dice.chance(8) ? belowTitle(ordered, rows) : rows;
}

/** The rows as n8n gives them if a title stands above the headers. */
function belowTitle(columns: Column[], rows: AnySheet['rows']): AnySheet['rows'] {
	const keys = columns.map((_column, at) =>
		at ? `__EMPTY${at > 1 ? `_${at - 1}` : ''}` : 'Invoices',
	);
	const cells: AnySheet['rows'] = [
		Object.fromEntries(columns.map(({ header }) => [header, header])),
		...rows,
	];
	return cells.map((row) =>
		Object.fromEntries(
			columns.flatMap(({ header }, at) => (header in row ? [[keys[at], row[header]]] : [])),
		),
	);
}

const finished = (draft: Draft, mayMerge = true): AnySheet => ({
	...{ rows: rowsOf(draft, mayMerge), defaults: draft.defaults, right: rightOf(draft) },
});

/** A sheet that a careful bookkeeper would bill. */
export function sheetOf(seed: number): AnySheet {
	const draft = draftOf(seed);
	const { dice, columns, style, invoices, lines } = draft;
	const sum = invoices.reduce((all, invoice) => all + totalOf(invoice), 0);
	const line = columns.find(({ field }) => field === 'itemTotal');
	const name = columns.find(({ field }) => field === 'itemName');
	if (line && name && lines.length > 1 && dice.chance(20))
		draft.totalRow = {
			[name.header]: dice.pick(['Total', 'Summe', 'Totale']),
			[line.header]: style.money(sum),
		};
	return finished(draft);
}

const amounts = ['itemAmount', 'itemTotal'];
const customers = ['customerEmail', 'customerId'];
const last = ({ lines }: Draft) => lines.length - 1;
const columnOf = ({ columns }: Draft, ...fields: string[]) =>
	columns.find(({ field }) => fields.includes(field));

function setCell(draft: Draft, fields: string[], cell: unknown, at = last(draft)): boolean {
	const columns = draft.columns.filter(({ field }) => fields.includes(field));
	for (const column of columns) column.cells[at] = cell;
	return columns.length > 0;
}

function addColumn(draft: Draft, header: string, cell: unknown): boolean {
	if (draft.columns.some((column) => column.header === header)) return false;
	const cells = draft.lines.map((_line, at) => (at === last(draft) ? cell : undefined));
	draft.columns.push({ field: 'flaw', header, cells });
	return true;
}

function renameColumn(draft: Draft, fields: string[], rename: (header: string) => string): boolean {
	const column = columnOf(draft, ...fields);
	if (column) column.header = rename(column.header);
	return column !== undefined;
}

/** Changes a draft, and says whether it could. */
type Flaw = (draft: Draft) => boolean;
/** The last row has one of these cells. */
const cellOf =
	(fields: string[], ...cells: unknown[]): Flaw =>
	(draft) =>
		setCell(draft, fields, draft.dice.pick(cells));
/** One of these columns has a cell in the last row. */
const columnWith =
	(cell: unknown, ...headers: string[]): Flaw =>
	(draft) =>
		addColumn(draft, draft.dice.pick(headers), cell);

const discounts = 'Discount Rabatt Remise Descuento Desconto Sconto Korting'.split(' ');
const paid = ['paid', 'bezahlt', 'payé', 'pagado', 'pago', 'pagato', 'betaald'];
const fees = ['Late Fee', 'Versandkosten', 'Frais de port', 'Propina', 'Gorjeta'];

/** What makes a later sheet unfit to be billed unseen. */
export const flaws: Record<string, Flaw> = {
	'a price that cannot be read': cellOf(amounts, 'n/a', 'TBD', '12.34.56', 'ten', '#REF!'),
	'an unknown customer': cellOf(customers, 'new@client.example', 'no@body.example'),
	'a day that is none': cellOf(['dueDate'], 'soon', '30.02.2027', 'Q1 2027', 2027),
	'a currency that is none': cellOf(['currency'], 'XX', '???'),
	// A sheet without items names them after the column of the price.
	'no item': (draft) => draft.lines.length > 1 && setCell(draft, ['itemName'], undefined),
	'no price': (draft) =>
		draft.columns.filter(({ field }) => amounts.includes(field)).length === 1 &&
		setCell(draft, amounts, undefined),
	'a fee without a field': columnWith('4.90', ...fees, 'Sconto', 'Korting'),
	'a tax without a field': columnWith('19%', 'VAT', 'MwSt.', 'TVA', 'IVA', 'BTW'),
	'a row that is paid': (draft) => {
		const header = draft.dice.pick(['Status', 'Statut', 'Stato', 'Note 2', 'Remark']);
		return addColumn(draft, header, draft.dice.pick(paid));
	},
	'a column that nobody knows': (draft) =>
		addColumn(draft, 'Foo', draft.dice.pick(['37.50', '12', 'x'])),
	'another known customer': (draft) =>
		addColumn(draft, 'Site', people[(draft.lines[0].invoice.customer + 1) % people.length].name),
	'a row twice': (draft) => {
		const { item, invoice } = draft.lines[0];
		draft.lines.push({ item, invoice, isFirst: true });
		for (const { cells } of draft.columns) cells.push(cells[0]);
		return true;
	},
	'a sum under another name': (draft) => {
		const line = columnOf(draft, ...amounts);
		const isDiscounted = draft.invoices.some(({ discount }) => discount > 0);
		if (!line || columnOf(draft, 'itemQuantity') || isDiscounted || last(draft) < 1) return false;
		const sum = draft.invoices.reduce((all, invoice) => all + totalOf(invoice), 0);
		const before = last(draft);
		draft.lines.push({ ...draft.lines[before], isFirst: false });
		for (const { cells } of draft.columns) cells.push(cells[before]);
		line.cells[before + 1] = draft.style.money(sum);
		setCell(draft, ['itemName'], 'Alles');
		return true;
	},
	'a discount with a plus': (draft) =>
		draft.lines[last(draft)].item.price > 0 &&
		setCell(draft, ['itemName'], draft.dice.pick(discounts)),
	'a line total that is no product': (draft) =>
		columnOf(draft, 'itemAmount') !== undefined &&
		setCell(draft, ['itemTotal'], draft.style.money(123_45)),
	'a wrong total': (draft) => setCell(draft, ['total'], draft.style.money(123_45)),
	'rows of one invoice that differ in their due date': (draft) => {
		const at = draft.lines.findIndex(({ isFirst }) => !isFirst);
		const isNumbered = columnOf(draft, 'invoiceNumber') !== undefined;
		return at > 0 && isNumbered && setCell(draft, ['dueDate'], '2027-12-24', at);
	},
	'numbers that differ in case': (draft) => {
		const column = columnOf(draft, 'invoiceNumber');
		if (!column || draft.invoices.length < 2) return false;
		column.cells = draft.lines.map(({ invoice }) =>
			invoice === draft.invoices[0] ? 'inv-1' : 'INV-1',
		);
		return true;
	},
	'a price for a hundred': (draft) =>
		renameColumn(draft, ['itemAmount'], (header) => `${header} (per 100)`),
	'another currency in the header': (draft) =>
		columnOf(draft, 'currency') !== undefined &&
		renameColumn(draft, amounts, (header) => `${header} (NZD)`),
	'days that may be months': (draft) => {
		// By the order that was confirmed, 1 June or 6 January.
		for (const invoice of draft.invoices) invoice.due = draft.style.isMonthFirst ? 189 : 43;
		const column = columnOf(draft, 'dueDate');
		if (column) column.cells = draft.lines.map(() => '06/01/2027');
		return column !== undefined;
	},
};

/** The sheet of a seed before any flaw. */
export const plainSheetOf = (seed: number): AnySheet => finished(draftOf(seed), false);

/** The same sheet with a flaw, or `undefined` if its columns have no place for it. */
export function flawedSheetOf(seed: number, flaw: string): AnySheet | undefined {
	const draft = draftOf(seed);
	return flaws[flaw](draft) ? finished(draft, false) : undefined;
}
