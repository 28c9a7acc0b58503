import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { shorten, toUuid } from '../../shared/fields/text';
import { containsWords, lookUp, pageOf } from '../../shared/methods/lookUp';
import { payerOf } from '../../shared/output/payer';

/** The first charges of the list, in the order of the service. */
const maxCharges = 500;

/**
 * Lists charges that contain each word of the filter, newest first (spec 4.3). If none of the first 500 does, asks the
 * service for the ID or with its own search. Throws a NodeApiError.
 */
export async function getCharges(
	this: ILoadOptionsFunctions,
	filter = '',
	paginationToken = '0',
): Promise<INodeListSearchResult> {
	const matching = async (query?: { id?: string; search?: string }) => {
		const settings = { limit: maxCharges };
		const listed = await lookUp(this, '/v1/charges', { response: 'page', settings, query });
		return listed
			.sort((a, b) => String(b.created).localeCompare(String(a.created)))
			.map((charge) => ({ name: chargeLabel(charge), value: String(charge.id) }))
			.filter(({ value }) => 'value' in toUuid(value))
			.filter(({ name, value }) => containsWords(`${name} ${value}`, filter));
	};
	const wanted = filter.trim();
	let found = await matching();
	if (found.length === 0 && wanted) {
		found = await matching('value' in toUuid(wanted) ? { id: wanted } : { search: wanted });
	}
	return pageOf(found, paginationToken);
}

function chargeLabel(charge: Record<string, unknown>): string {
	const { id, created, total, currency, items, note, reference_id: reference, status } = charge;
	const [item] = Array.isArray(items) ? (items as Array<{ name?: unknown } | null>) : [];
	const day = typeof created === 'string' ? created.slice(0, 10) : '';
	const sum = [total, currency].filter(Boolean).join(' ');
	const parts = [day, sum, payerOf(charge).payer, item?.name, note, reference]
		.filter(Boolean)
		.map((part) => shorten(String(part)));
	const name = parts.join(', ') || String(id);
	return status ? `${name} (${String(status)})` : name;
}
