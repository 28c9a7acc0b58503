import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestMethods,
	INodeExecutionData,
} from 'n8n-workflow';
import type { ItemRef } from '../../shared/errors/nodeErrors';
import type { Field } from '../../shared/fields/field';
import type { FieldValues } from '../../shared/fields/readFields';
import type { OutputSettings } from '../../shared/output/simplify';
import type {
	ListSettings,
	ResponseKind,
	Results,
	ResultsRequest,
} from '../../shared/pagination/fetchResults';
import type { Client, RequestPolicy } from '../../shared/transport/client';
import { defaultPolicy } from '../../shared/transport/client';
import type { ItemOutcome, Outcomes, Run } from './run';

/** One operation of a resource, as the user chooses it. The node's description and its execution derive from it. */
export interface Operation {
	name: string;
	/** The value in saved workflows: never change it. */
	value: string;
	action: string;
	description: string;
	/** For n8n's AI workflow builder. */
	builderHint?: string;
	routing: { request: { method: IHttpRequestMethods; url: string } };
	fields: Field[];
	response: ResponseKind;
	simpleFields?: readonly string[];
	/** The noun in error messages of a create, e.g. "invoice". */
	createdNoun?: string;
	/** Checks fields against each other. Returns problems. */
	check?(values: FieldValues): string[];
	/** Checks all requests together before any is sent. Returns why none of them may be. */
	checkAll?(context: IExecuteFunctions, requests: OperationRequest[]): Promise<string | undefined>;
	/** Overrides the default of one request per item. Throws n8n's expression errors. */
	prepare?(
		context: IExecuteFunctions,
		operation: Operation,
		earlierCreates: Outcomes,
	): Promise<Batch>;
	notices?(batch: Batch, outcomes: Outcomes): Notice[];
	/** Replaces the single HTTP call of a request, e.g. to look something up first. Never throws. */
	perform?(client: Client, request: OperationRequest, run: Run): Promise<Results>;
	/**
	 * Whether it looks before each create whether the thing exists. Several processes may then create the same items at the same time,
	 * each in another order.
	 */
	looksUpFirst?(settings: OperationSettings): boolean;
	/** Called after all requests. May add fields to the results. Never throws. */
	review?(client: Client, created: CreatedResult[]): Promise<void>;
}

export interface CreatedResult {
	request: OperationRequest;
	/** Output of the node. Fields added here appear in it as well. */
	result: Record<string, unknown>;
}

export interface OperationRequest extends ResultsRequest {
	settings: OperationSettings;
	/** The workflow's time zone. */
	zone?: string;
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
}

/** What the editor says beside the output, in plain text. */
export interface Notice {
	lines: string[];
	isWarning: boolean;
}

/** All that a run will send, before anything is sent. */
export interface Batch {
	/** The items that units refer to by their index. */
	input: INodeExecutionData[];
	/** The items came from a parameter, so all results belong to the first input item. */
	isGiven?: boolean;
	units: Unit[];
	/** What messages call a unit: `item` or `invoice`. */
	noun: string;
	/** Replaces the default error text if units are invalid. */
	explain?(): { message: string; lines: string[]; note?: string };
	/** Advice if this unit failed and others were done. */
	advice?(failed: Unit): string;
	notices: Notice[];
	isPreview?: boolean;
	output?(outcomes: Outcomes): INodeExecutionData[];
}

/** What is to be done with a unit: send its request, refuse it, or nothing, because its outcome is known. */
export type Work =
	| { kind: 'send'; request: OperationRequest }
	| { kind: 'refuse'; problems: string[] }
	| { kind: 'none'; outcome: ItemOutcome };

/** One item, or the rows of one invoice. */
export interface Unit extends ItemRef {
	work: Work;
	/** Fields that are added to each result of the unit. */
	added?: IDataObject;
	/** `total`: decimal text. */
	sum?: { currency: string; total: string };
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
