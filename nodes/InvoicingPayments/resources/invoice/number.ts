import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';
import { option } from '../../../shared/rules';
import type { Check } from '../../../shared/send';
import { send } from '../../../shared/send';
import type { IfNumberExists, ItemSettings } from '../../../shared/settings';
import { ifNumberExists } from '../../../shared/settings';

const label = 'If Invoice Number Exists';

/** What becomes of an invoice whose number an invoice of the service has already. */
export const ifInvoiceNumberExists = (
	show: IDisplayOptions['show'],
	standard: IfNumberExists,
): INodeProperties[] => [
	{
		displayName: label,
		name: 'ifInvoiceNumberExists',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Create Anyway',
				value: 'create',
				description: 'Do not look: every run creates another invoice',
			},
			{
				name: 'Return Existing',
				value: 'returnExisting',
				description:
					'Give the invoice that exists and create none, so that a second run is harmless',
			},
			{
				name: 'Fail',
				value: 'fail',
				description: 'Create none and say which invoice has the number',
			},
		],
		default: standard,
		description:
			'What to do when the service has an invoice with the same number. With Return Existing nothing is created twice when a run is repeated, by hand or by Retry On Fail; it needs an invoice number.',
		builderHint: {
			propertyHint:
				'Choose returnExisting, with an invoice number, wherever the workflow or an AI agent may ask for the same invoice twice: create bills the customer again.',
		},
		displayOptions: { show },
		routing: send('setting', 'if_number_exists', option(label, ifNumberExists)),
	},
	{
		displayName:
			'Every run creates new invoices, also from the same input. To make a second run harmless, choose <b>Return Existing</b> and give each invoice its number.',
		name: 'createAnywayNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { ...show, ifInvoiceNumberExists: ['create'] } },
	},
];

/** An invoice without a number cannot be found again. */
export const needsNumber: Check = ({ body, setting }) => {
	const { if_number_exists: ifExists = 'create' } = setting as ItemSettings;
	return ifExists === 'create' || body.invoice_number !== undefined
		? []
		: [`Invoice Number is empty, but ${label} looks for it`];
};
