import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { shorten, toUuid } from '../../shared/fields/text';
import { containsWords, lookUp, editorListLimit, pageOf } from '../../shared/methods/listSearch';
import { payerOf } from '../../shared/output/simplify';
import { readableTexts } from '../../shared/customers/customer';

/** Charges that match the filter, newest first. If none of the first 500 does, the service searches. Throws a NodeApiError. */
export async function getCharges(
	this: ILoadOptionsFunctions,
	filter = '',
	paginationToken = '0',
): Promise<INodeListSearchResult> {
	const matching = async (query?: { id?: string; search?: string }) => {
		const settings = { limit: editorListLimit };
		const listed = await lookUp(this, '/v1/charges', { response: 'page', settings, query });
		return listed
			.sort((a, b) => String(b.created).localeCompare(String(a.created)))
			.map((charge) => ({ name: chargeLabel(charge), value: String(charge.id) }))
			.filter(({ value }) => 'value' in toUuid(value))
			.filter(({ name, value }) => containsWords(`${name} ${value}`, filter));
	};
	const wanted = filter.trim();
	let found = await matching();
	if (found.length === 0 && wanted) {
		found = await matching('value' in toUuid(wanted) ? { id: wanted } : { search: wanted });
	}
	return pageOf(found, paginationToken);
}

function chargeLabel(charge: Record<string, unknown>): string {
	const { id, created, total, currency, items, note, reference_id: reference, status } = charge;
	const [item] = Array.isArray(items) ? (items as Array<{ name?: unknown } | null>) : [];
	const day = typeof created === 'string' ? created.slice(0, 10) : '';
	const sum = [total, currency].filter(Boolean).join(' ');
	const parts = [day, sum, payerOf(charge).payer, item?.name, note, reference]
		.filter(Boolean)
		.map((part) => shorten(String(part)));
	const name = parts.join(', ') || String(id);
	return status ? `${name} (${String(status)})` : name;
}

/** Invoices that match the filter. If none of the first 500 does, the service searches. Throws a NodeApiError. */
export async function getInvoices(
	this: ILoadOptionsFunctions,
	filter = '',
	paginationToken = '0',
): Promise<INodeListSearchResult> {
	const matching = async (query?: { id?: string; invoice_number?: string }) => {
		const settings = { limit: editorListLimit };
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

interface ListedMember {
	id?: string | null;
	job_title?: string;
	user?: { first_name?: string; last_name?: string } | null;
}

/** Team members by name. Throws a NodeApiError. */
export async function getMembers(
	this: ILoadOptionsFunctions,
	filter = '',
	paginationToken = '0',
): Promise<INodeListSearchResult> {
	const listed: ListedMember[] = await lookUp(this, '/v1/members', {
		response: 'array',
		settings: { returnAll: true },
	});
	const members = listed
		.map((member) => ({ name: memberLabel(member), value: String(member.id) }))
		.filter(({ value }) => 'value' in toUuid(value))
		.filter(({ name, value }) => containsWords(`${name} ${value}`, filter))
		.sort((a, b) => a.name.localeCompare(b.name));
	return pageOf(members, paginationToken);
}

function memberLabel({ id, user, job_title: jobTitle }: ListedMember): string {
	const name = [user?.first_name, user?.last_name].filter(Boolean).join(' ') || String(id);
	return jobTitle ? `${shorten(name)} (${shorten(jobTitle)})` : shorten(name);
}
