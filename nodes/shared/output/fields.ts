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

/** All fields of each kind of result, for tools of which a person picks those that the model gets. */
const wordsIn = (text: string) => text.trim().split(/\s+/);

/** Fields of invoices and payment links alike (spec 2.3, 2.5, 2.7). */
const common = wordsIn(`
	id title url amount currency status discount service_fee shipping_address_required items tax note
	discount_percentage service_fee_percentage tip tip_percentage due_date custom_fields source
`);
const allowed = wordsIn('allow_installment_a allow_installment_b allow_service_fee');

/** spec 2.3 */
export const createdInvoiceFields = [
	...common,
	...wordsIn(`
		reference_id created code expiry user invoice_number service_date interval_count starts_at ends_at
		due_days files reminders events customer success_url failure_url payment_capture_source
	`),
];

/** spec 2.5 */
export const listedInvoiceFields = [...common, ...allowed, 'taxes', 'invoice_number', 'customer'];

/** spec 2.7 */
export const linkFields = [
	...common,
	...allowed,
	...wordsIn('reference_id allow_tip taxes payment_expiry_limit expiry_date'),
];

/** spec 2.10, and the payer that the node finds in the source. */
export const chargeFields = wordsIn(`
	id reference_id created items currency discount status tip tax total refund_total note payment_method user
	events settlement_currency fee fx_fee fee_tax net network_cost success_url failure_url service_fee
	discount_percentage service_fee_percentage tip_percentage source custom_fields refunds payment_capture_source payer
`);
