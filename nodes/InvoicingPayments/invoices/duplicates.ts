import type { IDataObject } from 'n8n-workflow';
import { clock } from '../../shared/clock';
import { ok } from '../../shared/result';
import type { Client } from '../../shared/transport/client';
import { runConcurrently } from '../../shared/transport/concurrency';
import { comparableNumber } from './comparableNumber';
import { isCancelled } from './compareInvoice';
import type { Invoice } from './invoiceNumbers';
import { findInvoices, findManyInvoices } from './invoiceNumbers';
import type { InvoiceRequest } from './invoiceRequest';
import { needsNumberLookup, numberIn } from './invoiceRequest';
import { sortedById } from './lookUpNumbers';

interface InvoiceResult {
	request: InvoiceRequest;
	result: Invoice;
}

/** Milliseconds. Gives the service time to list a new invoice. */
const retryDelay = 2000;

/** `duplicateOf`: the invoice to keep, if it is another one. */
export function duplicatesIn(id: unknown, sameNumber: Invoice[]): IDataObject {
	const active = sameNumber.filter((one) => !isCancelled(one));
	const ids = [...new Set(sortedById(active).map((invoice) => String(invoice.id)))];
	if (ids.length < 2) return {};
	const [first] = ids;
	return { duplicates: ids, ...(first !== String(id) && { duplicateOf: first }) };
}

/** Finds duplicates that another n8n process created. Sets `duplicatesChecked: false` if that stays unknown. Never throws. */
export async function markDuplicates(client: Client, results: InvoiceResult[]): Promise<void> {
	const created = results.filter(
		({ request, result }) => needsCheck(request) && !String(result.outcome).startsWith('found'),
	);
	let unlisted = await markListed(client, created);
	if (unlisted.length > 0) {
		await clock.pause(retryDelay, client.signal);
		unlisted = await markListed(client, unlisted);
	}
	for (const { result } of unlisted) result.duplicatesChecked = false;
}

const needsCheck = ({ settings }: InvoiceRequest): boolean =>
	needsNumberLookup(settings) && settings.checkForDuplicates !== false;

/** Marks the duplicates of listed invoices, and returns the invoices that are not listed. Stops after a failed request. */
async function markListed(client: Client, created: InvoiceResult[]): Promise<InvoiceResult[]> {
	if (created.length === 0) return [];
	const unlisted = new Set(created);
	const [{ request: first }] = created;
	const sent = created.map(({ request }) => numberIn(request));
	const fromList = await findManyInvoices(client, first, sent);
	await runConcurrently(created.length, first.policy.maxRequestsInFlight, async (index) => {
		const { request, result } = created[index];
		const number = numberIn(request);
		const found = fromList
			? ok(fromList.get(comparableNumber(number)) ?? [])
			: await findInvoices(client, request, number);
		if (!found.ok) return false;
		if (found.value.some(({ id }) => id === result.id)) {
			Object.assign(result, duplicatesIn(result.id, found.value));
			unlisted.delete(created[index]);
		}
		return true;
	});
	return [...unlisted];
}
