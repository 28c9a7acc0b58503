import type { INodeProperties } from 'n8n-workflow';
import { request } from '../../../shared/send';
import { simpleCharge } from '../../../shared/simplify';
import { chargeGetAll } from './getAll';

const show = { resource: ['charge'] };

export const charge: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show },
		options: [
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many charges by customer or status or type or text',
				description: 'List charges, the payments that customers made',
				routing: request('GET', '/v1/charges', 'page', { simple: simpleCharge }),
			},
		],
		default: 'getAll',
	},
	...chargeGetAll,
];
