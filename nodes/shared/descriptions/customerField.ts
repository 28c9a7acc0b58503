import type { Field } from '../fields/field';
import { uuid } from '../fields/rules';
import { locatorModes } from './locatorModes';

const listed =
	"The list shows the customers of up to 500 invoices; choose 'By ID' for any other customer.";

/**
 * A customer, picked from those of existing invoices or given by ID. `send`: where the service takes it (spec 4.1, 4.2, 4.3). A node
 * that has this field needs the list `getCustomers` among its methods.
 */
export const customerField = (
	description: string,
	send: { type: 'body' | 'query'; property: string },
	{ required }: Pick<Field, 'required'> = {},
): Field => ({
	displayName: 'Customer ID',
	name: 'customerId',
	type: 'resourceLocator',
	...(required && { required }),
	// In a collection n8n takes it as it is, where it adds the mark elsewhere.
	default: { __rl: true, mode: 'list', value: '' },
	description: [description, listed].join(' '),
	...locatorModes('Choose a customer...', {
		searchListMethod: 'getCustomers',
		slowLoadNotice: {
			message: 'Customers are collected from your invoices. If this takes too long, choose By ID.',
			timeout: 5000,
		},
	}),
	routing: { send },
	rule: uuid(),
});
