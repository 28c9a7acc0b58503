import type { InvoiceChoice, ItemChoice, SheetChoice } from './choices';
import { people } from './customers';

type Change = (choice: SheetChoice) => SheetChoice;

const set =
	(change: Partial<SheetChoice>): Change =>
	(choice) => ({ ...choice, ...change });

/** Changes the first invoice. */
const first =
	(
		change: (invoice: InvoiceChoice) => Partial<InvoiceChoice>,
		rest: Partial<SheetChoice> = {},
	): Change =>
	(choice) => {
		const [invoice, ...others] = choice.invoices;
		return { ...choice, ...rest, invoices: [{ ...invoice, ...change(invoice) }, ...others] };
	};

/** Changes the first item of the first invoice. */
const firstItem = (change: Partial<ItemChoice>, rest: Partial<SheetChoice> = {}): Change =>
	first(({ items: [item, ...others] }) => ({ items: [{ ...item, ...change }, ...others] }), rest);

/** Gives the first invoice at least two rows. */
const twoRows = ({ items }: InvoiceChoice) => ({
	items: items.length > 1 ? items : [...items, { name: 'Chairs', amount: 25_000, quantity: 1000 }],
});

/** Three rows, none of which is the sum of the others. */
const threeRows = () => ({
	items: [19_990, 5_250, 1_130].map((amount) => ({ name: 'Chairs', amount, quantity: 1000 })),
});

const oneRow: Change = (choice) => ({
	...choice,
	invoices: choice.invoices.slice(0, 1).map((one) => ({ ...one, items: one.items.slice(0, 1) })),
});
const oneRowEach: Change = (choice) => ({
	...choice,
	invoices: choice.invoices.map((one) => ({ ...one, items: one.items.slice(0, 1) })),
});

const customerNamed = (name: string) => people.findIndex((one) => one.name === name);

const columns = {
	currency: 'column',
	due: 'dueDate',
	customers: 'id',
	grouping: 'number',
} as const;
const withoutDiscounts: Change = (choice) => ({
	...choice,
	invoices: choice.invoices.map((invoice) => ({ ...invoice, discount: 0 })),
});
const then =
	(...changes: Change[]): Change =>
	(choice) =>
		changes.reduce((changed, change) => change(changed), choice);

/**
 * Sheets that must end with an error. The change prepares the sheet. The flaw then follows from its choices, or `changeCells`
 * adds it.
 */
export const flaws: Record<string, Change> = {
	// An ignored column could explain the difference.
	wrongTotal: then(
		withoutDiscounts,
		set({ totals: 'everyRow', checkTotals: 'unset', money: 'none' }),
	),
	wrongLineTotal: set({ prices: 'both' }),
	wrongAmountBesidePrice: set({ prices: 'unitAndAmount' }),
	moneyColumn: set({ money: 'figures' }),
	otherMoneyColumn: set({ money: 'figures' }),
	moneyBesideIgnored: set({ money: 'ignored' }),
	totalWithIgnoredTax: then(
		withoutDiscounts,
		set({ money: 'ignored', totals: 'everyRow', checkTotals: 'on' }),
	),
	secondColumnDiffers: set({ ...columns, followUps: 'repeat' }),
	contradictingRows: first(twoRows, { ...columns, followUps: 'repeat' }),
	contradictingSign: set({ currency: 'column', typed: 'none', shownCurrency: 'sign' }),
	ambiguousSign: first(() => ({ currency: 'USD' }), {
		currency: 'shown',
		typed: 'none',
		shownCurrency: 'sign',
	}),
	ambiguousName: first(() => ({ customer: customerNamed('John Smith') }), {
		customers: 'name',
		matchCustomersBy: 'idEmailOrName',
	}),
	ambiguousEmail: first(() => ({ customer: customerNamed('South Office') }), {
		customers: 'email',
	}),
	unlistedName: first(() => ({ customer: customerNamed('Muller GmbH') }), {
		customers: 'name',
		matchCustomersBy: 'idEmailOrName',
	}),
	unlistedEmail: first(() => ({ customer: customerNamed('Acme Limited') }), { customers: 'email' }),
	nameNotAllowed: set({ customers: 'name', matchCustomersBy: 'idOrEmail' }),
	nameOfAnother: set({
		customers: 'nameAndEmail',
		matchCustomersBy: 'idEmailOrName',
		grouping: 'number',
	}),
	amountUnexplained: firstItem(
		{ quantity: 3000 },
		{ prices: 'amountAsUnit', isAmountExplained: false },
	),
	lineAmountUnexplained: firstItem(
		{ quantity: 3000 },
		{ prices: 'amountAsLine', isAmountExplained: false },
	),
	fractionRefused: firstItem({ quantity: 1500 }, { fractions: 'refuse' }),
	fractionInexact: firstItem(
		{ quantity: 1333, amount: 33_330 },
		{ prices: 'unit', fractions: 'intoPrice' },
	),
	lostDigits: set({ numbers: 'text', grouping: 'number' }),
	tooLarge: then(withoutDiscounts, firstItem({ amount: 9_999_999_999_990, quantity: 12_000 })),
	// Without this, a total could be the price.
	missingCell: set({ ...columns, shownCurrency: 'none', totals: 'none' }),
	unreadableCell: set({ ...columns }),
	oneNumberTwice: (choice) => ({
		...choice,
		grouping: 'row',
		isInterleaved: false,
		invoices: [...choice.invoices, ...choice.invoices].slice(0, 4),
	}),
	smallestUnit: set({ prices: 'unit' }),
	lineDiscounts: first((invoice) => ({ ...twoRows(invoice), discount: 10 }), {
		grouping: 'number',
	}),
	discountInSomeRows: first((invoice) => ({ ...twoRows(invoice), discount: 10 }), {
		grouping: 'number',
	}),
	onePercent: (choice) => ({
		...choice,
		percents: 'number',
		invoices: choice.invoices.map((invoice, index) => ({ ...invoice, discount: index ? 0 : 1 })),
	}),
	hundredPercent: (choice) => ({
		...choice,
		percents: 'fraction',
		invoices: choice.invoices.map((invoice, index) => ({ ...invoice, discount: index ? 0 : 100 })),
	}),
	// All on 1 February.
	dayOrMonth: (choice) => ({
		...set({ ...columns, dates: 'slashed', dateOrder: 'unset' })(choice),
		invoices: choice.invoices.map((invoice) => ({ ...invoice, due: 77 })),
	}),
	sameHeaderDiffers: set({ ...columns, followUps: 'repeat' }),
	openFigures: set({ totals: 'none' }),
	nestedFigures: set({ totals: 'none' }),
	figureLikePrice: then(
		firstItem({ quantity: 1000, amount: 12_340 }),
		oneRow,
		set({ prices: 'unit', totals: 'none', currency: 'column' }),
	),
	besideRowTotal: then(withoutDiscounts, oneRowEach, set({ totals: 'none' })),
	moneyBesideTotal: then(withoutDiscounts, set({ totals: 'none' })),
	wholeRowInNote: then(set({ totals: 'none', ...columns, prices: 'unit', hasNotes: false })),
	notBilled: set({ ...columns }),
	measureWithoutLines: set({ prices: 'unit', totals: 'none' }),
	quantityBesideLines: set({ prices: 'both', totals: 'none' }),
	sumRow: then(
		first(threeRows, { ...columns, totals: 'none', followUps: 'repeat' }),
		// A second invoice, so that the row is not the sum of the sheet.
		(choice) => {
			const [one, ...others] = choice.invoices;
			const short = [...others, one].map((own) => ({ ...own, items: own.items.slice(0, 1) }));
			return { ...choice, isInterleaved: false, invoices: [one, ...short.slice(0, 3)] };
		},
	),
	otherCurrencyInHeader: set({ prices: 'unit', currency: 'column', shownCurrency: 'none' }),
};

/** Unusual sheets. An error is fine, but a wrong invoice is not. */
export const curiosities: Record<string, Change> = {
	wrongTotalUnchecked: then(withoutDiscounts, set({ totals: 'everyRow', checkTotals: 'off' })),
	secondColumn: set({ ...columns }),
	ambiguousNameWithEmail: first(() => ({ customer: customerNamed('John Smith') }), {
		customers: 'nameAndEmail',
		matchCustomersBy: 'idEmailOrName',
	}),
	fractionPercent: first(() => ({ discount: 10 }), { percents: 'fraction' }),
	thousandOrThousandth: (choice) => ({
		...choice,
		invoices: choice.invoices.map((invoice) => ({
			...invoice,
			items: invoice.items.map((item) => ({
				...item,
				quantity: 1000,
				amount: (1000 + (Math.abs(item.amount) % 8999)) * (choice.isNoisy ? 1000 : 1),
			})),
		})),
		style: {
			...choice.style,
			decimals: choice.isNoisy ? 0 : 3,
			group: choice.isNoisy ? 'other' : 'none',
		},
		...({ typed: 'none', separator: 'unset', shownCurrency: 'none' } as const),
		...({ currency: 'column', quantities: 'typed', totals: 'none', money: 'none' } as const),
	}),
	besideInvoiceTotal: then(withoutDiscounts, set({ totals: 'none' })),
	waivedFigures: set({ ...columns }),
	partlyDefault: set({ currency: 'partlyDefault' }),
	unsetSeparator: set({ typed: 'none', separator: 'unset' }),
	unsetOrder: set({ dateOrder: 'unset' }),
	totalRow: set({}),
	totalRowAmongDefaults: set({
		grouping: 'none',
		customers: 'default',
		currency: 'default',
		due: 'dueInDays',
		matchCustomersBy: 'idEmailOrName',
	}),
	numberOnlyInFirstRow: first(twoRows, { ...columns, isInterleaved: false, followUps: 'blank' }),
	totalPerLine: set({ totals: 'perLine' }),
	subtotalBeforeDiscount: first(() => ({ discount: 10 }), { totals: 'beforeDiscount' }),
	itemAndDescription: set({}),
	idAndName: set({ customers: 'idAndName' }),
	idAndEmail: set({ customers: 'idAndEmail' }),
	foreignIdAndName: set({ customers: 'foreignIdAndName', matchCustomersBy: 'idEmailOrName' }),
	mixedCustomers: set({ customers: 'mixed', matchCustomersBy: 'idEmailOrName' }),
	caseOfNumbers: set({ numbers: 'cases' }),
	zerosAndDigits: set({ numbers: 'zerosAndDigits' }),
	lineNotDivisible: firstItem({ amount: 100_000, quantity: 3000 }, { prices: 'line' }),
	misleadingColumn: set({}),
	columnOfSigns: set({ currency: 'columnOfSigns' }),
	quantityWithUnit: set({ quantities: 'withUnit' }),
	quantityWithThreeDecimals: set({ quantities: 'threeDecimals', separator: 'unset' }),
	cashDiscountTerms: set({ due: 'terms', termsStyle: 'withCashDiscount' }),
	lineAndAmount: set({ prices: 'lineAndAmountAsUnit' }),
	notes: set({ hasNotes: true }),
	otherHeaders: set({ headersOf: 'all' }),
	sameHeader: set({ ...columns }),
	currencyInHeader: set({ prices: 'unit', currency: 'column', shownCurrency: 'none' }),
	byteOrderMark: set({}),
	measureBesideLines: set({ prices: 'both' }),
	unnamedQuantity: set({ prices: 'both' }),
};

export const oddities = { ...flaws, ...curiosities };
