import type { IExecuteFunctions, NodeApiError } from 'n8n-workflow';
import { addTo } from '../../shared/addTo';
import { turns } from '../../shared/clock';
import { firstLines, headline, toNodeError } from '../../shared/errors/nodeErrors';
import { hexOf } from '../../shared/hash';
import { fetchResults } from '../../shared/pagination/fetchResults';
import type { Client } from '../../shared/transport/client';
import { openClient } from '../../shared/transport/client';
import { runConcurrently } from '../../shared/transport/concurrency';
import type { Failure } from '../../shared/transport/failure';
import type { Operation } from '../execution/operation';
import { comparableNumber } from '../invoices/comparableNumber';
import { isCancelled } from '../invoices/compareInvoice';
import type { Invoice } from '../invoices/invoiceNumbers';
import type { InvoiceRequest } from '../invoices/invoiceRequest';
import { needsNumberLookup } from '../invoices/invoiceRequest';
import { lookUpNumbers } from '../invoices/lookUpNumbers';
import type { ApprovedPlan, PlanLine } from '../plan/approval';
import { changesSince } from '../plan/approval';
import type { PlannedInvoice } from '../plan/plannedInvoice';
import {
	contentNumbers,
	contentOf,
	defaultPrefix,
	isContentNumber,
	identityOf,
	comparisonOf,
	plannedLabel,
} from '../plan/plannedInvoice';
import { summaryOf } from '../plan/summary';
import { capitalize } from '../../shared/fields/text';
import type { Draft } from '../reading/invoices';
import { isReady } from '../reading/invoices';
import { rowsLabel } from '../reading/problems';
import type { Refusal } from './errors';
import { requestOf } from './invoiceRequests';
import type { RowSettings } from './settings';

/** What a run would do for each valid invoice. `changes`: what an earlier run has billed of its rows, which have changed since. */
export interface Forecast {
	lines: Map<Draft, PlanLine>;
	changes: Map<Draft, string>;
	account: string;
}

const plannedOf = ({ body, sums, rows, dueInDays }: Draft): PlannedInvoice => ({
	body: body as unknown as PlannedInvoice['body'],
	total: sums?.total ?? '',
	rows: rowsLabel(rows),
	...(dueInDays !== undefined && { dueInDays }),
});

/** Gives each invoice a number that is made of what it says. */
export function withContentNumbers(drafts: readonly Draft[], settings: RowSettings): Draft[] {
	const given = drafts.flatMap(({ body }) => (body.invoice_number as string | undefined) ?? []);
	const taken = new Set(given.map((number) => comparableNumber(number)));
	const ready = drafts.filter((draft) => isReady(draft) && draft.body.invoice_number === undefined);
	const planned = ready.map(plannedOf);
	const numbers = contentNumbers(planned, settings.numberPrefix, taken);
	const identities = planned.map(identityOf);
	const contents = new Map<string, Set<string>>(identities.map((one) => [one, new Set()]));
	planned.forEach((one, at) => contents.get(identities[at])?.add(contentOf(one)));
	const made = new Map(ready.map((draft, at) => [draft, at]));
	return drafts.map((draft) => {
		const at = made.get(draft);
		if (at === undefined) return draft;
		// The next run could not distinguish these invoices.
		if ((contents.get(identities[at])?.size ?? 0) > 1) {
			const text = `${capitalize(rowsLabel(draft.rows))}: another invoice of the sheet is the same but for its note or other fields without money. Give both invoice numbers or titles`;
			return { ...draft, problems: [...draft.problems, text] };
		}
		return { ...draft, body: { ...draft.body, invoice_number: numbers[at] } };
	});
}

/** Predicts a run without sending anything. Returns a NodeApiError if the service does not answer. */
export async function forecastRun(
	context: IExecuteFunctions,
	operation: Operation,
	settings: RowSettings & { findsChanges: boolean },
	drafts: readonly Draft[],
): Promise<Forecast | NodeApiError> {
	const ready = drafts.filter(isReady);
	const requests = ready.map((draft) => requestOf(draft, operation, settings));
	const fail = (failure: Failure) => toNodeError(context.getNode(), failure);
	// The preview looks for existing invoices only if the run does.
	const searches = needsNumberLookup(settings) && ready.length > 0;
	const client = searches
		? await openClient(context, context.getExecutionCancelSignal())
		: undefined;
	if (client && 'problem' in client) {
		const { method, path } = requests[0].request;
		return fail({ kind: 'configuration', method, path, reason: client.problem });
	}
	const lookups = client ? await lookUpNumbers(client, requests) : ready.map(() => ({ all: [] }));
	if ('failure' in lookups) return fail(lookups.failure);
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
	const created = [...lines].flatMap(([draft, { comparison }]) =>
		comparison.action === 'create' ? [draft] : [],
	);
	const made = drafts.map((draft) => ({
		draft,
		exists: lines.get(draft)?.comparison.action !== 'create' && lines.has(draft),
	}));
	if (!settings.findsChanges || created.length === 0) return { lines, changes: new Map(), account };
	const isRerun = made.some(({ exists }) => exists);
	const customersOf = (those: readonly Draft[]) => [
		...new Set(
			those.flatMap(({ body }) => (body.customer === undefined ? [] : [String(body.customer)])),
		),
	];
	const existing = await readInvoices(client, requests[0], customersOf(isRerun ? drafts : created));
	if ('failure' in existing) return fail(existing.failure);
	const changes = new Map(
		[...replacedInvoices(made, existing, settings.numberPrefix)].map(
			([draft, invoices]) => [draft, changedText(draft, invoices)] as const,
		),
	);
	return { lines, changes, account };
}

/** Above this many customers, the list of invoices is read once instead of once for each. */
const maxCustomers = 100;
const maxInvoices = 20_000;

/** A planned invoice, and whether the service has it. */
interface Made {
	draft: Draft;
	exists: boolean;
}

/**
 * Invoices of earlier runs that no row makes any more, with the new invoice that may replace each. Correcting a row changes its number, so
 * both would be billed.
 *
 * If some invoices of the sheet exist, the sheet is run again: then every other invoice of its customers with its prefix was made by an
 * earlier version of it, paid ones too. Otherwise it may be another sheet, and only what is nearly the same is in question.
 */
export function replacedInvoices(
	made: readonly Made[],
	existing: readonly Invoice[],
	prefix = defaultPrefix,
): Map<Draft, Invoice[]> {
	const numbers = new Set(made.map(({ draft }) => comparableNumber(draft.body.invoice_number)));
	const isOrphaned = (invoice: Invoice) => {
		const number = comparableNumber(invoice.invoice_number);
		const isMade =
			number.startsWith(comparableNumber(prefix)) &&
			isContentNumber(String(invoice.invoice_number), [prefix]);
		return isMade && !numbers.has(number) && !isCancelled(invoice);
	};
	const orphaned = new Set(existing.filter(isOrphaned).map(billOfInvoice));
	const created = made
		.filter(({ draft, exists }) => !exists && isReady(draft))
		.map(({ draft }) => billOfDraft(draft));
	const replaced = new Map<Draft, Invoice[]>();
	const replace = (draft: Draft, bill: ExistingBill) => {
		orphaned.delete(bill);
		addTo(replaced, draft, bill.invoice);
	};
	for (const bill of created) {
		const closest = closestTo(bill, orphaned);
		if (closest) replace(bill.draft, closest);
	}
	if (created.length > 0 && made.some(({ exists }) => exists))
		for (const bill of orphaned) {
			const same = created.find(({ customer }) => customer === bill.customer) ?? created[0];
			replace(same.draft, bill);
		}
	return replaced;
}

async function readInvoices(
	client: Client,
	task: InvoiceRequest,
	customers: string[],
): Promise<Invoice[] | { failure: Failure }> {
	const existing: Invoice[] = [];
	const failures: Failure[] = [];
	const queries =
		customers.length > maxCustomers ? [{}] : customers.map((id) => ({ customer_id: id }));
	await runConcurrently(queries.length, task.policy.maxRequestsInFlight, async (at) => {
		const found = await fetchResults(client, {
			...task,
			request: { method: 'GET', path: task.request.path, query: queries[at] },
			response: 'page',
			settings: { limit: customers.length > maxCustomers ? maxInvoices : 100 },
		});
		if ('results' in found) existing.push(...found.results);
		else failures.push(found.failure);
		return failures.length === 0;
	});
	const [failure] = failures as Array<Failure | undefined>;
	return failure ? { failure } : existing;
}

/** What two invoices are compared by. */
interface Bill {
	customer: string;
	currency: string;
	day: number;
	items: string;
}
type ExistingBill = Bill & { invoice: Invoice };

const billOf = (one: Record<'customer' | 'currency' | 'due' | 'items', unknown>): Bill => ({
	customer: String(one.customer).toLowerCase(),
	currency: String(one.currency),
	day: Date.parse(String(one.due).slice(0, 10)) / 86_400_000,
	items: JSON.stringify(
		(Array.isArray(one.items) ? one.items : []).map((item: { name?: unknown }) => item?.name),
	),
});

function billOfInvoice(invoice: Invoice): ExistingBill {
	const { customer, currency, due_date: due, items } = invoice;
	const { id } = (customer ?? {}) as { id?: unknown };
	return { ...billOf({ customer: id, currency, due, items }), invoice };
}

function billOfDraft(draft: Draft): Bill & { draft: Draft } {
	const { customer, currency, due_date: due, items } = draft.body;
	return { ...billOf({ customer, currency, due, items }), draft };
}

/** Days. Less than a week, so that weekly invoices of the same items are no changes of each other. */
const sameBill = 7;

/** The first bill of the customer with the same items, else the first one of the same day. */
function closestTo<T extends Bill>(
	{ customer, currency, day, items }: Bill,
	bills: Iterable<T>,
): T | undefined {
	let ofDay: T | undefined;
	for (const bill of bills) {
		if (bill.customer !== customer || bill.currency !== currency) continue;
		const days = Math.abs(bill.day - day);
		if (bill.items === items && days < sameBill) return bill;
		if (days === 0) ofDay ??= bill;
	}
	return ofDay;
}

function changedText({ match, body, sums }: Draft, [invoice, ...more]: Invoice[]): string {
	const name = match?.name ?? match?.email ?? String(body.customer);
	const amountOf = ({ amount }: Invoice) => (typeof amount === 'string' ? amount : 'an amount');
	const { id } = (invoice.customer ?? {}) as { id?: unknown };
	const others = more.length ? ` and ${more.length} more` : '';
	return String(id).toLowerCase() === String(body.customer).toLowerCase()
		? `You would bill ${name} twice: ${amountOf(invoice)} from an earlier run (${String(invoice.invoice_number)})${others} and ${sums?.total ?? ''} now`
		: `No row makes the invoice ${String(invoice.invoice_number)} of an earlier run any more (${amountOf(invoice)})${others}`;
}

export const cancelEarlier = 'If it replaces the earlier one, cancel that one in the service';

/** Stops a run that would bill changed rows beside those of an earlier run. */
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

const maxChanges = 10;

/** Compares an approved plan with the current plan. Also reports invoices that would stop the run half-way. */
export function changedSince(
	approved: ApprovedPlan,
	{ lines, account }: Forecast,
	warnings: string[],
): Refusal | undefined {
	const all = [...lines.values()];
	const stops = all.flatMap(({ planned, comparison: { why } }) =>
		why === undefined ? [] : [`${plannedLabel(planned)}: ${why}`],
	);
	const summary = summaryOf(all);
	const changes = changesSince(approved, { lines: all, account, summary, warnings });
	if (changes.length === 0) {
		return stops.length
			? { title: stops.join('. '), lines: stops.length > 1 ? stops : [] }
			: undefined;
	}
	const title = `The plan has changed since it was approved: ${changes.slice(0, 2).join('; ')}${changes.length > 2 ? `; and ${changes.length - 2} more below` : ''}`;
	return {
		title,
		lines: [
			...firstLines(changes, maxChanges),
			`The plan is now: ${summary}. Approve it again, or undo the changes`,
		],
	};
}
