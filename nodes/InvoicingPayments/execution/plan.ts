import type { IDataObject, INodeExecutionData, NodeExecutionHint } from 'n8n-workflow';
import type { ItemRef } from '../../shared/errors/nodeErrors';
import type { ResultsRequest } from '../../shared/pagination/fetchResults';
import type { ItemOutcome, Outcomes } from './retryMemory';
import type { OperationSettings } from './settings';

/** What one item asks for, or the invoice that several rows make. */
export interface OperationRequest extends ResultsRequest {
	settings: OperationSettings;
	/** The workflow's time zone, where the days of results are compared. */
	zone?: string;
}

/** What is done at a time: what one item asks for, or the invoice that several rows make. */
export interface Unit extends ItemRef {
	/** A request that is to be sent, or what is wrong with the fields, or how it ended already. */
	ready: { request: OperationRequest } | { problems: string[] } | ItemOutcome;
	/** What is added to its results besides, after what the service says. */
	added?: IDataObject;
	/** What an invoice comes to, a decimal string. */
	sum?: { currency: string; total: string };
}

/** All that a run of the node is to do, in order. */
export interface Plan {
	units: Unit[];
	/** What units are called. */
	noun: string;
	/** The error of units that cannot be sent, where that is more than a list of their problems. */
	explain?(): { message: string; lines: string[]; note?: string };
	/** What to do when a unit failed and others were done. */
	advice?(failed: Unit): string;
	/** What the user should know although nothing failed. */
	hints: NodeExecutionHint[];
	/** Whether nothing is sent, and what would be is shown. */
	isPreview?: boolean;
	/** The output items, where they are not those of the units. */
	output?(outcomes: Outcomes): INodeExecutionData[];
}
