import { unexpected } from '../../shared/pagination/fetchPage';
import type { ListSettings, Results, ResultsRequest } from '../../shared/pagination/fetchResults';
import { defaultPageSize, fetchResults, limitOf } from '../../shared/pagination/fetchResults';
import { UniqueResults } from '../../shared/pagination/uniqueResults';
import { toPage } from '../../shared/pagination/page';
import type { Client } from '../../shared/transport/client';
import { sendRequest } from '../../shared/transport/client';
import type { DueRange } from './dueDateFilter';
import { DueDateFilter, hasDueRange } from './dueDateFilter';
import type { Invoice } from './invoiceNumbers';

/** Lists invoices (spec 4.2). `query.status` may be a list of statuses. */
export interface InvoiceListRequest extends ResultsRequest {
	settings: ListSettings & DueRange;
	zone?: string;
}

/** The wanted statuses; empty for all. */
export const statusesIn = ({ status }: Record<string, unknown> = {}) => (status ?? []) as string[];

/**
 * Lists invoices of several statuses, one list each, and filters them by due date, which the service cannot. Results are
 * unique, in the order of the statuses; the limit applies to them. Never throws.
 */
export async function listInvoices(client: Client, task: InvoiceListRequest): Promise<Results> {
	const { request, settings, zone = 'UTC' } = task;
	const due = hasDueRange(settings) ? new DueDateFilter(settings, zone) : undefined;
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

/** A list, the position of its invoices among all, and its length. */
interface ReadList {
	list: ResultsRequest;
	start: number;
	length: number;
}

/** One list per status, or a single one. */
function listsOf(task: InvoiceListRequest): ResultsRequest[] {
	const { status, ...others } = task.request.query ?? {};
	const statuses = statusesIn({ status });
	const queries = statuses.length ? statuses.map((one) => ({ ...others, status: one })) : [others];
	return queries.map((query) => ({ ...task, request: { ...task.request, query } }));
}

/** Rereads a list for invoices that moved there from a later one. Long lists only if the service's count has changed. */
async function readAgain(client: Client, { list, length }: ReadList): Promise<Results> {
	const isLong = length > (list.settings.pageSize ?? defaultPageSize);
	if (isLong && (await countOf(client, list)) === length) return { results: [] };
	return await fetchResults(client, list);
}

/** The service's count of a list, if it has one. */
async function countOf(
	client: Client,
	{ request, policy }: ResultsRequest,
): Promise<number | undefined> {
	const query = { ...request.query, page: 1, page_size: 1 };
	const came = await sendRequest(client, { ...request, query }, policy);
	const page = 'body' in came ? toPage(came.body) : '';
	return typeof page === 'string' ? undefined : page.count;
}
