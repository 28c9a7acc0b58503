import { dueDayOf } from '../../shared/fields/dates';
import {
	unexpected,
	defaultPageSize,
	fetchResults,
	limitOf,
} from '../../shared/pagination/fetchResults';
import type { ListSettings, Results, ResultsRequest } from '../../shared/pagination/fetchResults';
import { UniqueResults } from '../../shared/pagination/page';
import type { Client } from '../../shared/transport/client';
import type { Invoice } from './invoiceNumbers';
import { readFirstPage } from './invoiceNumbers';

/** spec 4.2. `query.status` may be a list. */
interface InvoiceListRequest extends ResultsRequest {
	settings: ListSettings & DueRange;
	zone?: string;
}

/** An empty list selects all statuses. */
export const statusesIn = ({ status }: Record<string, unknown> = {}) => (status ?? []) as string[];

/** Reads one list per status, and filters by due date: the service can do neither. Never throws. */
export async function listInvoices(client: Client, task: InvoiceListRequest): Promise<Results> {
	const { request, settings, zone = 'UTC' } = task;
	const due = hasDueRange(settings) ? new DueDateFilter(settings, zone) : undefined;
	const isDue = (invoice: Invoice) => due?.isWithin(invoice) ?? true;
	const found = new UniqueResults();
	const readLists: ReadList[] = [];
	let start = 0;
	for (const list of listsOf(task)) {
		const limit = limitOf(settings) - found.size;
		if (limit <= 0) break;
		const isLimited = limit < Infinity;
		const needsSelection = isLimited && (due !== undefined || found.size > 0);
		const listed = await fetchResults(client, {
			...list,
			settings: { ...settings, ...(isLimited && { limit }) },
			...(needsSelection && { isWanted: (one: Invoice) => isDue(one) && !found.has(one) }),
		});
		if ('failure' in listed) return listed;
		found.add({ results: listed.results.filter(isDue), start });
		readLists.push({ list, start, length: listed.results.length });
		start += listed.results.length;
	}
	for (const earlier of limitOf(settings) === Infinity ? readLists.slice(0, -1) : []) {
		const reread = await rereadIfChanged(client, earlier);
		if ('failure' in reread) return reread;
		const moved = reread.results.filter((one) => isDue(one) && !found.has(one));
		found.add({ results: moved, start: earlier.start });
	}
	if (due?.problem !== undefined) return unexpected(request, due.problem);
	return { results: found.inOrder() };
}

interface ReadList {
	list: ResultsRequest;
	start: number;
	length: number;
}

function listsOf(task: InvoiceListRequest): ResultsRequest[] {
	const { status, ...others } = task.request.query ?? {};
	const statuses = statusesIn({ status });
	const queries = statuses.length ? statuses.map((one) => ({ ...others, status: one })) : [others];
	return queries.map((query) => ({ ...task, request: { ...task.request, query } }));
}

/** An invoice may have moved to this list from a later one. Rereads long lists only if the service's count changed. */
async function rereadIfChanged(client: Client, { list, length }: ReadList): Promise<Results> {
	const isLong = length > (list.settings.pageSize ?? defaultPageSize);
	if (isLong) {
		const page = await readFirstPage(client, list, { ...list.request.query, page_size: 1 });
		if (page?.count === length) return { results: [] };
	}
	return await fetchResults(client, list);
}

/** Exclusive bounds, `YYYY-MM-DD`. */
export interface DueRange {
	dueAfter?: string;
	dueBefore?: string;
}

class DueDateFilter {
	/** Why the filter cannot be applied: the end of "The service returned an unexpected response: …". */
	problem: string | undefined;

	/** `zone` determines the day of a moment other than midnight. */
	constructor(
		private readonly range: DueRange,
		private readonly zone: string,
	) {}

	/** `false` without a due date. */
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
