import { currencies } from './cells';
import type { ItemChoice, SheetChoice } from './choices';
import { distinct } from './customers';

/** Replaces the listed values. */
const swap = <T extends string>(value: T, others: Partial<Record<T, T>>): T =>
	others[value] ?? value;

/** Turns choices into those of a plain sheet: recommended headers, readable formats, and the settings that these need. */
export function tidy(choice: SheetChoice): SheetChoice {
	const { style, grouping } = choice;
	const invoices = choice.invoices.map((invoice) => ({
		...invoice,
		customer: invoice.customer % distinct.length,
		items: invoice.items.map((item) => tidyItem(item, choice)),
	}));
	const isNamed = invoices.every(({ currency }) => currencies[currency].isNamed);
	const currency = swap(choice.currency, {
		// An empty cell below a filled one may be merged.
		partlyDefault: 'column',
		columnOfSigns: 'column',
		...(!isNamed && { shown: 'column' }),
	});
	const isShown = currency === 'shown';
	const customers = swap(choice.customers, {
		idAndName: 'email',
		idAndEmail: 'email',
		foreignIdAndName: 'name',
		mixed: 'email',
	});
	// 1 could be 1 % or 100 %, and nobody writes "Net 0".
	const hasOnePercent = invoices.some(({ discount }) => discount === 1);
	const isDueAtOnce = invoices.some(({ terms }) => terms === 0);
	return {
		...choice,
		invoices,
		prices: swap(choice.prices, { lineAndAmountAsUnit: 'both', lineAndAmountAsLine: 'both' }),
		isAmountExplained: true,
		typed: isShown ? 'none' : choice.typed,
		style: {
			...style,
			group: swap(style.group, { narrowSpace: 'space', curlyApostrophe: 'apostrophe' }),
			negative: swap(style.negative, { longMinus: 'minus', trailingMinus: 'brackets' }),
		},
		separator: swap(choice.separator, { unset: 'ifNeeded' }),
		shownCurrency: isShown ? swap(choice.shownCurrency, { none: 'sign' }) : choice.shownCurrency,
		quantities: swap(choice.quantities, { threeDecimals: 'text', withUnit: 'text' }),
		currency,
		termsStyle: isDueAtOnce ? 'net' : swap(choice.termsStyle, { withCashDiscount: 'net' }),
		dates: swap(choice.dates, {
			yearFirstUnpadded: 'iso',
			serialWithTime: 'serial',
			digits: 'iso',
		}),
		dateOrder: swap(choice.dateOrder, { unset: 'ifNeeded' }),
		customers,
		matchCustomersBy: customers.startsWith('name') ? 'idEmailOrName' : choice.matchCustomersBy,
		numbers: swap(choice.numbers, { cases: 'text', zerosAndDigits: 'text' }),
		totals: swap(choice.totals, { beforeDiscount: 'none', perLine: 'none' }),
		money: swap(choice.money, { figures: 'none' }),
		percents: hasOnePercent
			? 'text'
			: swap(choice.percents, { fraction: 'text', decimals: 'text' }),
		hasNotes: false,
		headersOf: 'recommended',
		// There, each row is an invoice.
		isInterleaved: ['number', 'column'].includes(grouping) && choice.isInterleaved,
	};
}

/** Limits quantities and amounts to what the service accepts. */
function tidyItem({ name, amount, quantity }: ItemChoice, { fractions }: SheetChoice): ItemChoice {
	const isBig = Math.abs(amount) * Math.max(quantity, 1000) > 1e15;
	const small = isBig ? Math.trunc(amount / 1e6) : amount;
	const isSent =
		quantity % 1000 === 0 || (fractions !== 'refuse' && (small * quantity) % 1e6 === 0);
	const whole = Math.max(1, Math.round(quantity / 1000)) * 1000;
	return { name, amount: small, quantity: isSent && quantity > 0 ? quantity : whole };
}
