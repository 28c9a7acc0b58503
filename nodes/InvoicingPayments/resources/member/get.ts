import type { INodeProperties } from 'n8n-workflow';
import { options } from '../../../shared/optionFields';
import { uuid } from '../../../shared/rules';
import { send } from '../../../shared/send';

const show = { resource: ['member'], operation: ['get'] };

/** spec 4.6 */
export const memberGet: INodeProperties[] = [
	{
		displayName: 'Team Member ID',
		name: 'memberId',
		type: 'resourceLocator',
		required: true,
		default: { mode: 'list', value: '' },
		description: 'The team member to retrieve, picked from the list or given by ID',
		displayOptions: { show },
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: 'Choose a team member...',
				typeOptions: { searchListMethod: 'getMembers', searchable: true },
			},
			{
				displayName: 'By ID',
				name: 'id',
				type: 'string',
				placeholder: 'e.g. 3f2b8c1e-5d4a-4f6b-9c7d-8e9f0a1b2c3d',
			},
		],
		routing: send('path', 'id', uuid('Team Member ID', { required: true })),
	},
	options(show),
];
