import type { CustomerIndex } from '../../shared/customers/customerIndex';
import { shorten } from '../../shared/fields/text';
import { isSameSum, lineTotalOf } from './amounts';
import { findCustomers } from './columns';
import type { Roles } from './columns';
import type { Draft } from './invoices';
import { asksWhetherBillable, doubtIn, namesNoItem, saysNo } from './marks';
import {
	allWordsOf,
	amountWords,
	extraWords,
	foldedWords,
	hasWord,
	taxWords,
	pricedUnit,
	timeUnitOf,
} from './names';
import { rowsLabel } from './problems';
import type { Column, Profile } from './profile';
import type { Row } from './rows';
import type { Statements } from './statements';
import type { Table } from './table';
import { inAll } from './words';

/** The kinds of hands. A reading can settle a whole kind: `unchecked: dates`. */
export const handKinds = [
	...['words', 'amounts', 'totals', 'sums', 'units', 'dates', 'repeats', 'currencies', 'customers'],
	'texts',
] as const;

/** Something that a person should look at before it is billed. */
export interface Hand {
	kind: string;
	/** The column that it is about. */
	header?: string;
	/** `row 4 says Paid: cash` */
	text: string;
	/** The invoices' amounts that it touches, to show the weightiest first. */
	money: number;
	rows: number[];
}

/** What hands look at. Lines that are left out raise none. */
export interface Sheet {
	table: Table;
	profile: Profile;
	roles: Roles;
	rows: readonly Row[];
	drafts: readonly Draft[];
	statements: Statements;
	/** What a person has said of it. */
	said?: Statements;
	customers?: CustomerIndex;
	/** Columns that fill no field. */
	unbilled: readonly Column[];
	/** YYYY-MM-DD */
	today: string;
}

/** All hands, the weightiest first, without those that the reading settles for good. */
export function* raiseHands(sheet: Sheet): Generator<void, Hand[]> {
	const { unchecked, rowsLeftOut } = sheet.statements;
	const settled = new Set(unchecked.map((one) => one.toLowerCase()));
	const isSettled = ({ kind, header = '' }: Hand) =>
		settled.has(kind) || (header !== '' && settled.has(header.toLowerCase()));
	const raisers = [
		...[
			wordHands,
			amountHands,
			...(rowsLeftOut === 'none' ? [] : [totalHands]),
			sumHands,
			unitHands,
		],
		...[dateHands, repeatHands, currencyHands, customerHands, textHands],
	];
	const hands: Hand[] = [];
	for (const raise of raisers) {
		hands.push(...raise(sheet).filter((hand) => !isSettled(hand)));
		yield;
	}
	return hands.sort((a, b) => b.money - a.money);
}

const amountOf = ({ item }: Row): number => (item ? Number(`${lineTotalOf(item)}`) : 0);
const sumOf = (rows: readonly Row[]) => rows.reduce((sum, row) => sum + amountOf(row), 0);

function handOf(kind: string, rows: readonly Row[], text: string, header?: string): Hand {
	return {
		...{ kind, text, money: Math.abs(sumOf(rows)), rows: rows.map(({ number }) => number) },
		...(header !== undefined && { header }),
	};
}

const columnsOf = ({ fields }: Roles, ...names: string[]) =>
	names.flatMap((name) => fields.get(name) ?? []);

/** Columns that neither fill a field nor part the rows. */
const unbilledColumns = ({ unbilled, statements }: Sheet): Column[] =>
	unbilled.filter(({ header }) => !statements.values.some((one) => one.header === header));

/** The rows of each text of a column. */
function rowsByText({ rows }: Sheet, { looks }: Column): Map<string, Row[]> {
	const byText = new Map<string, Row[]>();
	for (const row of rows) {
		const text = looks[row.at]?.text;
		if (text === undefined) continue;
		const known = byText.get(text);
		if (known) known.push(row);
		else byText.set(text, [row]);
	}
	return byText;
}

const says = (rows: Row[], { header }: Column, text: string) =>
	`${rowsLabel(rows)} ${rows.length === 1 ? 'says' : 'say'} ${header}: ${shorten(text, 80)}`;

/** Words such as paid, void or free in any cell, and filled cells below such a header. */
function wordHands(sheet: Sheet): Hand[] {
	const { profile, roles, statements } = sheet;
	const saidValues = new Set(sheet.said?.values.map(({ header }) => header));
	const skipped = new Set(
		columnsOf(
			roles,
			...[
				'customerId',
				'customerEmail',
				'invoiceNumber',
				'currency',
				'dueDate',
				'terms',
				'invoiceDate',
				'itemAmount',
				'itemTotal',
				'itemQuantity',
			],
		),
	);
	const fields = new Set([...roles.fields.values()].flat());
	return profile.columns.flatMap((column) => {
		const { header } = column;
		const own = statements.values.find((one) => one.header === header);
		if (skipped.has(column)) return [];
		const asks = !fields.has(column) && doubtIn(header) !== undefined;
		const isBillable = !fields.has(column) && asksWhetherBillable(header);
		return [...rowsByText(sheet, column)].flatMap(([text, rows]) => {
			// Values that the reading bills are settled once somebody has said so.
			if (own && (saidValues.has(header) || !own.bill.includes(text))) return [];
			const isMarked = own
				? doubtIn(text) !== undefined
				: isBillable
					? saysNo(text)
					: (asks && !saysNo(text)) || doubtIn(text) !== undefined || namesInvoice.test(text);
			return isMarked ? [handOf('words', rows, says(rows, column, text), header)] : [];
		});
	});
}

/** A note about another invoice: `fact. 26-1190`. */
const namesInvoice =
	/\b(?:inv(?:oice)?|rg|re|rechnung|fact(?:ure|uur|ura)?|fra|fatt(?:ura)?|fatura)\b.{0,6}\d/i;

/** Figures beside the bill: a deposit, a tax, another price. */
function amountHands(sheet: Sheet): Hand[] {
	const { roles } = sheet;
	return unbilledColumns(sheet).flatMap((column) => {
		const { header } = column;
		const isExtra = [taxWords, extraWords].some((list) => hasWord(header, list));
		const isAmount = hasWord(header, amountWords) || column.filled.some((look) => look.isMoney);
		const rows = sheet.rows.filter(({ at }) => {
			const look = column.looks[at];
			if (!look || look.kind === 'date') return false;
			const number = column.numbers[at];
			if (look.kind === 'percent') return isExtra && !/^0*[.,]?0*\s*%/.test(look.text);
			if (!Number.isNaN(number))
				return number !== 0 && (isExtra || (isAmount && !isRepeated(roles, at, number)));
			const hasFigure =
				/\d\s*%|\p{Sc}\s?\d|\d\s?\p{Sc}|\d[.,]\d\d\b|\d\s?(?:EUR|USD|GBP|CHF|Euro)\b/u.test(
					look.text,
				);
			return hasFigure || (isExtra && /\d/.test(look.text));
		});
		if (rows.length === 0) return [];
		const [first, ...more] = rows;
		const cell = shorten(column.looks[first.at]?.text ?? '', 60);
		const text = `${header} is not billed: ${cell} in row ${first.number}${more.length ? ` and ${more.length} more` : ''}`;
		return [handOf('amounts', rows, text, header)];
	});
}

/** Whether a figure only repeats the price or the total of its line. */
function isRepeated({ fields }: Roles, at: number, number: number): boolean {
	const of = (name: string) => fields.get(name)?.[0]?.numbers[at] ?? NaN;
	const [price, quantity, line] = [of('itemAmount'), of('itemQuantity'), of('itemTotal')];
	const times = Number.isNaN(quantity) ? 1 : quantity;
	return [price, line, price * times].some((one) => Math.abs(one - number) < 0.006);
}

/** Rows that are called a tax or a payment, or that are a sum of others, also with a tax on top. */
function totalHands(sheet: Sheet): Hand[] {
	const { rows, roles, profile } = sheet;
	const names = columnsOf(roles, 'itemName');
	const owners = columnsOf(roles, 'customerId', 'customerEmail', 'invoiceNumber');
	const hands: Hand[] = [];
	let sum = 0;
	rows.forEach((row, index) => {
		const amount = amountOf(row);
		const first = profile.columns.find(({ looks }) => looks[row.at])?.looks[row.at]?.text ?? '';
		const texts = [...names.flatMap(({ looks }) => looks[row.at]?.text ?? []), first];
		const called = texts.find((text) => namesNoItem(text));
		if (called !== undefined && amount > 0)
			hands.push(
				handOf(
					'totals',
					[row],
					`row ${row.number} is called ${shorten(called, 60)} and is billed: ${amount.toFixed(2)}`,
				),
			);
		const isLast = index === rows.length - 1;
		const ratio = sum > 0 ? (amount / sum - 1) * 100 : NaN;
		const isSum = index > 1 && Math.abs(amount - sum) < 0.006;
		const isTaxed =
			isLast &&
			index > 1 &&
			ratio > 4.99 &&
			ratio < 27.01 &&
			Math.abs(ratio - Math.round(ratio)) < 0.01;
		if (amount > 0 && (isSum || isTaxed))
			hands.push(
				handOf(
					'totals',
					[row],
					`row ${row.number} (${amount.toFixed(2)}) is the sum of the rows above it${isTaxed ? ' with a tax' : ''}`,
				),
			);
		if (
			isLast &&
			index > 0 &&
			owners.length > 0 &&
			owners.every(({ looks }) => looks[row.at] === undefined) &&
			amount > 0
		)
			hands.push(
				handOf(
					'totals',
					[row],
					`row ${row.number}, the last one, has no customer of its own: ${amount.toFixed(2)}`,
				),
			);
		sum += amount;
	});
	return hands;
}

/** Stated totals that differ from the items. */
function sumHands({ drafts }: Sheet): Hand[] {
	return drafts.flatMap((draft) => {
		const { rows, sums, body } = draft;
		if (!sums) return [];
		const headers = [...new Set(rows.flatMap(({ totals }) => totals.map(({ header }) => header)))];
		return headers.flatMap((header) => {
			const stated = rows.flatMap((row) =>
				row.totals.filter((one) => one.header === header).map(({ value }) => ({ row, value })),
			);
			const is = (exact: string, value: string) => isSameSum(exact, value, body.currency as string);
			const areRows = stated.every(
				({ row, value }) => row.item && is(`${lineTotalOf(row.item)}`, value),
			);
			const areInvoices = stated.every(
				({ value }) => is(sums.total, value) || is(sums.subtotal, value),
			);
			if (areRows || areInvoices) return [];
			const wrong = stated.find(({ value }) => !is(sums.total, value));
			const text = `${header} says ${wrong?.value ?? ''} in row ${wrong?.row.number ?? ''}, the items come to ${sums.total}`;
			return [handOf('sums', rows, text, header)];
		});
	});
}

const multipleWords = inAll(({ multiples }) => multiples);
const perMany =
	/(?:(?<!\p{L})(?:per|pro|je|por|par|cada|les?|ogni|à)|\/)\s*(?:1[.,' ]?000|100|10|12|k)(?![\p{L}\d])|(?<!\p{L})(?:CPM|mille|in thousands|miles|milhares|migliaia)(?!\p{L})|‰|tausend|duizend|k€/iu;
const namesMultiple = (text: string) =>
	perMany.test(text) || foldedWords(text.slice(0, 200)).some((word) => multipleWords.has(word));
const centWords = /\bcents?\b|_cents?|centimes?|céntimos|centavos|centesimi|pence/i;

/** A price for one thing beside a count of another: per 1000, per week, minutes, cents. */
function unitHands(sheet: Sheet): Hand[] {
	const { roles, rows, profile } = sheet;
	const [price] = columnsOf(roles, 'itemAmount', 'itemTotal');
	const [quantity] = columnsOf(roles, 'itemQuantity');
	/** The reading says how many one price is for. */
	const isStated = ['itemAmount', 'itemTotal'].some((field) =>
		sheet.statements.fields
			.get(field)
			?.some(({ formats = [] }) =>
				formats.some((one) => one === 'cents' || one.startsWith('per ')),
			),
	);
	const hands: Hand[] = [];
	const hand = (text: string, header?: string, those = rows) =>
		hands.push(handOf('units', those, text, header));
	for (const { header } of [price, quantity].filter((column) => column !== undefined))
		if ((namesMultiple(header) || centWords.test(header)) && !isStated)
			hand(`${header} may count in other units than one`, header);
	for (const column of profile.columns) {
		if (
			column === price ||
			column === quantity ||
			columnsOf(roles, 'itemName', 'customerId', 'note', 'title').includes(column)
		)
			continue;
		for (const [text, those] of column.share('text') > 0 ? rowsByText(sheet, column) : [])
			if (text.length < 40 && /\p{L}|‰/u.test(text) && namesMultiple(text))
				hand(says(those, column, text), column.header, those);
	}
	if (price && columnsOf(roles, 'itemAmount').includes(price)) {
		const unit = timeUnitOf(price.header);
		const counted = quantity && timeUnitOf(quantity.header);
		if (unit && counted && unit !== counted)
			hand(`${price.header} and ${quantity.header} are in different units`, quantity.header);
		const priced = pricedUnit(price.header);
		const isOne =
			!priced ||
			/^(?:unit|item|each|stuck|stk|ud|pz|un|st|unidad|pezzo|piece|stuks?)\.?$/i.test(priced);
		const hasLine = columnsOf(roles, 'itemTotal').length > 0;
		if (!isOne && !hasLine && !quantity)
			hand(
				`${price.header} is a price for each ${priced}, but no column counts them`,
				price.header,
			);
		else if (!isOne && !hasLine && quantity && !countsUnit(quantity.header, priced))
			hand(`${price.header} may not be the price of one ${quantity.header}`, price.header);
		const isSnake = /^[a-z]+(?:_[a-z]+)+$/.test(price.header);
		const areWhole = price.filled.every(
			({ number = 0.5 }) => Number.isInteger(number) && number >= 100,
		);
		if (isSnake && areWhole && !hundredfold(sheet, price))
			hand(`${price.header} may be in cents`, price.header);
		const isMinutes = quantity && /\bmin|minut/i.test(quantity.header);
		if (isMinutes)
			hand(`${quantity.header} may be minutes beside a price for hours`, quantity.header);
		const dates = profile.columns.filter(
			(column) => column.is('date') || column.filled.every(({ mayBeDate }) => mayBeDate),
		);
		if (unit && unit !== 'hour' && !quantity && dates.length > 1)
			hand(`${price.header} beside two dates: how many times is not billed`, price.header);
		for (const column of unbilledColumns(sheet)) {
			if (column.counts.size > 20) continue;
			for (const [text, those] of rowsByText(sheet, column)) {
				const other = text.length < 20 && !/\d/.test(text) ? timeUnitOf(text) : undefined;
				if (other && unit && other !== unit) hand(says(those, column, text), column.header, those);
			}
		}
		const whole = hundredfold(sheet, price);
		if (whole) hand(`${price.header} is ${whole.header} in cents`, price.header);
	}
	const units = new Map<string, Row[]>();
	for (const row of rows)
		if (row.unit)
			units.set(row.unit.toLowerCase(), [...(units.get(row.unit.toLowerCase()) ?? []), row]);
	if (quantity && units.size > 1)
		hand(
			`${quantity.header} has different units: ${[...units.keys()].join(', ')}`,
			quantity.header,
		);
	return hands;
}

/** A column with a hundredth of the price. */
const hundredfold = (sheet: Sheet, price: Column) =>
	unbilledColumns(sheet).find((column) =>
		sheet.rows.every(({ at }) => Math.abs(column.numbers[at] * 100 - price.numbers[at]) < 0.006),
	);

/** Whether a header counts what a price is for: `Nights` and `night`, `Weight (kg)` and `kg`. */
function countsUnit(header: string, unit: string): boolean {
	const time = timeUnitOf(unit);
	if (time !== undefined && time === timeUnitOf(header)) return true;
	const note = /[([]\s*([^)\]]+?)\s*[)\]]\s*$/.exec(header)?.[1];
	if (note !== undefined && /^\p{L}{1,3}\d?$/u.test(note))
		return note.toLowerCase() === unit.toLowerCase();
	const [word = ''] = allWordsOf(unit);
	return allWordsOf(header).some(
		(one) => one === word || (word.length > 2 && one.slice(0, 3) === word.slice(0, 3)),
	);
}

const day = 86_400_000;
/** Days. */
const [longPast, farAway] = [30, 400];

function dateHands({ drafts, today }: Sheet): Hand[] {
	return drafts.flatMap((draft) => {
		const { rows, body } = draft;
		const due = String(body.due_date ?? '');
		if (!due) return [];
		const away = (Date.parse(due) - Date.parse(today)) / day;
		const hands: string[] = [];
		if (away < -longPast || away > farAway) hands.push(`${rowsLabel(rows)}: due on ${due}`);
		const issued = rows
			.map(({ values }) => values.get('invoiceDate'))
			.find((one) => one !== undefined);
		if (typeof issued === 'string') {
			if (issued > due)
				hands.push(`${rowsLabel(rows)}: due on ${due}, before the invoice date ${issued}`);
			const terms = rows.map(({ values }) => values.get('terms')).find((one) => one !== undefined);
			const stated = Date.parse(issued) + Number(terms) * day;
			if (terms !== undefined && stated !== Date.parse(due))
				hands.push(
					`${rowsLabel(rows)}: due on ${due}, but the terms are ${String(terms)} days after ${issued}`,
				);
		}
		return hands.map((text) => handOf('dates', rows, text));
	});
}

/** Numbers that one payment, order or receipt has. */
const transactionWords = new Set(
	'number id ref reference referenz referencia referencie riferimento transaction transaktion receipt beleg quittung order auftrag pedido ordine commande bestelling encomenda buchung booking ticket'.split(
		' ',
	),
);
const namesTransaction = (header: string) =>
	allWordsOf(header).some((word) => transactionWords.has(word));

/** The same transaction twice, or a row that was pasted twice. */
function repeatHands(sheet: Sheet): Hand[] {
	const hands: Hand[] = [];
	const seen = new Map<string, Row[]>();
	for (const row of sheet.rows) {
		const key = JSON.stringify(row.line.cells);
		seen.set(key, [...(seen.get(key) ?? []), row]);
	}
	for (const rows of seen.values())
		if (rows.length > 1)
			hands.push(handOf('repeats', rows, `${rowsLabel(rows)} are the same in every cell`));
	for (const column of unbilledColumns(sheet)) {
		const groups = sheet.statements.grouping;
		if (groups?.by === 'column' && groups.header === column.header) continue;
		if (!namesTransaction(column.header) || column.counts.size < column.filled.length * 0.7)
			continue;
		for (const [text, rows] of rowsByText(sheet, column))
			if (rows.length > 1 && new Set(rows.map(({ line }) => line.index)).size > 1)
				hands.push(
					handOf(
						'repeats',
						rows,
						`${rowsLabel(rows)} have the same ${column.header}: ${shorten(text, 60)}`,
						column.header,
					),
				);
	}
	return hands;
}

function currencyHands(sheet: Sheet): Hand[] {
	const { drafts, rows, roles, profile } = sheet;
	const texts = [
		...unbilledColumns(sheet),
		...columnsOf(roles, 'note', 'title', 'itemName'),
	].filter((column) => profile.columns.includes(column));
	const currencyOf = new Map(
		drafts.flatMap((draft) => draft.rows.map((row) => [row, draft.body.currency] as const)),
	);
	const others = texts.flatMap((column) =>
		[...rowsByText(sheet, column)].flatMap(([text, those]) => {
			const code = text.match(/\b[A-Z]{3}\b/g)?.find((word) => mainCurrencies.has(word));
			const wrong =
				code === undefined ? [] : those.filter((row) => (currencyOf.get(row) ?? code) !== code);
			return wrong.length
				? [handOf('currencies', wrong, says(wrong, column, text), column.header)]
				: [];
		}),
	);
	return [...others, ...severalCurrencies({ drafts, rows })];
}

const mainCurrencies = new Set(
	'EUR USD GBP CHF CAD AUD SEK NOK DKK PLN CZK BRL JPY MXN'.split(' '),
);

function severalCurrencies({ drafts, rows }: Pick<Sheet, 'drafts' | 'rows'>): Hand[] {
	const currencies = [
		...new Set(drafts.flatMap(({ body }) => (body.currency as string | undefined) ?? [])),
	];
	// A column of currencies says so on purpose.
	return currencies.length > 1 && rows.some(({ values }) => !values.has('currency'))
		? [handOf('currencies', rows, `the invoices are in ${currencies.join(' and ')}`)]
		: [];
}

/** A cell that is another known customer than the one who is billed. */
function customerHands(sheet: Sheet): Hand[] {
	const { customers, profile, drafts } = sheet;
	if (!customers) return [];
	const billed = new Map(
		drafts.flatMap(({ rows, body }) => rows.map((row) => [row, body.customer] as const)),
	);
	return profile.columns.flatMap((column) => {
		if (column.share('text', 'email', 'id') < 0.2) return [];
		return [...rowsByText(sheet, column)].flatMap(([text, rows]) => {
			const found = findCustomers(text, customers);
			if (found.length === 0) return [];
			const others = rows.filter((row) => {
				const id = billed.get(row);
				return (
					typeof id === 'string' && !found.some((one) => one.id.toLowerCase() === id.toLowerCase())
				);
			});
			return others.length
				? [
						handOf(
							'customers',
							others,
							`${says(others, column, text)}, another customer`,
							column.header,
						),
					]
				: [];
		});
	});
}

const figureInText =
	/\d\s*%|[+-]\s?\d|\p{Sc}\s?\d|\d\s?\p{Sc}|\d[.,]\d\d\b|\b\d+\s?(?:EUR|USD|GBP|CHF)\b/u;
/** Whether a text may change what the amounts mean: a figure, a percentage, a currency, a tax. */
export const changesAmounts = (text: string) =>
	figureInText.test(text) ||
	/\p{Sc}|\b(?:EUR|USD|GBP|CHF|SEK|NOK|DKK|PLN|CAD|AUD|BRL)\b/u.test(text) ||
	namesMultiple(text) ||
	hasWord(text, taxWords);

/** Figures and currencies in headers, and in texts above them that the reading does not state. */
function textHands({ table, rows, profile, statements, roles }: Sheet): Hand[] {
	const stated = new Set(statements.above);
	const above = table.above
		.filter((text) => changesAmounts(text) && !stated.has(text))
		.map((text) => handOf('texts', rows, `above the headers: ${text}`));
	const prices = new Set(columnsOf(roles, 'itemAmount', 'itemTotal', 'total'));
	const inHeaders = profile.columns.flatMap((column) => {
		const isCurrency = prices.has(column) && column.headerCurrency !== undefined;
		return column.filled.length > 0 && figureInText.test(column.header) && !isCurrency
			? [handOf('texts', rows, `the header ${column.header} has a figure`, column.header)]
			: [];
	});
	return [...above, ...inHeaders];
}
