import { ensureHost } from '../../host/install';
import { log } from '../../scripts/node';

/** Before all end-to-end tests: on a new machine it takes minutes, and what it says meanwhile is seen here. */
export default async function installHost(): Promise<void> {
	await ensureHost(log);
}
