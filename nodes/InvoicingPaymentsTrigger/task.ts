import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { plainError, toNodeError } from '../shared/errors/nodeErrors';
import { pageFetcher } from '../shared/pagination/fetchPage';
import type { RequestPolicy, Client } from '../shared/transport/client';
import { openClient, defaultPolicy } from '../shared/transport/client';
import { simpleCharge, toOutput } from '../shared/output/simplify';
import type { Charge } from './newCharges/charge';
import { TooMany } from './newCharges/position';
import { Inconsistent, Unreadable } from './newCharges/problems';
import type { PollTask } from './newCharges/reading';
import type { TriggerSettings } from './settings';

/** A poll that needs a little longer than it should is let be, for it would begin with the same again. */
const grace = 1.15;

/** The service of the credential. `time`: how long the poll may take, in milliseconds. Throws a NodeApiError. */
export async function open(context: IPollFunctions, time: number): Promise<Client> {
	// n8n gives a poll no signal.
	const signal = AbortSignal.timeout(time * grace);
	const client = await openClient(context as Parameters<typeof openClient>[0], signal);
	if (!('problem' in client)) return client;
	const { problem: reason } = client;
	const failure = { kind: 'configuration', method: 'GET', path: '/v1/charges', reason } as const;
	throw toNodeError(context.getNode(), failure);
}

/** What is to be done in `time` milliseconds from `now` (milliseconds since 1970). */
export function taskOf(
	client: Client,
	{ filters, settings, hasPageSize }: TriggerSettings,
	now: number,
	time: number,
): PollTask {
	const until = now + time;
	const policyFor = (isProbe = false): RequestPolicy => {
		const left = Math.max(1000, until - Date.now());
		return {
			...defaultPolicy,
			timeout: Math.min(30_000, Math.max(5000, left + (grace - 1) * time)),
			// Another poll comes soon, and tells n8n before it that something is wrong.
			maxWait: isProbe ? 0 : Math.min(10_000, left / 3),
		};
	};
	const request = { method: 'GET', path: '/v1/charges', query: filters } as const;
	const size = { startPage: 1, size: settings.pageSize, isGiven: hasPageSize };
	return {
		fetchPage: pageFetcher(client, request, size, policyFor),
		settings,
		now: Date.now,
		until,
	};
}

export function toItem(charge: Charge, { output }: TriggerSettings): INodeExecutionData {
	return { json: toOutput(charge, simpleCharge, output) as IDataObject };
}

/** What n8n is to show of an error, and to make of it. */
export function toError(context: IPollFunctions, error: Error): Error {
	const node = context.getNode();
	if (error instanceof Unreadable) return toNodeError(node, error.failure);
	if (error instanceof TooMany) return plainError(node, error.message, '', 'configuration-invalid');
	if (error instanceof Inconsistent)
		return plainError(node, error.message, '', 'temporarily-unavailable');
	return error;
}
