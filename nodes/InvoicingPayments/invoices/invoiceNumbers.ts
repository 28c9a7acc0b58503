import { addTo } from '../../shared/addTo';
import { defaultPageSize, fetchResults, unexpected } from '../../shared/pagination/fetchResults';
import type { Results, ResultsRequest } from '../../shared/pagination/fetchResults';
import type { Page } from '../../shared/pagination/page';
import { contradictionIn, toPage } from '../../shared/pagination/page';
import { ok } from '../../shared/result';
import type { Client } from '../../shared/transport/client';
import { sendRequest } from '../../shared/transport/client';
import { comparableNumber } from './comparableNumber';

export type Invoice = Record<string, unknown>;

/**
 * Filters the list by number (spec 4.2), and compares the numbers again: how the service does is unknown (spec 4.8). Ignores case, spaces
 * and Unicode form of the stored number.
 */
export async function findInvoices(
	client: Client,
	task: ResultsRequest,
	number: string,
): Promise<Results> {
	const request = {
		method: 'GET',
		path: task.request.path,
		query: { invoice_number: number },
	} as const;
	const found = await fetchResults(client, {
		request,
		response: 'page',
		settings: { returnAll: true },
		mustBeConsistent: true,
		policy: task.policy,
	});
	if (!found.ok) return found;
	if (found.value.some((invoice) => invoice.invoice_number === undefined))
		return unexpected(
			request,
			'invoices without invoice_number, so it cannot be seen which number exists',
		);
	const comparable = comparableNumber(number);
	const isSame = ({ invoice_number: other }: Invoice) => comparableNumber(other) === comparable;
	return ok(found.value.filter(isSame));
}

/** A page of the list costs about as much as this many look-ups. */
const lookUpsPerPage = 10;
/** Bounds memory. */
const maxListPages = 500;

/** Reads the whole list. Returns `undefined` unless that takes far fewer requests and certainly finds all numbers. */
export async function findManyInvoices(
	client: Client,
	task: ResultsRequest,
	numbers: string[],
): Promise<Map<string, Invoice[]> | undefined> {
	const affordablePages = Math.min(numbers.length / lookUpsPerPage, maxListPages);
	if (affordablePages < 1) return undefined;
	const page = await readFirstPage(client, task);
	if (page?.count === undefined || page.count > affordablePages * page.results.length)
		return undefined;
	const comparables = new Set(numbers.map(comparableNumber));
	const found = await fetchResults(client, {
		request: { method: 'GET', path: task.request.path },
		response: 'page',
		settings: { returnAll: true },
		isWanted: ({ invoice_number: number }) => comparables.has(comparableNumber(number)),
		// Pages may overlap, and the count may be wrong.
		maxPages: Math.ceil(2 * affordablePages),
		mustBeConsistent: true,
		policy: task.policy,
	});
	return !found.ok || !found.isSure ? undefined : byComparableNumber(found.value);
}

/** `undefined` if the request fails, or the page contradicts itself. */
async function readFirstPage(
	client: Client,
	{ request: { path }, policy }: ResultsRequest,
): Promise<Page | undefined> {
	const request = { method: 'GET', path, query: { page_size: defaultPageSize, page: 1 } } as const;
	const response = await sendRequest(client, request, policy);
	const page = response.ok ? toPage(response.value.body) : response;
	return page.ok && contradictionIn(page.value, 1) === undefined ? page.value : undefined;
}

function byComparableNumber(invoices: Invoice[]): Map<string, Invoice[]> {
	const groups = new Map<string, Invoice[]>();
	for (const invoice of invoices) addTo(groups, comparableNumber(invoice.invoice_number), invoice);
	return groups;
}
