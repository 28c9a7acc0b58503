import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { shorten, toUuid } from '../../shared/fields/text';
import { containsWords, lookUp, pageOf } from '../../shared/methods/lookUp';

interface ListedMember {
	id?: string | null;
	job_title?: string;
	user?: { first_name?: string; last_name?: string } | null;
}

/** Lists team members by name (spec 4.7: one list without pages). Throws a NodeApiError. */
export async function getMembers(
	this: ILoadOptionsFunctions,
	filter = '',
	paginationToken = '0',
): Promise<INodeListSearchResult> {
	const listed: ListedMember[] = await lookUp(this, '/v1/members', {
		response: 'array',
		settings: { returnAll: true },
	});
	const members = listed
		.map((member) => ({ name: memberLabel(member), value: String(member.id) }))
		.filter(({ value }) => 'value' in toUuid(value))
		.filter(({ name, value }) => containsWords(`${name} ${value}`, filter))
		.sort((a, b) => a.name.localeCompare(b.name));
	return pageOf(members, paginationToken);
}

function memberLabel({ id, user, job_title: jobTitle }: ListedMember): string {
	const name = [user?.first_name, user?.last_name].filter(Boolean).join(' ') || String(id);
	return jobTitle ? `${shorten(name)} (${shorten(jobTitle)})` : shorten(name);
}
