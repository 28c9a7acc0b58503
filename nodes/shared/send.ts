import type {
	IDataObject,
	IExecuteSingleFunctions,
	IHttpRequestOptions,
	INodePropertyRouting,
} from 'n8n-workflow';
import type { Rule } from './rules';
import { applyRule } from './rules';
import type { ItemSettings } from './run';
import { runOf } from './run';

/** `setting`: kept for the node itself ({@link ItemSettings}), not sent. */
type Place = 'body' | 'query' | 'path' | 'setting';
type PreSend = (
	this: IExecuteSingleFunctions,
	request: IHttpRequestOptions,
) => Promise<IHttpRequestOptions>;

/** A preSend function that tells which rule it applies, for the test that walks the description. */
export interface RulePreSend extends PreSend {
	rule: Rule;
	place: Place;
	field: string;
}

/** Routing of an operation of which the answer is not one object (spec 4.2, 4.3: a page; 4.7: an array). */
export function answers(answer: ItemSettings['answer']): INodePropertyRouting['send'] {
	return {
		preSend: [
			async function (this: IExecuteSingleFunctions, request: IHttpRequestOptions) {
				runOf(this).set(this.getItemIndex(), { answer });
				return request;
			},
		],
	};
}

/**
 * Routing of a field: its value goes to `field` of the body, the query, the path or the settings, by its rule. An empty value
 * is not sent. A problem is kept for the request hook, which tells all problems of all items before anything is sent.
 */
export function send(place: Place, field: string, rule: Rule): INodePropertyRouting {
	async function preSend(this: IExecuteSingleFunctions, request: IHttpRequestOptions) {
		const values = (place === 'body' ? request.body : request.qs) as IDataObject;
		const outcome = applyRule(rule, values[field], this.getTimezone());
		delete values[field];
		if (outcome === undefined) return request;
		if ('problems' in outcome) {
			runOf(this).addProblems(this.getItemIndex(), outcome.problems);
		} else if (place === 'setting') {
			runOf(this).set(this.getItemIndex(), { [field]: outcome.value });
		} else if (place === 'path') {
			request.url = request.url.replace(`{${field}}`, encodeURIComponent(String(outcome.value)));
		} else {
			values[field] = outcome.value as IDataObject[string];
		}
		return request;
	}
	return {
		send: {
			type: place === 'body' ? 'body' : 'query',
			property: field,
			propertyInDotNotation: false,
			preSend: [Object.assign(preSend, { rule, place, field })],
		},
	};
}
