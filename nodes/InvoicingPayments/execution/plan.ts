import type { IDataObject, INodeExecutionData, NodeExecutionHint } from 'n8n-workflow';
import type { ItemRef } from '../../shared/errors/nodeErrors';
import type { OutputSettings } from '../../shared/output/simplify';
import type { ListSettings, ResultsRequest } from '../../shared/pagination/fetchResults';
import type { RequestPolicy } from '../../shared/transport/client';
import { defaultPolicy } from '../../shared/transport/client';
import type { ItemOutcome, Outcomes } from './retryMemory';

/** The request of one item, or of the invoice of several rows. */
export interface OperationRequest extends ResultsRequest {
	settings: OperationSettings;
	/** The workflow's time zone. */
	zone?: string;
}

/** The smallest piece of work: one item, or the invoice of several rows. */
export interface Unit extends ItemRef {
	/** The request, the problems of its fields, or the outcome if that is known already. */
	ready: { request: OperationRequest } | { problems: string[] } | ItemOutcome;
	/** Fields to append to its results. */
	added?: IDataObject;
	/** The total of an invoice, a decimal string. */
	sum?: { currency: string; total: string };
}

/** The work of a run of the node, in order. */
export interface Plan {
	units: Unit[];
	/** The noun for units, e.g. `item`. */
	noun: string;
	/** Explains invalid units, if a list of their problems is not enough. */
	explain?(): { message: string; lines: string[]; note?: string };
	/** Advice if a unit failed and others were done. */
	advice?(failed: Unit): string;
	hints: NodeExecutionHint[];
	/** Whether the run only shows what it would send. */
	isPreview?: boolean;
	/** The output items, if they are not those of the units. */
	output?(outcomes: Outcomes): INodeExecutionData[];
}

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
