/** The fields that Simplify keeps of an invoice (spec 2.3, 2.5), most important first. */
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
