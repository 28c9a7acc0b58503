import { locatorModes, textMode } from '../../../shared/descriptions/locators';
import type { RuledField } from '../../../shared/fields/field';
import { rule } from '../../../shared/fields/rules';
import { quote, toText, toUuid } from '../../../shared/fields/text';
import { listedInvoiceFields, simpleInvoice } from '../../../shared/output/fields';
import type { Results, ResultsRequest } from '../../../shared/pagination/fetchResults';
import { findById } from '../../../shared/pagination/findById';
import type { Parsed } from '../../../shared/result';
import { failed, notRead, ok } from '../../../shared/result';
import type { Client } from '../../../shared/transport/client';
import type { FailedAnswer } from '../../../shared/transport/failure';
import type { Operation } from '../../execution/operation';
import type { Invoice } from '../../invoices/invoiceNumbers';
import { findInvoices } from '../../invoices/invoiceNumbers';
import { options, outputFields } from '../common/fields';

interface InvoiceReference {
	by: 'id' | 'number';
	value: string;
}

/** Without a mode (from an expression), a value that looks like an ID is read as an ID. */
const invoiceReference = rule({ kind: 'text' }, (value, { mode }): Parsed<InvoiceReference> => {
	const id = toUuid(value);
	if (id.ok && mode !== 'number') return ok({ by: 'id', value: id.value });
	if (mode === 'id' && !id.ok) {
		return notRead(`${id.problem}. To find an invoice by its number, choose 'By Number'`);
	}
	const number = toText(value);
	return number.ok ? ok({ by: 'number', value: number.value }) : number;
});

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

/** Searches the list (spec 4.2), because the service cannot return a single invoice (spec 4.8). */
export const get: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get invoice',
	description: 'Retrieve an invoice by its number or ID',
	routing: { request: { method: 'GET', url: '/v1/invoices' } },
	fields: [invoiceField, ...outputFields(listedInvoiceFields), options()],
	response: 'page',
	simpleFields: simpleInvoice,
	perform: getInvoice,
};

const maxListed = 10;

/** Prefers exact matches to other spellings of a number. Never throws. */
async function getInvoice(client: Client, request: ResultsRequest): Promise<Results> {
	const { invoiceId } = request.settings as { invoiceId?: InvoiceReference };
	const { by, value } = invoiceId as InvoiceReference;
	if (by === 'id') return await findById(client, request, value, { noun: 'invoice' });
	const found = await findInvoices(client, request, value);
	if (!found.ok) return found;
	const exact = found.value.filter(({ invoice_number: number }) => String(number) === value);
	const results = exact.length ? exact : found.value;
	if (results.length === 0) return invoiceNotFound(request, value);
	if (results.length > 1) return invoiceNotUnique(request, value, results);
	return ok(results);
}

const noMatch = (
	{ request: { method, path } }: ResultsRequest,
	message: string,
	advice: string,
): FailedAnswer => failed({ kind: 'noMatch', method, path, message, advice });

function invoiceNotFound(request: ResultsRequest, number: string) {
	const isId = toUuid(number).ok;
	const hint = isId ? ". It looks like an ID: choose 'By ID'" : '';
	return noMatch(
		request,
		`No invoice with the number ${quote(number)} was found in the service${hint}`,
		'Check the number. The service may list a new invoice only after some time: if it was created a moment ago, try again later.',
	);
}

function invoiceNotUnique(request: ResultsRequest, number: string, invoices: Invoice[]) {
	const ids = invoices.slice(0, maxListed).map(({ id }) => String(id));
	const rest = invoices.length - ids.length;
	return noMatch(
		request,
		`Several invoices have the number ${quote(number)}: ${ids.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`,
		"Choose 'By ID' and enter one of these IDs. 'Get Many' returns all of them.",
	);
}
