import { z } from 'zod/v4';
import type { charge } from './charge';
import { chargeEndpoints } from './charge';
import type { invoice, invoiceListItem, invoiceRequest } from './invoice';
import { invoiceEndpoints } from './invoice';
import type { member, memberRequest } from './member';
import { memberEndpoints } from './member';
import type { paymentLink } from './paymentLink';
import { paymentLinkEndpoints } from './paymentLink';

/**
 * The interface specification as executable schemas, for the simulator, the tests and the generated output schemas. Not shipped.
 */
export * from './charge';
export * from './invoice';
export * from './member';
export * from './paymentLink';
export * from './primitives';

/** By name. `result` is one object of the response, `response` the whole response. */
export const endpoints = {
	...invoiceEndpoints,
	...chargeEndpoints,
	...paymentLinkEndpoints,
	...memberEndpoints,
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
