import type { IDataObject, INodeExecutionData, NodeExecutionHint } from 'n8n-workflow';
import type { ItemRef } from '../../shared/errors/nodeErrors';
import type { ResultsRequest } from '../../shared/pagination/fetchResults';
import type { ItemOutcome, Outcomes } from './retryMemory';
import type { OperationSettings } from './settings';

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
