import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { namesOf } from '../../shared/customers/customer';
import { shorten, toUuid } from '../../shared/fields/text';
import { containsWords, editorListLimit, lookUp, pageOf } from '../../shared/methods/listSearch';
import { payerOf } from '../../shared/output/simplify';

type Listed = Record<string, unknown>;

/** Newest first (spec 4.3). Throws a NodeApiError. */
export async function getCharges(
	this: ILoadOptionsFunctions,
	filter = '',
	paginationToken = '0',
): Promise<INodeListSearchResult> {
	const search = async (query?: IDataObject) => {
		const charges = await readFirst(this, '/v1/charges', query);
		charges.sort((a, b) => String(b.created).localeCompare(String(a.created)));
		return entriesOf(charges, chargeLabel, filter);
	};
	const entries = await searchTwice(search, filter, 'search');
	return pageOf(entries, paginationToken);
}

/** spec 4.2. Throws a NodeApiError. */
export async function getInvoices(
	this: ILoadOptionsFunctions,
	filter = '',
	paginationToken = '0',
): Promise<INodeListSearchResult> {
	const search = async (query?: IDataObject) =>
		entriesOf(await readFirst(this, '/v1/invoices', query), invoiceLabel, filter);
	const entries = await searchTwice(search, filter, 'invoice_number');
	return pageOf(entries, paginationToken);
}

/** By name (spec 4.7: one list without pages). Throws a NodeApiError. */
export async function getMembers(
	this: ILoadOptionsFunctions,
	filter = '',
	paginationToken = '0',
): Promise<INodeListSearchResult> {
	const settings = { returnAll: true };
	const members = await lookUp(this, '/v1/members', { response: 'array', settings });
	const entries = entriesOf(members, memberLabel, filter);
	entries.sort((a, b) => a.name.localeCompare(b.name));
	return pageOf(entries, paginationToken);
}

/** Reads the first 500 results: that is quick, and usually enough. */
async function readFirst(context: ILoadOptionsFunctions, path: string, query?: IDataObject) {
	const settings = { limit: editorListLimit };
	return await lookUp(context, path, { response: 'page', settings, query });
}

type Entry = { name: string; value: string };

/** If no entry of the first search matches, lets the service filter by ID or by `property`. */
async function searchTwice(
	search: (query?: IDataObject) => Promise<Entry[]>,
	filter: string,
	property: 'search' | 'invoice_number',
): Promise<Entry[]> {
	const entries = await search();
	const text = filter.trim();
	if (entries.length > 0 || !text) return entries;
	return await search({ [toUuid(text).ok ? 'id' : property]: text });
}

const entriesOf = (results: Listed[], labelOf: (one: Listed) => string, filter: string): Entry[] =>
	results
		.map((one) => ({ name: labelOf(one), value: String(one.id) }))
		.filter(({ value }) => toUuid(value).ok)
		.filter(({ name, value }) => containsWords(`${name} ${value}`, filter));

function chargeLabel(charge: Listed): string {
	const { id, created, total, currency, items, note, reference_id: reference, status } = charge;
	const [item] = Array.isArray(items) ? (items as Array<{ name?: unknown } | null>) : [];
	const day = typeof created === 'string' ? created.slice(0, 10) : '';
	const sum = [total, currency].filter(Boolean).join(' ');
	return labelFrom([day, sum, payerOf(charge).payer, item?.name, note, reference], id, status);
}

function invoiceLabel({ customer, amount, currency, ...invoice }: Listed): string {
	const { id, invoice_number: number, title, status } = invoice;
	const { names, emails } = namesOf(customer);
	const sum = [amount, currency].filter(Boolean).join(' ');
	return labelFrom([number, title, [...names, ...emails][0], sum], id, status);
}

/** `2026-0042, Services in March, ACME, 120.00 EUR (paid)`. Shows the ID if all parts are empty. */
function labelFrom(parts: unknown[], id: unknown, status: unknown): string {
	const texts = parts.filter(Boolean).map((part) => shorten(String(part)));
	const name = texts.join(', ') || String(id);
	return status ? `${name} (${String(status)})` : name;
}

function memberLabel({ id, user, job_title: jobTitle }: Listed): string {
	const { first_name: first, last_name: last } = (user ?? {}) as Record<string, unknown>;
	const name = shorten([first, last].filter(Boolean).join(' ') || String(id));
	return jobTitle ? `${name} (${shorten(String(jobTitle))})` : name;
}
