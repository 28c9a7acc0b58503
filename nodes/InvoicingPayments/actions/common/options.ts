import type { Field } from '../../../shared/fields/field';
import { integer } from '../../../shared/fields/rules';
import { hiddenFromAgents } from './versions';

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

/** An operation's own options, plus those that all operations have. */
export const options = (own: Field[] = []): Field => ({
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	options: [...own, ...networkOptions].sort((a, b) => a.displayName.localeCompare(b.displayName)),
});

/** Filters of a list, sorted by name. */
export const filters = (own: Field[]): Field => ({
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add Filter',
	default: {},
	options: own,
});
