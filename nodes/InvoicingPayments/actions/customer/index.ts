import type { Resource } from '../resource';
import { getAll } from './getAll.operation';

export const customer: Resource = {
	name: 'Customer',
	value: 'customer',
	description: 'Customers who have invoices',
	operations: [getAll],
	defaultOperation: getAll,
};
