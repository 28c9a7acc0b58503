import type { Resource } from '../resource';
import { create } from './create.operation';
import { get } from './get.operation';
import { getAll } from './getAll.operation';

export const member: Resource = {
	name: 'Team Member',
	value: 'member',
	description: 'People who have access to the account',
	operations: [create, get, getAll],
	defaultOperation: getAll,
};
