import type { INodeProperties } from 'n8n-workflow';
import { request } from '../../../shared/send';
import { simpleInvoice, simpleInvoiceOfRows } from '../../../shared/simplify';
import { planRows } from '../../rows/planRows';
import { invoiceCreate } from './create';
import { invoiceCreateFromRows } from './createFromRows';
import { invoiceGetAll } from './getAll';
import { needsNumber } from './number';

const show = { resource: ['invoice'] };

export const invoice: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show },
		options: [
			{
				name: 'Create',
				value: 'create',
				action: 'Create an invoice for a customer from items with name and amount and quantity',
				description:
					'Create an invoice. Every run creates another one, unless If Invoice Number Exists says otherwise.',
				routing: request('POST', '/v1/invoices', 'invoice', {
					simple: simpleInvoice,
					check: needsNumber,
				}),
			},
			{
				name: 'Create From Rows',
				value: 'createFromRows',
				action: 'Create invoices from the rows of a spreadsheet',
				description:
					'Create the invoices of a whole sheet, one or several rows each, after all cells were checked',
				routing: request('POST', '/v1/invoices', 'invoice', {
					simple: simpleInvoiceOfRows,
					plan: planRows,
				}),
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many invoices by number or status or customer',
				description: 'List invoices',
				routing: request('GET', '/v1/invoices', 'page', { simple: simpleInvoice }),
			},
		],
		default: 'create',
	},
	...invoiceCreate,
	...invoiceCreateFromRows,
	...invoiceGetAll,
];
