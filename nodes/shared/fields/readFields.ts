import type {
	IDataObject,
	INode,
	INodeParameterResourceLocator,
	INodeProperties,
	INodeTypeDescription,
} from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';
import type { Field, RuledField } from './field';
import { fieldsIn, isRuled } from './field';
import { applyRule } from './rules';

/** A parameter of the node: one field, or a collection of fields of which a node has some. */
export type Parameter = RuledField | { collection: string; fields: RuledField[] };

/** A place in a request that holds a customer's email where the service takes an ID. */
export interface EmailPlace {
	/** Body or query. */
	part: IDataObject;
	property: string;
	/** The field's name, for errors. */
	displayName: string;
}

/** Values that passed the rules of their fields. */
export interface FieldValues {
	/** By the names of the service. */
	body: IDataObject;
	query: IDataObject;
	/** What is not sent as body or query, by the names of the parameters. */
	settings: IDataObject;
	/** Where emails stand for customers' IDs, which are still to be found. */
	emails: EmailPlace[];
	/** What is wrong with the others. */
	problems: string[];
}

/** Reads a parameter of a node, which n8n's contexts do in different ways. */
export type ReadParameter = (name: string, fallback: string | IDataObject) => unknown;

/** The parameters with rules that n8n shows for a node as it is set; of a collection the fields that the node has. */
export function parametersOf(node: INode, fields: Field[]): Parameter[] {
	return fields.filter(isShown).flatMap((field): Parameter[] => {
		if (field.type !== 'collection') return isRuled(field) ? [field] : [];
		const given = Object.keys((node.parameters[field.name] as object | undefined) ?? {});
		// A field that is shown in one of several ways is there more than once.
		const byName = new Map(fieldsIn(field).map((one) => [one.name, one]));
		const used = [...byName.values()].filter(({ name }) => given.includes(name));
		return used.length ? [{ collection: field.name, fields: used.filter(isRuled) }] : [];
	});

	function isShown(field: Field): boolean {
		const { parameters, type } = node;
		const property = field as INodeProperties;
		// By its name n8n knows whether a node is a tool.
		const described = { name: type } as INodeTypeDescription;
		return NodeHelpers.displayParameter(parameters, property, node, described, parameters);
	}
}

/** Reads fields, each expression once, and puts their values where they belong. Throws what `read` throws. */
export function readFields(
	parameters: Parameter[],
	read: ReadParameter,
	zone: string,
): FieldValues {
	const values: FieldValues = { body: {}, query: {}, settings: {}, emails: [], problems: [] };
	const put = (field: RuledField, given: unknown) => {
		const outcome = applyRule(field, locatorValue(given), zone, locatorMode(given));
		if (!outcome) return;
		if ('problems' in outcome) {
			values.problems.push(...outcome.problems);
			return;
		}
		const { type, property } = field.routing?.send ?? {};
		const [part, name] =
			type && property ? [values[type], property] : [values.settings, field.name];
		part[name] = outcome.value as IDataObject[string];
		if (field.rule.limits.kind === 'uuid' && String(outcome.value).includes('@')) {
			values.emails.push({ part, property: name, displayName: field.displayName });
		}
	};
	for (const parameter of parameters) {
		if ('collection' in parameter) {
			const given = read(parameter.collection, {}) as IDataObject;
			for (const field of parameter.fields) put(field, given[field.name]);
		} else {
			put(parameter, read(parameter.name, ''));
		}
	}
	return values;
}

/** What a resource locator holds, whichever of its modes is used; any other value as it is. n8n does not always mark it as one. */
export function locatorValue(value: unknown): unknown {
	return isLocator(value) ? value.value : value;
}

/** Which of the modes of a resource locator is used; `undefined` for any other value. */
export function locatorMode(value: unknown): string | undefined {
	return isLocator(value) ? value.mode : undefined;
}

const isLocator = (value: unknown): value is INodeParameterResourceLocator =>
	typeof value === 'object' && value !== null && 'mode' in value && 'value' in value;
