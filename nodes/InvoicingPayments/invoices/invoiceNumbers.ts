import type { IDataObject } from 'n8n-workflow';
import { addTo } from '../../shared/addTo';
import { clock } from '../../shared/clock';
import { unexpected, defaultPageSize, fetchResults } from '../../shared/pagination/fetchResults';
import type { Results, ResultsRequest } from '../../shared/pagination/fetchResults';
import type { Page } from '../../shared/pagination/page';
import { contradictionIn, toPage } from '../../shared/pagination/page';
import { RecentList } from '../../shared/pagination/recentList';
import type { Client } from '../../shared/transport/client';
import { sendRequest } from '../../shared/transport/client';
import type { Failure } from '../../shared/transport/failure';
import { comparableNumber, otherSpellings } from './comparableNumber';

export type Invoice = Record<string, unknown>;

type DatedResults = { results: Invoice[]; readAt: number } | { failure: Failure };

/** Filters the list by number (spec 4.2). How the service compares numbers is unknown (spec 4.8). */
async function searchNumber(
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
	if ('failure' in found) return found;
	return found.results.some((invoice) => invoice.invoice_number === undefined)
		? unexpected(
				request,
				'invoices without invoice_number, so it cannot be seen which number exists',
			)
		: found;
}

const withNumber = (invoices: Invoice[], comparable: string) =>
	invoices.filter((invoice) => comparableNumber(invoice.invoice_number) === comparable);

/** Ignores case, spaces and Unicode form of the stored number. */
export async function findInvoices(
	client: Client,
	task: ResultsRequest,
	number: string,
): Promise<Results> {
	const found = await searchNumber(client, task, number);
	if ('failure' in found) return found;
	return { results: withNumber(found.results, comparableNumber(number)) };
}

/** What has been learned about the service's invoice numbers. A part of a run. */
export class InvoiceNumbers {
	/** E.g. `"inv-7" became "INV-7"`. Stops all creates, because the invoices could not be found again. */
	renumbering: string | undefined;
	private filterIsHonored: boolean | undefined;
	private readonly invoicesByNumber = new RecentList(readAllByNumber);
	private foundOtherSpelling = false;
	private failedSearches = 0;

	/**
	 * If the service ignores the filter, reads all invoices once. `maySkipOtherSpellings`: stops searching for
	 * other spellings after many such searches without success.
	 */
	async find(
		client: Client,
		task: ResultsRequest,
		number: string,
		maySkipOtherSpellings = true,
	): Promise<DatedResults> {
		const comparable = comparableNumber(number);
		if (this.filterIsHonored === false) {
			const { readAt, read } = this.invoicesByNumber.get(client, task);
			const list = await read;
			return 'failure' in list ? list : { results: list.get(comparable) ?? [], readAt };
		}
		const readAt = clock.now();
		const found = await searchNumber(client, task, number);
		if ('failure' in found) return found;
		const isUnfiltered = found.results.some(
			({ invoice_number: other }) => !comparableNumber(other).includes(comparable),
		);
		if (isUnfiltered && this.filterIsHonored === undefined)
			this.filterIsHonored = await honorsFilter(client, task);
		const results = withNumber(found.results, comparable);
		const skipsOtherSpellings =
			maySkipOtherSpellings && !this.foundOtherSpelling && this.failedSearches >= maxFailedSearches;
		if (results.length || isUnfiltered || skipsOtherSpellings) return { results, readAt };
		return await this.findOtherSpellings(client, task, number);
	}

	/** Finds invoices that were just created. Uses no list read before `since` (milliseconds since 1970). */
	async findCreated(
		client: Client,
		task: ResultsRequest,
		number: string,
		since: number,
	): Promise<Results> {
		if (this.filterIsHonored !== false) return await findInvoices(client, task, number);
		const list = await this.invoicesByNumber.get(client, task, since).read;
		return 'failure' in list ? list : { results: list.get(comparableNumber(number)) ?? [] };
	}

	/** Reads the whole list. Returns `undefined` unless that takes far fewer requests and certainly finds all numbers. */
	async findMany(
		client: Client,
		task: ResultsRequest,
		numbers: string[],
	): Promise<Map<string, Invoice[]> | undefined> {
		const affordablePages = Math.min(numbers.length / lookUpsPerPage, maxListPages);
		if (affordablePages < 1 || this.filterIsHonored === false) return undefined;
		const page = await readFirstPage(client, task, { page_size: defaultPageSize });
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
		return 'failure' in found || !found.isSure ? undefined : byComparableNumber(found.results);
	}

	private async findOtherSpellings(
		client: Client,
		task: ResultsRequest,
		number: string,
	): Promise<DatedResults> {
		const readAt = clock.now();
		for (const other of otherSpellings(number)) {
			const found = await findInvoices(client, task, other);
			if ('failure' in found) return found;
			if (found.results.length === 0) continue;
			this.foundOtherSpelling = true;
			return { ...found, readAt };
		}
		this.failedSearches += 1;
		return { results: [], readAt };
	}
}

/** Sheets that begin with this many new numbers rarely contain existing ones. */
const maxFailedSearches = 20;
/** A page of the list costs about as much as this many look-ups. */
const lookUpsPerPage = 10;
/** Bounds memory. */
const maxListPages = 500;

const unusedNumber = () => `none-${Math.random()}`;

/** `undefined` if the request fails. */
async function honorsFilter(client: Client, task: ResultsRequest): Promise<boolean | undefined> {
	const page = await readFirstPage(client, task, { invoice_number: unusedNumber(), page_size: 1 });
	return page && page.results.length === 0;
}

/** `undefined` if the request fails, or the page contradicts itself. */
export async function readFirstPage(
	client: Client,
	{ request: { path }, policy }: ResultsRequest,
	query: IDataObject,
): Promise<Page | undefined> {
	const request = { method: 'GET', path, query: { ...query, page: 1 } } as const;
	const response = await sendRequest(client, request, policy);
	const page = 'body' in response ? toPage(response.body) : '';
	return typeof page === 'string' || contradictionIn(page, 1) !== undefined ? undefined : page;
}

/** Only for services that ignore the filter: any number then returns the whole list. */
async function readAllByNumber(client: Client, task: ResultsRequest) {
	const found = await searchNumber(client, task, unusedNumber());
	if ('failure' in found) return found;
	return byComparableNumber(found.results);
}

function byComparableNumber(invoices: Invoice[]): Map<string, Invoice[]> {
	const groups = new Map<string, Invoice[]>();
	for (const invoice of invoices) addTo(groups, comparableNumber(invoice.invoice_number), invoice);
	return groups;
}
