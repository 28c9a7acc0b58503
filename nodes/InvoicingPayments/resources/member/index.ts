import type { INodeProperties } from 'n8n-workflow';
import { request } from '../../../shared/send';
import { memberCreate } from './create';
import { memberGet } from './get';
import { memberGetAll } from './getAll';

const show = { resource: ['member'] };

export const member: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show },
		options: [
			{
				name: 'Create',
				value: 'create',
				action: 'Create a team member',
				description: 'Add a person to the team of the account',
				routing: request('POST', '/v1/members'),
			},
			{
				name: 'Get',
				value: 'get',
				action: 'Get a team member by their ID',
				description: 'Retrieve one team member',
				routing: request('GET', '/v1/members/{id}'),
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many team members',
				description: 'List the people in the team of the account',
				routing: request('GET', '/v1/members', 'array'),
			},
		],
		default: 'getAll',
	},
	...memberCreate,
	...memberGet,
	...memberGetAll,
];
