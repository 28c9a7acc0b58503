import type { IDataObject } from 'n8n-workflow';
import { toDecimal, toThousandths } from '../../shared/fields/decimal';
import { isEmpty } from '../../shared/fields/text';
import type { InvoiceItem } from '../invoices/items';
import { formatOf } from './cells';
import type { TotalColumn } from './columns';
import { own } from './columns';
import { currenciesOf, decimalsOf } from './currencies';
import type { Group } from './group';
import { moneyHeader } from './headers';
import { readAmount } from './numberCells';
import type { Row } from './row';
import { nameOf } from './row';
import type { RowSettings } from './rowSettings';

/** What an invoice comes to, before taxes and fees. */
export interface Sums {
	/** Decimal strings. How the service rounds a discount is not known, so they are exact. */
	subtotal: string;
	discount: string;
	total: string;
}

/** Hundred-thousandths: a percentage of an amount has up to five decimals. */
const toUnits = (decimal: string) => toThousandths(decimal) * BigInt(100);
const digits = 5;

/** The sums of items, with a discount in percent. */
export function sumsOf(items: InvoiceItem[], discountPercentage = 0): Sums {
	const subtotal = items.reduce(
		(sum, { amount, quantity }) => sum + toUnits(amount) * BigInt(quantity),
		BigInt(0),
	);
	const discount = (subtotal * BigInt(discountPercentage)) / BigInt(100);
	return {
		subtotal: toDecimal(subtotal, digits),
		discount: toDecimal(discount, digits),
		total: toDecimal(subtotal - discount, digits),
	};
}

/** A figure of a column of sums, and what the items come to. */
interface Figure {
	group: Group;
	row: Row;
	/** As the sheet says it. */
	said: string;
	/** Of the invoice and of the row alone. */
	whole: Sums;
	line: Sums;
}

/**
 * Compares columns of sums with what the items come to. A figure stands for its invoice; in a column whose figures differ within an
 * invoice it stands for its row. It may contain what ignored columns add, such as taxes. What differs becomes a problem of its
 * invoice. Returns what agreed, in words.
 */
export function checkTotals(
	groups: Group[],
	totals: TotalColumn[],
	items: IDataObject[],
	settings: RowSettings,
	ignored: string[],
	currencyOf: (group: Group) => string | undefined,
): string[] {
	if (settings.checkTotals === false) return [];
	return totals.flatMap((column) => {
		const figures = figuresIn(column, groups, items, settings, currencyOf);
		if (figures.length === 0) return [];
		const isOfRow = column.mayBeOfRow === true && differsWithin(figures);
		let isWithIgnored = false;
		const wrong = figures.filter(({ group, row, said, whole, line }) => {
			const { total, subtotal } = isOfRow ? line : whole;
			// Few sheets take the discount of an invoice off each of its rows.
			const may = isOfRow || column.isSubtotal ? [total, subtotal] : [total];
			if (may.some((sum) => isSameSum(sum, said, currencyOf(group)))) return false;
			const rest = toUnits(said) - toHundredThousandths(total);
			const isExplained = ignoredSums(isOfRow ? [row] : group.rows, ignored, items, settings).some(
				(sum) => sum === rest,
			);
			isWithIgnored ||= isExplained;
			return !isExplained;
		});
		const { header } = column;
		const told = new Set<Group>();
		for (const { group, row, said, whole, line } of wrong) {
			if (!isOfRow && told.has(group)) continue;
			told.add(group);
			const name = nameOf(isOfRow ? [row] : group.rows);
			const { total } = isOfRow ? line : whole;
			group.problems.push(
				`${name[0].toUpperCase()}${name.slice(1)}: the items come to ${total}, column "${header}" says ${toDecimal(toThousandths(said))}. Correct it, or turn off 'Check Totals'`,
			);
		}
		const all = new Set(figures.map(({ group }) => group)).size;
		const how = isWithIgnored ? ', with the ignored columns' : '';
		return [
			`${header} agrees in ${all - told.size} of ${all} invoice${all === 1 ? '' : 's'}${how}`,
		];
	});
}

/** What ignored columns such as taxes add to an invoice, each alone and all together; its rows may repeat the figure of the whole. */
function ignoredSums(
	rows: Row[],
	ignored: string[],
	items: IDataObject[],
	settings: RowSettings,
): bigint[] {
	const figures = ignored.map((header) => {
		const format = formatOf([], settings);
		const amounts = rows.map(({ index }) => {
			const cell = own(items[index], header);
			const amount = isEmpty(cell) ? undefined : readAmount(cell, format);
			return amount && 'value' in amount ? toUnits(amount.value.value) : BigInt(0);
		});
		return { first: amounts[0], all: amounts.reduce((sum, one) => sum + one, BigInt(0)) };
	});
	const total = (which: 'first' | 'all') =>
		figures.reduce((sum, one) => sum + one[which], BigInt(0));
	const sums = [...figures.flatMap(({ first, all }) => [first, all]), total('first'), total('all')];
	return sums.filter((sum) => sum > BigInt(0));
}

/** Whether some invoice has more than one figure: then they are not its own. */
function differsWithin(figures: Figure[]): boolean {
	const first = new Map<Group, string>();
	return figures.some(({ group, said }) => {
		const before = first.get(group) ?? said;
		first.set(group, before);
		return toThousandths(before) !== toThousandths(said);
	});
}

/** The figures of a column in the invoices of which all is known; one that cannot be read becomes a problem of its row. */
function figuresIn(
	{ header }: TotalColumn,
	groups: Group[],
	items: IDataObject[],
	settings: RowSettings,
	currencyOf: (group: Group) => string | undefined,
): Figure[] {
	const cells = items.map((item) => own(item, header));
	const format = formatOf(cells, settings);
	return groups.flatMap((group) => {
		const { rows } = group;
		const lines = rows.flatMap(({ item }) => (item ? [item] : []));
		if (lines.length < rows.length || rows.some(({ problems }) => problems.length)) return [];
		const percent = rows
			.map(({ values }) => values.get('discountPercentage') as number | undefined)
			.find((value) => value !== undefined);
		const whole = sumsOf(lines, percent);
		return rows.flatMap((row, at): Figure[] => {
			const cell = cells[row.index];
			if (isEmpty(cell) || /^\s*(?:\p{Sc}\s*)?[-–—]\s*$/u.test(String(cell))) return [];
			const amount = readAmount(cell, format);
			if ('problem' in amount) {
				row.problems.push({ row: row.number, header, text: `The total ${amount.problem}` });
				return [];
			}
			const line = sumsOf([lines[at]], percent);
			const { mark = moneyHeader(header)?.currency } = amount.value;
			const currency = currencyOf(group);
			if (mark && currency && !currenciesOf(mark).includes(currency)) {
				group.problems.push(
					`Row ${row.number}: Currency is ${currency}, but column "${header}" says ${mark}`,
				);
			}
			return [{ group, row, said: amount.value.value, whole, line }];
		});
	});
}

/** Whether a figure is an exact sum, or the sum as a currency with so many decimals rounds it. */
function isSameSum(exact: string, said: string, currency: string | undefined): boolean {
	const units = toHundredThousandths(exact);
	if (toUnits(said) === units) return true;
	const step = BigInt(10 ** (digits - Math.min(decimalsOf(currency ?? 'EUR'), 3)));
	const half = step / BigInt(2);
	const isNegative = units < BigInt(0);
	const size = ((isNegative ? -units : units) + half) / step;
	return toUnits(said) === size * step * BigInt(isNegative ? -1 : 1);
}

/** A sum as `sumsOf` writes it, with up to five decimals, as a number of hundred-thousandths. */
export function toHundredThousandths(decimal: string): bigint {
	const [whole, fraction = ''] = decimal.replace('-', '').split('.');
	const size = BigInt(`${whole}${fraction.padEnd(digits, '0')}`);
	return decimal.startsWith('-') ? -size : size;
}
