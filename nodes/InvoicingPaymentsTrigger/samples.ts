import type { TriggerEvent } from './events';
import { lists } from './events';

type Sample = Record<string, unknown>;

const person = {
	id: '0b7d2f64-5a1c-4c38-9e4f-7a2b1c3d4e5f',
	first_name: 'Ada',
	last_name: 'Sample',
};

/** Spec 2.10 */
const sampleCharge: Sample = {
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
	refunds: [],
	custom_fields: [],
	source: { type: 'card', scheme: 'visa', last4: '0000', card_holder_name: 'Ada Sample' },
};

/** Spec 2.5 */
const sampleInvoice: Sample = {
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
const sampleMember: Sample = {
	id: '66666666-6666-4666-8666-666666666666',
	role: 'staff',
	job_title: 'Sample',
	user: person,
	status: 'invited',
	volume: '0.000',
	volume_currency: 'EUR',
};

const samples = new Map<TriggerEvent['list'], Sample>([
	[lists.charges, sampleCharge],
	[lists.invoices, sampleInvoice],
	[lists.members, sampleMember],
]);

/** Lets users build a workflow before anything has happened. */
export function sampleOf({ list }: TriggerEvent, status: string | undefined): Sample {
	return { ...samples.get(list), ...(status !== undefined && { status }) };
}
