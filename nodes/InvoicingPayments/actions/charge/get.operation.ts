import { includeCardData } from '../../../shared/descriptions/output';
import { locatorModes } from '../../../shared/descriptions/locators';
import { uuid } from '../../../shared/fields/rules';
import { chargeFields, simpleCharge } from '../../../shared/output/fields';
import { findById } from '../../../shared/pagination/findById';
import type { Operation } from '../../execution/operation';
import { options, outputFields } from '../common/fields';

/** Searches the list (spec 4.3), because the service cannot return a single charge (spec 4.8). */
export const get: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get charge',
	description: 'Retrieve a charge by its ID',
	routing: { request: { method: 'GET', url: '/v1/charges' } },
	fields: [
		{
			displayName: 'Charge',
			name: 'chargeId',
			type: 'resourceLocator',
			required: true,
			default: { mode: 'list', value: '' },
			description: 'The charge to retrieve, picked from the list or by ID',
			...locatorModes('Choose a charge...', { searchListMethod: 'getCharges' }),
			rule: uuid(),
		},
		...outputFields(chargeFields),
		options([includeCardData]),
	],
	response: 'page',
	simpleFields: simpleCharge,
	perform: async (client, request) => {
		const { chargeId } = request.settings as { chargeId?: string };
		return await findById(client, request, String(chargeId), { noun: 'charge' });
	},
};
