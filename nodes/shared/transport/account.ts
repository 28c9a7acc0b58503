import { ExpiringMap } from '../expiringMap';
import { hexOf } from '../hash';
import { Owner } from '../owner';
import { serviceOf } from './baseUrl';
import { RequestQueue } from './requestQueue';

/** One per Base URL and API key, shared by all workflows of this process. Forgotten after a day without use. */
export class Account extends Owner {
	readonly queue = new RequestQueue();
}

/** Keyed by hash, so that no API key stays in memory. */
const accounts = new ExpiringMap<Account>();

export function accountOf(baseURL: string, apiKey: unknown): Account {
	const key = hexOf(JSON.stringify([serviceOf(baseURL), String(apiKey ?? '').trim()]));
	const account = accounts.get(key) ?? new Account();
	accounts.set(key, account);
	return account;
}
