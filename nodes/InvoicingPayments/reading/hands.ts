import { addTo } from '../../shared/addTo';
import { shorten } from '../../shared/fields/text';
import { isSameSum, lineTotalOf } from './amounts';
import { columnsOf, findCustomers } from './columns';
import type { Roles } from './columns';
import type { Hand, Sheet } from './hand';
import { amountOf, handOf, rowsByText, says, unbilledColumns } from './hand';
import { asksWhetherBillable, doubtIn, isTotalName, namesNoItem, saysNo } from './marks';
import { allWordsOf, hasWord, timeUnitOf } from './names';
import { rowsLabel } from './problems';
import type { Column } from './profile';
import type { Row } from './rows';
import { isTaxed } from './sums';
import { namesMultiple, unitHands } from './units';

/** All hands, the weightiest first, without those that the reading settles for good. */
export function* raiseHands(sheet: Sheet): Generator<void, Hand[]> {
	const { unchecked, rowsLeftOut } = sheet.statements;
	const settled = new Set(unchecked.map((one) => one.toLowerCase()));
	// A column that is called like a kind settles only itself.
	const headers = new Set(sheet.profile.columns.map(({ header }) => header.toLowerCase()));
	const isSettled = ({ kind, header = '' }: Hand) =>
		(settled.has(kind) && !headers.has(kind)) ||
		(header !== '' && settled.has(header.toLowerCase()));
	const raisers = [
		...[
			wordHands,
			leftOutHands,
			formatHands,
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
	const texts = new Set<string>();
	const isNew = ({ text }: Hand) => texts.size < texts.add(text).size;
	return hands.filter(isNew).sort((a, b) => b.money - a.money);
}

/** Fields whose cells are no words. */
const wordless = [
	...[
		'customerId',
		'customerEmail',
		'invoiceNumber',
		'currency',
		'dueDate',
		'terms',
		'invoiceDate',
	],
	...['itemAmount', 'itemTotal', 'itemQuantity'],
];

/** Words such as paid, void or free in any cell, and filled cells below such a header. */
function wordHands(sheet: Sheet): Hand[] {
	const { profile, roles, statements, said, unbilled } = sheet;
	const skipped = new Set(columnsOf(roles, ...wordless));
	return profile.columns.flatMap((column) => {
		const { header } = column;
		const own = statements.values.find((one) => one.header === header);
		// Values that the reading bills are settled once somebody has said so.
		if (skipped.has(column) || said?.values.some((one) => one.header === header)) return [];
		const isOther = unbilled.includes(column);
		const asks = isOther && doubtIn(header) !== undefined;
		// `Payment date: 5 Jan` says that it was paid.
		const isPayment = isOther && hasWord(header, 'deductions');
		const asksBillable = isOther && !own && asksWhetherBillable(header);
		const isMarked = (text: string) =>
			asksBillable
				? saysNo(text)
				: (asks && !saysNo(text)) || doubtIn(text) !== undefined || namesInvoice.test(text);
		return [...rowsByText(sheet, column)].flatMap(([text, rows]) =>
			(isMarked(text) || (isPayment && column.looks[rows[0].at]?.kind === 'date')) &&
			(!own || own.bill.includes(text))
				? [{ ...handOf('words', rows, says(rows, column, text), header), isStated: Boolean(own) }]
				: [],
		);
	});
}

/** Words such as cancelled in rows that are no items, footnotes and headings, and items without an amount. */
const leftOutHands = ({ leftOut, rows, profile, roles }: Sheet): Hand[] =>
	leftOut.flatMap(({ line, at, why, name }) => {
		const texts = profile.columns.flatMap(({ looks }) => looks[at]?.text ?? []);
		const said = texts.find((text) => doubtIn(text) !== undefined);
		if (why !== 'value' && said !== undefined)
			return [
				handOf('words', rows, `row ${line.number}, which is left out, says ${shorten(said, 80)}`),
			];
		const isItem =
			why === 'note' &&
			texts.length > 1 &&
			columnsOf(roles, 'itemName', 'itemQuantity').some(({ looks }) => looks[at] !== undefined);
		return isItem
			? [
					handOf(
						'amounts',
						rows,
						`row ${line.number} (${shorten(name, 60)}) has no amount, so it is left out`,
					),
				]
			: [];
	});

/** `1,234` below a confirmed decimal comma: three decimals, or the thousands of another program. */
function formatHands({ roles, rows, statements }: Sheet): Hand[] {
	return ['itemAmount', 'itemTotal'].flatMap((field) =>
		columnsOf(roles, field).flatMap((column) => {
			const { formats = [] } =
				statements.fields.get(field)?.find(({ header }) => header === column.header) ?? {};
			const odd = formats.includes('1.234,50')
				? /^\D*[1-9]\d{0,2},\d{3}\D*$/
				: formats.includes('1,234.50')
					? /^\D*[1-9]\d{0,2}\.\d{3}\D*$/
					: undefined;
			const those = odd
				? rows.filter(({ at }) => odd.test(column.looks[at]?.text.slice(0, 60) ?? ''))
				: [];
			const [first] = those as Array<Row | undefined>;
			return first
				? [
						handOf(
							'amounts',
							those,
							`${says(those, column, column.looks[first.at]?.text ?? '')}, read with three decimals`,
							column.header,
						),
					]
				: [];
		}),
	);
}

/** A note about another invoice: `fact. 26-1190`. */
const namesInvoice =
	/\b(?:inv(?:oice)?|rg|re|rechnung|fact(?:ure|uur|ura)?|fra|fatt(?:ura)?|fatura)\b.{0,6}\d/i;

/** `VAT ID`, `Shipping Zip`, but not `Fee per month`. */
const isIdentifier = (header: string) =>
	timeUnitOf(header) === undefined && hasWord(allWordsOf(header).slice(-1).join(''), 'identifiers');

/** `01.01.2027`, `192.0.2.41`. */
const dateOrVersion = /\d{1,4}([./-])\d{1,2}\1\d{1,4}/g;
/** `Partita IVA: 01234567890`, `N° TVA: FR40303265045`. */
const longNumber = /^[A-Z]{0,3}\s?\d{8,}$/;

/** Figures beside the bill: a deposit, a tax, another price. */
function amountHands(sheet: Sheet): Hand[] {
	const { roles } = sheet;
	return unbilledColumns(sheet).flatMap((column) => {
		const { header } = column;
		const isNumber = isIdentifier(header);
		const isExtra = hasWord(header, 'taxes', 'extras') && !isNumber;
		const mayBeDates = hasWord(header, 'dates') && column.filled.every((look) => look.mayBeDate);
		const isAmount =
			(hasWord(header, 'amounts') && !isNumber) || column.filled.some((look) => look.isMoney);
		const rows = sheet.rows.filter(({ at }) => {
			const look = column.looks[at];
			if (!look || look.kind === 'date' || mayBeDates || longNumber.test(look.text)) return false;
			const number = column.numbers[at];
			if (look.kind === 'percent') return isExtra && !/^0*[.,]?0*\s*%/.test(look.text);
			if (!Number.isNaN(number))
				return number !== 0 && (isExtra || (isAmount && !isRepeated(roles, at, number)));
			const hasFigure =
				/\d\s*%|\p{Sc}\s?\d|\d\s?\p{Sc}|\d[.,]\d\d\b|\d\s?(?:EUR|USD|GBP|CHF|Euro)\b/u.test(
					look.text.replace(dateOrVersion, ' '),
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
function totalHands({ rows, roles, profile, drafts }: Sheet): Hand[] {
	const names = columnsOf(roles, 'itemName');
	const owners = columnsOf(roles, 'customerId', 'customerEmail', 'invoiceNumber');
	// A package above its parts.
	const packages = drafts.flatMap(({ rows: [whole, ...parts] }) => {
		const sumOfParts = parts.reduce((all, row) => all + amountOf(row), 0);
		const isSum = sumOfParts > 0 && Math.abs(amountOf(whole) - sumOfParts) < 0.006;
		return parts.length > 1 && isSum
			? [handOf('totals', [whole], `row ${whole.number} is the sum of the rows below it`)]
			: [];
	});
	const sumsOfInvoices = new Set(
		drafts.flatMap(({ rows: own }) => {
			let sum = 0;
			return own.filter((row, index) => {
				const isSum = index > 1 && Math.abs(amountOf(row) - sum) < 0.006;
				sum += amountOf(row);
				return isSum;
			});
		}),
	);
	const customerOf = new Map(
		drafts.flatMap((draft) => draft.rows.map((row) => [row, draft.body.customer] as const)),
	);
	/** Customers of the rows above. A row of another one is no sum of them, unless it is the last. */
	const above = new Set<unknown>([undefined]);
	let sum = 0;
	const others = rows.flatMap((row, index) => {
		const amount = amountOf(row);
		const textOf = ({ looks }: Column) => looks[row.at]?.text ?? '';
		const first = profile.columns.map(textOf).find((text) => text !== '') ?? '';
		const previous = rows[index - 1] as Row | undefined;
		/** `Consulting Total` below `Consulting`. */
		const isSubtotal = names.some(({ looks }) => {
			const [own = '', above = ''] = [looks[row.at]?.text, looks[previous?.at ?? -1]?.text];
			return (
				above !== '' &&
				own !== above &&
				own.startsWith(above) &&
				isTotalName(own.slice(above.length))
			);
		});
		const called = isSubtotal
			? names.map(textOf)[0]
			: [...names.map(textOf), first].find(namesNoItem);
		const isLast = index > 0 && index === rows.length - 1;
		const mayBeSum = index > 1 && (isLast || above.has(customerOf.get(row)));
		const hasTax = mayBeSum && isLast && isTaxed(amount, sum);
		const isSum = hasTax || sumsOfInvoices.has(row) || (mayBeSum && Math.abs(amount - sum) < 0.006);
		const isOwnerless =
			isLast && owners.length > 0 && owners.every((column) => textOf(column) === '');
		sum += amount;
		above.add(customerOf.get(row));
		if (amount <= 0) return [];
		const label = `row ${row.number} (${amount.toFixed(2)})`;
		return [
			...(called === undefined
				? []
				: [
						`row ${row.number} is called ${shorten(called, 60)} and is billed: ${amount.toFixed(2)}`,
					]),
			...(isSum ? [`${label} is the sum of the rows above it${hasTax ? ' with a tax' : ''}`] : []),
			...(isOwnerless ? [`${label}, the last one, has no customer of its own`] : []),
		].map((text) => handOf('totals', [row], text));
	});
	return [...packages, ...others];
}

/** Stated totals that differ from the items. */
function sumHands({ drafts, rows: all, leftOut }: Sheet): Hand[] {
	const ofRows = leftOut.flatMap(({ line, name, amount = 0, sum }) =>
		sum === undefined
			? []
			: [
					handOf(
						'sums',
						all,
						`row ${line.number} (${shorten(name, 60)}) says ${amount.toFixed(2)}, the rows above it come to ${sum.toFixed(2)}`,
					),
				],
	);
	const ofInvoices = drafts.flatMap((draft) => {
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
			// What is stated before a discount is called so.
			const isBefore = Number(sums.discount) === 0 || beforeDiscount.test(header);
			const areInvoices = stated.every(
				({ value }) => is(sums.total, value) || (isBefore && is(sums.subtotal, value)),
			);
			if ((areRows && isBefore) || areInvoices) return [];
			const wrong = stated.find(({ value }) => !is(sums.total, value));
			const text = `${header} says ${wrong?.value ?? ''} in row ${wrong?.row.number ?? ''}, the items come to ${sums.total}`;
			return [handOf('sums', rows, text, header)];
		});
	});
	return [...ofRows, ...ofInvoices];
}

const beforeDiscount =
	/sub|zwischen|sous|parcial|parziale|tussen|imponible|before|without|vor\b|voor\b|ohne|zonder|avant|sans|antes|sin\b|sem\b|prima|senza/i;

const day = 86_400_000;
/** Days. */
const [longPast, farAway] = [30, 400];

function dateHands({ drafts, today }: Sheet): Hand[] {
	return drafts.flatMap(({ rows, body }) => {
		const due = String(body.due_date ?? '');
		const valueOf = (name: string) =>
			rows.map(({ values }) => values.get(name)).find((one) => one !== undefined);
		const [issued, terms] = [valueOf('invoiceDate'), valueOf('terms')];
		const away = (Date.parse(due) - Date.parse(today)) / day;
		const isContradicted =
			issued !== undefined &&
			terms !== undefined &&
			Date.parse(String(issued)) + Number(terms) * day !== Date.parse(due);
		return [
			...(away < -longPast || away > farAway ? [''] : []),
			...(due && issued !== undefined && String(issued) > due
				? [`, before the invoice date ${String(issued)}`]
				: []),
			...(due && isContradicted
				? [`, but the terms are ${String(terms)} days after ${String(issued)}`]
				: []),
		].map((more) => handOf('dates', rows, `${rowsLabel(rows)}: due on ${due}${more}`));
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
	const contentOf = ({ at }: Row) =>
		JSON.stringify(
			sheet.profile.columns.map(({ looks }) => looks[at]?.number ?? looks[at]?.text.toLowerCase()),
		);
	// Without cells, everything is mapped.
	const filled = sheet.profile.columns.length ? sheet.rows : [];
	for (const row of filled) addTo(seen, `${contentOf(row)}${row.line.isFurther}`, row);
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

/** `(1-5)` and `ICD-10` add nothing, `(+15)` does. */
const figureInText =
	/\d\s*%|(?<![\p{L}\d])[+-]\s?\d|\p{Sc}\s?\d|\d\s?\p{Sc}|\d[.,]\d\d\b|\b\d+\s?(?:EUR|USD|GBP|CHF)\b/u;
/** Whether a text may change what the amounts mean: a figure, a percentage, a currency, a tax. */
const changesAmounts = (text: string) =>
	figureInText.test(text) ||
	/\p{Sc}|\b(?:EUR|USD|GBP|CHF|SEK|NOK|DKK|PLN|CAD|AUD|BRL)\b/u.test(text) ||
	namesMultiple(text) ||
	hasWord(text, 'taxes');

/** Whether a text above the headers may change what is billed. */
export const needsLook = (text: string) => changesAmounts(text) || doubtIn(text) !== undefined;

/** Figures and currencies in headers, and in texts above them that the reading does not state. */
function textHands({ table, rows, profile, said, roles }: Sheet): Hand[] {
	const stated = new Set(said?.above);
	const above = table.above
		.filter((text) => needsLook(text) && !stated.has(text))
		.map((text) => ({ ...handOf('texts', rows, `above the headers: ${text}`), isStated: true }));
	const prices = new Set(columnsOf(roles, 'itemAmount', 'itemTotal', 'total'));
	const inHeaders = profile.columns.flatMap((column) => {
		const isCurrency = prices.has(column) && column.headerCurrency !== undefined;
		return column.filled.length > 0 && figureInText.test(column.header) && !isCurrency
			? [handOf('texts', rows, `the header ${column.header} has a figure`, column.header)]
			: [];
	});
	return [...above, ...inHeaders];
}
