import type { INodeProperties } from 'n8n-workflow';
import { getCustomers } from './listSearch/getCustomers';
import { locatorModes } from './locatorModes';
import { uuid } from './rules';
import { send } from './send';

const listed =
	'The list holds the customers of up to 500 invoices; take By ID for any other customer.';

/** The list that {@link customerField} offers; a node that has the field has to name it in its methods. */
export const customerList = { getCustomers };

/** A customer, picked from those of existing invoices or given by ID. `field`: the parameter of the service (spec 4.1, 4.2, 4.3). */
export const customerField = (
	description: string,
	[place, field]: ['body' | 'query', string],
	{ required, ...more }: Pick<INodeProperties, 'required' | 'displayOptions'> = {},
): INodeProperties => ({
	displayName: 'Customer ID',
	name: 'customerId',
	type: 'resourceLocator',
	...(required && { required }),
	// In a collection n8n takes it as it is, where it adds the mark elsewhere.
	default: { __rl: true, mode: 'list', value: '' },
	description: [description, listed].join(' '),
	...more,
	...locatorModes('Choose a customer...', {
		searchListMethod: 'getCustomers' satisfies keyof typeof customerList,
		slowLoadNotice: {
			message: 'The customers come from your invoices. If that takes long, choose By ID.',
			timeout: 5000,
		},
	}),
	routing: send(place, field, uuid('Customer ID', { required })),
});
