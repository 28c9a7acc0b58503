import type { Field } from '../fields/field';
import { text } from '../fields/rules';

/** Chosen or typed, because the spec names one status only (4.3). The node needs the method `getChargeStatuses`. */
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
