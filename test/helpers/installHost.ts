import { ensureHost } from '../../host/install';
import { log } from '../../scripts/node';

/** Before any file of end-to-end tests, which would all install n8n at the same time on a new machine. */
export default async function installHost(): Promise<void> {
	await ensureHost(log);
}
