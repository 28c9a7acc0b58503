import type { Field } from '../fields/field';
import { uuid, uuidOrEmail } from '../fields/rules';
import { locatorModes, textMode } from './locatorModes';

const listed =
	"The list shows the customers of your invoices; choose 'By ID' for a customer who has none.";

const byEmail = textMode('By Email', 'email', 'e.g. billing@example.com');

/**
 * A customer, picked from those of existing invoices or given by ID or, with `isByEmail`, by the email that existing invoices
 * name. `send`: where the service takes it (spec 4.1, 4.2, 4.3). A node
 * that has this field needs the list `getCustomers` among its methods.
 */
export const customerField = (
	description: string,
	send?: { type: 'body' | 'query'; property: string },
	{ required, isByEmail }: { required?: boolean; isByEmail?: boolean } = {},
): Field => ({
	displayName: 'Customer ID',
	name: 'customerId',
	type: 'resourceLocator',
	...(required && { required }),
	// In a collection n8n takes it as it is, where it adds the mark elsewhere.
	default: { __rl: true, mode: 'list', value: '' },
	description: [description, listed].join(' '),
	...locatorModes(
		'Choose a customer...',
		{
			searchListMethod: 'getCustomers',
			slowLoadNotice: {
				message:
					'Customers are collected from your invoices. If this takes too long, choose By ID.',
				timeout: 5000,
			},
		},
		isByEmail ? [byEmail] : [],
	),
	...(send && { routing: { send } }),
	rule: isByEmail ? uuidOrEmail() : uuid(),
});
