import type { IExecuteFunctions, NodeApiError } from 'n8n-workflow';
import { toNodeError } from '../../shared/errors/nodeErrors';
import { hexOf } from '../../shared/hash';
import { fetchResults } from '../../shared/pagination/fetchResults';
import type { Client } from '../../shared/transport/client';
import { openClient } from '../../shared/transport/client';
import { runConcurrently } from '../../shared/transport/concurrency';
import type { Failure } from '../../shared/transport/failure';
import type { Operation } from '../execution/operation';
import type { Run } from '../execution/run';
import { comparableNumber } from '../invoices/comparableNumber';
import { isCancelled } from '../invoices/compareInvoice';
import type { Invoice } from '../invoices/invoiceNumbers';
import { InvoiceNumbers } from '../invoices/invoiceNumbers';
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
	identityOf,
	comparisonOf,
	plannedLabel,
} from '../plan/plannedInvoice';
import { summaryOf } from '../plan/summary';
import type { Draft } from './invoices';
import { capitalize } from '../../shared/fields/text';
import { isReady, requestOf } from './invoices';
import type { RowSettings } from './rowSettings';
import type { SheetProblem } from './problems';
import { problemInLines, rowsLabel, sheetProblem } from './problems';

/** What a run would do for each valid invoice. `lookalikes`: texts about existing invoices that new ones resemble. */
export interface Forecast {
	lines: Map<Draft, PlanLine>;
	lookalikes: Map<Draft, string>;
	account: string;
}

const plannedOf = ({ body, sums, rows, dueInDays }: Draft): PlannedInvoice => ({
	body: body as unknown as PlannedInvoice['body'],
	total: sums?.total ?? '',
	rows: rowsLabel(rows),
	...(dueInDays !== undefined && { dueInDays }),
});

export function withContentNumbers(drafts: Draft[], settings: RowSettings): Draft[] {
	if (!settings.makesNumbers) return drafts;
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
	settings: RowSettings,
	drafts: Draft[],
	run: Run,
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
	const lookups = client
		? await lookUpNumbers(client, requests, run.part(InvoiceNumbers))
		: ready.map(() => ({ all: [] }));
	if ('failure' in lookups) return fail(lookups.failure);
	// If a run carries out an approved plan, existing invoices are no error.
	const { ifInvoiceNumberExists = 'returnExisting' } = settings;
	const ifExists = settings.previewOnly ? ifInvoiceNumberExists : 'returnExisting';
	const lines = new Map(
		ready.map((draft, at) => {
			const planned = plannedOf(draft);
			return [
				draft,
				{ planned, comparison: comparisonOf(planned, lookups[at], ifExists) },
			] as const;
		}),
	);
	if (!client) return { lines, lookalikes: new Map(), account: '' };
	const account = hexOf(JSON.stringify([client.baseURL, client.credential.apiKey]), 32);
	const isPreview = settings.makesNumbers && settings.previewOnly;
	const lookalikes = isPreview
		? await findLookalikes(client, requests[0], lines, settings)
		: new Map<Draft, string>();
	return { lines, lookalikes, account };
}

const maxCustomers = 100;

/** Finds existing invoices with generated numbers that the sheet no longer makes. Correcting a row changes its generated number. */
async function findLookalikes(
	client: Client,
	task: InvoiceRequest,
	lines: Map<Draft, PlanLine>,
	{ numberPrefix: prefix = defaultPrefix }: RowSettings,
): Promise<Map<Draft, string>> {
	const numberOf = ({ planned }: PlanLine) => comparableNumber(planned.body.invoice_number);
	const made = new Set([...lines.values()].map(numberOf));
	const newLines = [...lines].filter(([, { comparison }]) => comparison.action === 'create');
	const customers = new Set(newLines.map(([, { planned }]) => planned.body.customer));
	const searched = [...customers].slice(0, maxCustomers);
	const existing: Invoice[] = [];
	await runConcurrently(searched.length, task.policy.maxRequestsInFlight, async (at) => {
		const found = await fetchResults(client, {
			...task,
			request: { method: 'GET', path: task.request.path, query: { customer_id: searched[at] } },
			response: 'page',
			settings: { limit: 100 },
		});
		if ('results' in found) existing.push(...found.results);
		return 'results' in found;
	});
	const isOrphaned = (invoice: Invoice) => {
		const number = comparableNumber(invoice.invoice_number);
		const isMade = number.startsWith(comparableNumber(prefix));
		return isMade && !made.has(number) && !isCancelled(invoice);
	};
	const orphaned = new Set(existing.filter(isOrphaned));
	const lookalikes = new Map<Draft, string>();
	for (const [draft, { planned }] of newLines) {
		const similar = [...orphaned].filter((invoice) => looksAlike(invoice, planned));
		const closest = similar.find((invoice) => hasSameItems(invoice, planned)) ?? similar[0];
		if (!closest) continue;
		orphaned.delete(closest);
		const amount = typeof closest.amount === 'string' ? ` (${closest.amount})` : '';
		const text = `looks like ${String(closest.invoice_number)}${amount}, which exists and which these rows no longer make`;
		lookalikes.set(draft, text);
	}
	return lookalikes;
}

function hasSameItems({ items }: Invoice, { body }: PlannedInvoice): boolean {
	const namesOf = (all: unknown) =>
		JSON.stringify((Array.isArray(all) ? all : []).map((item: { name?: unknown }) => item?.name));
	return namesOf(items) === namesOf(body.items);
}

function looksAlike(invoice: Invoice, { body, dueInDays }: PlannedInvoice): boolean {
	const { customer, currency, due_date: due } = invoice;
	const { id } = (customer ?? {}) as { id?: unknown };
	const isSameDay = dueInDays !== undefined || String(due).slice(0, 10) === body.due_date;
	const isSameCustomer = String(id).toLowerCase() === body.customer.toLowerCase();
	return isSameCustomer && currency === body.currency && isSameDay;
}

const maxChanges = 10;

/** Compares an approved plan with the current plan. Also reports invoices that would stop the run half-way. */
export function changedSince(approved: ApprovedPlan, { lines, account }: Forecast): SheetProblem[] {
	const all = [...lines.values()];
	const stops = all.flatMap(({ planned, comparison: { why } }) =>
		why === undefined ? [] : [`${plannedLabel(planned)}: ${why}`],
	);
	const summary = summaryOf(all);
	const changes = changesSince(approved, { lines: all, account, summary });
	if (changes.length === 0) return stops.map((text) => sheetProblem(text));
	const title = `The plan has changed since it was approved: ${changes.slice(0, 2).join('; ')}${changes.length > 2 ? `; and ${changes.length - 2} more below` : ''}`;
	const rest = changes.length - maxChanges;
	return problemInLines(title, [
		...changes.slice(0, maxChanges),
		...(rest > 0 ? [`… and ${rest} more`] : []),
		`The plan is now: ${summary}. Approve it again, or undo the changes`,
	]);
}
