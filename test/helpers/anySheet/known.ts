import { addDays, today } from './cells';
import type { InvoiceChoice, ItemChoice, SheetChoice } from './choices';
import type { Person } from './customers';
import { people } from './customers';
import type { Dice } from './dice';

export interface KnownItem {
	/** Its possible names, because two columns may name it. */
	names: string[];
	/** Thousandths. */
	quantity: bigint;
	/** Thousandths; `undefined` if the line total is not a multiple of the quantity. */
	unit?: bigint;
	/** Line total in millionths. */
	line: bigint;
}

/** An invoice as the author of the sheet means it. */
export interface KnownInvoice {
	number?: string;
	customer: Person;
	currency: string;
	dueDate: string;
	/** A whole percentage. */
	discount: number;
	/** In the order of the rows. */
	items: KnownItem[];
	/** Sum of the items, in millionths. */
	subtotal: bigint;
	/** Amount to pay, in units of 10^-8. */
	total: bigint;
	/** Why it must not be billed: the sheet contradicts itself, is ambiguous, or needs what the service cannot do. */
	flaw?: string;
}

const isLineOnly = ({ prices }: SheetChoice) =>
	['line', 'amountAsLine', 'lineAndAmountAsLine'].includes(prices);

/** An item, and why it cannot be sent, if so. */
function knownItem(
	{ name, amount, quantity }: ItemChoice,
	choice: SheetChoice,
	isLineFirst: boolean,
): { item: KnownItem; flaw?: string } {
	const [thousandths, count] = [BigInt(amount), BigInt(quantity)];
	const isRefused = count % 1000n !== 0n && choice.fractions === 'refuse';
	const refused = isRefused ? 'a fractional quantity' : undefined;
	if (isLineOnly(choice)) {
		const exact = isLineFirst ? thousandths * 1000n : thousandths * count;
		// If three decimals are not enough, people round to two and mean that.
		const line = exact % 1000n === 0n ? exact : (exact / 10_000n) * 10_000n;
		const isMultiple = count !== 0n && line % count === 0n;
		const unit = isMultiple ? line / count : undefined;
		return { item: { names: [name], quantity: count, unit, line }, flaw: refused };
	}
	const line = thousandths * count;
	const inexact = line % 1000n === 0n ? undefined : 'a line of more than three decimals';
	const item = { names: [name], quantity: count, unit: thousandths, line };
	return { item, flaw: refused ?? inexact };
}

const numberStyles: Record<SheetChoice['numbers'], (index: number) => string> = {
	text: (index) => `INV-${100 + index}`,
	digits: (index) => `${1042 + index}`,
	zeros: (index) => `000${7 + index}`,
	slashed: (index) => `2026/${index + 1}`,
	accents: (index) => `É-${index + 1}`,
	cases: (index) => ['INV-1', 'inv-1', 'Inv-1', 'iNV-1'][index],
	zerosAndDigits: (index) => ['7', '07', '007', '0007'][index],
};

const hasTenDigits = (units: bigint, digits: number) =>
	(units < 0n ? -units : units) < 10n ** BigInt(10 + digits);

function dueDateOf(one: InvoiceChoice, { due, invoices }: SheetChoice): string {
	if (due === 'termsFromToday') return addDays(today, one.terms);
	return addDays(today, due === 'dueInDays' ? invoices[0].terms : one.due);
}

/** Some currencies lack the fraction of a price, and no line total says what to bill. */
function brokenFraction(items: KnownItem[], currency: string, { prices }: SheetChoice) {
	const smallest = currency === 'JPY' ? 1_000_000n : 10_000n;
	const isBroken = items.some(({ quantity, line }) => quantity % 1000n && line % smallest);
	const isByPrice = ['unit', 'amountAsUnit'].includes(prices);
	return isByPrice && isBroken ? 'a fraction that the currency does not have' : undefined;
}

/** The invoices behind a sheet. */
export function knownInvoices(choice: SheetChoice, dice: Dice): KnownInvoice[] {
	const { invoices, oddity, grouping, kind } = choice;
	const isLineFirst = oddity === 'lineNotDivisible' || (kind === 'wild' && dice.chance(50));
	const isOneRowEach = grouping === 'row' || grouping === 'none';
	const hasNumbers = grouping === 'number' || oddity === 'oneNumberTwice';
	return invoices.map((one, index) => {
		const rows = isOneRowEach ? one.items.slice(0, 1) : one.items;
		const read = rows.map((row) => knownItem(row, choice, isLineFirst));
		const items = read.map(({ item }) => item);
		const subtotal = items.reduce((sum, { line }) => sum + line, 0n);
		const total = subtotal * BigInt(100 - one.discount);
		const isSmall = hasTenDigits(total, 8) && items.every(({ unit = 0n }) => hasTenDigits(unit, 3));
		const { currency } = choice.currency === 'default' ? invoices[0] : one;
		const number = numberStyles[choice.numbers](oddity === 'oneNumberTwice' ? 0 : index);
		return {
			...(hasNumbers && { number }),
			customer: people[(choice.customers === 'default' ? invoices[0] : one).customer],
			currency,
			dueDate: dueDateOf(one, choice),
			discount: one.discount,
			items,
			subtotal,
			total,
			flaw:
				read.find(({ flaw }) => flaw)?.flaw ??
				brokenFraction(items, currency, choice) ??
				(isSmall ? undefined : 'more than ten digits'),
		};
	});
}
