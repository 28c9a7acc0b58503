import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { readableTexts } from '../../shared/customers/customer';
import { shorten, toUuid } from '../../shared/fields/text';
import { containsWords, lookUp, pageOf } from '../../shared/methods/lookUp';

/** The first invoices of the list, in the order of the service. */
const maxInvoices = 500;

/**
 * Lists invoices that contain each word of the filter (spec 4.2). If none of the first 500 does, asks the service for the
 * number or ID. Throws a NodeApiError.
 */
export async function getInvoices(
	this: ILoadOptionsFunctions,
	filter = '',
	paginationToken = '0',
): Promise<INodeListSearchResult> {
	const matching = async (query?: { id?: string; invoice_number?: string }) => {
		const settings = { limit: maxInvoices };
		const listed = await lookUp(this, '/v1/invoices', { response: 'page', settings, query });
		return listed
			.map((invoice) => ({ name: invoiceLabel(invoice), value: String(invoice.id) }))
			.filter(({ value }) => 'value' in toUuid(value))
			.filter(({ name, value }) => containsWords(`${name} ${value}`, filter));
	};
	const wanted = filter.trim();
	let found = await matching();
	if (found.length === 0 && wanted) {
		const isId = 'value' in toUuid(wanted);
		found = await matching(isId ? { id: wanted } : { invoice_number: wanted });
	}
	return pageOf(found, paginationToken);
}

function invoiceLabel(invoice: Record<string, unknown>): string {
	const { id, invoice_number: number, title, customer, amount, currency, status } = invoice;
	const [customerName] = readableTexts(customer);
	const sum = [amount, currency].filter(Boolean).join(' ');
	const parts = [number, title, customerName, sum]
		.filter(Boolean)
		.map((part) => shorten(String(part)));
	const name = parts.join(', ') || String(id);
	return status ? `${name} (${String(status)})` : name;
}
