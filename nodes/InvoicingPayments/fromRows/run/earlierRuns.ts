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
import { RecentCreates } from '../../invoices/recentCreates';
import { isCancelled } from '../../invoices/compareInvoice';
import type { Invoice } from '../../invoices/invoiceNumbers';
import type { InvoiceRequest } from '../../invoices/invoiceRequest';
import type { InvoiceItem } from '../../invoices/items';
import { totalOf } from '../../invoices/items';
import type { Comparison } from '../../plan/comparison';
import { defaultPrefix, isContentNumber } from '../../plan/contentNumbers';
import type { Draft } from '../../reading/invoices';
import { isReady } from '../../reading/invoices';

/** An invoice of a sheet, with the one that exists. */
interface ComparableDraft extends Draft {
	readonly comparison?: Pick<Comparison, 'existing'>;
}

/** The invoices of a sheet, and those of them that a run would create. */
interface SheetRun {
	drafts: readonly ComparableDraft[];
	created: readonly Draft[];
	prefix?: string;
	/** Whether the numbers are made of the content, so that a corrected row has another one. */
	makesNumbers: boolean;
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
	// Lists lag. What was just created for these customers counts, and what may have been.
	const listed = new Set(existing.value.map((one) => comparableNumber(one.invoice_number)));
	const customers = new Set(run.drafts.map(({ body }) => comparableId(body.customer)));
	const recent = client.account
		.part(RecentCreates)
		.all()
		.filter((one) => !listed.has(comparableNumber(one.invoice_number)))
		.filter((one) => customers.has(comparableId(customerIn(one))));
	const replaced = await replacedInvoices(run, isRerun, [...existing.value, ...recent]);
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
 * If some invoices of the sheet exist, the sheet is run again: then every other invoice of its customers with its prefix that is due about
 * then was made by an earlier version of it, paid ones too. Otherwise it may be another sheet, and only what is nearly the same is in
 * question. Of invoices with numbers of another kind, only what is the same is: the sheet may have got, or lost, its column of numbers.
 */
async function replacedInvoices(
	{ drafts, created, prefix = defaultPrefix, makesNumbers }: SheetRun,
	isRerun: boolean,
	existing: readonly Invoice[],
): Promise<Map<Draft, Invoice[]>> {
	const numbers = new Set(drafts.map(({ body }) => comparableNumber(body.invoice_number)));
	const isOrphaned = (invoice: Invoice) =>
		!numbers.has(comparableNumber(invoice.invoice_number)) && !isCancelled(invoice);
	const isOfSheet = dueAbout(drafts);
	const turn = turns();
	const byCustomer = new Map<string, NewBill[]>();
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
		const number = String(invoice.invoice_number);
		const isMade = isContentNumber(number, [prefix]);
		// Somebody who sets another prefix wants to bill the same rows once more.
		if (!isMade && (isContentNumber(number) || !makesNumbers)) continue;
		const isOwn = isMade && makesNumbers;
		const nearest = bills.find((bill) => (isOwn ? mayReplace : isSameBill)(bill, earlier))?.draft;
		const isReplaced = isOwn && isRerun && isOfSheet(earlier);
		const draft = nearest ?? (isReplaced ? (bills[0]?.draft ?? created[0]) : undefined);
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

/** A bill that would be sent. */
interface NewBill extends Bill {
	draft: Draft;
}

function billOf(customer: unknown, { due_date: due, items, title, note }: Invoice): Bill {
	const all = (Array.isArray(items) ? items : []) as Array<Partial<InvoiceItem> | null>;
	const names = all.map((item) => String(item?.name ?? '').trim()).sort();
	const texts = [title, note, ...names].filter((text) => !isEmpty(text));
	return {
		customer: comparableId(customer),
		due: String(due).slice(0, 10),
		names,
		texts: new Set(texts.map((text) => String(text).trim())),
		amounts: JSON.stringify(all.map((item) => totalText([item])).sort()),
	};
}

/** What items come to. Empty if the service gives no amounts. */
function totalText(items: unknown): string {
	if (!Array.isArray(items)) return '';
	const all = items as Array<Partial<InvoiceItem> | null>;
	try {
		return `${totalOf(all.map((item) => ({ amount: '', quantity: NaN, ...item })))}`;
	} catch {
		return '';
	}
}

const comparableId = (id: unknown) => String(id).toLowerCase();
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
function mayReplace(bill: NewBill, earlier: Bill): boolean {
	const days = Math.abs(daysBetween(bill.due, earlier.due));
	const hasSameNames = JSON.stringify(bill.names) === JSON.stringify(earlier.names);
	const isRelative = bill.draft.dueInDays !== undefined;
	const isSame = saysTheSame(bill, earlier);
	return days === 0 || (days < sameBill && (hasSameNames || isSame)) || (isRelative && isSame);
}

/** Whether two bills say the same, and are due on the same day, or in the same week if that is counted from today. */
function isSameBill(bill: NewBill, earlier: Bill): boolean {
	const days = Math.abs(daysBetween(bill.due, earlier.due));
	const isThen = days === 0 || (bill.draft.dueInDays !== undefined && days < sameBill);
	return isThen && saysTheSame(bill, earlier);
}

/** The same amounts and texts, whichever field the texts stand in. */
function saysTheSame(bill: Bill, earlier: Bill): boolean {
	const [fewer, more] = [bill.texts, earlier.texts].sort((a, b) => a.size - b.size);
	return bill.amounts === earlier.amounts && [...fewer].every((text) => more.has(text));
}

/** Days. Less than from month to month, so that the invoices of the last month are none of this one. */
const sameMonth = 28;

/** Whether a bill is due in the time in which those of a sheet are. If that is counted from today, those that exist tell when. */
function dueAbout(drafts: readonly ComparableDraft[]): (bill: Bill) => boolean {
	const dates = drafts
		.flatMap(({ body, dueInDays, comparison }) => {
			const due = dueInDays === undefined ? body.due_date : comparison?.existing?.due_date;
			return typeof due === 'string' ? [due.slice(0, 10)] : [];
		})
		.sort();
	const [first, last] = [dates[0], dates[dates.length - 1]] as Array<string | undefined>;
	if (first === undefined || last === undefined) return () => true;
	return ({ due }) => daysBetween(first, due) > -sameMonth && daysBetween(last, due) < sameMonth;
}

function changedText({ match, body, sums }: Draft, [invoice, ...more]: Invoice[]): string {
	const { id: made, amount, currency, items, invoice_number: number, due_date: due } = invoice;
	const { id, name: listed } = (invoice.customer ?? {}) as { id?: unknown; name?: unknown };
	const others = more.length ? ` and ${more.length} more` : '';
	const total = amount ?? totalText(items);
	const sum = total === '' ? 'an amount' : `${String(currency)} ${String(total)}`;
	const doubt = made === undefined ? ' (its response was lost, so it may exist)' : '';
	const earlier = `${sum} due ${String(due).slice(0, 10)}, ${String(number)}${doubt}`;
	if (comparableId(id) !== comparableId(body.customer))
		return `No row of this sheet makes an invoice of an earlier run: ${String(listed ?? id)}, ${earlier}${others}`;
	const name = match?.name ?? listed ?? match?.email ?? id;
	return `You would bill ${String(name)} twice: now ${sums?.total ?? ''}, and in an earlier run ${earlier}${others}`;
}

/** How to go on. If some invoices of the sheet exist, another prefix would bill them again. */
export const changeAdvice = (isRerun: boolean): string[] => [
	'If the rows were corrected, cancel the earlier invoice in the service',
	...(isRerun
		? []
		: ["If it is another month or another sheet, set 'Number Prefix' under Options"]),
	"If both are right, set 'If Rows Changed' under Options to Create Both",
];
