import { hashOf } from '../hash';
import { ExpiringMap } from '../expiringMap';
import { RequestQueue } from './requestQueue';

/** An account of the service: one per Base URL and API key, shared by all workflows of this process. */
export class Account {
	readonly queue = new RequestQueue();

	/** `id` distinguishes accounts without revealing the key. */
	constructor(readonly id: number) {}
}

/** Keyed by hash, so that no API key stays in memory. */
const accounts = new ExpiringMap<Account>();
let made = 0;

export function accountOf(baseURL: string, apiKey: unknown): Account {
	const text = JSON.stringify([baseURL, String(apiKey ?? '').trim()]);
	const key = `${hashOf(text)} ${hashOf(`again ${text}`)}`;
	const account = accounts.get(key) ?? new Account((made += 1));
	accounts.set(key, account);
	return account;
}
