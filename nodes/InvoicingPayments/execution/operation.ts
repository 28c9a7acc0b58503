import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestMethods,
	NodeExecutionHint,
} from 'n8n-workflow';
import type { Field } from '../../shared/fields/field';
import type { FieldValues } from '../../shared/fields/readFields';
import type { ResponseKind, Results } from '../../shared/pagination/fetchResults';
import type { Client } from '../../shared/transport/client';
import type { OperationRequest, OperationSettings, Plan } from './plan';
import type { Outcomes } from './retryMemory';

export interface CreatedResult {
	request: OperationRequest;
	/** Output of the node. Fields added here appear in it as well. */
	result: Record<string, unknown>;
}

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
	/** Returns items that come from a parameter instead of the input. */
	items?(context: IExecuteFunctions): IDataObject[] | undefined;
	/** Overrides the default plan of one request per item. Throws n8n's expression errors. */
	plan?(context: IExecuteFunctions, operation: Operation): Promise<Plan>;
	hints?(plan: Plan, outcomes: Outcomes): NodeExecutionHint[];
	/** Replaces the single HTTP call of a request, e.g. to look something up first. All attempts of a run share `run`. Never throws. */
	perform?(client: Client, request: OperationRequest, run: object): Promise<Results>;
	/** Whether several processes may create the same items at the same time. Each process then uses another order. */
	mayRace?(settings: OperationSettings): boolean;
	/** Called after all requests. May add fields to the results. Never throws. */
	review?(client: Client, created: CreatedResult[], run: object): Promise<void>;
}
