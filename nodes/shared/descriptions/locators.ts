import type {
	INodeProperties,
	INodePropertyMode,
	INodePropertyModeTypeOptions,
} from 'n8n-workflow';
import type { Field } from '../fields/field';
import { text, uuid, uuidOrEmail } from '../fields/rules';

/** Modes, unlike fields, have no default. */
export const textMode = (
	displayName: string,
	name: string,
	placeholder: string,
): INodePropertyMode => ({ displayName, name, ...({ type: 'string', placeholder } as const) });

export const locatorModes = (
	placeholder: string,
	list: INodePropertyModeTypeOptions,
	others: INodePropertyMode[] = [],
): Pick<INodeProperties, 'modes'> => ({
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder,
			typeOptions: { searchable: true, ...list },
		},
		textMode('By ID', 'id', 'e.g. 3f2b8c1e-5d4a-4f6b-9c7d-8e9f0a1b2c3d'),
		...others,
	],
});

const listed =
	"The list shows the customers of your invoices; choose 'By ID' for a customer who has none.";

const byEmail = textMode('By Email', 'email', 'e.g. billing@example.com');

/** The node needs the method `getCustomers`. `send`: where the ID goes in the request. */
export const customerField = (
	description: string,
	send?: { type: 'body' | 'query'; property: string },
	{ required, isByEmail }: { required?: boolean; isByEmail?: boolean } = {},
): Field => ({
	displayName: 'Customer',
	name: 'customerId',
	type: 'resourceLocator',
	...(required && { required }),
	// n8n adds `__rl` to defaults, but not inside a collection (N11).
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

/** Can be typed, because the spec names only one status (4.3). The node needs the method `getChargeStatuses`. */
export const chargeStatusField = (description: string, { required = false } = {}): Field => ({
	displayName: 'Status',
	name: 'status',
	type: 'resourceLocator',
	...(required && { required }),
	default: { __rl: true, mode: 'list', value: '' },
	description,
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Choose a status...',
			typeOptions: { searchable: true, searchListMethod: 'getChargeStatuses' },
		},
		textMode('By Name', 'name', 'e.g. authorised'),
	],
	routing: { send: { type: 'query', property: 'status' } },
	rule: text(),
});
