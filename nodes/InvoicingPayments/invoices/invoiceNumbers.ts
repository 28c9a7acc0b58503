import type { IDataObject } from 'n8n-workflow';
import { addTo } from '../../shared/addTo';
import { clock } from '../../shared/clock';
import { unexpected } from '../../shared/pagination/fetchPage';
import type { Results, ResultsRequest } from '../../shared/pagination/fetchResults';
import { defaultPageSize, fetchResults } from '../../shared/pagination/fetchResults';
import type { Page } from '../../shared/pagination/page';
import { toPage } from '../../shared/pagination/page';
import { RecentList } from '../../shared/pagination/recentList';
import type { Client } from '../../shared/transport/client';
import { sendRequest } from '../../shared/transport/client';
import type { Failure } from '../../shared/transport/failure';
import { comparableNumber, otherForms } from './comparableNumber';

export type Invoice = Record<string, unknown>;

type DatedResults = { results: Invoice[]; readAt: number } | { failure: Failure };

/** Asks the service for an invoice number (spec 4.2). How it compares numbers is unknown (spec 4.8). */
async function askFor(client: Client, task: ResultsRequest, number: string): Promise<Results> {
	const request = {
		method: 'GET',
		path: task.request.path,
		query: { invoice_number: number },
	} as const;
	const found = await fetchResults(client, {
		request,
		response: 'page',
		settings: { returnAll: true },
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

const withForm = (invoices: Invoice[], form: string) =>
	invoices.filter((invoice) => comparableNumber(invoice.invoice_number) === form);

/** The invoices with this number, whatever case and spaces the service stored. */
export async function findInvoices(
	client: Client,
	task: ResultsRequest,
	number: string,
): Promise<Results> {
	const found = await askFor(client, task, number);
	if ('failure' in found) return found;
	return { results: withForm(found.results, comparableNumber(number)) };
}

/** What a run and its tries know about the service's invoice numbers. */
export class InvoiceNumbers {
	/** Describes a number that the service changed. Nothing more may be created then, because it could not be found again. */
	changed: string | undefined;
	/** Whether the service filters by number; `undefined` if unknown. */
	private filterIsHonored: boolean | undefined;
	/** All invoices by comparable number. */
	private readonly whole = new RecentList(readWhole);
	/** Whether a number was found in another form. */
	private hasOtherForms = false;
	/** Numbers that were found in no form. */
	private misses = 0;

	/**
	 * The invoices with this number, ignoring case, spaces and Unicode form. If the service ignores the filter, all invoices
	 * are read once for many numbers. `mayAssume`: skip the other forms if they have led to nothing so far.
	 */
	async find(
		client: Client,
		task: ResultsRequest,
		number: string,
		mayAssume = true,
	): Promise<DatedResults> {
		const form = comparableNumber(number);
		if (this.filterIsHonored === false) {
			const { readAt, read } = this.whole.get(client, task);
			const list = await read;
			return 'failure' in list ? list : { results: list.get(form) ?? [], readAt };
		}
		const readAt = clock.now();
		const found = await askFor(client, task, number);
		if ('failure' in found) return found;
		const isStrange = found.results.some(
			({ invoice_number: other }) => !comparableNumber(other).includes(form),
		);
		if (isStrange && this.filterIsHonored === undefined)
			this.filterIsHonored = await honorsFilter(client, task);
		const results = withForm(found.results, form);
		const isClear = mayAssume && !this.hasOtherForms && this.misses >= missesToStop;
		if (results.length || isStrange || isClear) return { results, readAt };
		return await this.findOtherForms(client, task, number);
	}

	/** For a number that was created just now, exactly as it was sent. `since`: milliseconds since 1970. */
	async findAgain(
		client: Client,
		task: ResultsRequest,
		number: string,
		since: number,
	): Promise<Results> {
		if (this.filterIsHonored !== false) return await findInvoices(client, task, number);
		const list = await this.whole.get(client, task, since).read;
		return 'failure' in list ? list : { results: list.get(comparableNumber(number)) ?? [] };
	}

	/**
	 * The invoices with any of these numbers, by {@link comparableNumber}, from the whole list. `undefined` unless that takes
	 * far fewer requests than looking up each number, and certainly shows everything.
	 */
	async findTogether(
		client: Client,
		task: ResultsRequest,
		numbers: string[],
	): Promise<Map<string, Invoice[]> | undefined> {
		const worth = Math.min(numbers.length / lookUpsPerPage, maxListPages);
		if (worth < 1 || this.filterIsHonored === false) return undefined;
		const page = await readFirstPage(client, task, { page_size: defaultPageSize });
		if (page?.count === undefined || page.count > worth * page.results.length) return undefined;
		const forms = new Set(numbers.map(comparableNumber));
		const found = await fetchResults(client, {
			request: { method: 'GET', path: task.request.path },
			response: 'page',
			settings: { returnAll: true },
			isWanted: ({ invoice_number: number }) => forms.has(comparableNumber(number)),
			// Pages may overlap, and the count may be wrong.
			maxPages: Math.ceil(2 * worth),
			policy: task.policy,
		});
		return 'failure' in found || !found.isSure ? undefined : byForm(found.results);
	}

	/** A service may store capitals and then compare exactly. Skipped once enough numbers had no match. */
	private async findOtherForms(
		client: Client,
		task: ResultsRequest,
		number: string,
	): Promise<DatedResults> {
		const readAt = clock.now();
		for (const other of otherForms(number)) {
			const found = await findInvoices(client, task, other);
			if ('failure' in found) return found;
			if (found.results.length === 0) continue;
			this.hasOtherForms = true;
			return { ...found, readAt };
		}
		this.misses += 1;
		return { results: [], readAt };
	}
}

/** Sheets that begin with this many new numbers rarely contain existing ones. */
const missesToStop = 20;
/** Reading a page of the list costs about as much as this many look-ups. */
const lookUpsPerPage = 10;
/** Bounds memory. */
const maxListPages = 500;

/** A number of no invoice. */
const noNumber = () => `none-${Math.random()}`;

/** Whether the service returns nothing for an unused number; `undefined` if the request fails. */
async function honorsFilter(client: Client, task: ResultsRequest): Promise<boolean | undefined> {
	const page = await readFirstPage(client, task, { invoice_number: noNumber(), page_size: 1 });
	return page && page.results.length === 0;
}

/** `undefined` if the request fails. */
export async function readFirstPage(
	client: Client,
	{ request: { path }, policy }: ResultsRequest,
	query: IDataObject,
): Promise<Page | undefined> {
	const request = { method: 'GET', path, query: { ...query, page: 1 } } as const;
	const came = await sendRequest(client, request, policy);
	const page = 'body' in came ? toPage(came.body) : '';
	return typeof page === 'string' ? undefined : page;
}

async function readWhole(client: Client, task: ResultsRequest) {
	const found = await askFor(client, task, noNumber());
	if ('failure' in found) return found;
	return byForm(found.results);
}

function byForm(invoices: Invoice[]): Map<string, Invoice[]> {
	const forms = new Map<string, Invoice[]>();
	for (const invoice of invoices) addTo(forms, comparableNumber(invoice.invoice_number), invoice);
	return forms;
}

const runs = new WeakMap<object, InvoiceNumbers>();

/** The numbers of a run. `run`: the same object for all of its items. */
export function numbersOf(run: object): InvoiceNumbers {
	const numbers = runs.get(run) ?? new InvoiceNumbers();
	runs.set(run, numbers);
	return numbers;
}
