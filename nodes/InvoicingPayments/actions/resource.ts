import type { IDataObject, INodeProperties, PreSendAction } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import type { Field, RuledField } from '../../shared/fields/field';
import type { Parameter } from '../../shared/fields/readFields';
import { locatorValue, parametersOf } from '../../shared/fields/readFields';
import { applyRule } from '../../shared/fields/rules';
import type { Operation } from '../execution/operation';
import { sendCustomerIds } from '../execution/customerEmails';
import { sendFirstPage } from '../execution/sendFirstPage';

export interface Resource {
	name: string;
	/** As saved in workflows. */
	value: string;
	description: string;
	/** Sorted by name. */
	operations: Operation[];
	defaultOperation: Operation;
}

/** Adds to each operation what the editor and n8n's RoutingNode need. */
export function complete(resource: Resource): Resource {
	return { ...resource, operations: resource.operations.map(completeOperation) };

	function completeOperation(operation: Operation): Operation {
		const show = { resource: [resource.value], operation: [operation.value] };
		const fields = operation.fields.map(
			(field): Field => ({
				...field,
				displayOptions: {
					...field.displayOptions,
					show: { ...show, ...field.displayOptions?.show },
				},
			}),
		);
		const { request, send } = operation.routing;
		const preSend = [
			sendByRules(fields),
			sendCustomerIds(fields),
			...(operation.response === 'page' ? [sendFirstPage(fields)] : []),
			...(send?.preSend ?? []),
		];
		return { ...operation, fields, routing: { request, send: { preSend } } };
	}
}

/**
 * For n8n's RoutingNode, which sends values as they are: applies the rules of the fields, e.g. makes an amount exact text, and
 * removes empty values. Throws a NodeOperationError for invalid ones.
 */
const sendByRules = (fields: Field[]): PreSendAction =>
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

const fieldsOf = (parameter: Parameter): RuledField[] =>
	'collection' in parameter ? parameter.fields : [parameter];

/** What lint wants to see written out: it does not read values that are computed. */
const selector: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	options: [],
	default: '',
};

/** The operation selector and the fields of all operations. */
export function propertiesOf({ value, operations, defaultOperation }: Resource): INodeProperties[] {
	return [
		{
			...selector,
			default: defaultOperation.value,
			displayOptions: { show: { resource: [value] } },
			options: operations.map(({ name, value, action, description, routing, builderHint }) => ({
				name,
				value,
				action,
				description,
				routing,
				...(builderHint && { builderHint: { propertyHint: builderHint } }),
			})),
		},
		...(operations.flatMap(({ fields }) => fields) as INodeProperties[]),
	];
}
