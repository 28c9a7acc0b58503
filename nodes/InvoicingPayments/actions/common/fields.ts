import { simplifyField } from '../../../shared/descriptions/output';
import type { Field } from '../../../shared/fields/field';
import { boolean, integer, list, option } from '../../../shared/fields/rules';
import { capitalize, toList } from '../../../shared/fields/text';
import { outputChoices } from '../../../shared/output/simplify';
import { forAgents, hiddenFromAgents } from './agents';

export const returnAllAndLimit: Field[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
		rule: boolean(),
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		description: 'Max number of results to return',
		displayOptions: { show: { returnAll: [false] } },
		rule: integer({ min: 1 }),
	},
];

/** `due_date` → `Due Date` */
const titleOf = (name: string) =>
	name
		.split('_')
		.map((word) => (['id', 'url', 'sku'].includes(word) ? word.toUpperCase() : capitalize(word)))
		.join(' ');

/** Simplify, or Output for AI agents: n8n's guidelines require that the user can choose the fields that the model reads. */
export const outputFields = (names: readonly string[]): Field[] => [
	hiddenFromAgents(simplifyField),
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

export const filters = (own: Field[]): Field => ({
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add Filter',
	default: {},
	options: own,
});

const networkOptions: Field[] = [
	hiddenFromAgents({
		displayName: 'Max Requests in Flight',
		name: 'maxRequestsInFlight',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 50 },
		noDataExpression: true,
		default: 5,
		description:
			'Max number of requests sent at the same time, from 1 to 50. Shared by all workflows of this n8n process that use the same Base URL and API key.',
		rule: integer({ min: 1, max: 50 }),
	}),
	{
		displayName: 'Max Wait (Seconds)',
		name: 'maxWait',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 3600 },
		noDataExpression: true,
		default: 60,
		description: 'How long to keep retrying a failed request. Set to 0 to disable retries.',
		rule: integer({ min: 0, max: 3600 }),
	},
];

/** Adds the options that all operations have. */
export const options = (own: Field[] = []): Field => ({
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	options: [...own, ...networkOptions].sort((a, b) => a.displayName.localeCompare(b.displayName)),
});

export const pageOptions = [
	hiddenFromAgents({
		displayName: 'Page Size',
		name: 'pageSize',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 100,
		description: 'Results requested per page. Does not affect how many are returned.',
		rule: integer({ min: 1 }),
	}),
	hiddenFromAgents({
		displayName: 'Start Page',
		name: 'startPage',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 1,
		description: "Page to start with, in pages of 'Page Size'. Earlier pages are skipped.",
		rule: integer({ min: 1 }),
	}),
];
