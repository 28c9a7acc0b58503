import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../../shared/transport/client';
import { runConcurrently } from '../../shared/transport/concurrency';
import { comparableNumber } from './comparableNumber';
import { isCancelled } from './compareInvoice';
import type { Invoice, InvoiceNumbers } from './invoiceNumbers';
import type { InvoiceRequest } from './invoiceRequest';
import { bodyOf, looksForNumber } from './invoiceRequest';
import { clock } from '../../shared/clock';

interface InvoiceResult {
	request: InvoiceRequest;
	result: Invoice;
}

/** Milliseconds. A new invoice may be missing from the list that long. */
const retryDelay = 2000;

/** Keeps the oldest invoice (the smallest ID, if ages are unknown), so that every run keeps the same one. */
export function duplicatesIn(id: unknown, sameNumber: Invoice[]): IDataObject {
	const valid = sameNumber.filter((one) => !isCancelled(one));
	const ids = [...new Set(oldestFirst(valid).map((invoice) => String(invoice.id)))];
	if (ids.length < 2) return {};
	const [kept] = ids;
	return { duplicates: ids, ...(kept !== String(id) && { duplicateOf: kept }) };
}

function oldestFirst(invoices: Invoice[]): Invoice[] {
	const ages = new Map(invoices.map((one) => [one, Date.parse(String(one.created))]));
	const isDated = [...ages.values()].every((age) => !Number.isNaN(age));
	const age = (one: Invoice) => (isDated ? (ages.get(one) ?? 0) : 0);
	const id = (one: Invoice) => String(one.id);
	return [...invoices].sort(
		(a, b) => age(a) - age(b) || Number(id(a) > id(b)) - Number(id(a) < id(b)),
	);
}

/**
 * Another n8n process may have created the same numbers. Sets `duplicatesChecked: false` if that stays unknown. Never throws.
 */
export async function markDuplicates(
	client: Client,
	results: InvoiceResult[],
	numbers: InvoiceNumbers,
): Promise<void> {
	const created = results.filter(
		({ request, result }) => isChecked(request) && result.outcome !== 'found',
	);
	let unlisted = await readAgain(client, created, numbers);
	if (unlisted.length > 0) {
		await clock.pause(retryDelay, client.signal);
		unlisted = await readAgain(client, unlisted, numbers);
	}
	for (const { result } of unlisted) result.duplicatesChecked = false;
}

const isChecked = ({ settings }: InvoiceRequest): boolean =>
	looksForNumber(settings) && settings.checkForDuplicates !== false;

/** Returns the invoices that are not listed yet. Stops after a failed request. */
async function readAgain(
	client: Client,
	created: InvoiceResult[],
	numbers: InvoiceNumbers,
): Promise<InvoiceResult[]> {
	const unlisted = new Set(created);
	const width = created[0]?.request.policy.maxRequestsInFlight ?? 1;
	const since = clock.now();
	const sent = created.map(({ request }) => bodyOf(request).invoice_number ?? '');
	const fromList = created.length
		? await numbers.findTogether(client, created[0].request, sent)
		: undefined;
	await runConcurrently(created.length, width, async (index) => {
		const { request, result } = created[index];
		const found = fromList
			? { results: fromList.get(comparableNumber(sent[index])) ?? [] }
			: await numbers.findAgain(client, request, sent[index], since);
		if ('failure' in found) return false;
		if (found.results.some(({ id }) => id === result.id)) {
			Object.assign(result, duplicatesIn(result.id, found.results));
			unlisted.delete(created[index]);
		}
		return true;
	});
	return [...unlisted];
}
