import type { Resource } from '../resource';
import { get } from './get.operation';

export const paymentLink: Resource = {
	name: 'Payment Link',
	value: 'paymentLink',
	description: 'Links that customers open to pay',
	operations: [get],
	defaultOperation: get,
};
