import { shareN8n } from '../../tools/host/sharedN8n';
import { log } from '../../tools/node';

/** Before all end-to-end tests. On a new machine n8n is installed first, which takes minutes; what it says is seen here. */
export default async function beforeAllFiles(): Promise<void> {
	await shareN8n(log);
}
