import type { IDataObject, INodeExecutionData, IPollFunctions, NodeApiError } from 'n8n-workflow';
import { causeOf } from '../shared/errors/messages';
import { plainError, toNodeError } from '../shared/errors/nodeErrors';
import { toOutput } from '../shared/output/simplify';
import { pageFetcher } from '../shared/pagination/fetchPage';
import { fetchOne } from '../shared/pagination/fetchResults';
import type { FetchPage } from '../shared/pagination/page';
import type { Failure } from '../shared/transport/failure';
import type { RequestPolicy, Client } from '../shared/transport/client';
import { openClient, defaultPolicy } from '../shared/transport/client';
import { keyOf } from './watch/identity';
import { DueWatch } from './dueDays';
import { lists } from './events';
import type { TriggerSettings } from './settings';
import { sharedReads } from './sharedReads';
import { TooLong } from './watch/limits';
import { Inconsistent, Unreadable } from './watch/problems';
import type { WatchTask } from './watch/task';
import { clock } from '../shared/clock';

/** A poll that needs a little longer than it should is let be, for it would begin with the same again. */
const grace = 1.15;

/** The service of the credential. `time`: how long the poll may take, in milliseconds. Throws a NodeApiError. */
export async function open(
	context: IPollFunctions,
	{ event }: TriggerSettings,
	time: number,
): Promise<Client> {
	// n8n gives a poll no signal.
	const signal = AbortSignal.timeout(time * grace);
	const client = await openClient(context as Parameters<typeof openClient>[0], signal);
	if (!('problem' in client)) return client;
	const { problem: reason } = client;
	const { path } = event.list;
	throw toNodeError(context.getNode(), { kind: 'configuration', method: 'GET', path, reason });
}

/** What a poll has: the service, what the user wants, and `time` milliseconds from `now` (milliseconds since 1970). */
export interface Polling {
	client: Client;
	settings: TriggerSettings;
	now: number;
	time: number;
	/** How long ago the last poll was, in milliseconds, as far as this process knows. */
	interval?: number;
	/** When the last poll ended, by the clock that only moves forward. */
	endedAt?: number;
}

/** What is to be watched, as the core takes it: an event is a list, what belongs to it, and for some what tells one from another. */
export function watchTask(polling: Polling): WatchTask {
	const { settings, now, time, interval } = polling;
	const { event, maxPerRun: most, lookBack, pageSize } = settings;
	const isMembers = event.list === lists.members;
	const status = settings.status?.trim().toLowerCase();
	// The service decides what its filter matches: "paid" may match "unpaid".
	const hasStatus = ({ status: own }: Record<string, unknown>) =>
		status === undefined ||
		(typeof own === 'string' ? own.trim().toLowerCase() === status : !isMembers);
	const watch = settings.days && new DueWatch(settings.days);
	return {
		fetchPage: isMembers ? memberFetcher(polling) : fetcherOf(polling),
		isEntry: (result) => hasStatus(result) && (!watch || watch.isDue(result)),
		...(watch && {
			keyOf: (result) => watch.keyOf(keyOf(result), result),
			today: watch.today,
			notes: watch.notes,
		}),
		noun: event.list.noun,
		settings: { most, pageSize, lookBack },
		concurrency: defaultPolicy.maxRequestsInFlight,
		now: clock.now,
		until: now + time,
		interval,
	};
}

/** How a request of the poll is sent. A probe is not tried again when it fails. */
function policyOf({ now, time }: Polling, isProbe = false): RequestPolicy {
	const left = Math.max(1000, now + time - clock.now());
	return {
		...defaultPolicy,
		timeout: Math.min(30_000, Math.max(5000, left + (grace - 1) * time)),
		// Another poll comes soon, and tells n8n before it that something is wrong.
		maxWait: isProbe ? 0 : Math.min(10_000, left / 3),
	};
}

function fetcherOf(polling: Polling): FetchPage {
	const { client, settings } = polling;
	const { event, filters, pageSize, hasPageSize } = settings;
	const request = { method: 'GET', path: event.list.path, query: filters } as const;
	const size = { startPage: 1, size: pageSize, isGiven: hasPageSize };
	const policy = (isProbe?: boolean) => policyOf(polling, isProbe);
	return pageFetcher(client, request, size, policy, sharedReads(polling.endedAt));
}

/** The list of team members has no pages (spec 4.7): it is one. */
function memberFetcher(polling: Polling): FetchPage {
	const request = { method: 'GET', path: lists.members.path } as const;
	return async () => {
		const read = await fetchOne(polling.client, {
			request,
			response: 'array',
			settings: { returnAll: true },
			policy: policyOf(polling),
		});
		if ('failure' in read) return read;
		const { results } = read;
		return { page: { count: results.length, next: null, results } };
	};
}

/** A charge, an invoice or a team member as it comes out. */
export function toItem(
	result: Record<string, unknown>,
	{ event, output }: TriggerSettings,
): INodeExecutionData {
	return { json: toOutput(result, event.list.simpleFields, output) as IDataObject };
}

/** A failure in words that fit a poll, which has no option for how long to wait: the next one comes by itself. */
function ofPoll(failure: Failure): Failure {
	const messages: Partial<Record<Failure['kind'], string>> = {
		stopped: 'The service did not answer within the time of a poll',
		pausing: 'The service asked for a pause that is longer than a poll',
	};
	const message = messages[failure.kind];
	const { cause } = causeOf(failure);
	if (cause !== 'rate-limited' && cause !== 'temporarily-unavailable') return failure;
	const advice = failure.kind === 'network' ? failure.advice : 'The trigger tries again by itself.';
	return { ...failure, ...(message && { message }), ...(advice !== undefined && { advice }) };
}

/** What n8n is to show of an error, and to make of it. */
export function toError(context: IPollFunctions, error: Error): Error {
	const node = context.getNode();
	if (error instanceof Unreadable) return toNodeError(node, ofPoll(error.failure));
	if (error instanceof TooLong) return plainError(node, error.message, '', 'configuration-invalid');
	if (error instanceof Inconsistent)
		return plainError(node, error.message, '', 'temporarily-unavailable');
	return error;
}

/** Whether an error is the service's trouble and not the user's. */
export const mayPass = ({ failure }: Error & Partial<Pick<NodeApiError, 'failure'>>): boolean =>
	/unavailable|limited/.test(failure?.cause ?? '');
