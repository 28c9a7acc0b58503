import type { Field } from '../fields/field';
import { text } from '../fields/rules';

/**
 * A status of charges (spec 4.3), of which the spec gives one value: picked from those that charges have, or typed. A node that has
 * this field needs the list `getChargeStatuses` among its methods.
 */
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
		{
			displayName: 'By Name',
			name: 'name',
			type: 'string',
			placeholder: 'e.g. authorised',
		},
	],
	routing: { send: { type: 'query', property: 'status' } },
	rule: text(),
});
