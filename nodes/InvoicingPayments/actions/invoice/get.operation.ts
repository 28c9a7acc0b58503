import type { PreSendAction } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { locatorModes, textMode } from '../../../shared/descriptions/locators';
import type { Field, RuledField } from '../../../shared/fields/field';
import { locatorMode, locatorValue } from '../../../shared/fields/readFields';
import { applyRule, boolean } from '../../../shared/fields/rules';
import { listedInvoiceFields, simpleInvoice } from '../../../shared/output/fields';
import { defaultPageSize } from '../../../shared/pagination/fetchResults';
import type { Operation } from '../../execution/operation';
import { getInvoice, invoiceReference } from '../../invoices/getInvoice';
import type { InvoiceReference } from '../../invoices/getInvoice';
import { options } from '../common/options';
import { outputFields } from '../common/output';

const byNumber = textMode('By Number', 'number', 'e.g. 2026-0042');

const { modes: [fromList, ...others] = [] } = locatorModes('Choose an invoice...', {
	searchListMethod: 'getInvoices',
});

const invoiceField: RuledField = {
	displayName: 'Invoice',
	name: 'invoiceId',
	type: 'resourceLocator',
	required: true,
	default: { mode: 'list', value: '' },
	description: 'The invoice to retrieve, picked from the list, by its number or by its ID',
	modes: [fromList, byNumber, ...others],
	rule: invoiceReference,
};

const returnAllMatches: Field = {
	displayName: 'Return All Matches',
	name: 'returnAllMatches',
	type: 'boolean',
	default: false,
	description:
		'Whether to return all invoices with this number if there are several, instead of an error that lists their IDs',
	rule: boolean(),
};

/** For n8n's RoutingNode: filters the list by ID or number. Throws a NodeOperationError if it is not valid. */
const sendReference: PreSendAction = async function (request) {
	const given = this.getNodeParameter('invoiceId', '');
	const zone = this.getTimezone();
	const outcome = applyRule(invoiceField, locatorValue(given), zone, locatorMode(given));
	if (!outcome || 'problems' in outcome) {
		throw new NodeOperationError(this.getNode(), (outcome?.problems ?? []).join('; '));
	}
	const { by, value } = outcome.value as InvoiceReference;
	const name = by === 'id' ? 'id' : 'invoice_number';
	return { ...request, qs: { [name]: value, page: 1, page_size: defaultPageSize } };
};

/** The service cannot return a single invoice (spec 4.8), so it is searched in the list (spec 4.2). */
export const get: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get invoice',
	description: 'Retrieve an invoice by its number or ID',
	routing: { request: { method: 'GET', url: '/v1/invoices' }, send: { preSend: [sendReference] } },
	fields: [invoiceField, ...outputFields(listedInvoiceFields), options([returnAllMatches])],
	response: 'page',
	simpleFields: simpleInvoice,
	perform: getInvoice,
};
