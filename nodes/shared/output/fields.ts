/**
 * The fields of the service's responses, written once: a sample of each kind. The keys of the samples are the fields that users
 * choose from; Fetch Test Event shows the samples if nothing has happened yet.
 */

const person = {
	id: '0b7d2f64-5a1c-4c38-9e4f-7a2b1c3d4e5f',
	first_name: 'Ada',
	last_name: 'Sample',
};

/** Spec 2.10 */
export const sampleCharge = {
	id: '11111111-1111-4111-8111-111111111111',
	reference_id: 1,
	created: '2026-01-31T09:00:00Z',
	items: [
		{
			amount: '120.00',
			name: 'Sample item',
			total_amount: '120.00',
			quantity: 1,
			product: '22222222-2222-4222-8222-222222222222',
			sku: 'SAMPLE-1',
		},
	],
	currency: 'EUR',
	discount: '0.00',
	status: 'authorised',
	tip: '0.00',
	tax: '0.00',
	total: '120.00',
	refund_total: '0.00',
	note: 'This is a sample, not a payment',
	payment_method: 'card',
	user: person,
	events: {
		created: '2026-01-31T09:00:00Z',
		type: 'authorised',
		message: 'Payment authorised',
		user: person,
	},
	settlement_currency: 'EUR',
	fee: 2.4,
	fx_fee: 0,
	fee_tax: '0.00',
	net: 117.6,
	network_cost: '0.00',
	success_url: 'https://example.com/thanks',
	failure_url: 'https://example.com/failed',
	service_fee: '0.00',
	discount_percentage: '0.00',
	service_fee_percentage: '0.00',
	tip_percentage: '0.00',
	source: { type: 'card', scheme: 'visa', last4: '0000', card_holder_name: 'Ada Sample' },
	custom_fields: [],
	refunds: [],
	payment_capture_source: '',
};

/** An invoice of the list (spec 2.5). */
export const sampleInvoice = {
	id: '33333333-3333-4333-8333-333333333333',
	title: 'Sample invoice',
	url: 'https://example.com/sample-invoice',
	amount: '120.00',
	currency: 'EUR',
	status: 'unpaid',
	discount: '0.00',
	service_fee: '0.00',
	shipping_address_required: false,
	items: [
		{
			id: '44444444-4444-4444-8444-444444444444',
			amount: '60.00',
			total_amount: '120.00',
			name: 'Sample item',
			quantity: 2,
			sku: '',
		},
	],
	tax: '0.00',
	note: 'This is a sample, not an invoice',
	taxes: [],
	discount_percentage: 0,
	service_fee_percentage: '0.00',
	tip: '0.00',
	tip_percentage: 0,
	invoice_number: 'SAMPLE-1',
	due_date: '2026-02-28T00:00:00Z',
	custom_fields: [],
	source: 'web',
	customer: {
		id: '55555555-5555-4555-8555-555555555555',
		name: 'Sample Ltd',
		email: 'sample@example.com',
	},
	allow_installment_a: true,
	allow_installment_b: true,
	allow_service_fee: true,
};

/** Spec 2.11 */
export const sampleMember = {
	id: '66666666-6666-4666-8666-666666666666',
	role: 'staff',
	job_title: 'Sample',
	user: person,
	status: 'invited',
	volume: '0.000',
	volume_currency: 'EUR',
};

/** With `payer`, which the node adds. */
export const chargeFields = [...Object.keys(sampleCharge), 'payer'];

export const listedInvoiceFields = Object.keys(sampleInvoice);

const listedExcept = (...names: string[]) =>
	listedInvoiceFields.filter((name) => !names.includes(name));
const permissions = ['allow_installment_a', 'allow_installment_b', 'allow_service_fee'];

/** Spec 2.7 */
export const linkFields = [
	...['id', 'reference_id', 'title', 'url', 'amount', 'currency', 'status', 'discount'],
	...['service_fee', 'allow_tip', 'shipping_address_required', 'items', 'tax', 'note', 'taxes'],
	...['discount_percentage', 'service_fee_percentage', 'tip', 'tip_percentage', 'due_date'],
	...['custom_fields', 'source', ...permissions, 'payment_expiry_limit', 'expiry_date'],
];

/** Spec 2.3 */
export const createdInvoiceFields = [
	...listedExcept('taxes', ...permissions),
	...['reference_id', 'created', 'code', 'expiry', 'user', 'service_date', 'interval_count'],
	...['starts_at', 'ends_at', 'due_days', 'files', 'reminders', 'events'],
	...['success_url', 'failure_url', 'payment_capture_source'],
];

/** Simplify keeps these fields of an invoice, most important first. Its `customer` is text. */
export const simpleInvoice = [
	'invoice_number',
	'title',
	'status',
	'amount',
	'currency',
	'due_date',
	'customer',
	'customer_email',
	'url',
	'id',
] as const;

/** Simplify keeps these fields of a charge. `payer` is taken from its `source`, and `items` is text. */
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

/** Simplify keeps these fields of a payment link (spec 2.7). */
export const simpleLink = [
	'title',
	'status',
	'amount',
	'currency',
	'url',
	'due_date',
	'expiry_date',
	'items',
	'reference_id',
	'id',
] as const;
