import type { Field } from '../../../shared/fields/field';
import { boolean, integer } from '../../../shared/fields/rules';
import { hiddenFromAgents } from './versions';

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

const pageFields: Field[] = [
	{
		displayName: 'Page Size',
		name: 'pageSize',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 100,
		description: 'Results requested per page. Does not affect how many are returned.',
		rule: integer({ min: 1 }),
	},
	{
		displayName: 'Start Page',
		name: 'startPage',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 1,
		description: "Page to start with, in pages of 'Page Size'. Earlier pages are skipped.",
		rule: integer({ min: 1 }),
	},
];

/** Options of a paginated list (spec 4.2, 4.3). */
export const pageOptions = pageFields.map(hiddenFromAgents);
