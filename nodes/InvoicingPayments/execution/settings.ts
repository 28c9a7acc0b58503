import type { ListSettings } from '../../shared/pagination/fetchResults';
import type { OutputSettings } from '../../shared/output/simplify';
import type { RequestPolicy } from '../../shared/transport/client';
import { defaultPolicy } from '../../shared/transport/client';

/** Settings of the node itself, by parameter name. */
export interface OperationSettings extends ListSettings, OutputSettings {
	maxRequestsInFlight?: number;
	/** Seconds. */
	maxWait?: number;
	/** Milliseconds. */
	timeout?: number;
	proxy?: RequestPolicy['proxy'];
	allowUnauthorizedCerts?: boolean;
	batching?: Batching;
}

/** n8n's batching: starts `size` items every `interval` milliseconds. */
export interface Batching {
	size: number;
	interval: number;
}

export function policyOf(settings: OperationSettings): RequestPolicy {
	const { maxWait } = settings;
	return {
		timeout: settings.timeout ?? defaultPolicy.timeout,
		proxy: settings.proxy,
		skipSslCertificateValidation: settings.allowUnauthorizedCerts ?? false,
		maxRequestsInFlight: settings.maxRequestsInFlight ?? defaultPolicy.maxRequestsInFlight,
		maxWait: maxWait === undefined ? defaultPolicy.maxWait : maxWait * 1000,
	};
}
