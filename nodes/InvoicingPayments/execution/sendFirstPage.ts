import type { PreSendAction } from 'n8n-workflow';
import type { Field } from '../../shared/fields/field';
import { parametersOf, readFields } from '../../shared/fields/readFields';
import { firstPageOf } from '../../shared/pagination/fetchResults';

/** For n8n's RoutingNode: requests the page of a list (spec 4.2, 4.3) that the node reads first. */
export const sendFirstPage = (fields: Field[]): PreSendAction =>
	async function (request) {
		const { settings } = readFields(
			parametersOf(this.getNode(), fields),
			(name, fallback) => this.getNodeParameter(name, fallback),
			this.getTimezone(),
		);
		return { ...request, qs: { ...request.qs, ...firstPageOf(settings) } };
	};
