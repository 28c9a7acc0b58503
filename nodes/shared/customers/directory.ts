import { fetchResults } from '../pagination/fetchResults';
import { failed, ok } from '../result';
import type { Account } from '../transport/account';
import type { Client, RequestPolicy } from '../transport/client';
import { openClient } from '../transport/client';
import type { Customer } from './customer';
import { customerOf, NameList } from './customer';
import { clock, turns } from '../clock';
import type { Answer, FailedAnswer } from '../transport/failure';

/** The service has no list of customers (spec 4.8), so this many invoices are read. Some services refuse deeper pages. */
const invoiceLimit = 10_000;
const cacheTime = 5 * 60_000;

const request = { method: 'GET', path: '/v1/invoices' } as const;

export async function openDirectory(
	context: Parameters<typeof openClient>[0],
	cancel?: AbortSignal,
): Promise<Answer<Client>> {
	const client = await openClient(context, cancel, cancel);
	if (client.ok) return client;
	return failed({ ...request, kind: 'configuration', reason: client.problem });
}

export interface Directory {
	customers: Customer[];
	invoices: number;
	isPartial: boolean;
}

/** Executions with the same API key share the directory for five minutes. */
class DirectoryCache {
	last?: { directory: Directory; at: number };
}

export function cachedDirectory(account: Account): Directory | undefined {
	const { last } = account.part(DirectoryCache);
	return last && clock.now() - last.at < cacheTime ? last.directory : undefined;
}

/** Reads the customers of up to 10,000 invoices (spec 4.2), and caches them. Never throws. */
export async function readDirectory(
	client: Client,
	policy: RequestPolicy,
): Promise<Answer<Directory>> {
	const settings = { limit: invoiceLimit };
	const read = await fetchResults(client, { request, response: 'page', settings, policy });
	if (!read.ok) return read;
	const directory = await directoryOf(read.value);
	client.account.part(DirectoryCache).last = { directory, at: clock.now() };
	return ok(directory);
}

/** Calls `search` with the cached customers. If it returns `false`, reads them again and repeats the search. Never throws. */
export async function searchDirectory(
	client: Client,
	policy: RequestPolicy,
	search: (directory: Directory) => boolean | Promise<boolean>,
): Promise<FailedAnswer | undefined> {
	const cached = cachedDirectory(client.account);
	if (cached && (await search(cached))) return undefined;
	const read = await readDirectory(client, policy);
	if (!read.ok) return read;
	await search(read.value);
	return undefined;
}

async function directoryOf(invoices: Array<Record<string, unknown>>): Promise<Directory> {
	const customers = new Map<string, { customer: Customer; list: NameList }>();
	const turn = turns();
	for (const { customer: given, currency } of invoices) {
		await turn();
		const identity = customerOf(given);
		if (!identity) continue;
		const key = identity.id.toLowerCase();
		const { customer, list } = customers.get(key) ?? newCustomer(identity.id);
		list.add(identity);
		customer.invoices += 1;
		if (typeof currency === 'string' && !customer.currencies.includes(currency)) {
			customer.currencies.push(currency);
		}
		customers.set(key, { customer, list });
	}
	const isPartial = invoices.length >= invoiceLimit;
	return {
		customers: [...customers.values()].map(({ customer }) => customer),
		invoices: invoices.length,
		isPartial,
	};
}

function newCustomer(id: string) {
	const list = new NameList();
	const { names, emails } = list;
	return { list, customer: { id, names, emails, invoices: 0, currencies: [] as string[] } };
}
