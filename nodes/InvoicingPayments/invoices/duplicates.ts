import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../../shared/transport/client';
import { runConcurrently } from '../../shared/transport/concurrency';
import { comparableNumber } from './comparableNumber';
import { isCancelled } from './compareInvoice';
import type { Invoice, InvoiceNumbers } from './invoiceNumbers';
import type { InvoiceRequest } from './invoiceRequest';
import { needsNumberLookup, numberIn } from './invoiceRequest';
import { clock } from '../../shared/clock';

interface InvoiceResult {
	request: InvoiceRequest;
	result: Invoice;
}

/** Milliseconds. Gives the service time to list a new invoice. */
const retryDelay = 2000;

/** `duplicateOf` is the oldest invoice (or the smallest ID if ages are unknown), so that it is the same in every run. */
export function duplicatesIn(id: unknown, sameNumber: Invoice[]): IDataObject {
	const active = sameNumber.filter((one) => !isCancelled(one));
	const ids = [...new Set(oldestFirst(active).map((invoice) => String(invoice.id)))];
	if (ids.length < 2) return {};
	const [oldest] = ids;
	return { duplicates: ids, ...(oldest !== String(id) && { duplicateOf: oldest }) };
}

function oldestFirst(invoices: Invoice[]): Invoice[] {
	const dates = new Map(invoices.map((one) => [one, Date.parse(String(one.created))]));
	const hasDates = [...dates.values()].every((date) => !Number.isNaN(date));
	const createdAt = (one: Invoice) => (hasDates ? (dates.get(one) ?? 0) : 0);
	const id = (one: Invoice) => String(one.id);
	return invoices.sort(
		(a, b) => createdAt(a) - createdAt(b) || Number(id(a) > id(b)) - Number(id(a) < id(b)),
	);
}

/** Finds duplicates that another n8n process created. Sets `duplicatesChecked: false` if that stays unknown. Never throws. */
export async function markDuplicates(
	client: Client,
	results: InvoiceResult[],
	numbers: InvoiceNumbers,
): Promise<void> {
	const created = results.filter(
		({ request, result }) => needsCheck(request) && !String(result.outcome).startsWith('found'),
	);
	let unlisted = await markListed(client, created, numbers);
	if (unlisted.length > 0) {
		await clock.pause(retryDelay, client.signal);
		unlisted = await markListed(client, unlisted, numbers);
	}
	for (const { result } of unlisted) result.duplicatesChecked = false;
}

const needsCheck = ({ settings }: InvoiceRequest): boolean =>
	needsNumberLookup(settings) && settings.checkForDuplicates !== false;

/** Marks the duplicates of listed invoices, and returns the invoices that are not listed. Stops after a failed request. */
async function markListed(
	client: Client,
	created: InvoiceResult[],
	numbers: InvoiceNumbers,
): Promise<InvoiceResult[]> {
	if (created.length === 0) return [];
	const unlisted = new Set(created);
	const [{ request: first }] = created;
	const startedAt = clock.now();
	const sent = created.map(({ request }) => numberIn(request));
	const fromList = await numbers.findMany(client, first, sent);
	await runConcurrently(created.length, first.policy.maxRequestsInFlight, async (index) => {
		const { request, result } = created[index];
		const number = numberIn(request);
		const found = fromList
			? { results: fromList.get(comparableNumber(number)) ?? [] }
			: await numbers.findCreated(client, request, number, startedAt);
		if ('failure' in found) return false;
		if (found.results.some(({ id }) => id === result.id)) {
			Object.assign(result, duplicatesIn(result.id, found.results));
			unlisted.delete(created[index]);
		}
		return true;
	});
	return [...unlisted];
}
