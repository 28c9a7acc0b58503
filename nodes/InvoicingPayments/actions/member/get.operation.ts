import { locatorModes } from '../../../shared/descriptions/locators';
import { uuid } from '../../../shared/fields/rules';
import type { Operation } from '../../execution/operation';
import { options } from '../common/fields';

/** spec 4.6 */
export const get: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get team member',
	description: 'Retrieve a team member by ID',
	routing: {
		request: { method: 'GET', url: '=/v1/members/{{encodeURIComponent($parameter["memberId"])}}' },
	},
	fields: [
		{
			displayName: 'Team Member',
			name: 'memberId',
			type: 'resourceLocator',
			required: true,
			default: { mode: 'list', value: '' },
			description: 'The team member to retrieve, picked from the list or by ID',
			...locatorModes('Choose a team member...', { searchListMethod: 'getMembers' }),
			rule: uuid(),
		},
		options(),
	],
	response: 'object',
};
