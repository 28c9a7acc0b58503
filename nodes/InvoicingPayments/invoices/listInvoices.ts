import { dueDayOf } from '../../shared/fields/dates';
import { fetchResults, limitOf, unexpected } from '../../shared/pagination/fetchResults';
import type { ListSettings, Results, ResultsRequest } from '../../shared/pagination/fetchResults';
import { UniqueResults } from '../../shared/pagination/page';
import { ok } from '../../shared/result';
import type { Client } from '../../shared/transport/client';
import type { Invoice } from './invoiceNumbers';

/** spec 4.2. `query.status` may be a list. */
interface InvoiceListRequest extends ResultsRequest {
	settings: ListSettings & DueRange;
	zone?: string;
}

/** An empty list selects all statuses. */
export const statusesIn = ({ status }: Record<string, unknown> = {}) => (status ?? []) as string[];

/** Invoices mostly move from left to right, so one that moves while these lists are read one after the other is in one of them. One that moves back may be missed. */
const lifecycle = ['scheduled', 'unpaid', 'overdue', 'paid', 'cancelled'];

/** Reads one list per status, and filters by due date: the service can do neither. Never throws. */
export async function listInvoices(client: Client, task: InvoiceListRequest): Promise<Results> {
	const { request, settings, zone = 'UTC' } = task;
	const due = hasDueRange(settings) ? new DueDateFilter(settings, zone) : undefined;
	const isDue = (invoice: Invoice) => due?.isWithin(invoice) ?? true;
	const found = new UniqueResults();
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
		if (!listed.ok) return listed;
		found.add({ results: listed.value.filter(isDue), start });
		start += listed.value.length;
	}
	if (due?.problem !== undefined) return unexpected(request, due.problem);
	return ok(found.inOrder());
}

function listsOf(task: InvoiceListRequest): ResultsRequest[] {
	const { status, ...others } = task.request.query ?? {};
	const position = (one: string) => lifecycle.indexOf(one);
	const statuses = [...statusesIn({ status })].sort((a, b) => position(a) - position(b));
	const queries = statuses.length ? statuses.map((one) => ({ ...others, status: one })) : [others];
	return queries.map((query) => ({ ...task, request: { ...task.request, query } }));
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
		if (!day.ok) {
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
