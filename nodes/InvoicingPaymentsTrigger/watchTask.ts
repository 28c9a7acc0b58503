import type { IDataObject, INodeExecutionData, IPollFunctions, NodeApiError } from 'n8n-workflow';
import { causeOf } from '../shared/errors/messages';
import { plainError, toNodeError } from '../shared/errors/nodeErrors';
import { toOutput } from '../shared/output/simplify';
import { fetchOne, pageFetcher } from '../shared/pagination/fetchResults';
import type { FetchPage, Result } from '../shared/pagination/page';
import { ok } from '../shared/result';
import type { Client, RequestPolicy } from '../shared/transport/client';
import { defaultPolicy, openClient } from '../shared/transport/client';
import { daysBetween, dueDayOf, todayIn } from '../shared/fields/dates';
import type { DueDays, TriggerSettings } from './settings';
import { sharedReads } from './sharedReads';
import {
	ListTooLongError,
	MissingFieldError,
	PagingError,
	UnreadablePageError,
} from './watch/errors';
import type { WatchTask } from './watch/task';
import { clock } from '../shared/clock';
import type { Failure } from '../shared/transport/failure';

/** A poll may take this many times its budget: if it were aborted, the next one would only repeat the work. */
const graceFactor = 1.15;

/** Throws a NodeApiError. */
export async function openService(
	context: IPollFunctions,
	{ event }: TriggerSettings,
	budgetMs: number,
): Promise<Client> {
	// Polls get no signal from n8n.
	const signal = AbortSignal.timeout(budgetMs * graceFactor);
	const client = await openClient(context as Parameters<typeof openClient>[0], signal);
	if (client.ok) return client.value;
	const { problem: reason } = client;
	const { path } = event.list;
	throw toNodeError(context.getNode(), { kind: 'configuration', method: 'GET', path, reason });
}

export interface PollInput {
	client: Client;
	settings: TriggerSettings;
	/** Milliseconds until the poll should end. */
	left: () => number;
	budgetMs: number;
	interval?: number;
	/** Answers that another workflow got earlier are not shared (monotonic clock). */
	sharedSince: number;
}

/** Counts down from now on. Not by the system clock, which can be set back. */
export function countdown(ms: number): () => number {
	const until = clock.elapsed() + ms;
	return () => until - clock.elapsed();
}

/** Describes the event to `findNew`. */
export function watchTask(polling: PollInput): WatchTask {
	const { settings, left, interval } = polling;
	const { event, maxPerRun: maxEntries, lookBack, pageSize } = settings;
	const { isPlain = false, noun } = event.list;
	const status = settings.status?.trim().toLowerCase();
	// A filter may match parts: "paid" may match "unpaid". Of results without a status, only the service's filter tells.
	const matchesStatus = ({ status: own }: Result) =>
		status === undefined ||
		(typeof own === 'string' ? own.trim().toLowerCase() === status : !isPlain);
	const dueWatch = settings.days && new DueWatch(settings.days);
	return {
		fetchPage: isPlain ? plainFetcher(polling) : fetcherOf(polling),
		isEntry: (result) => matchesStatus(result) && (!dueWatch || dueWatch.isDue(result)),
		...(dueWatch && {
			keyOf: (result) => dueWatch.keyOf(result),
			today: dueWatch.today,
			notes: dueWatch.notes,
		}),
		noun,
		settings: { maxEntries, pageSize, lookBack },
		concurrency: defaultPolicy.maxRequestsInFlight,
		now: clock.now,
		left,
		interval,
	};
}

const noDueDateNote =
	'Some invoices have no due_date that can be read. They do not start the workflow.';

/** Finds invoices due within `count` days, or overdue by at least `count` days. `today` does not change during a poll. */
class DueWatch {
	readonly today: string;
	readonly notes: string[] = [];

	constructor(private readonly dueDays: DueDays) {
		this.today = todayIn(dueDays.zone);
	}

	isDue({ due_date: due }: Result): boolean {
		const { side, count, zone } = this.dueDays;
		const read = dueDayOf(due, zone);
		if (!read.ok) {
			if (this.notes.length === 0) this.notes.push(noDueDateNote);
			return false;
		}
		const daysLeft = daysBetween(this.today, read.value);
		return side === 'before' ? daysLeft >= 0 && daysLeft <= count : -daysLeft >= count;
	}

	/** If the due date changes, the invoice starts the workflow again. */
	keyOf({ id, due_date: due }: Result): string {
		const read = dueDayOf(due, this.dueDays.zone);
		return read.ok ? `${String(id)} ${read.value}` : String(id);
	}
}

function pollPolicy({ left, budgetMs }: PollInput, isProbe = false): RequestPolicy {
	const remainingMs = Math.max(1000, left());
	return {
		...defaultPolicy,
		timeout: Math.min(30_000, Math.max(5000, remainingMs + (graceFactor - 1) * budgetMs)),
		// Give up before the next poll, so that n8n shows the problem.
		maxWait: isProbe ? 0 : Math.min(10_000, remainingMs / 3),
	};
}

function fetcherOf(polling: PollInput): FetchPage {
	const { client, settings } = polling;
	const { event, filters, pageSize, hasPageSize } = settings;
	const request = { method: 'GET', path: event.list.path, query: filters } as const;
	const size = { startPage: 1, size: pageSize, isUserSetting: hasPageSize };
	const policy = (isProbe?: boolean) => pollPolicy(polling, isProbe);
	return pageFetcher(client, request, size, {
		policyFor: policy,
		send: sharedReads(polling.sharedSince),
	});
}

/** For the list of team members (spec 4.7). */
function plainFetcher(polling: PollInput): FetchPage {
	const request = { method: 'GET', path: polling.settings.event.list.path } as const;
	return async () => {
		const read = await fetchOne(polling.client, {
			request,
			response: 'array',
			settings: { returnAll: true },
			policy: pollPolicy(polling),
		});
		if (!read.ok) return read;
		const { value: results } = read;
		return ok({ count: results.length, next: null, results });
	};
}

export function toItem(
	result: Record<string, unknown>,
	{ event, output }: TriggerSettings,
): INodeExecutionData {
	return { json: toOutput(result, event.list.simpleFields, output) as IDataObject };
}

/** Causes of errors after which the service may recover. */
const temporaryCauses = ['rate-limited', 'temporarily-unavailable'];

const pollMessages: Partial<Record<Failure['kind'], string>> = {
	stopped: 'The service did not answer within the time of a poll',
	pausing: 'The service asked for a pause that is longer than a poll',
};

/** The usual texts suggest a longer Max Wait. The trigger has no such option, and the next poll follows anyway. */
function rewordForPoll(failure: Failure): Failure {
	const isTemporary = temporaryCauses.includes(causeOf(failure).cause);
	if (failure.kind === 'network' || !isTemporary) return failure;
	const message = pollMessages[failure.kind] ?? failure.message;
	return { ...failure, message, advice: 'The trigger tries again by itself.' };
}

export function toError(context: IPollFunctions, error: Error): Error {
	const node = context.getNode();
	if (error instanceof UnreadablePageError) return toNodeError(node, rewordForPoll(error.failure));
	if (error instanceof ListTooLongError || error instanceof MissingFieldError)
		return plainError(node, error.message, '', { cause: 'configuration-invalid' });
	if (error instanceof PagingError)
		return plainError(node, error.message, '', { cause: 'temporarily-unavailable' });
	return error;
}

/** Whether the service failed, and may recover. */
export const isTemporaryError = ({
	failure,
}: Error & Partial<Pick<NodeApiError, 'failure'>>): boolean =>
	temporaryCauses.includes(failure?.cause ?? '');
