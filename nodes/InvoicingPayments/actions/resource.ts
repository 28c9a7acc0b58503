import type { INodeProperties } from 'n8n-workflow';
import type { Field } from '../../shared/fields/field';
import type { Operation } from '../execution/operation';

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
		return { ...operation, fields };
	}
}

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
