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
	/** The output; fields added here are output as well. */
	result: Record<string, unknown>;
}

export interface Operation {
	name: string;
	/** The value in saved workflows: never change it. */
	value: string;
	action: string;
	description: string;
	/** What n8n's builder of workflows should know of it. */
	builderHint?: string;
	/** The request, as n8n's declarative style writes it. */
	routing: { request: { method: IHttpRequestMethods; url: string } };
	/** In the order of the editor. The registry adds the display options. */
	fields: Field[];
	response: ResponseKind;
	simpleFields?: readonly string[];
	/** The noun for errors, e.g. "invoice". */
	creates?: string;
	/** Checks fields against each other; returns problems. */
	check?(values: FieldValues): string[];
	/** Items from a parameter, instead of the input. */
	items?(context: IExecuteFunctions): IDataObject[] | undefined;
	/** Builds the requests, if it is not one per item. Throws n8n's errors of expressions. */
	plan?(context: IExecuteFunctions, operation: Operation): Promise<Plan>;
	/** Hints about the results although nothing failed. */
	hints?(plan: Plan, outcomes: Outcomes): NodeExecutionHint[];
	/** Sends one request, if that takes more than one HTTP call. `run`: the same for all tries of a run. Never throws. */
	perform?(client: Client, request: OperationRequest, run: object): Promise<Results>;
	/** Whether another execution may create the same items at the same time: then they start in different orders. */
	mayRace?(settings: OperationSettings): boolean;
	/** Checks the created results after all requests, and adds what it finds to them. Never throws. */
	review?(client: Client, created: CreatedResult[], run: object): Promise<void>;
}
