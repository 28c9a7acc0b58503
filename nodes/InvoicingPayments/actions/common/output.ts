import type { Field } from '../../../shared/fields/field';
import { list, option } from '../../../shared/fields/rules';
import { simplifyField } from '../../../shared/descriptions/output';
import { capitalize, toList } from '../../../shared/fields/text';
import { outputChoices } from '../../../shared/output/simplify';
import { forAgents, hiddenFromAgents, inVersion1Agents } from './versions';

/** `due_date` → `Due Date`, as n8n writes the names of fields. */
const titleOf = (name: string) =>
	name
		.split('_')
		.map((word) => (['id', 'url', 'sku'].includes(word) ? word.toUpperCase() : capitalize(word)))
		.join(' ');

/**
 * Simplify, or for AI agents Output, as n8n's guidelines require: the user chooses the fields that the model reads. `names`: all
 * fields of a result.
 */
export const outputFields = (names: readonly string[]): Field[] => [
	hiddenFromAgents(simplifyField),
	inVersion1Agents(simplifyField),
	forAgents({
		displayName: 'Output',
		name: 'output',
		type: 'options',
		noDataExpression: true,
		// Not alphabetical: the default comes first.
		options: [
			{ name: 'Simplified', value: 'simplified', description: 'Up to ten key fields' },
			{ name: 'Raw', value: 'raw', description: 'All fields of the service' },
			{
				name: 'Selected Fields',
				value: 'selected',
				description: 'The fields that you choose, and the ID',
			},
		],
		default: 'simplified',
		description: 'Which fields the AI agent gets. Fewer fields use fewer tokens.',
		rule: option(outputChoices),
	}),
	forAgents({
		displayName: 'Fields to Return',
		name: 'outputFields',
		type: 'multiOptions',
		noDataExpression: true,
		options: [...names].sort().map((name) => ({ name: titleOf(name), value: name })),
		default: [],
		description: 'The fields that the AI agent gets, besides the ID',
		displayOptions: { show: { output: ['selected'] } },
		rule: list({}, toList),
	}),
];
