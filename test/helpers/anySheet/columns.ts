import {
	addDays,
	currencies,
	dateCell,
	isUnambiguous,
	showSeparator,
	needsOrder,
	numberText,
	percentCell,
} from './cells';
import type { SheetChoice } from './choices';
import type { Person } from './customers';
import { customerList, emailSharers, namesakes, writeEmail, writeName } from './customers';
import type { Cell, Draft, Line } from './draft';
import { harmlessHeaders, misleadingHeaders, moneyHeaders, otherMoneyHeaders } from './headers';
import { figureColumns } from './figures';
import type { KnownInvoice } from './known';

/** An invoice number as a cell: as a number if possible, with extra spaces, or in another Unicode form. */
function numberCell(number: string, { dice }: Draft): Cell {
	if (/^[1-9]\d*$/.test(number) && dice.chance(50)) return Number(number);
	const text = dice.chance(30) ? number.normalize('NFD') : number;
	return dice.pick([text, text, `${text} `, ` ${text}`]);
}

/** Columns that group rows into invoices. */
function writeGroups(draft: Draft): void {
	const { choice, expected, headers, dice } = draft;
	const { oddity, grouping } = choice;
	if (expected[0].number !== undefined) {
		const isLost = oddity === 'lostDigits';
		if (isLost) draft.flaw(expected[0], 'an invoice number of which digits are lost');
		if (oddity === 'oneNumberTwice') {
			// With Continue, the node may bill the first of them.
			expected.slice(1).forEach((one) => draft.flaw(one, 'a number that another invoice has'));
		}
		draft.add('invoiceNumber', headers.of('invoiceNumber'), ({ invoice, isLead }) => {
			if (isLost && invoice === expected[0]) return '1.23457E+11';
			if (oddity === 'numberOnlyInFirstRow' && !isLead) return undefined;
			return numberCell(invoice.number ?? '', draft);
		});
	} else if (grouping === 'column') {
		const isTyped = dice.chance(50);
		draft.add('group', headers.take(['Order', 'Job', 'Batch']) ?? 'Order', ({ invoiceIndex }) =>
			isTyped ? invoiceIndex + 1 : `J${invoiceIndex + 1}`,
		);
	}
}

/** Customer columns, and the settings to find customers. */
function writeCustomers(draft: Draft): void {
	const { choice, expected, headers, dice, options } = draft;
	const isNameAllowed = choice.matchCustomersBy !== 'idOrEmail';
	const checkName = (invoice: KnownInvoice) => {
		const { length } = namesakes(invoice.customer);
		if (!isNameAllowed) draft.flaw(invoice, 'a name, which is not allowed');
		if (length !== 1) draft.flaw(invoice, length ? 'a name of two customers' : 'an unknown name');
	};
	const checkEmail = (invoice: KnownInvoice) => {
		const { length } = emailSharers(invoice.customer);
		if (length !== 1)
			draft.flaw(invoice, length ? 'an e-mail of two customers' : 'an unknown e-mail');
	};
	const anyCaseId = ({ id }: Person) => dice.pick([id, id, ` ${id}`, id.toUpperCase()]);
	const add = (from: number, to: number, cell: (one: Person, line: Line) => Cell) =>
		draft.add(
			'customer',
			headers.of('customer', (names) => names.slice(from, to)),
			(line) => cell(line.invoice.customer, line),
			true,
		);
	// Customer ID is the first header.
	const addIds = () => add(0, 1, anyCaseId);
	const addNames = () => add(1, Infinity, (one) => writeName(one, dice));
	const addEmails = () =>
		draft.add(
			'customerEmail',
			headers.of('customerEmail'),
			({ invoice }) => writeEmail(invoice.customer, dice),
			true,
		);
	const write: Record<SheetChoice['customers'], () => void> = {
		id: () => add(0, 3, anyCaseId),
		default: () => (draft.defaults.customerId = expected[0].customer.id),
		email: () => {
			addEmails();
			expected.forEach(checkEmail);
		},
		name: () => {
			addNames();
			expected.forEach(checkName);
		},
		nameAndEmail: () => {
			addNames();
			addEmails();
			for (const invoice of expected) {
				const names = namesakes(invoice.customer);
				const both = emailSharers(invoice.customer).filter((one) => names.includes(one));
				if (!isNameAllowed || both.length !== 1) checkEmail(invoice);
			}
		},
		idAndName: () => {
			addIds();
			addNames();
		},
		idAndEmail: () => {
			addIds();
			addEmails();
		},
		foreignIdAndName: () => {
			add(0, 1, ({ id }) => `10023400000${id.slice(-4)}`);
			addNames();
			expected.forEach(checkName);
		},
		mixed: () => {
			const kinds = expected.map((invoice) => {
				const kind = dice.pick(['id', 'email', 'name'] as const);
				if (kind === 'email') checkEmail(invoice);
				if (kind === 'name') checkName(invoice);
				return kind;
			});
			const cells = { id: anyCaseId, email: writeEmail, name: writeName };
			add(1, 3, (one, { invoiceIndex }) => cells[kinds[invoiceIndex]](one, dice));
		},
	};
	write[choice.customers]();
	if (choice.customers === 'id' || choice.customers === 'default') return;
	options.customerList = customerList(choice.list, dice) as (typeof options)[string];
}

function writeItems(draft: Draft): void {
	const { choice, headers, lines } = draft;
	draft.add('itemName', headers.of('itemName'), ({ item }) => item.names[0]);
	if (choice.oddity !== 'itemAndDescription') return;
	lines.forEach(({ item }, index) => item.names.push(`As agreed, part ${index + 1}`));
	draft.add('itemName', headers.of('itemName'), ({ item }) => item.names[1]);
}

function writePrices(draft: Draft): void {
	const { choice, headers, options, lines, dice } = draft;
	const { prices } = choice;
	const unit = (line: Line) => draft.price(line.item.unit ?? 0n, 3, line);
	const whole = (line: Line) => draft.price(line.item.line, 6, line);
	if (['unit', 'both', 'unitAndAmount'].includes(prices)) {
		draft.add('unitPrice', headers.of('unitPrice'), unit);
	}
	if (prices === 'line' || prices === 'both' || prices.startsWith('lineAnd')) {
		draft.add('lineTotal', headers.of('lineTotal'), whole);
	}
	if (!/amount/i.test(prices)) return;
	const isUnit = prices.endsWith('AsUnit');
	draft.add('amount', headers.of('amount'), isUnit ? unit : whole);
	const isClear = prices === 'unitAndAmount';
	if (choice.isAmountExplained && (!isClear || dice.chance(30))) {
		options.amountIs = isUnit ? 'unitPrice' : 'lineTotal';
	}
	const isEqual = lines.every(({ item }) => item.quantity === 1000n);
	if (!choice.isAmountExplained && prices.startsWith('amount') && !isEqual) {
		draft.flawAll('an amount that is a price or a line total');
	}
}

function writeQuantities(draft: Draft): void {
	const { choice, headers, options, lines, dice } = draft;
	const { quantities, fractions, style } = choice;
	if (fractions !== 'unset') options.fractionalQuantities = fractions;
	const isOne = lines.every(({ item }) => item.quantity === 1000n);
	if (isOne && quantities !== 'threeDecimals' && dice.chance(50)) return;
	const write = (quantity: bigint): string => {
		const decimals = quantities === 'threeDecimals' ? 3 : 0;
		const text = numberText(quantity, 3, { ...style, decimals });
		if (quantities !== 'decimals' || quantity % 1000n) return text;
		return `${text}${style.decimalSeparator === 'point' ? '.' : ','}0`;
	};
	draft.add('quantity', headers.of('quantity'), ({ item: { quantity } }) => {
		if (quantity === 1000n && dice.chance(15)) return undefined;
		if (quantities === 'typed') return draft.typed(quantity, 3);
		const text = write(quantity);
		draft.texts.push(text);
		return quantities === 'withUnit' ? `${text} ${dice.pick(['pcs', 'h', 'hours'])}` : text;
	});
}

function writeCurrency(draft: Draft): void {
	const { choice, expected, headers, defaults, dice } = draft;
	const [{ currency: usual }] = expected;
	const { currency: source, shownCurrency, typed } = choice;
	if (source === 'default' || source === 'partlyDefault') defaults.currency = usual;
	if (source === 'default') return;
	if (source === 'shown') {
		for (const invoice of expected) {
			const isNamed = shownCurrency === 'code' || currencies[invoice.currency].isNamed;
			if (shownCurrency === 'none' || typed === 'all') draft.flaw(invoice, 'no currency');
			if (!isNamed) draft.flaw(invoice, 'a sign of several currencies');
		}
		return;
	}
	const cell = ({ invoice: { currency } }: Line) => {
		if (source === 'partlyDefault' && currency === usual) return undefined;
		if (source === 'columnOfSigns') return currencies[currency].sign;
		return dice.pick([currency, currency, currency.toLowerCase(), ` ${currency}`]);
	};
	draft.add('currency', headers.of('currency'), cell, true);
}

function termsCell(days: number, style: SheetChoice['termsStyle']): Cell {
	if (style === 'number') return days;
	if (style === 'numberText') return String(days);
	if (days === 0) return 'Due on receipt';
	if (style === 'days') return `${days} days`;
	if (style === 'withCashDiscount') return `2/10 net ${days}`;
	return `${style === 'net' ? 'Net' : 'net'} ${days}`;
}

/** Due dates and the date format. */
function writeDue(draft: Draft): void {
	const { choice, headers, options } = draft;
	const { due, dates, order, dateOrder } = choice;
	const day = (date: string) => dateCell(date, dates, order);
	if (due === 'dueDate' || due === 'dueDateAndTerms') {
		draft.add('dueDate', headers.of('dueDate'), ({ invoice }) => day(invoice.dueDate), true);
	}
	if (due === 'terms' || due === 'termsFromToday' || due === 'dueDateAndTerms') {
		const terms = (line: Line) => termsCell(line.choice.terms, choice.termsStyle);
		draft.add('terms', headers.of('terms'), terms, true);
	}
	if (due === 'terms' || due === 'dueDateAndTerms') {
		const issued = (line: Line) => day(addDays(line.invoice.dueDate, -line.choice.terms));
		draft.add('invoiceDate', headers.of('invoiceDate'), issued, true);
	}
	if (due === 'dueInDays') draft.defaults.dueInDays = choice.invoices[0].terms;
	const isNeeded = draft.columns
		.filter(({ field }) => field === 'dueDate' || field === 'invoiceDate')
		.some(({ cells }) => needsOrder(cells, dates, order));
	// Nobody writes months first with dots.
	const isStrange = dates === 'dotted' && order === 'monthDay';
	if (dateOrder === 'set' || (dateOrder === 'ifNeeded' && isNeeded) || isStrange) {
		options.dateOrder = order;
	}
	if (choice.oddity === 'dayOrMonth' && isNeeded)
		draft.flaw(draft.expected[0], 'a day that may be a month');
}

function writeDiscounts(draft: Draft): void {
	const { choice, expected, headers, dice } = draft;
	const { oddity, percents, style } = choice;
	if (expected.every(({ discount }) => discount === 0)) return;
	const isUneven = oddity === 'lineDiscounts' || oddity === 'discountInSomeRows';
	if (isUneven) draft.flaw(expected[0], 'a discount that not all rows have');
	if (oddity === 'onePercent' || oddity === 'hundredPercent') {
		draft.flaw(expected[0], 'a 1 that is 1 % or 100 %');
	}
	draft.add('discount', headers.of('discount'), ({ invoice, isLead }) => {
		if (invoice.discount === 0) return dice.pick([undefined, 0]);
		const isOther = isUneven && invoice === expected[0] && !isLead;
		if (!isOther) return percentCell(invoice.discount, percents, style);
		return oddity === 'lineDiscounts' ? percentCell(5, percents, style) : undefined;
	});
}

function writeTotals(draft: Draft): void {
	const { choice, headers, options, dice, lines } = draft;
	const { totals, checkTotals, oddity, kind } = choice;
	if (checkTotals !== 'unset') options.checkTotals = checkTotals === 'on';
	if (totals === 'none') return;
	const isTaxed = oddity === 'totalWithIgnoredTax';
	if (isTaxed) draft.flawAll('a total with the tax that is ignored');
	const figure = (line: Line): Cell => {
		const { invoice, item } = line;
		if (totals === 'firstRows' && !line.isLead) return undefined;
		if (totals === 'perLine') return draft.price(item.line, 6, line);
		if (totals === 'beforeDiscount') return draft.price(invoice.subtotal, 6, line);
		const total = invoice.total + (isTaxed ? 1_937_000_000n : 0n);
		if (total % 100_000n === 0n) return draft.price(total, 8, line);
		// People show two decimals of it.
		const cents = (total / 1_000_000n) * 1_000_000n;
		return kind === 'wild' ? draft.price(cents, 8, line) : undefined;
	};
	const isSub = (name: string) => /^sub/i.test(name);
	const header = headers.of('total', (names) =>
		totals === 'beforeDiscount' ? ['Subtotal', 'Sub Total'] : names.filter((name) => !isSub(name)),
	);
	const column = draft.add('total', header, figure);
	if (!oddity.startsWith('wrongTotal')) return;
	const row = dice.int(0, lines.length - 1);
	const off = dice.pick([1_000_000n, -1_000_000n, 1_900_000_000n]);
	column.cells[row] = draft.price(lines[row].invoice.total + off, 8, lines[row]);
	if (checkTotals !== 'off') draft.flaw(lines[row].invoice, 'a total that does not agree');
}

/** Amounts that the service has no field for. */
function writeMoney(draft: Draft): void {
	const { choice, headers, options, lines, dice } = draft;
	const { money: kind, oddity, style } = choice;
	const ignored: string[] = [];
	const zeros: Cell[] = [undefined, 0, '0', '', numberText(0n, 2, { ...style, decimals: 2 })];
	const add = (hasFigures: boolean, isIgnored: boolean) => {
		const names = oddity === 'otherMoneyColumn' ? otherMoneyHeaders : moneyHeaders;
		const header = headers.take(names);
		if (header === undefined) return;
		const certain = dice.int(0, lines.length - 1);
		const isPercent = /%|rate/i.test(header);
		const column = draft.add('money', header, (line) => {
			if (!hasFigures) return dice.pick(zeros);
			if (lines[certain] !== line && dice.chance(40)) return dice.pick([undefined, 0]);
			if (!isIgnored) draft.flaw(line.invoice, `money without a field in "${header}"`);
			if (isPercent) return dice.pick<Cell>(['19%', 19, 0.19]);
			if (dice.chance(15)) return dice.pick(['10%', '19,-', '19.00*', '5 (reduced)', '~12']);
			const figures = [1_900n, 12_340n, 500n, -2_500n, 100_000n];
			return draft.price(dice.pick(figures), 3, line);
		});
		if (isIgnored) ignored.push(column.header);
	};
	if (kind === 'zero' || kind === 'ignoredAndZero') add(false, false);
	if (kind === 'ignored' || kind === 'ignoredAndZero') add(true, true);
	if (kind === 'figures' || oddity === 'moneyBesideIgnored') add(true, false);
	if (ignored.length) options.ignoreColumns = ignored;
}

/** Columns that do not matter. */
function writeExtras(draft: Draft): void {
	const { choice, headers, dice } = draft;
	const isMisleading = choice.oddity === 'misleadingColumn';
	const isAny = isMisleading || (choice.kind === 'wild' && dice.chance(20));
	const harmless: Cell[] = ['red', 'North', 'PO-17', 'A-7', undefined, 'Room 12', '12 High Street'];
	const cells = isAny ? [...harmless, 2026, '12.5 kg', '3'] : harmless;
	for (let count = choice.extraColumns + (isMisleading ? 1 : 0); count > 0; count--) {
		const header = headers.take(isAny ? misleadingHeaders : harmlessHeaders);
		if (header !== undefined) draft.add('extra', header, () => dice.pick(cells));
	}
	const title = ({ invoiceIndex }: Line) => `Invoice for job ${invoiceIndex}`;
	if (dice.chance(20)) draft.add('title', headers.of('title'), title, true);
	if (dice.chance(15)) draft.add('note', headers.of('note'), () => 'Thank you', true);
}

/** Columns whose numbers show the decimal separator. */
const figureFields: string[] = ['unitPrice', 'lineTotal', 'amount', 'quantity', 'total'];

/** Writes all columns, and the settings that they need. */
export function writeColumns(draft: Draft): void {
	const writers = [
		...[writeGroups, writeCustomers, writeItems, writePrices, writeQuantities, writeCurrency],
		...[writeDue, writeDiscounts, writeTotals, writeMoney, writeExtras],
		...(figureColumns[draft.choice.oddity] ? [figureColumns[draft.choice.oddity]] : []),
	];
	writers.forEach((write) => write(draft));
	const { separator, style } = draft.choice;
	const figures = draft.columns
		.filter(({ field }) => figureFields.includes(field))
		.flatMap(({ cells }) => cells.filter((cell) => typeof cell === 'string'));
	const isNeeded =
		!draft.texts.every((text) => isUnambiguous(text)) && !showSeparator(figures, style);
	if (separator === 'set' || (separator === 'ifNeeded' && isNeeded)) {
		draft.options.decimalSeparator = style.decimalSeparator;
	}
}
