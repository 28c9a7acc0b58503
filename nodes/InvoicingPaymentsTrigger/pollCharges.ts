import type { IDataObject, INodeExecutionData, IPollFunctions, NodeApiError } from 'n8n-workflow';
import { plainError, toNodeError } from '../shared/errors';
import { pageFetcher } from '../shared/fetchPage';
import { withoutCardData } from '../shared/redact';
import type { Manner, Service } from '../shared/service';
import { openService, standardManner } from '../shared/service';
import { BackOff } from './backOff';
import type { Occasion } from './engine';
import { occasionOf } from './engine';
import { recall, remember } from './memory';
import type { Charge } from './newCharges/charge';
import { cursorFrom, TooMany } from './newCharges/cursor';
import { Inconsistent, Unreadable } from './newCharges/list';
import type { Found } from './newCharges/poll';
import { beginNow, findNewCharges, newestCharges } from './newCharges/poll';
import type { Task } from './newCharges/reading';
import { OutOfTime } from './newCharges/skip';
import { cursorFor, scopeOf } from './start';
import type { Wishes } from './wishes';
import { wishesOf } from './wishes';

/** How many charges "Fetch Test Event" shows. */
const shown = 10;

const busy = new Set<string>();
const backOff = new BackOff();
/** When each trigger last read the list: n8n keeps what a poll without charges remembers only as long as the workflow stays active. */
const looks = new Map<string, number>();

/**
 * One poll of n8n: the charges that are new since the last one, or `null`. Throws a NodeApiError that says why it failed, in the
 * terms in which n8n decides when to try again; at activation only what the user can mend, because n8n gives up a trigger that
 * cannot be activated.
 */
export async function pollCharges(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	if (context.getMode() === 'manual') return await showCharges(context);
	const key = `${context.getWorkflow().id}:${context.getNode().id}`;
	const occasion = occasionOf(context);
	// n8n begins a poll while the one before it is still running.
	if (busy.has(key)) return null;
	if (!occasion.isActivation && !occasion.isDurable && backOff.isWaiting(key, Date.now()))
		return null;
	busy.add(key);
	try {
		const charges = await nextCharges(context, occasion, key);
		backOff.succeeded(key);
		return charges;
	} catch (error) {
		const { failure } = error as NodeApiError;
		const mayPass = failure !== undefined && !/invalid|defect/.test(failure.cause);
		if (occasion.isActivation && (mayPass || !occasion.isWatched)) {
			context.logger.warn(`${context.getNode().name}: ${(error as Error).message}`);
			return null;
		}
		const retryAfter = failure && 'retryAfterMs' in failure ? failure.retryAfterMs : undefined;
		backOff.failed(key, Date.now(), retryAfter);
		throw error;
	} finally {
		busy.delete(key);
	}
}

async function nextCharges(
	context: IPollFunctions,
	occasion: Occasion,
	key: string,
): Promise<INodeExecutionData[][] | null> {
	const begun = Date.now();
	const node = context.getNode();
	const wishes = wishesOf(context);
	const service = await open(context, occasion.time);
	const task = taskOf(service, wishes, begun + occasion.time);
	const scope = scopeOf(wishes, service.baseURL);
	const memory = recall(context);
	const save = ({ cursor }: Pick<Found, 'cursor'>) => {
		const { id, name } = node;
		const saves = (memory?.saves ?? 0) + 1;
		const kept = { version: 1 as const, node: id, name, saves, ...scope, lookedAt: begun, cursor };
		remember(context, kept, occasion.isDurable);
		looks.set(key, begun);
	};
	let cursor = cursorFor(memory, scope, wishes, { now: begun, lookedAt: looks.get(key) });
	if (!cursor) {
		try {
			save(await beginNow(task));
			return null;
		} catch (error) {
			// What is made from now on is new all the same, by this machine's clock.
			cursor = cursorFrom(begun);
			save({ cursor });
			if (!(error instanceof OutOfTime)) throw toError(context, error);
		}
	}
	try {
		const found = await findNewCharges(task, cursor);
		for (const note of found.notes) context.logger.warn(`${node.name}: ${note}`);
		// The last thing that happens: whatever fails before leaves everything as it was.
		save(found);
		return found.charges.length ? [found.charges.map((charge) => toItem(charge, wishes))] : null;
	} catch (error) {
		throw toError(context, error);
	}
}

/** "Fetch Test Event": the newest charges as they would start the workflow. Remembers nothing. */
async function showCharges(context: IPollFunctions): Promise<INodeExecutionData[][]> {
	const wishes = wishesOf(context);
	const time = 60_000;
	const service = await open(context, time);
	let charges: Charge[];
	try {
		charges = await newestCharges(taskOf(service, wishes, Date.now() + time), shown);
	} catch (error) {
		throw toError(context, error);
	}
	if (charges.length) return [charges.map((charge) => toItem(charge, wishes))];
	const isFiltered = Object.keys(wishes.filters).length > 0;
	throw plainError(
		context.getNode(),
		isFiltered
			? 'No charge matches the filters yet, so there is nothing to show'
			: 'The service lists no charges yet, so there is nothing to show',
		isFiltered
			? 'Widen the filters, or publish the workflow: it starts when the first charge comes in that matches them.'
			: 'Publish the workflow: it starts when the first charge comes in.',
	);
}

async function open(context: IPollFunctions, time: number): Promise<Service> {
	// n8n gives a poll no signal. A little later than the poll should end by itself.
	const signal = AbortSignal.timeout(time * 1.15);
	const service = await openService(context as Parameters<typeof openService>[0], signal);
	if (!('problem' in service)) return service;
	const { problem: reason } = service;
	const failure = { kind: 'configuration', method: 'GET', path: '/v1/charges', reason } as const;
	throw toNodeError(context.getNode(), failure);
}

function taskOf(service: Service, { filters, settings, hasPageSize }: Wishes, until: number): Task {
	const manner = (): Manner => {
		const left = Math.max(1000, until - Date.now());
		return {
			...standardManner,
			timeout: Math.min(30_000, Math.max(5000, left)),
			// Another poll comes soon, and tells n8n before it that something is wrong.
			maxWait: Math.min(10_000, left / 3),
		};
	};
	const request = { method: 'GET', path: '/v1/charges', query: filters } as const;
	const size = { startPage: 1, size: settings.pageSize, isGiven: hasPageSize };
	return {
		fetchPage: pageFetcher(service, request, size, manner),
		settings,
		now: Date.now,
		until,
	};
}

function toItem(charge: Charge, { includeCardData }: Wishes): INodeExecutionData {
	return { json: (includeCardData ? charge : withoutCardData(charge)) as IDataObject };
}

/** What n8n is to show of an error, and to make of it. */
function toError(context: IPollFunctions, error: unknown): Error {
	const node = context.getNode();
	if (error instanceof Unreadable) return toNodeError(node, error.failure);
	const { message } = error as Error;
	if (error instanceof TooMany) return plainError(node, message, '', 'configuration-invalid');
	if (error instanceof Inconsistent)
		return plainError(node, message, '', 'temporarily-unavailable');
	return error as Error;
}
