import type { Manner } from './service';
import { standardManner } from './service';
import type { OutputWishes } from './simplify';

/** What an item asks of the node itself rather than of the service. Named like the parameters of the API where there is one. */
export interface ItemSettings extends OutputWishes {
	return_all?: boolean;
	limit?: number;
	page?: number;
	page_size?: number;
	if_number_exists?: IfNumberExists;
	max_requests_in_flight?: number;
	/** Seconds. */
	max_wait?: number;
	/** Milliseconds. */
	timeout?: number;
	proxy?: Manner['proxy'];
	allow_unauthorized_certs?: boolean;
	batching?: Batching;
}

/** What becomes of an invoice whose number an invoice of the service has already. */
export const ifNumberExists = ['create', 'returnExisting', 'fail'] as const;
export type IfNumberExists = (typeof ifNumberExists)[number];

/** n8n's batching: so many items are begun, and the next ones so many milliseconds later. */
export interface Batching {
	size: number;
	interval: number;
}

/** How the requests of an item are sent. */
export function mannerOf(settings: ItemSettings): Manner {
	const { max_requests_in_flight: maxRequestsInFlight, max_wait: maxWait } = settings;
	return {
		timeout: settings.timeout ?? standardManner.timeout,
		proxy: settings.proxy,
		skipSslCertificateValidation: settings.allow_unauthorized_certs ?? false,
		maxRequestsInFlight: maxRequestsInFlight ?? standardManner.maxRequestsInFlight,
		maxWait: maxWait === undefined ? standardManner.maxWait : maxWait * 1000,
	};
}
