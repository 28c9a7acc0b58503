import type { Resource } from '../resource';
import { create } from './create.operation';
import { createFromRows } from './createFromRows.operation';
import { get } from './get.operation';
import { getAll } from './getAll.operation';

export const invoice: Resource = {
	name: 'Invoice',
	value: 'invoice',
	description: 'Requests for payment that are sent to customers',
	operations: [create, createFromRows, get, getAll],
	defaultOperation: create,
};
