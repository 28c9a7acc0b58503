import { z } from 'zod/v4';
import { charge, chargeListQuery } from './charge';
import { invoice, invoiceListItem, invoiceListQuery, invoiceRequest } from './invoice';
import { member, memberRequest } from './member';
import { paymentLink } from './paymentLink';
import { pageOf, uuid } from './primitives';

/**
 * The interface specification as executable schemas, for the simulator, the tests and the generated output schemas. Not shipped.
 */
export * from './charge';
export * from './invoice';
export * from './member';
export * from './paymentLink';
export * from './primitives';

const idPath = z.object({ id: uuid });

/** `result` is one object of the response, `response` the whole response. */
export const endpoints = {
	createInvoice: {
		method: 'POST',
		path: '/v1/invoices',
		body: invoiceRequest,
		result: invoice,
		response: invoice,
	},
	listInvoices: {
		method: 'GET',
		path: '/v1/invoices',
		query: invoiceListQuery,
		result: invoiceListItem,
		response: pageOf(invoiceListItem),
	},
	listCharges: {
		method: 'GET',
		path: '/v1/charges',
		query: chargeListQuery,
		result: charge,
		response: pageOf(charge),
	},
	getPaymentLink: {
		method: 'GET',
		path: '/v1/links/{id}',
		params: idPath,
		result: paymentLink,
		response: paymentLink,
	},
	createMember: {
		method: 'POST',
		path: '/v1/members',
		body: memberRequest,
		result: member,
		response: member,
	},
	getMember: {
		method: 'GET',
		path: '/v1/members/{id}',
		params: idPath,
		result: member,
		response: member,
	},
	listMembers: {
		method: 'GET',
		path: '/v1/members',
		result: member,
		response: z.array(member),
	},
} as const;

export type Invoice = z.infer<typeof invoice>;
export type InvoiceListItem = z.infer<typeof invoiceListItem>;
export type InvoiceRequest = z.infer<typeof invoiceRequest>;
export type Charge = z.infer<typeof charge>;
export type PaymentLink = z.infer<typeof paymentLink>;
export type Member = z.infer<typeof member>;
export type MemberRequest = z.infer<typeof memberRequest>;

export type Endpoint = (typeof endpoints)[keyof typeof endpoints];

/** `url`: a path of the specification, or one with parameters as n8n writes them. */
export function endpointOf({ method, url }: { method: string; url: string }): Endpoint | undefined {
	const path = url.replace(/^=/, '').replace(/\{\{.*?\}\}/g, '{id}');
	return Object.values(endpoints).find((one) => one.method === method && one.path === path);
}

export function responseKindOf({ response }: Endpoint): 'object' | 'page' | 'array' {
	if (response instanceof z.ZodArray) return 'array';
	return 'results' in response.shape ? 'page' : 'object';
}
