import { dueDayOf } from '../../shared/fields/dates';
import { unexpected } from '../../shared/pagination/fetchPage';
import type { ListSettings, Results, ResultsRequest } from '../../shared/pagination/fetchResults';
import { defaultPageSize, fetchResults, limitOf } from '../../shared/pagination/fetchResults';
import { UniqueResults } from '../../shared/pagination/uniqueResults';
import type { Client } from '../../shared/transport/client';
import type { Invoice } from './invoiceNumbers';
import { readFirstPage } from './invoiceNumbers';

/** Lists invoices (spec 4.2). `query.status` may be a list of statuses. */
interface InvoiceListRequest extends ResultsRequest {
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
	if (isLong) {
		const page = await readFirstPage(client, list, { ...list.request.query, page_size: 1 });
		if (page?.count === length) return { results: [] };
	}
	return await fetchResults(client, list);
}

/** Exclusive bounds of due dates, `YYYY-MM-DD`. */
export interface DueRange {
	dueAfter?: string;
	dueBefore?: string;
}

/** Filters invoices by due date, because the service has no such filter (spec 4.2). */
class DueDateFilter {
	/** Why the filter cannot be applied, in words that can follow "The service returned an unexpected response". */
	problem: string | undefined;

	/** `zone`: the workflow's. A moment that is not midnight is a day there. */
	constructor(
		private readonly range: DueRange,
		private readonly zone: string,
	) {}

	/** `false` if there is no due date. */
	isWithin({ due_date: due }: Invoice): boolean {
		if (due === null || due === '') return false;
		const day = dueDayOf(due, this.zone);
		if ('problem' in day) {
			this.problem ??=
				due === undefined
					? "invoices without due_date, so 'Due After' and 'Due Before' cannot be applied"
					: `an invoice whose due_date ${day.problem}`;
			return false;
		}
		const { dueAfter = '', dueBefore = '9999-99' } = this.range;
		return day.value > dueAfter && day.value < dueBefore;
	}
}

export const hasDueRange = ({ dueAfter, dueBefore }: DueRange) =>
	dueAfter !== undefined || dueBefore !== undefined;

export function isEmptyRange({ dueAfter, dueBefore }: DueRange): boolean {
	if (dueAfter === undefined || dueBefore === undefined) return false;
	const nextDay = new Date(Date.parse(dueAfter) + 86_400_000).toISOString().slice(0, 10);
	return nextDay >= dueBefore;
}
