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

/** A field, or a collection with those of its fields that the node uses. */
export type Parameter = RuledField | { collection: string; fields: RuledField[] };

/** A place in a request with an email instead of a customer ID. */
export interface EmailPlace {
	/** The body or the query. */
	part: IDataObject;
	property: string;
	/** Of the field, for errors. */
	displayName: string;
}

/** The values of valid fields, and the problems of the others. */
export interface FieldValues {
	/** By the names that the service uses. */
	body: IDataObject;
	query: IDataObject;
	/** Neither body nor query; by parameter name. */
	settings: IDataObject;
	/** Emails that have to be replaced by customer IDs. */
	emails: EmailPlace[];
	problems: string[];
}

/** Reads a parameter: the method differs between n8n's contexts. */
export type ReadParameter = (name: string, fallback: string | IDataObject) => unknown;

/** The parameters with rules that n8n shows for the node. Collections have the fields that the node uses. */
export function parametersOf(node: INode, fields: Field[]): Parameter[] {
	return fields.filter(isShown).flatMap((field): Parameter[] => {
		if (field.type !== 'collection') return isRuled(field) ? [field] : [];
		const given = Object.keys((node.parameters[field.name] as object | undefined) ?? {});
		// A field with several display conditions is in the list several times.
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

/** The value of a resource locator in any mode; other values unchanged. n8n does not always set `__rl`. */
export function locatorValue(value: unknown): unknown {
	return isLocator(value) ? value.value : value;
}

/** The mode of a resource locator; `undefined` for other values. */
export function locatorMode(value: unknown): string | undefined {
	return isLocator(value) ? value.mode : undefined;
}

const isLocator = (value: unknown): value is INodeParameterResourceLocator =>
	typeof value === 'object' && value !== null && 'mode' in value && 'value' in value;
