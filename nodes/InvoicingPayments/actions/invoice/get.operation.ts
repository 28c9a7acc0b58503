import { locatorModes, textMode } from '../../../shared/descriptions/locatorModes';
import type { Field, RuledField } from '../../../shared/fields/field';
import { boolean } from '../../../shared/fields/rules';
import { listedInvoiceFields } from '../../../shared/output/allFields';
import { simpleInvoice } from '../../../shared/output/simpleInvoice';
import type { Operation } from '../../execution/operation';
import { getInvoice, invoiceReference } from '../../invoices/getInvoice';
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

/** The service cannot return a single invoice (spec 4.8), so it is searched in the list (spec 4.2). */
export const get: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get invoice',
	description: 'Retrieve an invoice by its number or ID',
	routing: { request: { method: 'GET', url: '/v1/invoices' } },
	fields: [invoiceField, ...outputFields(listedInvoiceFields), options([returnAllMatches])],
	response: 'page',
	simpleFields: simpleInvoice,
	perform: getInvoice,
};
