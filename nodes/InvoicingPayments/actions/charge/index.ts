import type { Resource } from '../resource';
import { get } from './get.operation';
import { getAll } from './getAll.operation';

export const charge: Resource = {
	name: 'Charge',
	value: 'charge',
	description: 'Payments that customers made or tried to make',
	operations: [get, getAll],
	defaultOperation: getAll,
};
