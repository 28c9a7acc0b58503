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

/** All resources and operations. The node's description and execution, the tests and the README derive from them. */
export const resources = [charge, customer, invoice, paymentLink, member].map(complete);

const resourceField: INodeProperties = {
	displayName: 'Resource',
	name: 'resource',
	type: 'options',
	noDataExpression: true,
	options: resources.map(({ name, value, description }) => ({ name, value, description })),
	default: 'invoice',
};

export const properties: INodeProperties[] = [
	resourceField,
	...resources.flatMap(propertiesOf),
	requestOptions as INodeProperties,
];

/** The operation that a node is set to. Throws a NodeOperationError if it does not exist, e.g. in a handmade workflow. */
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

/** Expression for the subtitle on the canvas, such as "Get Many: Charge". */
export function subtitle(): string {
	const operations = resources.flatMap(({ operations }) => operations);
	const operation = `(${namesOf(operations)})[$parameter["operation"]] ?? $parameter["operation"]`;
	return `={{ (${operation}) + ": " + (${namesOf(resources)})[$parameter["resource"]] }}`;
}

/** A JSON object of names by value. */
const namesOf = (options: Array<{ name: string; value: string }>): string =>
	JSON.stringify(Object.fromEntries(options.map(({ name, value }) => [value, name])));
