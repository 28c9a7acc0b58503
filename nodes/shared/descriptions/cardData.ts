import type { NodeHint } from 'n8n-workflow';
import type { Field } from '../fields/field';
import { boolean } from '../fields/rules';

export const includeCardData: Field = {
	displayName: 'Include Card Data',
	name: 'includeCardData',
	type: 'boolean',
	noDataExpression: true,
	default: false,
	description:
		'Whether to include card numbers and security codes (source.card_data) if the service sends them. n8n stores them with the execution, which card security rules (PCI DSS) restrict.',
	rule: boolean(),
};

export const cardDataHint: NodeHint = {
	message:
		"'Include Card Data' is on: n8n stores card numbers and security codes with every execution.",
	type: 'warning',
	location: 'ndv',
	displayCondition: '={{ $parameter["options"]?.["includeCardData"] === true }}',
};
