import type { Failure } from './failure';
import { unexpected } from './fetchPage';
import type { Performed, Task } from './perform';
import { perform } from './perform';
import { toPage } from './page';
import type { Service } from './service';
import { callService } from './service';

export type Invoice = Record<string, unknown>;

/** What a run knows of the invoices with a number: those that there are, and whether there may be one more. */
export interface Known {
	invoices: Invoice[];
	mayBeMore: boolean;
}

/** All invoices by their numbers, as they were when their reading began (milliseconds since 1970). */
interface WholeList {
	readAt: number;
	read: Promise<{ byNumber: Map<string, Invoice[]> } | { failure: Failure }>;
}

/** For how many milliseconds a list counts that was read for another number. */
const maxAge = 30_000;

/** Invoices that this n8n process has created lately: a list that is a little older does not hold them. */
const recent = new Map<string, { invoice: Invoice; at: number }>();

export function noteCreated(service: Service, number: string, invoice: Invoice): void {
	const now = Date.now();
	for (const [key, { at }] of recent) {
		if (now - at < 2 * maxAge) break;
		recent.delete(key);
	}
	const key = `${service.baseURL} ${number}`;
	recent.delete(key);
	recent.set(key, { invoice, at: now });
}

/** What the service answers when it is asked for an invoice number (spec 4.2). How it compares numbers is not known (spec 4.8). */
async function askFor(service: Service, task: Task, number: string): Promise<Performed> {
	const request = {
		method: 'GET',
		path: task.request.path,
		query: { invoice_number: number },
	} as const;
	const found = await perform(service, {
		request,
		answer: 'page',
		settings: { return_all: true },
		manner: task.manner,
	});
	if ('failure' in found) return found;
	return found.results.some((invoice) => invoice.invoice_number === undefined)
		? unexpected(
				request,
				'invoices without invoice_number, so it cannot be seen which number exists',
			)
		: found;
}

const numberOf = (invoice: Invoice) => String(invoice.invoice_number);
const withNumber = (invoices: Invoice[], number: string) =>
	invoices.filter((invoice) => numberOf(invoice) === number);

/** The invoices that have exactly this number now. */
export async function findInvoices(
	service: Service,
	task: Task,
	number: string,
): Promise<Performed> {
	const found = await askFor(service, task, number);
	if ('failure' in found) return found;
	return { results: withNumber(found.results, number) };
}

/** The invoice numbers of a run, in all its tries. */
export class InvoiceNumbers {
	private readonly known = new Map<string, Known>();
	/** `undefined`: it is not known whether the service heeds the number that it is asked for. */
	private isHeeded: boolean | undefined;
	private whole: WholeList | undefined;

	/** What is known of a number, to be added to. */
	of(number: string): Known {
		const known = this.known.get(number) ?? { invoices: [], mayBeMore: false };
		this.known.set(number, known);
		return known;
	}

	/**
	 * The invoices that have exactly this number. A service that does not heed the number gives all its invoices for each: they are
	 * read once for many numbers then, and what this process has created since is added.
	 */
	async find(service: Service, task: Task, number: string): Promise<Performed> {
		if (this.isHeeded === false) {
			const list = await this.wholeList(service, task);
			if ('failure' in list) return list;
			const listed = list.byNumber.get(number) ?? [];
			const created = recent.get(`${service.baseURL} ${number}`)?.invoice;
			return { results: listed.length || !created ? listed : [created] };
		}
		const found = await askFor(service, task, number);
		if ('failure' in found) return found;
		const { results } = found;
		const isStrange = results.some((invoice) => !numberOf(invoice).includes(number));
		if (isStrange && this.isHeeded === undefined) this.isHeeded = await heeds(service, task);
		return { results: withNumber(results, number) };
	}

	private async wholeList(service: Service, task: Task) {
		const now = Date.now();
		if (!this.whole || now - this.whole.readAt > maxAge) {
			this.whole = { readAt: now, read: readWhole(service, task) };
		}
		const { whole } = this;
		const list = await whole.read;
		if ('failure' in list && this.whole === whole) this.whole = undefined;
		return list;
	}
}

/** A number that no invoice has. */
const noNumber = () => `none-${Math.random()}`;

/** Whether the service gives no invoices for a number that none has; `undefined` where it does not say. */
async function heeds(service: Service, { request, manner }: Task): Promise<boolean | undefined> {
	const query = { invoice_number: noNumber(), page: 1, page_size: 1 };
	const { path } = request;
	const came = await callService(service, { method: 'GET', path, query }, manner);
	const page = 'body' in came ? toPage(came.body) : '';
	return typeof page === 'string' ? undefined : page.results.length === 0;
}

async function readWhole(service: Service, task: Task): WholeList['read'] {
	const found = await askFor(service, task, noNumber());
	if ('failure' in found) return found;
	const byNumber = new Map<string, Invoice[]>();
	for (const invoice of found.results) {
		const same = byNumber.get(numberOf(invoice));
		if (same) same.push(invoice);
		else byNumber.set(numberOf(invoice), [invoice]);
	}
	return { byNumber };
}
