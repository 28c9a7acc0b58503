/** Simplify keeps these fields of an invoice (spec 2.3, 2.5), most important first. */
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

/** Simplify keeps these fields of a charge (spec 2.10). `payer` is taken from its `source`. */
export const simpleCharge = [
	'created',
	'total',
	'currency',
	'status',
	'payer',
	'payment_method',
	'items',
	'refund_total',
	'reference_id',
	'id',
] as const;

const wordsIn = (text: string) => text.trim().split(/\s+/);

// All fields, for tools that let the user pick some.
const invoiceAndLinkFields = wordsIn(`
	id title url amount currency status discount service_fee shipping_address_required items tax note
	discount_percentage service_fee_percentage tip tip_percentage due_date custom_fields source
`);
const permissionFields = wordsIn('allow_installment_a allow_installment_b allow_service_fee');

/** Spec 2.3 */
export const createdInvoiceFields = [
	...invoiceAndLinkFields,
	...wordsIn(`
		reference_id created code expiry user invoice_number service_date interval_count starts_at ends_at
		due_days files reminders events customer success_url failure_url payment_capture_source
	`),
];

/** Spec 2.5 */
export const listedInvoiceFields = [
	...invoiceAndLinkFields,
	...permissionFields,
	'taxes',
	'invoice_number',
	'customer',
];

/** Spec 2.7 */
export const linkFields = [
	...invoiceAndLinkFields,
	...permissionFields,
	...wordsIn('reference_id allow_tip taxes payment_expiry_limit expiry_date'),
];

/** Spec 2.10, and `payer`, which the node adds. */
export const chargeFields = wordsIn(`
	id reference_id created items currency discount status tip tax total refund_total note payment_method user
	events settlement_currency fee fx_fee fee_tax net network_cost success_url failure_url service_fee
	discount_percentage service_fee_percentage tip_percentage source custom_fields refunds payment_capture_source payer
`);
