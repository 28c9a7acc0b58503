import type { INodeProperties } from 'n8n-workflow';
import { locatorModes } from '../../../shared/locatorModes';
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
		...locatorModes('Choose a team member...', { searchListMethod: 'getMembers' }),
		routing: send('path', 'id', uuid('Team Member ID', { required: true })),
	},
	options(show),
];
