import { simplifyField } from '../../../shared/descriptions/simplifyField';
import type { Operation } from '../../execution/operation';
import { createInvoice } from '../../invoices/createInvoice';
import { markDuplicates } from '../../invoices/duplicates';
import { invoiceFields } from '../../invoices/invoiceFields';
import { numbersOf } from '../../invoices/invoiceNumbers';
import { looksForNumber } from '../../invoices/invoiceRequest';
import { resultHints } from '../../invoices/resultHints';
import { simpleInvoice } from '../../../shared/output/simpleInvoice';
import { checkForDuplicates, ifInvoiceNumberExists } from '../common/ifInvoiceNumberExists';
import { options } from '../common/options';

/** spec 4.1 */
export const create: Operation = {
	name: 'Create',
	value: 'create',
	action: 'Create invoice',
	description: 'Create a new invoice for a customer',
	routing: { request: { method: 'POST', url: '/v1/invoices' } },
	fields: [
		...invoiceFields,
		...ifInvoiceNumberExists('create'),
		simplifyField,
		options([checkForDuplicates]),
	],
	response: 'object',
	simpleFields: simpleInvoice,
	creates: 'invoice',
	// An invoice without a number cannot be found again.
	check: ({ body, settings }) =>
		looksForNumber(settings) && body.invoice_number === undefined
			? ["Invoice Number is empty, but 'If Invoice Number Exists' needs it"]
			: [],
	perform: performCreate,
	mayMeet: looksForNumber,
	review: async (client, created, run) => await markDuplicates(client, created, numbersOf(run)),
	hints: resultHints,
};

async function performCreate(
	...[client, request, run]: Parameters<NonNullable<Operation['perform']>>
) {
	return await createInvoice(client, request, numbersOf(run));
}
