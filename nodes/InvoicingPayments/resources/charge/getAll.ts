import type { INodeProperties } from 'n8n-workflow';
import { chargeFilters, includeCardData } from '../../../shared/chargeFields';
import { options, pageOptions, returnAllAndLimit } from '../../../shared/optionFields';
import { simplifyField } from '../../../shared/simplify';

const show = { resource: ['charge'], operation: ['getAll'] };

/** spec 4.3 */
export const chargeGetAll: INodeProperties[] = [
	...returnAllAndLimit(show),
	simplifyField(show),
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		displayOptions: { show },
		options: chargeFilters,
	},
	options(show, [includeCardData, ...pageOptions]),
];
