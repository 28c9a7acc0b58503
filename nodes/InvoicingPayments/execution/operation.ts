import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestMethods,
	NodeExecutionHint,
	PreSendAction,
} from 'n8n-workflow';
import type { Field } from '../../shared/fields/field';
import type { FieldValues } from '../../shared/fields/readFields';
import type { ResponseKind, Results } from '../../shared/pagination/fetchResults';
import type { Client } from '../../shared/transport/client';
import type { OperationRequest, Plan } from './plan';
import type { Outcomes } from './retryMemory';
import type { OperationSettings } from './settings';

/** A result of a request that created something. */
export interface CreatedResult {
	request: OperationRequest;
	/** As it comes out; what is added to it comes out as well. */
	result: Record<string, unknown>;
}

/** An operation of a resource: how the editor shows it, its request, its fields, and what is made of the response. */
export interface Operation {
	/** As the editor shows it. */
	name: string;
	/** As workflows save it. */
	value: string;
	action: string;
	description: string;
	/** What n8n's builder of workflows should know of it. */
	builderHint?: string;
	/** The request, as n8n's declarative style writes it. */
	routing: {
		request: { method: IHttpRequestMethods; url: string };
		send?: { preSend: PreSendAction[] };
	};
	/** Its fields, in the order of the editor; for which operation they are shown is added by the registry. */
	fields: Field[];
	response: ResponseKind;
	/** The fields of a result that Simplify keeps. */
	simpleFields?: readonly string[];
	/** What it creates, as errors call it. */
	creates?: string;
	/** What is wrong with fields that do not fit together. */
	check?(values: FieldValues): string[];
	/** Items that a parameter gives instead of the input. */
	items?(context: IExecuteFunctions): IDataObject[] | undefined;
	/** What the items ask for, where that is not one request each. Throws what n8n throws for an expression that cannot be evaluated. */
	plan?(context: IExecuteFunctions, operation: Operation): Promise<Plan>;
	/** What the user should know of how its items ended, although nothing failed. */
	hints?(plan: Plan, outcomes: Outcomes): NodeExecutionHint[];
	/** Carries out one request, where that takes more than sending it. `run`: the same for all tries of a run. Never throws. */
	perform?(client: Client, request: OperationRequest, run: object): Promise<Results>;
	/** Whether other executions may want to create the same at the same time, so that two of them are not to begin it in the same order. */
	mayMeet?(settings: OperationSettings): boolean;
	/**
	 * Looks at what was created once more when everything was sent, and adds to the results what it finds, or that it could not find
	 * out. Never throws.
	 */
	review?(client: Client, created: CreatedResult[], run: object): Promise<void>;
}
