import type { IDataObject, INodeExecutionData, NodeExecutionHint } from 'n8n-workflow';
import type { ItemRef } from '../../shared/errors/nodeErrors';
import type { OutputSettings } from '../../shared/output/simplify';
import type { ListSettings, ResultsRequest } from '../../shared/pagination/fetchResults';
import type { RequestPolicy } from '../../shared/transport/client';
import { defaultPolicy } from '../../shared/transport/client';
import type { ItemOutcome, Outcomes } from './retryMemory';

export interface OperationRequest extends ResultsRequest {
	settings: OperationSettings;
	/** The workflow's time zone. */
	zone?: string;
}

/** One item, or the rows of one invoice. */
export interface Unit extends ItemRef {
	/** The request, problems of its fields, or an outcome that is already known. */
	prepared: { request: OperationRequest } | { problems: string[] } | ItemOutcome;
	/** Fields that are added to each result of the unit. */
	added?: IDataObject;
	/** `total`: decimal text. */
	sum?: { currency: string; total: string };
}

export interface Plan {
	units: Unit[];
	/** What messages call a unit: `item` or `invoice`. */
	noun: string;
	/** Replaces the default error text if units are invalid. */
	explain?(): { message: string; lines: string[]; note?: string };
	/** Advice if this unit failed and others were done. */
	advice?(failed: Unit): string;
	hints: NodeExecutionHint[];
	isPreview?: boolean;
	output?(outcomes: Outcomes): INodeExecutionData[];
}

/** Values of parameters that are not sent, by parameter name. */
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
