import { failed, ok } from '../../shared/result';
import { runConcurrently } from '../../shared/transport/concurrency';
import type { Client } from '../../shared/transport/client';
import type { Answer, Failure } from '../../shared/transport/failure';
import { comparableNumber } from './comparableNumber';
import { isCancelled } from './compareInvoice';
import type { Invoice } from './invoiceNumbers';
import { findInvoices, findManyInvoices } from './invoiceNumbers';
import type { InvoiceRequest } from './invoiceRequest';
import { numberIn } from './invoiceRequest';
import { RecentCreates } from './recentCreates';

export interface NumberLookup {
	invoice?: Invoice;
	/** All that are listed or were just created. `invoice`: the best of them. */
	all: Invoice[];
	/** When a request that may still create an invoice was sent (milliseconds since 1970). */
	lostAt?: number;
}

/** Finds the invoices that have a number already. */
export async function lookUpNumber(
	client: Client,
	request: InvoiceRequest,
	number: string,
): Promise<Answer<NumberLookup>> {
	const found = await findInvoices(client, request, number);
	if (!found.ok) {
		const during = `The invoice number "${number}" could not be looked up, so its invoice was not created`;
		return failed({ ...found.failure, during });
	}
	return ok(toLookup(client, number, found.value));
}

/** Lists may lag, so invoices that this process has just created count as well. Of one that is listed, that copy counts: it may have been cancelled since. */
function toLookup(client: Client, number: string, listed: Invoice[]): NumberLookup {
	const { invoices, lostAt } = client.account.part(RecentCreates).get(number);
	const ids = new Set(listed.map(({ id }) => id));
	const all = [...listed, ...invoices.filter(({ id }) => !ids.has(id))];
	return { invoice: bestOf(all, number), all, lostAt };
}

/** Prefers invoices that are not cancelled, then exact matches, then the lowest ID, which the output's `duplicates` names first as well. */
function bestOf(invoices: Invoice[], number: string): Invoice | undefined {
	const rank = (one: Invoice) =>
		2 * Number(!isCancelled(one)) + Number(one.invoice_number === number);
	return sortedById(invoices).sort((a, b) => rank(b) - rank(a))[0];
}

/** To have the same order in every run: there is no creation time to sort by (spec 2.5). */
export const sortedById = (invoices: Invoice[]): Invoice[] =>
	[...invoices].sort((a, b) => (String(a.id) < String(b.id) ? -1 : 1));

/** Returns one lookup per request, in the same order. Reads the whole list if that is cheaper. Stops at the first failure. */
export async function lookUpNumbers(
	client: Client,
	requests: InvoiceRequest[],
): Promise<Answer<NumberLookup[]>> {
	if (requests.length === 0) return ok([]);
	const numbers = requests.map(numberIn);
	const listed = await findManyInvoices(client, requests[0], numbers);
	if (listed)
		return ok(
			numbers.map((number) => toLookup(client, number, listed.get(comparableNumber(number)) ?? [])),
		);
	const lookups: NumberLookup[] = [];
	let failure: Failure | undefined;
	const maxInFlight = requests[0].policy.maxRequestsInFlight;
	await runConcurrently(requests.length, maxInFlight, async (index) => {
		const found = await lookUpNumber(client, requests[index], numbers[index]);
		if (!found.ok) failure ??= found.failure;
		else lookups[index] = found.value;
		return !failure;
	});
	return failure ? failed(failure) : ok(lookups);
}
