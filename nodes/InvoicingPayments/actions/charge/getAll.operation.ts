import { includeCardData } from '../../../shared/descriptions/output';
import { chargeFilters } from '../../../shared/descriptions/filters';
import { chargeFields, simpleCharge } from '../../../shared/output/fields';
import type { Operation } from '../../execution/operation';
import { filters, options, outputFields, pageOptions, returnAllAndLimit } from '../common/fields';

/** spec 4.3 */
export const getAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many charges',
	description: 'Retrieve a list of charges, the payments that customers made or tried to make',
	routing: { request: { method: 'GET', url: '/v1/charges' } },
	fields: [
		...returnAllAndLimit,
		...outputFields(chargeFields),
		filters(chargeFilters(true)),
		options([includeCardData, ...pageOptions]),
	],
	response: 'page',
	simpleFields: simpleCharge,
};
