import { shorten } from '../../shared/fields/text';
import { isNear } from './amounts';
import { columnsOf, findCustomers } from './columns';
import type { Roles } from './columns';
import type { Raise, Sheet } from './hand';
import { moneySources, requestsByRow, rowsByText, says, unbilledColumns } from './hand';
import { asksWhetherBillable, doubtIn, saysNo } from './marks';
import { allWordsOf, hasWord, timeUnitOf } from './names';
import { rowsLabel } from './problems';
import type { Column } from './profile';
import type { Row } from './rows';
import type { Format } from './statements';
import { namesMultiple } from './units';

/** Fields whose cells are no words. */
const wordless =
	'customerId customerEmail currency dueDate terms invoiceDate itemAmount itemTotal itemQuantity'.split(
		' ',
	);

/** A note about another invoice: `fact. 26-1190`. */
const namesInvoice =
	/\b(?:inv(?:oice)?|rg|re|rechnung|fact(?:ure|uur|ura)?|fra|fatt(?:ura)?|fatura)\b.{0,6}\d/i;

/** Words such as paid, void or free in any cell, and filled cells below such a header. */
export function* wordHands(sheet: Sheet, raise: Raise): Generator<void> {
	const { profile, roles, statements, said, unbilled } = sheet;
	const skipped = new Set(columnsOf(roles, ...wordless));
	const notes = new Set(columnsOf(roles, 'note', 'title'));
	const numbers = new Set(columnsOf(roles, 'invoiceNumber'));
	for (const column of profile.columns) {
		yield;
		const { header, looks } = column;
		const own = statements.values.find((one) => one.header === header);
		// Values that the reading bills are settled once somebody has said so.
		if (skipped.has(column) || said?.values.some((one) => one.header === header)) continue;
		const isOther = unbilled.includes(column);
		const asks = isOther && doubtIn(header) !== undefined;
		// `Payment date: 5 Jan` says that it was paid.
		const isPayment = isOther && hasWord(header, 'deductions');
		const asksBillable = isOther && !own && asksWhetherBillable(header);
		const isNote = notes.has(column);
		const isMarked = (text: string) =>
			asksBillable
				? saysNo(text)
				: (asks && !saysNo(text)) ||
					doubtIn(text) !== undefined ||
					(!numbers.has(column) && namesInvoice.test(text)) ||
					(isNote && (isFigure(text) || namesMultiple(text)));
		for (const [text, rows] of rowsByText(sheet, column)) {
			const isPaid = isPayment && looks[rows[0].at]?.kind === 'date';
			if ((isMarked(text) || isPaid) && (!own || own.bill.includes(text)))
				raise('words', rows, says(rows, column, text), { header, isStated: Boolean(own) });
		}
	}
}

/** Cells that nobody needs, but that are no values of their field: `Terms: Prepaid` beside a due date. */
export function idleHands({ rows }: Sheet, raise: Raise) {
	for (const row of rows)
		for (const [, problems] of row.deferred)
			for (const { header, text } of problems)
				raise('words', [row], `row ${row.number}: ${text}`, { header });
}

/** By the format that the reading states. */
const threeDecimals = new Map<Format, RegExp>([
	['1.234,50', /^\D*[1-9]\d{0,2},\d{3}\D*$/],
	['1,234.50', /^\D*[1-9]\d{0,2}\.\d{3}\D*$/],
]);

/** `1,234` below a confirmed decimal comma: three decimals, or the thousands of another program. */
export function formatHands({ rows, statements, profile }: Sheet, raise: Raise) {
	for (const { header, formats = [] } of moneySources(statements)) {
		const unclear = formats.map((format) => threeDecimals.get(format)).find(Boolean);
		const column = profile.byHeader.get(header);
		const textOf = ({ at }: Row) => column?.looks[at]?.text ?? '';
		const those = rows.filter((row) => unclear?.test(textOf(row).slice(0, 60)));
		if (!column || those.length === 0) continue;
		const text = says(those, column, textOf(those[0]));
		raise('amounts', those, `${text}, read with three decimals`, column);
	}
}

/** `VAT ID`, `Shipping Zip`, but not `Fee per month`. */
const isIdentifier = (header: string) =>
	timeUnitOf(header) === undefined && hasWord(allWordsOf(header).slice(-1).join(''), 'identifiers');

/** `01.01.2027`, `192.0.2.41`. */
const dateOrVersion = /\d{1,4}([./-])\d{1,2}\1\d{1,4}/g;
/** `Partita IVA: 01234567890`, `N° TVA: FR40303265045`. */
const longNumber = /^[A-Z]{0,3}\s?\d{8,}$/;
const figure = /\d\s*%|\p{Sc}\s?\d|\d\s?\p{Sc}|\d[.,]\d\d\b|\d\s?(?:EUR|USD|GBP|CHF|Euro)\b/u;

const isFigure = (text: string) => figure.test(text.slice(0, 500).replace(dateOrVersion, ' '));

/** Cells that a column before them has replaced: `Line Total = Rent, Charges`. */
export function furtherHands({ roles, rows }: Sheet, raise: Raise) {
	for (const field of ['itemAmount', 'itemTotal', 'itemQuantity']) {
		const [first, ...more] = columnsOf(roles, field) as [Column?, ...Column[]];
		for (const column of more) {
			const lost = rows.filter(({ at }) => {
				const [used, other] = [first?.looks[at]?.text, column.looks[at]?.text];
				return used !== undefined && other !== undefined && used !== other;
			});
			const text = `${column.header} is not billed in ${rowsLabel(lost)}, where ${first?.header} is filled`;
			if (lost.length) raise('amounts', lost, text, column);
		}
	}
}

/** Figures beside the bill: a deposit, a tax, another price. */
export function* amountHands(sheet: Sheet, raise: Raise): Generator<void> {
	for (const column of unbilledColumns(sheet)) {
		yield;
		const { header, filled, looks, numbers } = column;
		const isNumber = isIdentifier(header);
		const isExtra = hasWord(header, 'taxes', 'extras') && !isNumber;
		const mayBeDates = hasWord(header, 'dates') && filled.every((look) => look.mayBeDate);
		const isAmount =
			column.headerCurrency !== undefined ||
			(hasWord(header, 'amounts') && !isNumber) ||
			filled.some((look) => look.isMoney);
		const repeats = ({ at }: Row) => isRepeated(sheet.roles, at, numbers[at]);
		const empty = sheet.rows.filter(({ at }) => !numbers[at]);
		const isRest = empty.length && sheet.rows.some(repeats);
		// `Open amount` repeats the amount until it is paid.
		if (isAmount && isRest && sheet.rows.every((row) => !numbers[row.at] || repeats(row)))
			raise('amounts', empty, `${header} is empty or 0 in ${rowsLabel(empty)}`, column);
		const rows = sheet.rows.filter((row) => {
			const { at } = row;
			const look = looks[at];
			if (!look || look.kind === 'date' || mayBeDates || longNumber.test(look.text)) return false;
			const number = numbers[at];
			if (look.kind === 'percent') return isExtra && !/^[0.,]*\s*%/.test(look.text);
			if (!Number.isNaN(number)) return number !== 0 && (isExtra || (isAmount && !repeats(row)));
			return isFigure(look.text) || (isExtra && /\d/.test(look.text));
		});
		if (rows.length === 0) continue;
		const cell = shorten(looks[rows[0].at]?.text ?? '', 60);
		const more = rows.length > 1 ? ` and ${rows.length - 1} more` : '';
		const text = `${header} is not billed: ${cell} in row ${rows[0].number}${more}`;
		raise('amounts', rows, text, column);
	}
}

/** Whether a figure only repeats the price or the total of its line. */
function isRepeated({ fields }: Roles, at: number, number: number): boolean {
	const of = (name: string) => fields.get(name)?.[0]?.numbers[at] ?? NaN;
	const [price, quantity, line] = [of('itemAmount'), of('itemQuantity'), of('itemTotal')];
	const times = Number.isNaN(quantity) ? 1 : quantity;
	return [price, line, price * times].some((one) => isNear(one, number));
}

const mainCurrencies = new Set(
	'EUR USD GBP CHF CAD AUD SEK NOK DKK PLN CZK BRL JPY MXN'.split(' '),
);

const codeIn = (text: string) =>
	text.match(/\b[A-Z]{3}\b/g)?.find((word) => mainCurrencies.has(word));

/** A text that names another currency than the invoice's, and invoices in several currencies. */
export function currencyHands(sheet: Sheet, raise: Raise) {
	const { drafts, rows, roles } = sheet;
	const requests = requestsByRow(drafts);
	const texts = [...unbilledColumns(sheet), ...columnsOf(roles, 'note', 'title', 'itemName')];
	for (const column of texts)
		for (const [text, those] of rowsByText(sheet, column)) {
			const code = codeIn(text);
			const wrong = those.filter((row) => code && (requests.get(row)?.currency ?? code) !== code);
			if (wrong.length) raise('currencies', wrong, says(wrong, column, text), column);
		}
	for (const column of columnsOf(roles, 'itemAmount', 'itemTotal')) {
		const code = codeIn(column.header);
		const wrong = rows.filter((row) => code && (requests.get(row)?.currency ?? code) !== code);
		if (wrong.length)
			raise(
				'currencies',
				wrong,
				`${column.header} says ${code}, but ${rowsLabel(wrong)} ${wrong.length === 1 ? 'is' : 'are'} billed in another currency`,
				column,
			);
	}
	const currencies = new Set(drafts.flatMap(({ body }) => body.currency ?? []));
	// A column of currencies says so on purpose.
	if (currencies.size > 1 && rows.some(({ values }) => !values.has('currency')))
		raise('currencies', rows, `the invoices are in ${[...currencies].join(' and ')}`);
}

/** A cell that is another known customer than the one who is billed. */
export function* customerHands(sheet: Sheet, raise: Raise): Generator<void> {
	const { customers, profile, drafts } = sheet;
	if (!customers) return;
	const requests = requestsByRow(drafts);
	for (const column of profile.columns) {
		yield;
		if (column.share('text', 'email', 'id') < 0.2) continue;
		for (const [text, rows] of rowsByText(sheet, column)) {
			// A cell can hold several addresses.
			const parts = text.includes('@') ? text.split(/[;,]/).slice(0, 20) : [text];
			const ids = parts.map((part) => findCustomers(part.trim(), customers).map(({ id }) => id));
			const others = rows.filter((row) => {
				const id = requests.get(row)?.customer;
				const isOther = (own: string[]) =>
					own.length > 0 && !own.some((one) => one.toLowerCase() === String(id).toLowerCase());
				return typeof id === 'string' && ids.some(isOther);
			});
			const said = `${says(others, column, text)}, but another customer is billed`;
			if (others.length) raise('customers', others, said, column);
		}
	}
}
