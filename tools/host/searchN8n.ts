import type { N8nApi } from './api';
import type { Finding, Searched, SecretFinder } from './findSecrets';

/** Looks through all executions of an n8n that runs, as the editor gets them and as they were before they were packed. */
export async function searchExecutions(
	api: N8nApi,
	finders: SecretFinder[],
): Promise<Array<Searched & { executions: number }>> {
	const found = finders.map(() => ({
		findings: [] as Finding[],
		bytes: 0,
		files: 0,
		executions: 0,
	}));
	const newest = await api.call<{ results: Array<{ id: string }> }>('get', '/executions?limit=1');
	// They are numbered; some may have been deleted.
	for (let id = Number(newest.results[0]?.id ?? 0); id > 0; id--) {
		const { status, data } = await api.try('get', `/executions/${id}`);
		const { data: stored } = (data ?? {}) as { data?: { data?: unknown } };
		if (status !== 200 || !stored?.data) continue;
		const text = Buffer.from(JSON.stringify(await api.execution(String(id))));
		finders.forEach((finder, at) => {
			found[at].executions += 1;
			found[at].bytes += text.length;
			found[at].findings.push(...finder.search(text, `execution ${id}, decoded`));
		});
	}
	return found;
}
