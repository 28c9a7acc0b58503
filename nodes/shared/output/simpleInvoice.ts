/** What a person wants of an invoice (spec 2.3, 2.5), what is read most first: so it comes out. */
export const simpleInvoice = [
	'invoice_number',
	'title',
	'status',
	'amount',
	'currency',
	'due_date',
	'customer',
	'url',
	'id',
] as const;
