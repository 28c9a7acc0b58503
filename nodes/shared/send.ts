import type { IDataObject, IHttpRequestMethods, INodePropertyRouting } from 'n8n-workflow';
import type { AnswerKind } from './perform';
import type { Planner } from './plan';
import type { Rule } from './rules';

/** Where a value goes; `setting`: kept for the node itself, not sent. */
export type Place = 'body' | 'query' | 'path' | 'setting';

/** Routing of a field: where its value goes, and by which rule it becomes what is sent. */
export interface FieldRouting extends INodePropertyRouting {
	place: Place;
	field: string;
	rule: Rule;
}

/** Routing of an operation: its request (spec 4), and what the answer to it is. */
export interface OperationRouting extends INodePropertyRouting {
	request: { method: IHttpRequestMethods; url: string };
	answer: AnswerKind;
	/** The fields of a result that Simplify keeps. */
	simple?: readonly string[];
	/** What the items ask for, where that is not one request each. */
	plan?: Planner;
	/** What is wrong with fields that do not fit together. */
	check?: Check;
}

export type Check = (places: Record<Place, IDataObject>) => string[];

/** A field's value goes to `field` of the body, the query, the path or the settings, by its rule. An empty value is not sent. */
export function send(place: Place, field: string, rule: Rule): FieldRouting {
	return { place, field, rule };
}

/** An operation is one request by this method to this path, or one for each page. */
export function request(
	method: IHttpRequestMethods,
	url: string,
	answer: AnswerKind = 'object',
	more: Pick<OperationRouting, 'simple' | 'plan' | 'check'> = {},
): OperationRouting {
	return { request: { method, url }, answer, ...more };
}
