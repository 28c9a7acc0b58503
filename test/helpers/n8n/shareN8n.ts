import { shareN8n } from '../../../tools/host/sharedN8n';
import { log } from '../../../tools/node';

/** Runs before all end-to-end tests. On a new machine it installs n8n first, which takes minutes, and shows the progress. */
export default async function beforeAllFiles(): Promise<void> {
	await shareN8n(log);
}
