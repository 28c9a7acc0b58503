import type {
	IDataObject,
	IExecuteFunctions,
	INode,
	INodeParameterResourceLocator,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';
import { NodeHelpers, NodeOperationError } from 'n8n-workflow';
import type { Task } from './perform';
import { applyRule } from './rules';
import type { FieldRouting, OperationRouting, Place } from './send';
import type { ItemSettings } from './settings';
import { mannerOf } from './settings';

/** A field that is shown for the operation, and where its value goes. */
interface Field {
	name: string;
	routing: FieldRouting;
}

/** A parameter of the node: one field, or a collection of fields of which an item has some. */
type Parameter = Field | { collection: string; fields: Field[] };

/** The operation that a node is set to, as its description says it: the same for all items. */
export interface Operation {
	routing: OperationRouting;
	parameters: Parameter[];
}

/** What an item asks for, or what is wrong with its fields. */
export type Prepared = { task: Task } | { problems: string[] };

/** Finds the operation that the node is set to, and the fields that are shown for it. */
export function operationOf(context: IExecuteFunctions, properties: INodeProperties[]): Operation {
	const node = context.getNode();
	const shown = shownOf(node, properties);
	const selector = shown.find(({ name }) => name === 'operation');
	const options = (selector?.options ?? []) as INodePropertyOptions[];
	const selected = options.find(({ value }) => value === node.parameters.operation);
	if (!selected) {
		const name = String(node.parameters.operation);
		throw new NodeOperationError(node, `There is no operation "${name}" for this resource`);
	}
	return { routing: selected.routing as OperationRouting, parameters: parametersOf(node, shown) };
}

/** The properties that the editor shows for a node as it is set. */
export function shownOf(node: INode, properties: INodeProperties[]): INodeProperties[] {
	return properties.filter((property) =>
		NodeHelpers.displayParameter(node.parameters, property, node, null, node.parameters),
	);
}

/** The parameters that hold fields; of a collection those fields that the node has. */
export function parametersOf(node: INode, shown: INodeProperties[]): Parameter[] {
	return shown.flatMap((property): Parameter[] => {
		if (property.type !== 'collection') return fieldsOf([property]);
		const given = Object.keys((node.parameters[property.name] as object | undefined) ?? {});
		const fields = fieldsOf((property.options ?? []) as INodeProperties[]);
		const used = fields.filter(({ name }) => given.includes(name));
		return used.length ? [{ collection: property.name, fields: used }] : [];
	});
}

function fieldsOf(properties: INodeProperties[]): Field[] {
	return properties
		.filter(({ routing }) => routing && 'rule' in routing)
		.map(({ name, routing }) => ({ name, routing: routing as FieldRouting }));
}

/**
 * Reads the fields of an item, each expression once, and puts their values where they belong. Throws what n8n throws for an
 * expression that cannot be evaluated.
 */
export function prepare(
	context: IExecuteFunctions,
	{ routing, parameters }: Operation,
	itemIndex: number,
): Prepared {
	const read: ReadParameter = (name, fallback) =>
		context.getNodeParameter(name, itemIndex, fallback);
	const { places, problems } = readFields(parameters, read, context.getTimezone());
	problems.push(...(routing.check?.(places) ?? []));
	if (problems.length) return { problems };
	const { method, url } = routing.request;
	const path = Object.entries(places.path).reduce(
		(rest, [field, value]) => rest.replace(`{${field}}`, encodeURIComponent(String(value))),
		url,
	);
	const settings = places.setting as ItemSettings;
	return {
		task: {
			request: {
				method,
				path,
				query: places.query,
				...(method === 'POST' && { body: places.body }),
			},
			answer: routing.answer,
			simple: routing.simple,
			settings,
			manner: mannerOf(settings),
		},
	};
}

/** Reads a parameter of a node, which n8n's contexts do in different ways. */
type ReadParameter = (name: string, fallback: string | IDataObject) => unknown;

/** Reads fields, each expression once, and puts their values where they belong. Throws what `read` throws. */
export function readFields(
	parameters: Parameter[],
	read: ReadParameter,
	zone: string,
): { places: Record<Place, IDataObject>; problems: string[] } {
	const places: Record<Place, IDataObject> = { body: {}, query: {}, path: {}, setting: {} };
	const problems: string[] = [];
	const put = ({ place, field, rule }: FieldRouting, value: unknown) => {
		const outcome = applyRule(rule, located(value), zone);
		if (outcome && 'problems' in outcome) problems.push(...outcome.problems);
		else if (outcome) places[place][field] = outcome.value as IDataObject[string];
	};
	for (const parameter of parameters) {
		if ('collection' in parameter) {
			const values = read(parameter.collection, {}) as IDataObject;
			for (const { name, routing: to } of parameter.fields) put(to, values[name]);
		} else {
			put(parameter.routing, read(parameter.name, ''));
		}
	}
	return { places, problems };
}

/** What a resource locator holds, whichever of its modes is used; any other value as it is. n8n does not always mark it as one. */
function located(value: unknown): unknown {
	const isLocator =
		typeof value === 'object' && value !== null && 'mode' in value && 'value' in value;
	return isLocator ? (value as unknown as INodeParameterResourceLocator).value : value;
}
