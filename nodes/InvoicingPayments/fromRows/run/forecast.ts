import type { IExecuteFunctions } from 'n8n-workflow';
import { addTo } from '../../../shared/addTo';
import { turns } from '../../../shared/clock';
import { firstLines, headline, toNodeError } from '../../../shared/errors/nodeErrors';
import { daysBetween } from '../../../shared/fields/dates';
import { isEmpty } from '../../../shared/fields/text';
import { hexOf } from '../../../shared/hash';
import { fetchResults } from '../../../shared/pagination/fetchResults';
import type { Client } from '../../../shared/transport/client';
import { openClient } from '../../../shared/transport/client';
import { runConcurrently } from '../../../shared/transport/concurrency';
import type { Failure } from '../../../shared/transport/failure';
import type { Operation } from '../../execution/operation';
import { comparableNumber } from '../../invoices/comparableNumber';
import { isCancelled } from '../../invoices/compareInvoice';
import type { Invoice } from '../../invoices/invoiceNumbers';
import type { InvoiceRequest } from '../../invoices/invoiceRequest';
import type { InvoiceItem } from '../../invoices/items';
import { lineTotalOf } from '../../invoices/items';
import { needsNumberLookup } from '../../invoices/invoiceRequest';
import { lookUpNumbers } from '../../invoices/lookUpNumbers';
import type { PlanLine } from '../../plan/approval';
import type { PlannedInvoice } from '../../plan/plannedInvoice';
import {
	comparisonOf,
	contentNumbers,
	defaultPrefix,
	isContentNumber,
} from '../../plan/plannedInvoice';
import type { Draft } from '../../reading/invoices';
import { isReady } from '../../reading/invoices';
import { rowsLabel } from '../../reading/cells';
import type { Refusal, RowSettings } from '../settings';
import { requestOf } from './invoiceUnits';

/** What a run would do for each valid invoice. `changes`: what an earlier run has billed of its rows, which have changed since. */
export interface Forecast {
	lines: Map<Draft, PlanLine>;
	changes: Map<Draft, string>;
	/** A hash of the Base URL and the API key. Empty if nothing was searched. */
	account: string;
}

const plannedOf = ({ body, items = [], sums, rows, dueInDays }: Draft): PlannedInvoice => ({
	body: body as unknown as PlannedInvoice['body'],
	items,
	total: sums?.total ?? '',
	rows: rowsLabel(rows),
	...(dueInDays !== undefined && { dueInDays }),
});

/** Gives each invoice a number that is made of what it says. */
export async function withContentNumbers(
	drafts: readonly Draft[],
	prefix?: string,
): Promise<Draft[]> {
	const given = drafts.flatMap(({ body }) => (body.invoice_number as string | undefined) ?? []);
	const taken = new Set(given.map((number) => comparableNumber(number)));
	const ready = drafts.filter((draft) => isReady(draft) && draft.body.invoice_number === undefined);
	const made = new Map<Draft, string>();
	const turn = turns();
	for (const number of contentNumbers(ready.map(plannedOf), prefix, taken)) {
		made.set(ready[made.size], number);
		await turn();
	}
	return drafts.map((draft) =>
		made.has(draft)
			? { ...draft, body: { ...draft.body, invoice_number: made.get(draft) } }
			: draft,
	);
}

/** Predicts a run without sending anything. Throws a NodeApiError if the service does not answer. */
export async function forecastRun(
	context: IExecuteFunctions,
	operation: Operation,
	settings: RowSettings & { findsChanges: boolean },
	drafts: readonly Draft[],
): Promise<Forecast> {
	const ready = drafts.filter(isReady);
	const requests = ready.map((draft) => requestOf(draft, operation, settings));
	const errorOf = (failure: Failure) => toNodeError(context.getNode(), failure);
	// The preview looks for existing invoices only if the run does.
	const searches = needsNumberLookup(settings) && ready.length > 0;
	const client = searches
		? await openClient(context, context.getExecutionCancelSignal())
		: undefined;
	if (client && 'problem' in client) {
		const { method, path } = requests[0].request;
		throw errorOf({ kind: 'configuration', method, path, reason: client.problem });
	}
	const lookups = client ? await lookUpNumbers(client, requests) : ready.map(() => ({ all: [] }));
	if ('failure' in lookups) throw errorOf(lookups.failure);
	// If a run carries out an approved plan, existing invoices are no error.
	const { ifInvoiceNumberExists = 'returnExisting' } = settings;
	const ifExists = settings.previewOnly ? ifInvoiceNumberExists : 'returnExisting';
	const lines = new Map<Draft, PlanLine>();
	const turn = turns();
	for (const [at, draft] of ready.entries()) {
		const planned = plannedOf(draft);
		lines.set(draft, { planned, comparison: comparisonOf(planned, lookups[at], ifExists) });
		await turn();
	}
	if (!client) return { lines, changes: new Map(), account: '' };
	const account = hexOf(JSON.stringify([client.baseURL, client.credential.apiKey]), 32);
	const isCreated = (draft: Draft) => lines.get(draft)?.comparison.action === 'create';
	const created = ready.filter(isCreated);
	if (!settings.findsChanges || created.length === 0) return { lines, changes: new Map(), account };
	const isRerun = created.length < ready.length;
	const existing = await readInvoices(client, requests[0], isRerun ? drafts : created);
	if ('failure' in existing) throw errorOf(existing.failure);
	const replaced = await replacedInvoices(
		drafts,
		created,
		isRerun,
		existing,
		settings.numberPrefix,
	);
	const changes = [...replaced].map(
		([draft, invoices]) => [draft, changedText(draft, invoices)] as const,
	);
	return { lines, changes: new Map(changes), account };
}

/** Above this many customers, the list of all invoices is read, instead of a list for each. */
const maxCustomers = 100;
/** That are read in all, and of a customer. */
const [maxInvoices, maxOfCustomer] = [20_000, 1000];

/** The invoices of the drafts' customers. */
async function readInvoices(
	client: Client,
	task: InvoiceRequest,
	drafts: readonly Draft[],
): Promise<Invoice[] | { failure: Failure }> {
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
		if ('results' in found) existing.push(...found.results);
		else failures.push(found.failure);
		return failures.length === 0;
	});
	const [failure] = failures as Array<Failure | undefined>;
	return failure ? { failure } : existing;
}

/**
 * Invoices of earlier runs that no row makes any more, by the new invoice that may replace them. Correcting a row changes its number, so
 * both would be billed.
 *
 * If some invoices of the sheet exist, the sheet is run again: then every other invoice of its customers with its prefix was made by an
 * earlier version of it, paid ones too. Otherwise it may be another sheet, and only what is nearly the same is in question.
 */
async function replacedInvoices(
	drafts: readonly Draft[],
	created: readonly Draft[],
	isRerun: boolean,
	existing: readonly Invoice[],
	prefix = defaultPrefix,
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

/** Why a run must not bill changed rows beside those of an earlier run. */
export function rowChanges({ changes }: Forecast): Refusal | undefined {
	const texts = [...changes.values()];
	if (texts.length === 0) return undefined;
	return {
		title: headline(texts),
		lines: [
			`${cancelEarlier}. If both are right, set 'If Rows Changed' to Create Both`,
			...firstLines(texts.slice(1), undefined, (count) => `and ${count} more`),
		],
	};
}
