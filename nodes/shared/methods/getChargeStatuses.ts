import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { lookUp } from './lookUp';

/** How many charges are looked at for their statuses: the first of the list, in whichever order the service lists them. */
const mostCharges = 500;
/** The one value that the spec gives (spec 2.10). */
const known = 'authorised';

/** The statuses that charges have, of which the name contains the filter. Throws a NodeApiError. */
export async function getChargeStatuses(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const charges = await lookUp(this, '/v1/charges', {
		response: 'page',
		settings: { limit: mostCharges },
	});
	const seen = charges.map(({ status }) => status).filter((one) => typeof one === 'string');
	const statuses = [...new Set([known, ...seen])].filter((one) => one !== '').sort();
	const wanted = filter.trim().toLowerCase();
	return {
		results: statuses
			.filter((status) => status.toLowerCase().includes(wanted))
			.map((status) => ({ name: status, value: status })),
	};
}
