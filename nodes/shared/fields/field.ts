import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';
import type { Rule } from './rules';

/**
 * A field of a node in n8n's declarative style: `routing.send` says where its value goes in the request. Beside it stands the rule
 * that says which values are valid and what is sent for them. A field with a rule but without `routing.send` is not sent: it is a
 * setting of the node, or a part of the URL.
 */
export interface Field extends Omit<INodeProperties, 'options'> {
	rule?: Rule;
	options?: Array<INodePropertyOptions | INodePropertyCollection | Field>;
}

/** A field whose value is read. */
export type RuledField = Field & { rule: Rule };

/** The fields of a collection. */
export const fieldsIn = ({ options = [] }: Field): Field[] => options as Field[];

export const isRuled = (field: Field): field is RuledField => field.rule !== undefined;
