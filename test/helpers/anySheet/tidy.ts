import { currencies } from './cells';
import type { ItemChoice, SheetChoice } from './choices';
import { distinct } from './customers';

/** Another value for those that are named. */
const swap = <T extends string>(value: T, others: Partial<Record<T, T>>): T =>
	others[value] ?? value;

/** The choices of a sheet that the node has to bill: recommended headers, readable writing, and the settings that it needs. */
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
	// A 1 alone could be 1 % or 100 %, and "Net 0" nobody writes.
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
		// One row is one invoice there.
		isInterleaved: ['number', 'column'].includes(grouping) && choice.isInterleaved,
	};
}

/** Quantities that can be sent, and amounts whose total has room in ten digits. */
function tidyItem({ name, amount, quantity }: ItemChoice, { fractions }: SheetChoice): ItemChoice {
	const isBig = Math.abs(amount) * Math.max(quantity, 1000) > 1e15;
	const small = isBig ? Math.trunc(amount / 1e6) : amount;
	const isSent =
		quantity % 1000 === 0 || (fractions !== 'refuse' && (small * quantity) % 1e6 === 0);
	const whole = Math.max(1, Math.round(quantity / 1000)) * 1000;
	return { name, amount: small, quantity: isSent && quantity > 0 ? quantity : whole };
}
