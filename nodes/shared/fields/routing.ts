import type { IDataObject, PreSendAction } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import type { Field, RuledField } from './field';
import type { Parameter } from './readFields';
import { locatorValue, parametersOf } from './readFields';
import { applyRule } from './rules';

/** A parameter in a URL expression. */
const inUrl = /\{\{\s*encodeURIComponent\(\$parameter\["(\w+)"\]\)\s*\}\}/g;

/** Fills the parameters into the URL of an operation, as n8n's expression would. */
export const urlOf = (url: string, parameters: IDataObject): string =>
	url
		.replace(/^=/, '')
		.replace(inUrl, (_match, name: string) => encodeURIComponent(String(parameters[name])));

const fieldsOf = (parameter: Parameter): RuledField[] =>
	'collection' in parameter ? parameter.fields : [parameter];

/**
 * Applies the rules of fields to a request of n8n's RoutingNode, which would send the values unchanged: e.g. makes an amount
 * exact text, and removes empty values. Throws a NodeOperationError for invalid values.
 */
export const sendByRules = (fields: Field[]): PreSendAction =>
	async function (request) {
		const node = this.getNode();
		const parts = { body: request.body as IDataObject | undefined, query: request.qs };
		const problems: string[] = [];
		for (const field of parametersOf(node, fields).flatMap(fieldsOf)) {
			const { type, property } = field.routing?.send ?? {};
			const part = type && parts[type];
			if (!part || !property || !(property in part)) continue;
			const outcome = applyRule(field, locatorValue(part[property]), this.getTimezone());
			delete part[property];
			if (!outcome) continue;
			if ('problems' in outcome) problems.push(...outcome.problems);
			else part[property] = outcome.value as IDataObject[string];
		}
		if (problems.length) throw new NodeOperationError(node, problems.join('; '));
		return request;
	};
