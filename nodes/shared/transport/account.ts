import { hashOf } from '../hash';
import { InUse } from '../inUse';
import { RequestQueue } from './requestQueue';

/** An account of the service as this n8n process knows it: one for each Base URL and API key, for all workflows. */
export class Account {
	/** In it all requests with the key wait for their turn. */
	readonly queue = new RequestQueue();

	/** `id` tells it from other accounts, and says nothing of the key. */
	constructor(readonly id: number) {}
}

/** By hashes: no API key stays in memory for it. */
const accounts = new InUse<Account>();
let made = 0;

export function accountOf(baseURL: string, apiKey: unknown): Account {
	const text = JSON.stringify([baseURL, String(apiKey ?? '').trim()]);
	const key = `${hashOf(text)} ${hashOf(`again ${text}`)}`;
	const account = accounts.get(key) ?? new Account((made += 1));
	accounts.set(key, account);
	return account;
}
