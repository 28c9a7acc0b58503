import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { lookUp } from './lookUp';

/** Statuses are collected from the first charges of the list, in the order of the service. */
const maxCharges = 500;
/** The only status that the spec names (spec 2.10). */
const documentedStatus = 'authorised';

/** Lists the statuses of charges that contain the filter. Throws a NodeApiError. */
export async function getChargeStatuses(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const charges = await lookUp(this, '/v1/charges', {
		response: 'page',
		settings: { limit: maxCharges },
	});
	const seen = charges.map(({ status }) => status).filter((one) => typeof one === 'string');
	const statuses = [...new Set([documentedStatus, ...seen])].filter((one) => one !== '').sort();
	const wanted = filter.trim().toLowerCase();
	return {
		results: statuses
			.filter((status) => status.toLowerCase().includes(wanted))
			.map((status) => ({ name: status, value: status })),
	};
}
