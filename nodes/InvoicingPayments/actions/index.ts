import type { INode, INodeProperties } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import type { Operation } from '../execution/operation';
import { charge } from './charge';
import { requestOptions } from './common/requestOptions';
import { customer } from './customer';
import { invoice } from './invoice';
import { member } from './member';
import { paymentLink } from './paymentLink';
import { complete, propertiesOf } from './resource';

/** Every resource and its operations. The description of the node, its execution, the tests and the README follow from it. */
export const resources = [charge, customer, invoice, paymentLink, member].map(complete);

const resourceField: INodeProperties = {
	displayName: 'Resource',
	name: 'resource',
	type: 'options',
	noDataExpression: true,
	options: resources.map(({ name, value, description }) => ({ name, value, description })),
	default: 'invoice',
};

/** What can be set in the node's panel. */
export const properties: INodeProperties[] = [
	resourceField,
	...resources.flatMap(propertiesOf),
	requestOptions as INodeProperties,
];

/** The operation that a node is set to. Throws a NodeOperationError where there is none, as in a workflow made by hand. */
export function operationOf(node: INode): Operation {
	const { resource, operation } = node.parameters;
	const found = resources
		.find(({ value }) => value === resource)
		?.operations.find(({ value }) => value === operation);
	if (found) return { ...found, fields: [...found.fields, requestOptions] };
	throw new NodeOperationError(
		node,
		`The operation "${String(operation)}" does not exist for the resource "${String(resource)}"`,
	);
}

/** The expression for what a node on the canvas says below its name, in the words of its panel: "Get Many: Charge". */
export function subtitle(): string {
	const operations = resources.flatMap(({ operations }) => operations);
	const operation = `(${namesOf(operations)})[$parameter["operation"]] ?? $parameter["operation"]`;
	return `={{ (${operation}) + ": " + (${namesOf(resources)})[$parameter["resource"]] }}`;
}

/** Names by their values, as JSON. */
const namesOf = (options: Array<{ name: string; value: string }>): string =>
	JSON.stringify(Object.fromEntries(options.map(({ name, value }) => [value, name])));
