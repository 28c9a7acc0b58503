import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';
import { boolean, integer } from './rules';
import { send } from './send';

type Show = IDisplayOptions['show'];

/** Return All and Limit of a Get Many operation. */
export const returnAllAndLimit = (show: Show): INodeProperties[] => [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
		displayOptions: { show },
		routing: send('setting', 'return_all', boolean('Return All')),
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		description: 'Max number of results to return',
		displayOptions: { show: { ...show, returnAll: [false] } },
		routing: send('setting', 'limit', integer('Limit', { min: 1 })),
	},
];

/** Options that every operation has. */
export const networkOptions: INodeProperties[] = [
	{
		displayName: 'Max Requests in Flight',
		name: 'maxRequestsInFlight',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 50 },
		noDataExpression: true,
		default: 5,
		description:
			'How many requests may be on their way to the service at a time, from 1 to 50. All workflows of this n8n that use the same Base URL and API key count together.',
		routing: send(
			'setting',
			'max_requests_in_flight',
			integer('Max Requests in Flight', { min: 1, max: 50 }),
		),
	},
	{
		displayName: 'Max Wait (Seconds)',
		name: 'maxWait',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 3600 },
		noDataExpression: true,
		default: 60,
		description:
			'For how many seconds after it first failed a request may be sent again, when the service is busy or cannot be reached. 0 for one try only.',
		routing: send('setting', 'max_wait', integer('Max Wait (Seconds)', { min: 0, max: 3600 })),
	},
];

/** Options of an operation; those that every operation has come by themselves. */
export const options = (show: Show, own: INodeProperties[] = []): INodeProperties => ({
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	displayOptions: { show },
	options: [...own, ...networkOptions].sort((a, b) => a.displayName.localeCompare(b.displayName)),
});

/** Options of a list that the service gives in pages (spec 4.2, 4.3). */
export const pageOptions: INodeProperties[] = [
	{
		displayName: 'Page Size',
		name: 'pageSize',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 100,
		description:
			'How many results to ask for in one request; with Return All some requests ask for a few less. The service may give fewer; all results are read all the same.',
		routing: send('setting', 'page_size', integer('Page Size', { min: 1 })),
	},
	{
		displayName: 'Start Page',
		name: 'startPage',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 1,
		description:
			'Page to begin with, counted from 1 in pages of Page Size. Earlier pages are skipped.',
		routing: send('setting', 'page', integer('Start Page', { min: 1 })),
	},
];
