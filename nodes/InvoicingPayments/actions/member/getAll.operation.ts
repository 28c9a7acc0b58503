import type { Operation } from '../../execution/operation';
import { options, returnAllAndLimit } from '../common/fields';

/** spec 4.7: one list, without parameters. */
export const getAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many team members',
	description: 'Retrieve a list of the team members of the account',
	routing: { request: { method: 'GET', url: '/v1/members' } },
	fields: [...returnAllAndLimit, options()],
	response: 'array',
};
