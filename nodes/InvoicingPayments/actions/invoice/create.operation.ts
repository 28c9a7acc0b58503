import type { Operation } from '../../execution/operation';
import { createInvoice } from '../../invoices/createInvoice';
import { markDuplicates } from '../../invoices/duplicates';
import { invoiceFields } from '../../invoices/invoiceFields';
import { numbersOf } from '../../invoices/invoiceNumbers';
import { looksForNumber } from '../../invoices/invoiceRequest';
import { resultHints } from '../../invoices/resultHints';
import { createdInvoiceFields, simpleInvoice } from '../../../shared/output/fields';
import { checkForDuplicates, ifInvoiceNumberExists } from '../common/ifInvoiceNumberExists';
import { options } from '../common/options';
import { outputFields } from '../common/output';
import { withAgentDefault } from '../common/versions';

/** spec 4.1 */
export const create: Operation = {
	name: 'Create',
	value: 'create',
	action: 'Create invoice',
	description: 'Create a new invoice for a customer',
	routing: { request: { method: 'POST', url: '/v1/invoices' } },
	fields: [
		// An AI model knows emails, not IDs, and may ask twice for the same invoice.
		...invoiceFields.flatMap((field) =>
			field.name === 'customerId'
				? withAgentDefault(field, { __rl: true, mode: 'email', value: '' })
				: [field],
		),
		...ifInvoiceNumberExists('create').flatMap((field) =>
			field.name === 'ifInvoiceNumberExists' ? withAgentDefault(field, 'returnExisting') : [field],
		),
		...outputFields(createdInvoiceFields),
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
	mayRace: looksForNumber,
	review: async (client, created, run) => await markDuplicates(client, created, numbersOf(run)),
	hints: resultHints,
};

async function performCreate(
	...[client, request, run]: Parameters<NonNullable<Operation['perform']>>
) {
	return await createInvoice(client, request, numbersOf(run));
}
