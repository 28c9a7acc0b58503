import { addTo } from '../../../shared/addTo';
import { turns } from '../../../shared/clock';
import { daysBetween } from '../../../shared/fields/dates';
import { isEmpty } from '../../../shared/fields/text';
import { fetchResults } from '../../../shared/pagination/fetchResults';
import { failed, ok } from '../../../shared/result';
import type { Client } from '../../../shared/transport/client';
import { runConcurrently } from '../../../shared/transport/concurrency';
import type { Answer, Failure } from '../../../shared/transport/failure';
import { comparableNumber } from '../../invoices/comparableNumber';
import { isCancelled } from '../../invoices/compareInvoice';
import type { Invoice } from '../../invoices/invoiceNumbers';
import type { InvoiceRequest } from '../../invoices/invoiceRequest';
import type { InvoiceItem } from '../../invoices/items';
import { lineTotalOf } from '../../invoices/items';
import { defaultPrefix, isContentNumber } from '../../plan/contentNumbers';
import type { Draft } from '../../reading/invoices';
import { isReady } from '../../reading/invoices';

/** The invoices of a sheet, and those of them that a run would create. */
interface SheetRun {
	drafts: readonly Draft[];
	created: readonly Draft[];
	prefix?: string;
}

/** What earlier runs have billed of rows that have changed since, by the invoice that would be created of them now. */
export async function changesSinceEarlierRuns(
	client: Client,
	task: InvoiceRequest,
	run: SheetRun,
): Promise<Answer<Map<Draft, string>>> {
	const isRerun = run.created.length < run.drafts.filter(isReady).length;
	const existing = await readInvoices(client, task, isRerun ? run.drafts : run.created);
	if (!existing.ok) return existing;
	const replaced = await replacedInvoices(run, isRerun, existing.value);
	const changes = new Map(
		[...replaced].map(([draft, invoices]) => [draft, changedText(draft, invoices)] as const),
	);
	return ok(changes);
}

/** Above this many customers, the list of all invoices is read, instead of a list for each. */
const maxCustomers = 100;
/** How many invoices are read in all, and of one customer. */
const [maxInvoices, maxOfCustomer] = [20_000, 1000];

/** The invoices of the drafts' customers. */
async function readInvoices(
	client: Client,
	task: InvoiceRequest,
	drafts: readonly Draft[],
): Promise<Answer<Invoice[]>> {
	const known = drafts.flatMap(({ body }) => (body.customer as string | undefined) ?? []);
	const customers = [...new Set(known)];
	const isMany = customers.length > maxCustomers;
	const ofEach = Math.min(maxOfCustomer, Math.floor(maxInvoices / customers.length));
	const queries = isMany ? [{}] : customers.map((id) => ({ customer_id: id }));
	const existing: Invoice[] = [];
	const failures: Failure[] = [];
	await runConcurrently(queries.length, task.policy.maxRequestsInFlight, async (at) => {
		const found = await fetchResults(client, {
			...task,
			request: { method: 'GET', path: task.request.path, query: queries[at] },
			response: 'page',
			settings: { limit: isMany ? maxInvoices : ofEach },
		});
		if (found.ok) existing.push(...found.value);
		else failures.push(found.failure);
		return failures.length === 0;
	});
	const [failure] = failures as Array<Failure | undefined>;
	return failure ? failed(failure) : ok(existing);
}

/**
 * Invoices of earlier runs that no row makes any more, by the new invoice that may replace them. Correcting a row changes its number, so
 * both would be billed.
 *
 * If some invoices of the sheet exist, the sheet is run again: then every other invoice of its customers with its prefix was made by an
 * earlier version of it, paid ones too. Otherwise it may be another sheet, and only what is nearly the same is in question.
 */
async function replacedInvoices(
	{ drafts, created, prefix = defaultPrefix }: SheetRun,
	isRerun: boolean,
	existing: readonly Invoice[],
): Promise<Map<Draft, Invoice[]>> {
	const numbers = new Set(drafts.map(({ body }) => comparableNumber(body.invoice_number)));
	const isOrphaned = (invoice: Invoice) =>
		isContentNumber(String(invoice.invoice_number), [prefix]) &&
		!numbers.has(comparableNumber(invoice.invoice_number)) &&
		!isCancelled(invoice);
	const turn = turns();
	const byCustomer = new Map<string, Array<Bill & { draft: Draft }>>();
	for (const draft of created) {
		const bill = billOf(draft.body.customer, draft.body);
		addTo(byCustomer, bill.customer, { ...bill, draft });
		await turn();
	}
	const replaced = new Map<Draft, Invoice[]>();
	for (const invoice of existing.filter(isOrphaned)) {
		await turn();
		const earlier = billOf(customerIn(invoice), invoice);
		const bills = byCustomer.get(earlier.customer) ?? [];
		const nearest = bills.find((bill) => mayReplace(bill, earlier))?.draft;
		const draft = nearest ?? (isRerun ? (bills[0]?.draft ?? created[0]) : undefined);
		if (draft) addTo(replaced, draft, invoice);
	}
	return replaced;
}

/** What two invoices are compared by. Without the currency, which may be what was corrected. */
interface Bill {
	customer: string;
	due: string;
	/** Names of the items, sorted. */
	names: string[];
	/** Names, title and note, whichever field a reading puts them in. */
	texts: ReadonlySet<string>;
	/** What each item comes to, sorted. */
	amounts: string;
}

function billOf(customer: unknown, { due_date: due, items, title, note }: Invoice): Bill {
	const all = (Array.isArray(items) ? items : []) as Array<Partial<InvoiceItem> | null>;
	const names = all.map((item) => String(item?.name ?? '').trim()).sort();
	const texts = [title, note, ...names].filter((text) => !isEmpty(text));
	return {
		customer: String(customer).toLowerCase(),
		due: String(due).slice(0, 10),
		names,
		texts: new Set(texts.map((text) => String(text).trim())),
		amounts: JSON.stringify(all.map(lineTotalText).sort()),
	};
}

/** Empty if the service gives no amounts. */
function lineTotalText(item: Partial<InvoiceItem> | null): string {
	try {
		return `${lineTotalOf({ amount: '', quantity: NaN, ...item })}`;
	} catch {
		return '';
	}
}

const customerIn = ({ customer }: Invoice) => ((customer ?? {}) as { id?: unknown }).id;

/** Days. Less than a week, so that weekly invoices of the same items are no changes of each other. */
const sameBill = 7;

/**
 * Whether a new bill may replace an earlier one of the same customer. A due date that is counted from today says nothing: the same sheet has
 * another one each day.
 *
 *   due on the same day                                               yes
 *   the same items' names                                             within a week
 *   the same amounts and texts, whichever field the texts stand in    within a week; at any time if it is due some days from today
 */
function mayReplace(bill: Bill & { draft: Draft }, earlier: Bill): boolean {
	const days = Math.abs(daysBetween(bill.due, earlier.due));
	const hasSameNames = JSON.stringify(bill.names) === JSON.stringify(earlier.names);
	const [fewer, more] = [bill.texts, earlier.texts].sort((a, b) => a.size - b.size);
	const saysTheSame =
		bill.amounts === earlier.amounts && [...fewer].every((text) => more.has(text));
	return (
		days === 0 ||
		(days < sameBill && (hasSameNames || saysTheSame)) ||
		(bill.draft.dueInDays !== undefined && saysTheSame)
	);
}

function changedText({ match, body, sums }: Draft, [invoice, ...more]: Invoice[]): string {
	const name = match?.name ?? match?.email ?? String(body.customer);
	const amountOf = ({ amount }: Invoice) => (typeof amount === 'string' ? amount : 'an amount');
	const others = more.length ? ` and ${more.length} more` : '';
	return String(customerIn(invoice)).toLowerCase() === String(body.customer).toLowerCase()
		? `You would bill ${name} twice: ${amountOf(invoice)} from an earlier run (${String(invoice.invoice_number)})${others} and ${sums?.total ?? ''} now`
		: `No row makes the invoice ${String(invoice.invoice_number)} of an earlier run any more (${amountOf(invoice)})${others}`;
}

export const cancelEarlier = 'If it replaces the earlier one, cancel that one in the service';
