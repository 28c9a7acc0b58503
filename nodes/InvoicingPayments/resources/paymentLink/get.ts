import type { INodeProperties } from 'n8n-workflow';
import { options } from '../../../shared/optionFields';
import { uuid } from '../../../shared/rules';
import { send } from '../../../shared/send';
import { simplifyField } from '../../../shared/simplify';

const show = { resource: ['paymentLink'], operation: ['get'] };

/** spec 4.4 */
export const paymentLinkGet: INodeProperties[] = [
	{
		displayName: 'Payment Link ID',
		name: 'linkId',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. 3f2b8c1e-5d4a-4f6b-9c7d-8e9f0a1b2c3d',
		description:
			'ID of the payment link, in UUID format. The address that customers open is not the ID.',
		displayOptions: { show },
		routing: send('path', 'id', uuid('Payment Link ID', { required: true })),
	},
	simplifyField(show),
	options(show),
];
