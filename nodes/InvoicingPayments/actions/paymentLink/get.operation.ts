import { uuid } from '../../../shared/fields/rules';
import type { Operation } from '../../execution/operation';
import { linkFields, simpleLink } from '../../../shared/output/fields';
import { options, outputFields } from '../common/fields';

/** spec 4.4 */
export const get: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get payment link',
	description: 'Retrieve a payment link by its ID',
	routing: {
		request: { method: 'GET', url: '=/v1/links/{{encodeURIComponent($parameter["linkId"])}}' },
	},
	fields: [
		{
			displayName: 'Payment Link ID',
			name: 'linkId',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. 3f2b8c1e-5d4a-4f6b-9c7d-8e9f0a1b2c3d',
			description:
				"ID of the payment link, in UUID format. The link's public URL cannot be used; enter its ID.",
			rule: uuid(),
		},
		...outputFields(linkFields),
		options(),
	],
	response: 'object',
	simpleFields: simpleLink,
};
