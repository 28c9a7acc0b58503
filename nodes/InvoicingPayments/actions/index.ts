import type { INode, INodeProperties } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import type { Field } from '../../shared/fields/field';
import type { Operation } from '../execution/operation';
import { get as getCharge } from './charge/get.operation';
import { getAll as getCharges } from './charge/getAll.operation';
import { requestOptions } from './common/requestOptions';
import { getAll as getCustomers } from './customer/getAll.operation';
import { getBalances } from './customer/getBalances.operation';
import { create as createInvoice } from './invoice/create.operation';
import { createFromRows } from './invoice/createFromRows.operation';
import { get as getInvoice } from './invoice/get.operation';
import { getAll as getInvoices } from './invoice/getAll.operation';
import { create as createMember } from './member/create.operation';
import { get as getMember } from './member/get.operation';
import { getAll as getMembers } from './member/getAll.operation';
import { get as getPaymentLink } from './paymentLink/get.operation';

interface Resource {
	name: string;
	/** The value in saved workflows: never change it. */
	value: string;
	description: string;
	/** Sorted by name. */
	operations: Operation[];
	defaultOperation: Operation;
}

/** Everything about operations derives from this list: the description, execution, tests and the README. */
export const resources: Resource[] = [
	{
		name: 'Charge',
		value: 'charge',
		description: 'Payments that customers made or tried to make',
		operations: [getCharge, getCharges],
		defaultOperation: getCharges,
	},
	{
		name: 'Customer',
		value: 'customer',
		description: 'Customers who have invoices',
		operations: [getBalances, getCustomers],
		defaultOperation: getCustomers,
	},
	{
		name: 'Invoice',
		value: 'invoice',
		description: 'Requests for payment that are sent to customers',
		operations: [createInvoice, createFromRows, getInvoice, getInvoices],
		defaultOperation: createInvoice,
	},
	{
		name: 'Payment Link',
		value: 'paymentLink',
		description: 'Links that customers open to pay',
		operations: [getPaymentLink],
		defaultOperation: getPaymentLink,
	},
	{
		name: 'Team Member',
		value: 'member',
		description: 'People who have access to the account',
		operations: [createMember, getMember, getMembers],
		defaultOperation: getMembers,
	},
].map(withDisplayOptions);

function withDisplayOptions(resource: Resource): Resource {
	const operations = resource.operations.map((operation) => {
		const selected = { resource: [resource.value], operation: [operation.value] };
		const fields = operation.fields.map((field): Field => {
			const show = { ...selected, ...field.displayOptions?.show };
			return { ...field, displayOptions: { ...field.displayOptions, show } };
		});
		return { ...operation, fields };
	});
	return { ...resource, operations };
}

const resourceField: INodeProperties = {
	displayName: 'Resource',
	name: 'resource',
	type: 'options',
	noDataExpression: true,
	options: resources.map(({ name, value, description }) => ({ name, value, description })),
	default: 'invoice',
};

/** ESLint requires literals for `default` and `options`. `propertiesOf` replaces them. */
const operationField: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	options: [],
	default: '',
};

export const properties: INodeProperties[] = [
	resourceField,
	...resources.flatMap(propertiesOf),
	requestOptions as INodeProperties,
];

function propertiesOf({ value, operations, defaultOperation }: Resource): INodeProperties[] {
	return [
		{
			...operationField,
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

/** Throws a NodeOperationError if the operation does not exist, e.g. in a handmade workflow. */
export function operationOf(node: INode): Operation {
	const { resource, operation } = node.parameters;
	const match = resources
		.find(({ value }) => value === resource)
		?.operations.find(({ value }) => value === operation);
	if (match) return { ...match, fields: [...match.fields, requestOptions] };
	throw new NodeOperationError(
		node,
		`The operation "${String(operation)}" does not exist for the resource "${String(resource)}"`,
	);
}

/** An expression that shows e.g. "Get Many: Charge" on the canvas. */
export function subtitle(): string {
	const operations = resources.flatMap(({ operations }) => operations);
	const operation = `(${namesOf(operations)})[$parameter["operation"]] ?? $parameter["operation"]`;
	return `={{ (${operation}) + ": " + (${namesOf(resources)})[$parameter["resource"]] }}`;
}

const namesOf = (options: Array<{ name: string; value: string }>): string =>
	JSON.stringify(Object.fromEntries(options.map(({ name, value }) => [value, name])));
