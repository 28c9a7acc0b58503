/**
 * Which headers of a sheet stand for which field, the more telling ones first. The names of the fields themselves and those of the
 * service are added to them. Headers are compared by `plainHeader`.
 */
export const headersByField: Record<string, string[]> = {
	invoiceNumber: [
		'Invoice Number',
		'Invoice #',
		'Invoice No',
		'InvoiceNo',
		'Inv No',
		'Bill No',
		'Document Number',
	],
	customerId: [
		'Customer ID',
		'Customer',
		'Customer Name',
		'Client',
		'Client Name',
		'Contact',
		'Contact Name',
		'Company',
		'Company Name',
		'Business Name',
		'Bill To',
		'Recipient',
		'Name',
	],
	customerEmail: [
		'Customer Email',
		'Client Email',
		'Contact Email',
		'Email',
		'Email Address',
		'EmailRecipient',
		'Recipient Email',
		'Billing Email',
	],
	itemName: [
		'Item Name',
		'Item',
		'Product',
		'Service',
		'Product/Service',
		'Description',
		'Item Description',
		'Line Description',
		'Transaction Line Description',
		'Item Desc',
		'Details',
		'Line Item',
	],
	itemAmount: [
		'Unit Price',
		'Price',
		'Unit Amount',
		'Unit Cost',
		'Rate',
		'Item Rate',
		'Item Price',
		'Price Each',
		'Hourly Rate',
	],
	itemTotal: [
		'Line Total',
		'Item Total',
		'Line Amount',
		'Line Subtotal',
		'Amount Before Tax',
		'Amount Before Sales Tax',
	],
	/** A price for one or for all: other columns or the option Amount Is settle it. */
	amount: ['Amount', 'Item Amount'],
	itemQuantity: ['Quantity', 'Qty', 'Item Quantity', 'Units', 'Hours', 'Count'],
	currency: ['Currency', 'Currency Code', 'Ccy'],
	dueDate: [
		'Due Date',
		'Due',
		'Date Due',
		'Invoice Due Date',
		'Payment Due Date',
		'Payment Due',
		'Pay By',
		'Due By',
		'Due On',
	],
	terms: ['Terms', 'Payment Terms', 'Payment Terms Label', 'Net Days'],
	invoiceDate: ['Invoice Date', 'Issue Date', 'Date Issued', 'Date'],
	title: ['Title', 'Subject', 'Invoice Name', 'Invoice Title', 'Reference'],
	note: ['Note', 'Notes', 'Memo', 'Notes / Memo', 'Message', 'Comment', 'Comments'],
	discountPercentage: [
		'Discount Percentage',
		'Discount Percent',
		'Discount %',
		'Entity Discount Percent',
	],
};

/**
 * Columns that are only compared with what the items come to. `mayBeOfRow`: some sheets have the sum of each row in it;
 * `isSubtotal`: it may leave the discount out.
 */
export const totalHeaders: Record<string, { mayBeOfRow?: boolean; isSubtotal?: boolean }> = {
	Total: { mayBeOfRow: true },
	'Total Amount': { mayBeOfRow: true },
	'Invoice Total': {},
	'Grand Total': {},
	'Amount Due': {},
	Balance: {},
	Subtotal: { mayBeOfRow: true, isSubtotal: true },
};

/** What a note in brackets may say of a price without changing which price it is. */
const harmlessNotes =
	/^(?:net|excl?\.?|excluding|without|before|each|per (?:unit|item|piece|hour)|unit)?\s*(?:of\s+)?(?:tax|taxes|vat|gst|unit|item)?$/i;

/** Notes that say how a column is to be filled, in what unit, or with what else. Any other may change what the column is. */
const freeNote =
	/^(?:optional|required|mandatory|text|number|date|pcs?\.?|pieces?|units?|each|hrs?|hours?|h|days?|decimal|name|line|product\/service|item|if any|[dmy]{1,4}([/.-])[dmy]{1,4}\1[dmy]{1,4}|iso|)$/i;

/** The words of a header in lower case: `Invoice No.` and `invoice#` are `invoice`, `number`; a note such as `(pcs)` is left out. */
export function wordsOf(header: string): string[] {
	const text = header
		.normalize('NFKC')
		.replace(/[([{]([^)\]}]*)[)\]}]/g, (_all, note: string) =>
			freeNote.test(note.trim()) ? ' ' : ` ${note} `,
		)
		.replace(/%/g, ' percent ')
		.replace(/#/g, ' number ')
		.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
		.replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
		.toLowerCase();
	const words = text.match(/\p{L}+|\p{N}+/gu) ?? [];
	const joined = words.join(' ').replace(/\be mail\b/g, 'email');
	return joined
		.split(' ')
		.filter(Boolean)
		.map((word) => (/^(?:no|nr|num)$/.test(word) ? 'number' : word));
}

/** A header without case, spaces, punctuation, and a note in brackets. */
export const plainHeader = (header: string) => wordsOf(header).join('');

const codes = new Set(Intl.supportedValuesOf('currency'));
const currencyWord = /\p{Sc}|\b[A-Z]{3}\b/gu;

/**
 * A header of money without its currency and its note: `Unit Price (EUR)`, `Price €`. `currency` is what it says of the currency.
 * `undefined` where the note may say that it is another amount: `Amount (paid)`.
 */
export function moneyHeader(header: string): { plain: string; currency?: string } | undefined {
	const marks = (header.match(currencyWord) ?? []).filter(
		(word) => word.length < 3 || codes.has(word),
	);
	const rest = marks.reduce((text, mark) => text.replace(mark, ' '), header);
	const notes = [...rest.matchAll(/[([{]([^)\]}]*)[)\]}]/g)].map(([, note]) => note.trim());
	if (marks.length > 1 || notes.some((note) => note && !harmlessNotes.test(note))) return undefined;
	const bare = rest.replace(/[([{][^)\]}]*[)\]}]/g, ' ');
	return { plain: plainHeader(bare), ...(marks[0] && { currency: marks[0] }) };
}
