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

/** Options of a list that the service gives in pages (spec 4.2, 4.3). */
export const pageOptions: INodeProperties[] = [
	{
		displayName: 'Page Size',
		name: 'pageSize',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 100,
		description:
			'How many results to ask for in one request. The service may give fewer; all results are read all the same.',
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
