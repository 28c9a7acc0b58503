import { unexpected } from '../../shared/pagination/fetchPage';
import type { ListSettings, Results, ResultsRequest } from '../../shared/pagination/fetchResults';
import { defaultPageSize, fetchResults, limitOf } from '../../shared/pagination/fetchResults';
import { UniqueResults } from '../../shared/pagination/uniqueResults';
import { toPage } from '../../shared/pagination/page';
import type { Client } from '../../shared/transport/client';
import { sendRequest } from '../../shared/transport/client';
import type { DueRange } from './dueDays';
import { DueDays, hasDueRange } from './dueDays';
import type { Invoice } from './invoiceNumbers';

/** A list of invoices (spec 4.2). `query.status`: a list of statuses. */
export interface InvoiceListRequest extends ResultsRequest {
	settings: ListSettings & DueRange;
	zone?: string;
}

/** The statuses of which invoices are wanted; none: of all. */
export const statusesIn = ({ status }: Record<string, unknown> = {}) => (status ?? []) as string[];

/**
 * Invoices of several statuses, which the service gives one list each, and those that are due within a range, which are selected
 * here. Each comes once, in the order of the statuses, and the limit counts those that come. Never throws.
 */
export async function listInvoices(client: Client, task: InvoiceListRequest): Promise<Results> {
	const { request, settings, zone = 'UTC' } = task;
	const due = hasDueRange(settings) ? new DueDays(settings, zone) : undefined;
	const isDue = (invoice: Invoice) => due?.isWithin(invoice) ?? true;
	const found = new UniqueResults();
	const read: ReadList[] = [];
	let start = 0;
	for (const list of listsOf(task)) {
		const limit = limitOf(settings) - found.size;
		if (limit <= 0) break;
		const isLimited = limit < Infinity;
		const isSelected = isLimited && (due !== undefined || found.size > 0);
		const came = await fetchResults(client, {
			...list,
			settings: { ...settings, ...(isLimited && { limit }) },
			...(isSelected && { isWanted: (one: Invoice) => isDue(one) && !found.has(one) }),
		});
		if ('failure' in came) return came;
		found.add({ results: came.results.filter(isDue), start });
		read.push({ list, start, length: came.results.length });
		start += came.results.length;
	}
	for (const before of limitOf(settings) === Infinity ? read.slice(0, -1) : []) {
		const again = await readAgain(client, before);
		if ('failure' in again) return again;
		const moved = again.results.filter((one) => isDue(one) && !found.has(one));
		found.add({ results: moved, start: before.start });
	}
	if (due?.problem !== undefined) return unexpected(request, due.problem);
	return { results: found.inOrder() };
}

/** A list that was read, where its invoices stand among those that come, and how many it had. */
interface ReadList {
	list: ResultsRequest;
	start: number;
	length: number;
}

/** One list for each status, or the list of all. */
function listsOf(task: InvoiceListRequest): ResultsRequest[] {
	const { status, ...others } = task.request.query ?? {};
	const statuses = statusesIn({ status });
	const queries = statuses.length ? statuses.map((one) => ({ ...others, status: one })) : [others];
	return queries.map((query) => ({ ...task, request: { ...task.request, query } }));
}

/**
 * Reads a list again: an invoice that moves from a later list to an earlier one while they are read would be in none of them. A long
 * list is read only if the service does not count as many results any more as it was read with.
 */
async function readAgain(client: Client, { list, length }: ReadList): Promise<Results> {
	const isLong = length > (list.settings.pageSize ?? defaultPageSize);
	if (isLong && (await countOf(client, list)) === length) return { results: [] };
	return await fetchResults(client, list);
}

/** How many results the service counts in a list; `undefined` where it does not say. */
async function countOf(
	client: Client,
	{ request, policy }: ResultsRequest,
): Promise<number | undefined> {
	const query = { ...request.query, page: 1, page_size: 1 };
	const came = await sendRequest(client, { ...request, query }, policy);
	const page = 'body' in came ? toPage(came.body) : '';
	return typeof page === 'string' ? undefined : page.count;
}
