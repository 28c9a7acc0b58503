import type { INodeProperties } from 'n8n-workflow';
import { request } from '../../../shared/send';
import { simplePaymentLink } from '../../../shared/simplify';
import { paymentLinkGet } from './get';

const show = { resource: ['paymentLink'] };

export const paymentLink: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show },
		options: [
			{
				name: 'Get',
				value: 'get',
				action: 'Get a payment link by its ID',
				description: 'Retrieve one payment link',
				routing: request('GET', '/v1/links/{id}', 'object', { simple: simplePaymentLink }),
			},
		],
		default: 'get',
	},
	...paymentLinkGet,
];
