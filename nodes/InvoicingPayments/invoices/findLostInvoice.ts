import { messageOf } from '../../shared/errors/messages';
import type { Client } from '../../shared/transport/client';
import { isSame } from './compareInvoice';
import type { Invoice } from './invoiceNumbers';
import { findInvoices } from './invoiceNumbers';
import type { InvoiceRequest } from './invoiceRequest';
import { bodyOf, looksForNumber } from './invoiceRequest';
import type { LostSearch } from './messages';
import { clock } from '../../shared/clock';

/** For how many milliseconds an invoice is looked for whose response was lost; a slow service may need some of them. */
const longestSearch = 15_000;

/**
 * Looks for the invoice of a create whose response was lost: one with its number that is not among those that were known before.
 * Nothing else of the run is sent meanwhile. It goes on when the run stops: what stops other items is no reason not to find out.
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
		const patient = { ...client, signal: cancelled, hold: undefined };
		return await search(patient, request, number, before);
	} finally {
		if (hold) hold.count -= 1;
		// The caller decides first whether anything more is to be sent.
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
	const maxWait = Math.min(longestSearch, request.policy.maxWait);
	const left = () => begin + maxWait - clock.now();
	const knownIds = before.map(({ id }) => id);
	// Without a look before, there may have been invoices with this number all the time.
	const isAnyNew = looksForNumber(request.settings);
	for (let wait = 500; ; wait *= 2) {
		const timeout = Math.min(request.policy.timeout ?? longestSearch, longestSearch);
		const policy = { ...request.policy, timeout, maxWait: Math.max(0, left()) };
		const found = await findInvoices(client, { ...request, policy }, number);
		if ('failure' in found) return { problem: messageOf(found.failure) };
		const invoice = found.results.find(
			(one) => !knownIds.includes(one.id) && (isAnyNew || isSame(one, bodyOf(request))),
		);
		if (invoice) return { invoice };
		if (left() <= 0 || client.signal.aborted) {
			return { seconds: Math.round((clock.now() - begin) / 1000) };
		}
		await clock.pause(Math.min(wait, left()), client.signal);
	}
}
