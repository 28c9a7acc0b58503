import type { Parsed } from '../../shared/result';
import { failed, notRead, ok } from '../../shared/result';
import type { Answer } from '../../shared/transport/failure';
import { mayHaveBeenDone } from '../../shared/transport/failure';
import { withFirst } from '../../shared/withFirst';
import type { IDataObject } from 'n8n-workflow';
import { clock } from '../../shared/clock';
import { messageOf } from '../../shared/errors/messages';
import type { Results } from '../../shared/pagination/fetchResults';
import { fetchCreated } from '../../shared/pagination/fetchResults';
import type { Client } from '../../shared/transport/client';
import { comparableNumber } from './comparableNumber';
import {
	billedDifferences,
	differencesOf,
	hasSameCustomerAndItems,
	isAmountDifference,
	isCancelled,
	isRenumbered,
} from './compareInvoice';
import { duplicatesIn } from './duplicates';
import type { Invoice } from './invoiceNumbers';
import { findInvoices } from './invoiceNumbers';
import type { InvoiceRequest } from './invoiceRequest';
import { bodyOf, needsNumberLookup, withoutRelativeDueDate } from './invoiceRequest';
import { Locks } from './locks';
import type { NumberLookup } from './lookUpNumbers';
import { lookUpNumber } from './lookUpNumbers';
import {
	adviceOnLost,
	alreadyExistsFailure,
	createdDifferentlyFailure,
	mayExistFailure,
	renumberedFailure,
	renumberingFailure,
} from './messages';
import { RecentCreates } from './recentCreates';

/** How the service stores the numbers of a run. A part of the run. */
export class StoredNumbers {
	/** It has stored one as it was sent. */
	isKept = false;
	/** E.g. `"inv-7" became "INV-7"`. Stops all creates, because the invoices could not be found again. */
	renumbering: string | undefined;
}

/**
 * Creates an invoice (spec 4.1), or finds the one with its number. `outcome` in the result: `created`, `found`, `found, cancelled`, or
 * `recovered` if the response was lost and the invoice was found. Never repeats a request that may have been processed. Never throws. Requests
 * with the same number run one after the other. Otherwise two executions could both find no invoice, and each create one.
 */
export async function createInvoice(
	client: Client,
	request: InvoiceRequest,
	stored: StoredNumbers,
): Promise<Results> {
	const { invoice_number: number } = bodyOf(request);
	if (number === undefined) return await createWithoutNumber(client, request);
	return await client.account.part(Locks).run(comparableNumber(number), async () => {
		if (!needsNumberLookup(request.settings))
			return await createWithNumber(client, request, number);
		const existing = await findExisting(client, request, number);
		return existing ?? (await createFindable(client, request, number, { stored }));
	});
}

async function createWithoutNumber(client: Client, request: InvoiceRequest): Promise<Results> {
	const sentAt = new Date(clock.now());
	const created = await send(client, request);
	if (created.ok) return createdResult(created.value[0], request);
	const { failure } = created;
	if (!mayHaveBeenDone(failure)) return created;
	return failed({ ...failure, advice: adviceOnLost(request, sentAt) });
}

/** `undefined`: no invoice has the number, and no earlier request can still create one. */
async function findExisting(
	client: Client,
	request: InvoiceRequest,
	number: string,
): Promise<Results | undefined> {
	const found = await lookUpAgain(client, request, number);
	if (!found.ok) return found;
	const { invoice, all, lostAt } = found.value;
	if (!invoice)
		return lostAt === undefined ? undefined : mayExistFailure(request, number, new Date(lostAt));
	if (request.settings.ifInvoiceNumberExists === 'fail')
		return alreadyExistsFailure(request, `"${number}" is ${describe(invoice)}`);
	return invoiceResult(isCancelled(invoice) ? 'found, cancelled' : 'found', invoice, {
		...differencesIn(invoice, request),
		...duplicatesIn(invoice.id, all),
	});
}

/**
 * Looks a number up. A service may refuse a create and make the invoice all the same, and its list may show the invoice late. So a number
 * whose create was refused less than 15 seconds ago is looked up a second time when these seconds are over.
 */
async function lookUpAgain(
	client: Client,
	request: InvoiceRequest,
	number: string,
): Promise<Answer<NumberLookup>> {
	const found = await lookUpNumber(client, request, number);
	const { refusedAt } = client.account.part(RecentCreates).get(number);
	if (!found.ok || found.value.invoice || refusedAt === undefined) return found;
	const left = refusedAt + searchTime - clock.now();
	if (left <= 0) return found;
	// The clock may have been set back meanwhile.
	await clock.pause(Math.min(left, searchTime), client.signal);
	return await lookUpNumber(client, request, number);
}

/** A key of no number, because comparable numbers contain no spaces. */
const wholeAccount = ' ';

/**
 * Creates an invoice that later runs must find by its number. Stops all creates once the service has changed a number. The first create
 * of a run goes alone: if the service changes its number, no others have been sent yet.
 */
async function createFindable(
	client: Client,
	request: InvoiceRequest,
	number: string,
	{ stored }: { stored: StoredNumbers },
): Promise<Results> {
	const create = async (): Promise<Results> => {
		if (stored.renumbering !== undefined) return renumberingFailure(request, stored.renumbering);
		const created = await createWithNumber(client, request, number);
		if (!created.ok) return created;
		const [invoice] = created.value;
		if (isRenumbered(invoice, number)) {
			stored.renumbering = `"${number}" became "${String(invoice.invoice_number)}"`;
			return renumberedFailure(request, `${stored.renumbering}, ${describe(invoice)}`);
		}
		stored.isKept = true;
		return created;
	};
	if (stored.isKept) return await create();
	return await client.account.part(Locks).run(wholeAccount, create);
}

async function createWithNumber(
	client: Client,
	request: InvoiceRequest,
	number: string,
): Promise<Results> {
	const recent = client.account.part(RecentCreates);
	const { invoices: knownInvoices } = recent.get(number);
	const body = { ...bodyOf(request), invoice_number: number };
	const sentAt = new Date(clock.now());
	const created = await send(client, request);
	if (created.ok) {
		const [invoice] = created.value;
		recent.add(body, invoice);
		return createdResult(invoice, request);
	}
	const { failure } = created;
	if (!mayHaveBeenDone(failure)) {
		// A service that is too busy (429) has not looked at the request.
		if (failure.kind === 'status' && failure.status !== 429) recent.addRefused(body);
		return created;
	}
	// Recorded before the search, because another execution may look up the number during it.
	recent.addLost(body, sentAt.getTime());
	const search = await searchLost(client, request, number, { knownInvoices });
	if (!search.ok)
		return failed({ ...failure, advice: adviceOnLost(request, sentAt, search.problem) });
	recent.add(body, search.value);
	return invoiceResult('recovered', search.value, differencesIn(search.value, request));
}

/** An answer counts as an invoice if it has fields that only an invoice has (spec 2.3): errors have a `status` and a `code` as well. */
const send = async (client: Client, request: InvoiceRequest): Promise<Results> =>
	await fetchCreated(client, request, {
		noun: 'invoice',
		fields: [
			'invoice_number',
			'reference_id',
			'title',
			'url',
			'amount',
			'currency',
			'items',
			'customer',
			'due_date',
		],
	});

/** A failure if the service has changed what it bills, unless it is only the amount and the user wants a warning. */
function createdResult(invoice: Invoice, request: InvoiceRequest): Results {
	const changes = billedDifferences(invoice, bodyOf(request));
	if (isCancelled(invoice)) changes.push(`its status is ${String(invoice.status)}`);
	const isAccepted =
		request.settings.ifAmountsChange === 'warn' && changes.every(isAmountDifference);
	if (changes.length && !isAccepted)
		return createdDifferentlyFailure(request, describe(invoice), changes);
	return invoiceResult('created', invoice, differencesIn(invoice, request));
}

/** Milliseconds before each look-up. A slow service may create the invoice only after the response was lost. */
const searchPauses = [0, 500, 1000, 2000, 4000, 7500];
/** Milliseconds, in all. */
const searchTime = searchPauses.reduce((sum, pause) => sum + pause);

/** Ends with the execution, but goes on if another item fails. Never returns one of `knownInvoices`. `problem`: the end of a sentence about the invoice. */
async function searchLost(
	client: Client,
	request: InvoiceRequest,
	number: string,
	{ knownInvoices }: { knownInvoices: Invoice[] },
): Promise<Parsed<Invoice>> {
	const searchClient = { ...client, signal: client.cancelled };
	const task = { ...request, policy: { ...request.policy, maxWait: searchTime } };
	for (const pause of searchPauses) {
		await clock.pause(pause, client.cancelled);
		const found = await findInvoices(searchClient, task, number);
		if (!found.ok)
			return notRead(
				`could not be looked up by its number "${number}" (${messageOf(found.failure)})`,
			);
		const invoice = found.value.find((one) => mayBeFrom(request, one, knownInvoices));
		if (invoice) return ok(invoice);
	}
	return notRead(
		`was not found by its number "${number}" within 15 s, but a slow service can finish late`,
	);
}

/** Whether this request may have created the invoice. If its number was not looked up before, an older one may have it: compare both. */
const mayBeFrom = (request: InvoiceRequest, invoice: Invoice, knownInvoices: Invoice[]): boolean =>
	!knownInvoices.some(({ id }) => id === invoice.id) &&
	(needsNumberLookup(request.settings) || hasSameCustomerAndItems(invoice, bodyOf(request)));

const invoiceResult = (
	outcome: 'created' | 'found' | 'found, cancelled' | 'recovered',
	invoice: Invoice,
	more: IDataObject,
) => ok([{ ...withFirst('outcome', outcome, invoice), ...more }]);

const describe = ({ id, status }: Invoice) =>
	`invoice ${String(id)}${typeof status === 'string' ? ` (${status})` : ''}`;

function differencesIn(invoice: Invoice, request: InvoiceRequest): IDataObject {
	const differences = differencesOf(
		invoice,
		withoutRelativeDueDate(bodyOf(request), request.settings.hasRelativeDueDate),
	);
	return differences.length ? { differences } : {};
}
