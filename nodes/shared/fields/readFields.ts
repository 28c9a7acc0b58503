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

/** `fields` of a collection: only those that the user added. */
export type Parameter = RuledField | { collection: string; fields: RuledField[] };

/** An email in a request, which will be replaced with a customer ID. */
export interface EmailPlace {
	part: IDataObject;
	property: string;
	displayName: string;
}

export interface FieldValues {
	/** By the service's names. */
	body: IDataObject;
	query: IDataObject;
	/** Fields that are not sent, by parameter name. */
	settings: IDataObject;
	emails: EmailPlace[];
	problems: string[];
}

export type ReadParameter = (name: string, fallback: string | IDataObject) => unknown;

/** The parameters that n8n shows for the node and that have a rule. */
export function parametersOf(node: INode, fields: Field[]): Parameter[] {
	return fields.filter(isShown).flatMap((field): Parameter[] => {
		if (field.type !== 'collection') return isRuled(field) ? [field] : [];
		const given = Object.keys((node.parameters[field.name] as object | undefined) ?? {});
		// A field with several display conditions is listed several times.
		const byName = new Map(fieldsIn(field).map((one) => [one.name, one]));
		const used = [...byName.values()].filter(({ name }) => given.includes(name));
		return used.length ? [{ collection: field.name, fields: used.filter(isRuled) }] : [];
	});

	function isShown(field: Field): boolean {
		const { parameters, type } = node;
		const property = field as INodeProperties;
		// n8n recognizes tools by their name.
		const described = { name: type } as INodeTypeDescription;
		return NodeHelpers.displayParameter(parameters, property, node, described, parameters);
	}
}

/** Reads and checks fields, evaluating each expression once. Throws if `read` throws. */
export function readFields(
	parameters: Parameter[],
	read: ReadParameter,
	zone: string,
): FieldValues {
	const values: FieldValues = { body: {}, query: {}, settings: {}, emails: [], problems: [] };
	const put = (field: RuledField, given: unknown) => {
		const { value, mode } = isLocator(given) ? given : { value: given, mode: undefined };
		const outcome = applyRule(field, value, { zone, mode });
		if (!outcome) return;
		if (!outcome.ok) {
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

/** n8n does not always set `__rl`. */
const isLocator = (value: unknown): value is INodeParameterResourceLocator =>
	typeof value === 'object' && value !== null && 'mode' in value && 'value' in value;
