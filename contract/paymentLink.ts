import { z } from 'zod/v4';
import {
	date,
	dateTime,
	idPath,
	invoiceItem,
	moneyDecimal,
	percentageDecimal,
	requestedCustomField,
	source,
	taxLine,
	uri,
	uuid,
} from './primitives';

/** The response of GET /v1/links/{id} (spec 2.7). */
export const paymentLink = z.object({
	id: uuid,
	reference_id: z.string(),
	title: z.string(),
	url: uri,
	amount: moneyDecimal,
	currency: z.string(),
	status: z.enum(['enabled', 'disabled']),
	discount: moneyDecimal,
	service_fee: moneyDecimal,
	allow_tip: z.boolean(),
	shipping_address_required: z.boolean(),
	items: z.array(invoiceItem),
	tax: moneyDecimal,
	note: z.string(),
	taxes: z.array(taxLine),
	discount_percentage: z.int(),
	service_fee_percentage: percentageDecimal,
	tip: moneyDecimal,
	tip_percentage: z.int(),
	due_date: dateTime,
	custom_fields: z.array(requestedCustomField),
	source,
	allow_installment_a: z.boolean(),
	allow_installment_b: z.boolean(),
	allow_service_fee: z.boolean(),
	payment_expiry_limit: z.int().nullable(),
	expiry_date: date.nullable(),
});

export const paymentLinkEndpoints = {
	/** spec 4.4 */
	getPaymentLink: {
		method: 'GET',
		path: '/v1/links/{id}',
		params: idPath,
		result: paymentLink,
		response: paymentLink,
	},
} as const;
