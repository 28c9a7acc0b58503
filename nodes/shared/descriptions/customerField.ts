import type { Field } from '../fields/field';
import { uuid, uuidOrEmail } from '../fields/rules';
import { locatorModes, textMode } from './locatorModes';

const listed =
	"The list shows the customers of your invoices; choose 'By ID' for a customer who has none.";

const byEmail = textMode('By Email', 'email', 'e.g. billing@example.com');

/**
 * A customer from the list, by ID or, with `isByEmail`, by email. `send`: its place in the request (spec 4.1, 4.2, 4.3). The
 * node needs the method `getCustomers`.
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
	// n8n adds `__rl` to defaults, but not inside of a collection.
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
