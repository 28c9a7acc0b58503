import type { IDataObject } from 'n8n-workflow';
import { toThousandths } from '../../shared/fields/decimal';
import { isEmpty, toEmail } from '../../shared/fields/text';
import type { Columns } from './columns';
import { fieldOf, isMapped, own } from './columns';
import { currenciesOf } from './currencies';
import { readDate } from './dateCells';
import { allWordsOf, isOfOtherKind, quantityWords } from './leftMoney';
import { readAmount } from './numberCells';
import type { Draft } from './invoice';
import type { Row } from './row';
import type { RowSettings } from './rowSettings';
import type { SheetProblem } from './sheet';
import { withoutField } from './sheet';
import { toHundredThousandths } from './totals';

/** A column that no field takes, with its cells that are not empty. */
interface Left {
	header: string;
	words: string[];
	cells: Array<{ row: Row; value: unknown }>;
}

const moneyWords = new Set(
	'amount price prices total totals sum cost costs value net due charge charges payable outstanding expenses betrag preis summe gesamt gesamtbetrag rabatt versand steuer montant prix importe precio'.split(
		' ',
	),
);
const dueWords = new Set('due pay payable payment deadline'.split(' '));

/**
 * Columns that no field takes although their cells say that they matter: amounts that the invoices do not contain, quantities where
 * there are none, a second set of items, and what a default would stand for otherwise.
 */
export function unexplainedColumns(
	columns: Columns,
	drafts: Draft[],
	items: IDataObject[],
	settings: RowSettings,
	zone: string,
): SheetProblem[] {
	const rows = drafts.flatMap(({ group }) => group.rows);
	const left = columns.unused
		.map((header): Left => {
			const cells = rows
				.map((row) => ({ row, value: own(items[row.index], header) }))
				.filter(({ value }) => !isEmpty(value) && typeof value !== 'boolean');
			return { header, words: allWordsOf(header), cells };
		})
		.filter(({ cells, header }) => cells.length > 0 && header !== 'row_number');
	const sums = new Map(drafts.flatMap((draft) => draft.group.rows.map((row) => [row, draft])));
	const money = left.filter((one) => isUnexplainedMoney(one, sums, settings));
	const lacksQuantity = !isMapped(columns, 'itemQuantity') && !isMapped(columns, 'itemTotal');
	return [
		...withoutField(money.map(({ header }) => header)),
		...left
			.filter((one) => !money.includes(one))
			.flatMap((one) => [
				...secondItem(one),
				...(lacksQuantity && isQuantity(one) ? [seems(one.header, 'quantities', 'Quantity')] : []),
				...insteadOfDefault(one, columns, settings, zone),
			]),
	];
}

const seems = (header: string, what: string, name: string): SheetProblem => ({
	title: `Column "${header}" seems to hold ${what}, but is not used`,
	text: `Column "${header}" seems to hold ${what}, but no field takes it. Rename it to ${name}, or add it to Options > Ignore Columns`,
});

/** A cell as a number of thousandths, and whether it is written as money is; `undefined` where it is no number. */
function numberIn(value: unknown, { decimalSeparator }: RowSettings) {
	const format = { decimalSeparator, hasDecimalPoint: true, hasThreeDecimals: true };
	const text = typeof value === 'string' ? value.normalize('NFKC').replace(/%\s*$/, '') : value;
	const amount = readAmount(text, format);
	if ('problem' in amount) return undefined;
	const { value: decimal, mark } = amount.value;
	const isPrecise =
		typeof value === 'string' ? /[.,]\d{1,3}\D*$/.test(value) : decimal.includes('.');
	return { thousandths: toThousandths(decimal), isWritten: mark !== undefined || isPrecise };
}

/** Whether all cells are amounts that are not those of the invoices. */
function isUnexplainedMoney(
	{ words, cells }: Left,
	drafts: Map<Row, Draft>,
	settings: RowSettings,
): boolean {
	if (isOfOtherKind(words)) return false;
	const numbers = cells.map(({ row, value }) => ({ row, number: numberIn(value, settings) }));
	if (!numbers.every(({ number }) => number)) return false;
	const isMoney =
		numbers.some(({ number }) => number?.isWritten) || words.some((word) => moneyWords.has(word));
	if (!isMoney || numbers.every(({ number }) => number?.thousandths === BigInt(0))) return false;
	return !numbers.every(({ row, number }) => {
		const draft = drafts.get(row);
		// Its row is wrong anyway: it counts in the next run.
		if (!draft?.sums || !row.item) return true;
		const units = (number?.thousandths ?? BigInt(0)) * BigInt(100);
		const { amount, quantity } = row.item;
		const price = toThousandths(amount) * BigInt(100);
		const { subtotal, total } = draft.sums;
		return [
			price,
			price * BigInt(quantity),
			BigInt(quantity) * BigInt(100_000),
			toHundredThousandths(subtotal),
			toHundredThousandths(total),
		].includes(units);
	});
}

/** `Price 2`, `Amount_1`: a row has one item. */
function secondItem({ header }: Left): SheetProblem[] {
	const first = header.replace(/[\s_.-]*\d+$/, '');
	const field = first === header ? undefined : fieldOf(first)?.field;
	if (!field?.isOfItem) return [];
	return [
		{
			title: `Column "${header}" looks like a second ${field.displayName}`,
			text: `Column "${header}" looks like a second ${field.displayName}, but each row is one item. Put further items into rows of their own with the same invoice number, or add it to Options > Ignore Columns`,
		},
	];
}

function isQuantity({ words, cells }: Left): boolean {
	const isNamed =
		words.some((word) => quantityWords.has(word)) || (words[0] === 'number' && words[1] === 'of');
	return isNamed && cells.some(({ value }) => !/^\s*[01](?:[.,]0*)?\s*$/.test(String(value)));
}

/** Where a default stands in for a column, a column with just such cells may be meant. */
function insteadOfDefault(
	{ header, words, cells }: Left,
	columns: Columns,
	{ dateOrder = 'dayMonth' }: RowSettings,
	zone: string,
): SheetProblem[] {
	const all = (is: (text: string) => boolean) =>
		cells.every(({ value }) => is(String(value).trim()));
	const has = (...names: string[]) => names.some((name) => isMapped(columns, name));
	if (!has('customerId', 'customerEmail') && all((text) => 'value' in toEmail(text))) {
		return [seems(header, 'customers', 'Customer Email')];
	}
	if (!has('currency') && all((text) => /^[A-Z]{3}$/.test(text) && currenciesOf(text).length > 0)) {
		return [seems(header, 'currencies', 'Currency')];
	}
	const isDate = ({ value }: Left['cells'][number]) => 'value' in readDate(value, dateOrder, zone);
	const isDue = words.some((word) => dueWords.has(word));
	if (!has('dueDate') && isDue && cells.every(isDate)) {
		return [seems(header, 'due dates', 'Due Date')];
	}
	return [];
}
