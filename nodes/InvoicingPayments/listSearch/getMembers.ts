import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { toNodeError } from '../../shared/errors';
import { isListOfObjects } from '../../shared/page';
import { callService, openService, standardManner } from '../../shared/service';

/** Milliseconds: somebody looks at an empty list. */
const maxWait = 5000;

interface ListedMember {
	id?: string | null;
	job_title?: string;
	user?: { first_name?: string; last_name?: string } | null;
}

/** Team members whose name or job title contains the filter (spec 4.7: one list, no pages). Throws a NodeApiError. */
export async function getMembers(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const request = { method: 'GET', path: '/v1/members' } as const;
	const service = await openService(this);
	const answer =
		'problem' in service
			? { failure: { ...request, kind: 'configuration', reason: service.problem } as const }
			: await callService(service, request, { ...standardManner, maxWait });
	if ('failure' in answer) throw toNodeError(this.getNode(), answer.failure);
	if (!isListOfObjects(answer.body)) {
		throw toNodeError(this.getNode(), {
			...request,
			kind: 'unexpected',
			reason: 'no list of objects',
		});
	}
	const results = answer.body
		.map((member: ListedMember) => ({ name: nameOf(member), value: String(member.id ?? '') }))
		.filter(({ value }) => value)
		.filter(({ name }) => name.toLowerCase().includes(filter.toLowerCase()))
		.sort((a, b) => a.name.localeCompare(b.name));
	return { results };
}

function nameOf({ id, user, job_title: jobTitle }: ListedMember): string {
	const name = [user?.first_name, user?.last_name].filter(Boolean).join(' ') || String(id);
	return jobTitle ? `${name} (${jobTitle})` : name;
}
