import type { Field } from '../fields/field';
import { boolean } from '../fields/rules';

export const simplifyField: Field = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
	rule: boolean(),
};
