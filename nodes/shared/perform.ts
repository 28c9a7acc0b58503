import type { Failure } from './failure';
import { pageFetcher, unexpected } from './fetchPage';
import { isListOfObjects } from './page';
import { readPages } from './pages';
import type { Manner, Service, ServiceRequest } from './service';
import { callService } from './service';
import type { ItemSettings } from './settings';

export type Performed = { results: Array<Record<string, unknown>> } | { failure: Failure };

/**
 * What the answer to an operation is: one object, a page of a list (spec 4.2, 4.3), an array (spec 4.7), or an invoice that was
 * created (spec 2.3).
 */
export type AnswerKind = 'object' | 'page' | 'array' | 'invoice';

/** How many results are asked for in one request unless the user wishes otherwise. */
export const defaultPageSize = 100;
/** The limit that n8n's editor begins with holds as well where an expression gives none. */
const defaultLimit = 50;

/** One request as an item asks for it, and how its answer is read. */
export interface Task {
	request: ServiceRequest;
	answer: AnswerKind;
	/** The fields of a result that Simplify keeps. */
	simple?: readonly string[];
	settings: ItemSettings;
	manner: Manner;
}

/** Does what one item asks: one request, or as many as its pages need. Gives the objects of the service, card data included. */
export async function perform(service: Service, task: Task): Promise<Performed> {
	return await (task.answer === 'page' ? performList : performOne)(service, task);
}

function limitOf({ return_all: returnAll, limit }: ItemSettings): number {
	return returnAll ? Infinity : (limit ?? defaultLimit);
}

export async function performOne(
	service: Service,
	{ request, answer, settings, manner }: Task,
): Promise<Performed> {
	const came = await callService(service, request, manner);
	if ('failure' in came) return came;
	const { body } = came;
	if (answer === 'array') {
		if (isListOfObjects(body)) return { results: body.slice(0, limitOf(settings)) };
		return unexpected(request, 'no list of objects');
	}
	if (typeof body === 'object' && body !== null && !Array.isArray(body)) {
		// What has no ID is no invoice, and a create that made none must not pass for one that did.
		const isOne = answer === 'object' || ('id' in body && body.id);
		return isOne
			? { results: [body as Record<string, unknown>] }
			: unexpected(request, 'no invoice: the answer holds no id');
	}
	return unexpected(
		request,
		`${Array.isArray(body) ? 'a list' : `JSON of type ${typeof body}`} instead of an object`,
	);
}

async function performList(
	service: Service,
	{ request, settings, manner }: Task,
): Promise<Performed> {
	const { page: startPage = 1, page_size: pageSize } = settings;
	const limit = limitOf(settings);
	const size = pageSize ?? (startPage === 1 ? Math.min(limit, defaultPageSize) : defaultPageSize);
	const isGiven = pageSize !== undefined;
	const fetchPage = pageFetcher(service, request, { startPage, size, isGiven }, () => manner);
	const { maxRequestsInFlight: width } = manner;
	const read = await readPages({ fetchPage, startPage, limit, width });
	if ('results' in read || read.failure.path) return read;
	const { method, path } = request;
	return { failure: { ...read.failure, method, path } };
}
