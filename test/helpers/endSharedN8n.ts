import { endSharedN8n } from '../../host/sharedN8n';

/** After all end-to-end tests. */
export default async function afterAllFiles(): Promise<void> {
	await endSharedN8n();
}
