import { z } from 'zod/v4';
import { dateTime, pageOf, userSummary, uuid } from './primitives';

/** spec 2.10 */
export const chargeItem = z
	.object({
		amount: z.string(),
		name: z.string(),
		total_amount: z.string(),
		quantity: z.int(),
		product: uuid,
		sku: z.string(),
	})
	.partial();

/** The card itself (spec 2.10). Never shown to a workflow unless asked for. */
export const cardData = z
	.object({
		card_number: z.string(),
		expiry_month: z.string(),
		expiry_year: z.string(),
		security_code: z.string(),
		card_holder_name: z.string(),
	})
	.partial();

/** spec 2.10 */
export const paymentSource = z
	.object({
		type: z.string(),
		token: z.string(),
		expiry_month: z.string(),
		expiry_year: z.string(),
		name: z.string(),
		scheme: z.string(),
		scheme_local: z.string(),
		last4: z.string(),
		bin: z.string(),
		card_type: z.string(),
		card_category: z.string(),
		issuer: z.string(),
		issuer_country: z.string(),
		product_id: z.string(),
		product_type: z.string(),
		expires_on: z.string(),
		card_holder_name: z.string(),
		card_data: cardData,
	})
	.partial();

/** spec 2.10, 6: one event, not a list. */
export const chargeEvent = z
	.object({ created: dateTime, type: z.string(), message: z.string(), user: userSummary })
	.partial();

/** An element of the charge list (spec 2.10). The spec does not say which fields are always there. */
export const charge = z
	.object({
		id: uuid,
		reference_id: z.int(),
		created: dateTime,
		items: z.array(chargeItem),
		currency: z.string(),
		discount: z.string(),
		status: z.string(),
		tip: z.string(),
		tax: z.string(),
		total: z.string(),
		refund_total: z.string(),
		note: z.string(),
		payment_method: z.string(),
		user: userSummary,
		events: chargeEvent,
		settlement_currency: z.string(),
		fee: z.number(),
		fx_fee: z.number(),
		fee_tax: z.string(),
		net: z.number(),
		network_cost: z.string(),
		success_url: z.string(),
		failure_url: z.string(),
		service_fee: z.string(),
		discount_percentage: z.string(),
		service_fee_percentage: z.string(),
		tip_percentage: z.string(),
		source: paymentSource,
		custom_fields: z.array(z.unknown()),
		refunds: z.array(z.object({ created: dateTime, amount: z.string() }).partial()),
		payment_capture_source: z.string(),
	})
	.partial();

/** spec 4.3 */
export const chargeType = z.enum(['charge', 'checkout', 'creditpayment', 'invoice', 'link']);

/** The query of GET /v1/charges (spec 4.3). */
export const chargeListQuery = z
	.object({
		currency: z.string(),
		customer_id: uuid,
		id: z.string(),
		page: z.int(),
		page_size: z.int(),
		search: z.string(),
		status: z.string(),
		type: chargeType,
	})
	.partial();

export const chargeEndpoints = {
	/** spec 4.3 */
	listCharges: {
		method: 'GET',
		path: '/v1/charges',
		query: chargeListQuery,
		result: charge,
		response: pageOf(charge),
	},
} as const;
