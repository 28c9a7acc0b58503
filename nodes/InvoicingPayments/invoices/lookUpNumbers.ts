import { clock, turns } from '../../shared/clock';
import { runConcurrently } from '../../shared/transport/concurrency';
import type { Client } from '../../shared/transport/client';
import type { Failure } from '../../shared/transport/failure';
import { comparableNumber } from './comparableNumber';
import { isCancelled } from './compareInvoice';
import { duplicatesIn } from './duplicates';
import type { Invoice, InvoiceNumbers } from './invoiceNumbers';
import type { InvoiceRequest } from './invoiceRequest';
import { numberIn } from './invoiceRequest';
import { RecentCreates } from './recentCreates';

export interface NumberLookup {
	invoice?: Invoice;
	/** All that were found. */
	all: Invoice[];
	/** When a request was sent that may still create an invoice (milliseconds since 1970). */
	lostAt?: number;
}

/**
 * Looks up a number before an invoice is created. Lists may lag, so a new invoice that they do not show is the one that was created; but
 * somebody may have cancelled it since.
 */
export async function lookUpNumber(
	client: Client,
	request: InvoiceRequest,
	number: string,
	numbers: InvoiceNumbers,
): Promise<NumberLookup | { failure: Failure }> {
	const created = client.account.part(RecentCreates).findNew(number);
	const found = await fetchNumber(client, request, number, numbers);
	const isMissing = 'failure' in found || !found.all.some(({ id }) => id === created?.id);
	return created && isMissing ? { invoice: created, all: [created] } : found;
}

async function fetchNumber(
	client: Client,
	request: InvoiceRequest,
	number: string,
	numbers: InvoiceNumbers,
): Promise<NumberLookup | { failure: Failure }> {
	const found = await numbers.find(client, request, number);
	if ('failure' in found) {
		const during = `The invoice number "${number}" could not be looked up, so its invoice was not created`;
		return { failure: { ...found.failure, during } };
	}
	return toLookup(client, number, found.results, found.readAt);
}

function toLookup(client: Client, number: string, listed: Invoice[], readAt: number): NumberLookup {
	const recent = client.account.part(RecentCreates);
	const { invoices, lostAt } = recent.reconcile(number, listed, readAt);
	const invoice = bestOf(invoices, number);
	if (invoice) return { invoice, all: invoices };
	return { all: [], ...(lostAt !== undefined && { lostAt }) };
}

/** Prefers invoices that are not cancelled, then exact matches, then those that are not duplicates. */
function bestOf(invoices: Invoice[], number: string): Invoice | undefined {
	const isExact = (one: Invoice) => one.invoice_number === number;
	const isOriginal = ({ id }: Invoice) => !duplicatesIn(id, invoices).duplicateOf;
	const rank = (one: Invoice) =>
		4 * Number(!isCancelled(one)) + 2 * Number(isExact(one)) + Number(isOriginal(one));
	return [...invoices].sort((a, b) => rank(b) - rank(a))[0];
}

/** Returns one lookup per request, in the same order. Reads the whole list if that is cheaper. Stops at the first failure. */
export async function lookUpNumbers(
	client: Client,
	requests: InvoiceRequest[],
	numbers: InvoiceNumbers,
): Promise<NumberLookup[] | { failure: Failure }> {
	if (requests.length === 0) return [];
	const readAt = clock.now();
	const fromList = await numbers.findMany(client, requests[0], requests.map(numberIn));
	const lookups: NumberLookup[] = [];
	let failure: Failure | undefined;
	const maxInFlight = requests[0].policy.maxRequestsInFlight;
	const turn = turns();
	await runConcurrently(requests.length, maxInFlight, async (index) => {
		const number = numberIn(requests[index]);
		const found = fromList
			? toLookup(client, number, fromList.get(comparableNumber(number)) ?? [], readAt)
			: await fetchNumber(client, requests[index], number, numbers);
		if ('failure' in found) failure ??= found.failure;
		else lookups[index] = found;
		if (fromList) await turn();
		return !failure;
	});
	return failure ? { failure } : lookups;
}
