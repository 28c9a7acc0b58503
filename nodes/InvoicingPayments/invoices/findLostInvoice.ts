import { messageOf } from '../../shared/errors/messages';
import type { Client } from '../../shared/transport/client';
import { hasSameCore } from './compareInvoice';
import type { Invoice } from './invoiceNumbers';
import { findInvoices } from './invoiceNumbers';
import type { InvoiceRequest } from './invoiceRequest';
import { bodyOf, looksForNumber } from './invoiceRequest';
import type { LostSearch } from './messages';
import { clock } from '../../shared/clock';

/** Milliseconds. A slow service may create the invoice after the response was lost. */
const maxSearchTime = 15_000;

/**
 * Searches for the invoice of a create whose response was lost: one with its number that is not in `before`. Unless the node
 * continues on errors, the run sends nothing else meanwhile. Only cancelling the execution ends the search early.
 */
export async function findLostInvoice(
	client: Client,
	request: InvoiceRequest,
	number: string,
	before: Invoice[],
): Promise<{ invoice: Invoice } | LostSearch> {
	const { hold, cancelled } = client;
	if (hold) hold.count += 1;
	try {
		const searchClient = { ...client, signal: cancelled, hold: undefined };
		return await search(searchClient, request, number, before);
	} finally {
		if (hold) hold.count -= 1;
		// After the caller has seen the result: it may stop the run.
		void clock.sleep(0).then(() => client.account.queue.admit());
	}
}

async function search(
	client: Client,
	request: InvoiceRequest,
	number: string,
	before: Invoice[],
): Promise<{ invoice: Invoice } | LostSearch> {
	const begin = clock.now();
	const maxWait = Math.min(maxSearchTime, request.policy.maxWait);
	const left = () => begin + maxWait - clock.now();
	const knownIds = before.map(({ id }) => id);
	// Without an earlier look-up, older invoices may have this number.
	const isAnyNew = looksForNumber(request.settings);
	for (let wait = 500; ; wait *= 2) {
		const timeout = Math.min(request.policy.timeout ?? maxSearchTime, maxSearchTime);
		const policy = { ...request.policy, timeout, maxWait: Math.max(0, left()) };
		const found = await findInvoices(client, { ...request, policy }, number);
		if ('failure' in found) return { problem: messageOf(found.failure) };
		const invoice = found.results.find(
			(one) => !knownIds.includes(one.id) && (isAnyNew || hasSameCore(one, bodyOf(request))),
		);
		if (invoice) return { invoice };
		if (left() <= 0 || client.signal.aborted) {
			return { seconds: Math.round((clock.now() - begin) / 1000) };
		}
		await clock.pause(Math.min(wait, left()), client.signal);
	}
}
