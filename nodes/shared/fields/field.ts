import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';
import type { Rule } from './rules';

/**
 * A field in n8n's declarative style: `routing.send` is its place in the request, `rule` decides which values are valid and
 * how they are sent. A field with only a rule is a setting of the node or a part of the URL.
 */
export interface Field extends Omit<INodeProperties, 'options'> {
	rule?: Rule;
	options?: Array<INodePropertyOptions | INodePropertyCollection | Field>;
}

export type RuledField = Field & { rule: Rule };

export const fieldsIn = ({ options = [] }: Field): Field[] => options as Field[];

export const isRuled = (field: Field): field is RuledField => field.rule !== undefined;
