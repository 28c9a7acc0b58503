import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';
import type { Rule } from './rules';

/** A field without `routing.send` is a setting of the node, or part of the URL. */
export interface Field extends Omit<INodeProperties, 'options'> {
	/** Checks a value and converts it to the value to send. */
	rule?: Rule;
	options?: Array<INodePropertyOptions | INodePropertyCollection | Field>;
}

export type RuledField = Field & { rule: Rule };

export const fieldsIn = ({ options = [] }: Field): Field[] => options as Field[];

export const isRuled = (field: Field): field is RuledField => field.rule !== undefined;
