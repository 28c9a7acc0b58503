import type { Resource } from '../resource';
import { getAll } from './getAll.operation';

export const charge: Resource = {
	name: 'Charge',
	value: 'charge',
	description: 'Payments that customers made or tried to make',
	operations: [getAll],
	defaultOperation: getAll,
};
