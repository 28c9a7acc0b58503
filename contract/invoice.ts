import { z } from 'zod/v4';
import {
	date,
	dateTime,
	invoiceItem,
	moneyDecimal,
	pageOf,
	percentageDecimal,
	requestedCustomField,
	source,
	taxLine,
	unknownObject,
	uri,
	userSummary,
	uuid,
} from './primitives';

/** spec 2.3, 3 */
export const invoiceStatus = z.enum(['paid', 'unpaid', 'overdue', 'cancelled', 'scheduled']);

/** spec 2.6 */
export const file = z.object({
	id: uuid,
	title: z.string(),
	content_type: z.string(),
	file: z.string(),
});

/** spec 2.6 */
export const reminder = z.object({
	id: uuid,
	days: z.int(),
	title: z.string(),
	invoice: z.int(),
	run_at: dateTime,
});

/** spec 2.6, 6: `created` is only an example of a type. */
export const invoiceEvent = z.object({
	created: dateTime,
	type: z.string(),
	message: z.string(),
	user: userSummary,
});

/** The response to an invoice creation (spec 2.3). */
export const invoice = z.object({
	id: uuid,
	reference_id: z.string(),
	created: dateTime,
	title: z.string(),
	code: z.string(),
	url: uri,
	amount: moneyDecimal,
	currency: z.string(),
	status: invoiceStatus,
	discount: moneyDecimal,
	tax: moneyDecimal,
	shipping_address_required: z.boolean(),
	items: z.array(invoiceItem),
	note: z.string(),
	expiry: dateTime,
	user: userSummary,
	tip: moneyDecimal,
	invoice_number: z.string(),
	service_date: dateTime,
	due_date: dateTime,
	interval_count: z.int(),
	starts_at: dateTime,
	ends_at: dateTime,
	due_days: z.int(),
	source,
	files: z.array(file),
	reminders: z.array(reminder),
	events: z.array(invoiceEvent),
	customer: unknownObject,
	service_fee: moneyDecimal.nullable().optional(),
	discount_percentage: percentageDecimal.nullable().optional(),
	service_fee_percentage: percentageDecimal.nullable().optional(),
	tip_percentage: percentageDecimal.nullable().optional(),
	custom_fields: z.array(unknownObject).optional(),
	success_url: uri.optional(),
	failure_url: uri.optional(),
	payment_capture_source: z.string().optional(),
});

/**
 * An element of the invoice list (spec 2.5). The spec does not say which fields are always there, so all are optional.
 * `discount_percentage` and `tip_percentage` are integers here, unlike in {@link invoice}.
 */
export const invoiceListItem = z
	.object({
		id: uuid,
		title: z.string(),
		url: z.string(),
		amount: moneyDecimal,
		currency: z.string(),
		status: invoiceStatus,
		discount: moneyDecimal,
		service_fee: moneyDecimal,
		shipping_address_required: z.boolean(),
		items: z.array(invoiceItem),
		tax: moneyDecimal,
		note: z.string(),
		taxes: z.array(taxLine),
		discount_percentage: z.int(),
		service_fee_percentage: percentageDecimal,
		tip: moneyDecimal,
		tip_percentage: z.int(),
		invoice_number: z.string(),
		due_date: dateTime,
		custom_fields: z.array(requestedCustomField),
		source,
		customer: unknownObject,
		allow_installment_a: z.boolean(),
		allow_installment_b: z.boolean(),
		allow_service_fee: z.boolean(),
	})
	.partial();

/** An item of a creation request (spec 2.4). The spec does not say which fields are required. */
export const invoiceItemRequest = z
	.object({ name: z.string(), amount: z.string(), quantity: z.int() })
	.partial();

/** The body of POST /v1/invoices (spec 4.1, 8). */
export const invoiceRequest = z.object({
	currency: z.string().max(3),
	items: z.array(invoiceItemRequest),
	customer: uuid,
	due_date: date,
	discount_percentage: z.int().min(0).max(100).default(0),
	invoice_number: z.string().max(30).optional(),
	title: z.string().max(50).optional(),
	note: z.string().max(280).nullable().optional(),
	shipping_address_required: z.boolean().default(false),
	starts_at: date.optional(),
	custom_fields: z
		.array(z.object({ name: z.string() }))
		.max(5)
		.nullable()
		.optional(),
	allow_installment_a: z.boolean().default(true),
	allow_installment_b: z.boolean().default(true),
	allow_service_fee: z.boolean().default(true),
	success_url: uri.optional(),
	failure_url: uri.optional(),
});

/** The query of GET /v1/invoices (spec 4.2). */
export const invoiceListQuery = z
	.object({
		allow_tip: z.boolean(),
		currency: z.string(),
		customer_id: uuid,
		id: z.string(),
		invoice_number: z.string(),
		page: z.int(),
		page_size: z.int(),
		reference_id: z.string(),
		shipping_address_required: z.boolean(),
		status: invoiceStatus,
	})
	.partial();

export const invoiceEndpoints = {
	/** spec 4.1 */
	createInvoice: {
		method: 'POST',
		path: '/v1/invoices',
		body: invoiceRequest,
		result: invoice,
		response: invoice,
	},
	/** spec 4.2 */
	listInvoices: {
		method: 'GET',
		path: '/v1/invoices',
		query: invoiceListQuery,
		result: invoiceListItem,
		response: pageOf(invoiceListItem),
	},
} as const;
