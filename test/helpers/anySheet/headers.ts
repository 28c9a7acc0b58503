import type { Dice } from './dice';

/** Meaning of a column. */
export type ColumnField =
	| 'invoiceNumber'
	| 'customer'
	| 'customerEmail'
	| 'itemName'
	| 'unitPrice'
	| 'lineTotal'
	| 'amount'
	| 'quantity'
	| 'currency'
	| 'dueDate'
	| 'terms'
	| 'invoiceDate'
	| 'title'
	| 'note'
	| 'discount'
	| 'total';

/** Headers in use. The first `recommended` ones are recommended. */
export const headers: Record<ColumnField, { recommended: number; names: string[] }> = {
	invoiceNumber: {
		recommended: 3,
		names: [
			'Invoice Number', 'Invoice #', 'Invoice No.', 'Invoice No', 'InvoiceNo', 'Inv No', 'Bill No',
			'Document Number',
		],
	},
	customer: {
		recommended: 4,
		names: [
			'Customer ID', 'Customer', 'Client', 'Customer Name', 'Client Name', 'Contact', 'Contact Name',
			'Company', 'Company Name', 'Business Name', 'Bill To', 'Recipient', 'Name',
		],
	},
	customerEmail: {
		recommended: 2,
		names: [
			'Customer Email', 'Email', 'Client Email', 'Contact Email', 'E-mail', 'Email Address',
			'EmailRecipient',
		],
	},
	itemName: {
		recommended: 3,
		names: [
			'Item', 'Item Name', 'Description', 'Product', 'Service', 'Product/Service', 'Item Description',
			'Line Description', 'Item Desc', 'Details', 'Line Item',
		],
	},
	unitPrice: {
		recommended: 3,
		names: [
			'Unit Price', 'Price', 'Rate', 'Unit Amount', 'Unit Cost', 'Item Rate', 'Item Price', 'Price Each',
			'Hourly Rate',
		],
	},
	lineTotal: {
		recommended: 2,
		names: ['Line Total', 'Item Total', 'Line Amount', 'Line Subtotal', 'Amount Before Tax'],
	},
	amount: { recommended: 2, names: ['Amount', 'Item Amount'] },
	quantity: {
		recommended: 2,
		names: ['Quantity', 'Qty', 'Item Quantity', 'Units', 'Hours', 'Count'],
	},
	currency: { recommended: 2, names: ['Currency', 'Currency Code'] },
	dueDate: {
		recommended: 2,
		names: ['Due Date', 'Due', 'Date Due', 'Invoice Due Date', 'Payment Due', 'Pay By'],
	},
	terms: {
		recommended: 2,
		names: ['Terms', 'Payment Terms', 'Payment Terms Label', 'Net Days'],
	},
	invoiceDate: { recommended: 2, names: ['Invoice Date', 'Issue Date', 'Date Issued', 'Date'] },
	title: {
		recommended: 2,
		names: ['Title', 'Subject', 'Invoice Name', 'Invoice Title', 'Reference'],
	},
	note: {
		recommended: 3,
		names: ['Note', 'Notes', 'Memo', 'Notes / Memo', 'Message', 'Comment', 'Comments'],
	},
	discount: {
		recommended: 2,
		names: ['Discount Percentage', 'Discount Percent', 'Discount %', 'Entity Discount Percent'],
	},
	total: {
		recommended: 3,
		names: [
			'Total', 'Invoice Total', 'Grand Total', 'Total Amount', 'Amount Due', 'Balance', 'Subtotal',
			'Sub Total',
		],
	},
}; // prettier-ignore

/** Headers of amounts that the service has no field for, recognized by their words. */
export const moneyHeaders = [
	'Tax', 'VAT', 'GST', 'Tax Amount', 'Sales Tax', 'Sales Tax Amount', 'Item Tax Amount', 'Tax 1 Amount',
	'VAT Amount', 'Tax Rate', 'VAT %', 'Discount', 'Discount Amount', 'Entity Discount Amount', 'Line Discount',
	'Shipping', 'Shipping Charge', 'Shipping Cost', 'Freight', 'Adjustment', 'Round Off', 'Late Fee',
	'LateFee Amount', 'Service Fee', 'Tip', 'Deposit', 'Amount Paid', 'Credit',
	'Credit Amount (Two Column Approach)', 'Total Tax',
]; // prettier-ignore

/** The same kind of amounts in words that the table lacks. They must still not be dropped silently. */
export const otherMoneyHeaders = [
	'Delivery Charge', 'Postage', 'Handling', 'Surcharge', 'HST', 'Rebate', 'Paid', 'Prepayment', 'Retainer',
	'Duty', 'Rounding',
]; // prettier-ignore

/** Columns that do not change the amount to pay. */
export const harmlessHeaders = [
	'Country', 'PO Number', 'Sales Person', 'Project', 'Colour', 'Status', 'Account Code', 'Phone', 'City',
	'Warehouse',
]; // prettier-ignore

/** The same, but with ambiguous words: an error is right as well. */
export const misleadingHeaders = [
	'Tax ID', 'VAT Number', 'Shipping Address', 'Ship Date', 'Discount Code', 'Exchange Rate', 'Unit', 'Cost',
	'List Price', 'Item No', 'SKU', 'Customer No', 'Date Paid', 'Service Date', 'Tax Name', 'Hours Worked', 'Year',
	'Price List',
]; // prettier-ignore

/** Ways to write a header. */
export const headerCases = [
	'asIs', 'lower', 'upper', 'snake', 'pascal', 'camel', 'spaced', 'starred', 'colon', 'dashed', 'noBreakSpaces',
	'wrapped',
] as const; // prettier-ignore
export type HeaderCase = (typeof headerCases)[number];

const capital = (word: string) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;

/** Writes a header as people and programs do. Keeps `#` and `%`, which are words. */
export function writeHeader(name: string, how: HeaderCase): string {
	const words = name.split(/[\s/.-]+/).filter(Boolean);
	switch (how) {
		case 'lower':
			return name.toLowerCase();
		case 'upper':
			return name.toUpperCase();
		case 'snake':
			return words.join('_').toLowerCase();
		case 'pascal':
			return words.map(capital).join('');
		case 'camel':
			return words
				.map((word, index) => (index ? capital(word.toLowerCase()) : word.toLowerCase()))
				.join('');
		case 'spaced':
			return ` ${name.replace(/ /g, '  ')} `;
		case 'starred':
			return `*${name}`;
		case 'colon':
			return `${name}:`;
		case 'noBreakSpaces':
			return name.replace(/ /g, '\u00a0');
		case 'wrapped':
			return name.replace(' ', '\n');
		case 'dashed':
			return words.join('-');
		default:
			return name;
	}
}

/** The form in which headers are compared: without case, spaces, punctuation and notes. `#` and `No` mean number. */
export const normalHeader = (header: string) =>
	header
		.replace(/\([^)]*\)|\[[^\]]*\]/g, '')
		.replace(/#/g, ' number')
		.toLowerCase()
		.replace(/\bno\b\.?/g, 'number')
		.replace(/[^\p{L}\p{N}%]/gu, '')
		.replace(/no$/, 'number');

/** Gives headers that all differ when compared. */
export function headerWriter(
	dice: Dice,
	style: { of: 'recommended' | 'all'; how: 'asIs' | 'any' },
) {
	const taken = new Set<string>();
	const write = (name: string) =>
		writeHeader(name, style.how === 'any' ? dice.pick(headerCases) : 'asIs');
	/** One of the free names, or `undefined` if none is left. */
	function take(names: readonly string[]): string | undefined {
		const free = names.filter((name) => !taken.has(normalHeader(name)));
		if (free.length === 0) return undefined;
		const name = dice.pick(free);
		taken.add(normalHeader(name));
		return write(name);
	}
	return {
		take,
		/** A header for a field. `fewer` filters its names. */
		of(field: ColumnField, fewer: (names: string[]) => string[] = (names) => names): string {
			const { names, recommended } = headers[field];
			const some = style.of === 'all' ? names : names.slice(0, recommended);
			const header = take(fewer(some)) ?? take(names);
			if (header === undefined) throw new Error(`No header is left for ${field}`);
			return header;
		},
	};
}
