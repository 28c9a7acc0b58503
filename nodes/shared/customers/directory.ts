import { fetchResults } from '../pagination/fetchResults';
import type { Account } from '../transport/account';
import type { Client, RequestPolicy } from '../transport/client';
import { openClient } from '../transport/client';
import type { Failure } from '../transport/failure';
import type { Customer } from './customer';
import { addKnown, customerOf, wordsOf } from './customer';
import { clock } from '../clock';

/**
 * In how many invoices customers are looked for; the service has no list of customers (spec 4.8). A service may refuse pages as
 * deep as that: then fewer invoices have to do.
 */
const mostInvoices = [20_000, 10_000, 1_000];
/** Milliseconds for which what was read is used again, by all executions with the same API key. */
const freshFor = 5 * 60_000;

/** The customers come from the list of invoices. */
const request = { method: 'GET', path: '/v1/invoices' } as const;

/** The service whose customers are to be read, or why it cannot be called. */
export async function openDirectory(
	context: Parameters<typeof openClient>[0],
	cancel?: AbortSignal,
): Promise<Client | { failure: Failure }> {
	const client = await openClient(context, cancel, cancel);
	if (!('problem' in client)) return client;
	return { failure: { ...request, kind: 'configuration', reason: client.problem } };
}

/** The customers that the invoices of an account name. */
export interface Directory {
	customers: Customer[];
	/** How many invoices were looked through. */
	invoices: number;
	/** Whether there may be more invoices than were looked through. */
	isCut: boolean;
}

/** A directory that was read, and when. */
interface Read {
	directory: Directory;
	at: number;
}

const known = new WeakMap<Account, Read>();

/** The directory that was read in the last five minutes by this process for the account, or `undefined`. */
export function knownDirectory(account: Account): Directory | undefined {
	const read = known.get(account);
	return read && clock.now() - read.at < freshFor ? read.directory : undefined;
}

/**
 * Reads the customers of up to 20,000 invoices (spec 4.2), several pages at the same time, and keeps them for five minutes. Never
 * throws.
 */
export async function readDirectory(
	client: Client,
	policy: RequestPolicy,
): Promise<Directory | { failure: Failure }> {
	let last: { failure: Failure } | undefined;
	for (const limit of mostInvoices) {
		const read = await fetchResults(client, {
			request,
			response: 'page',
			settings: { limit },
			policy,
		});
		if ('results' in read) {
			const isCut = last !== undefined || read.results.length >= limit;
			const directory = directoryOf(read.results, isCut);
			known.set(client.account, { directory, at: clock.now() });
			return directory;
		}
		last = read;
		if (!mayBeTooDeep(read.failure)) break;
	}
	return last as { failure: Failure };
}

/** Whether fewer pages may be given: earlier ones were, and the failure is not one of the network. */
const mayBeTooDeep = ({ status = 0, page = 1 }: Failure) =>
	page > 1 && status >= 400 && ![401, 403, 407, 408, 425, 429, 502, 503, 504].includes(status);

/**
 * Gives `search` the customers of the account, those read before if they do: where it says that somebody is missing, they are read
 * (once more), for an invoice may have come since. Never throws.
 */
export async function searchDirectory(
	client: Client,
	policy: RequestPolicy,
	search: (directory: Directory) => boolean,
): Promise<{ failure: Failure } | undefined> {
	const before = knownDirectory(client.account);
	if (before && search(before)) return undefined;
	const read = await readDirectory(client, policy);
	if ('failure' in read) return read;
	search(read);
	return undefined;
}

const nobody = (id: string, words: string[]): Customer => ({
	id,
	words,
	names: [],
	emails: [],
	invoices: 0,
	currencies: [],
});

function directoryOf(invoices: Array<Record<string, unknown>>, isCut: boolean): Directory {
	const customers = new Map<string, Customer>();
	for (const { customer: given, currency } of invoices) {
		const found = customerOf(given);
		if (!found) continue;
		const key = found.id.toLowerCase();
		const customer = customers.get(key) ?? nobody(found.id, wordsOf(given));
		addKnown(customer, found);
		customer.invoices += 1;
		if (typeof currency === 'string' && !customer.currencies.includes(currency)) {
			customer.currencies.push(currency);
		}
		customers.set(key, customer);
	}
	return { customers: [...customers.values()], invoices: invoices.length, isCut };
}
