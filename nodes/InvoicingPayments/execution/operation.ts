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
	/** The output. Fields added to it are output, too. */
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
	/** E.g. "invoice". */
	creates?: string;
	/** Checks fields against each other. Returns problems. */
	check?(values: FieldValues): string[];
	/** Items that come from a parameter instead of the input. */
	items?(context: IExecuteFunctions): IDataObject[] | undefined;
	/** Plans the requests, if not one per item. Throws n8n's expression errors. */
	plan?(context: IExecuteFunctions, operation: Operation): Promise<Plan>;
	hints?(plan: Plan, outcomes: Outcomes): NodeExecutionHint[];
	/** Sends one request, if that takes more than one HTTP call. `run`: shared by all tries of a run. Never throws. */
	perform?(client: Client, request: OperationRequest, run: object): Promise<Results>;
	/** Whether processes may create the same items at the same time. They then do so in different orders. */
	mayRace?(settings: OperationSettings): boolean;
	/** Runs after all requests. May add fields to the results. Never throws. */
	review?(client: Client, created: CreatedResult[], run: object): Promise<void>;
}
