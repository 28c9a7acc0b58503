import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { toNodeError } from '../errors';
import { perform } from '../perform';
import type { Task } from '../perform';
import { openService, standardManner } from '../service';

/** Somebody looks at an empty list. */
const manner = { ...standardManner, timeout: 15_000, maxWait: 5000 };

/** What the service lists, for a list in n8n's editor. Throws a NodeApiError, whose words the editor shows in the list's place. */
export async function lookUp(
	context: ILoadOptionsFunctions,
	path: string,
	{ answer, settings }: Pick<Task, 'answer' | 'settings'>,
): Promise<Array<Record<string, unknown>>> {
	const request = { method: 'GET', path } as const;
	const service = await openService(context);
	const performed =
		'problem' in service
			? { failure: { ...request, kind: 'configuration', reason: service.problem } as const }
			: await perform(service, { request, answer, settings, manner });
	if ('failure' in performed) throw toNodeError(context.getNode(), performed.failure);
	return performed.results;
}
