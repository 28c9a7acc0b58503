import type { IDataObject } from 'n8n-workflow';
import { clock } from '../../shared/clock';
import { onAbort } from '../../shared/onAbort';
import { messageOf } from '../../shared/errors/messages';
import type { Results } from '../../shared/pagination/fetchResults';
import { fetchCreated } from '../../shared/pagination/fetchResults';
import type { Client } from '../../shared/transport/client';
import { mayHaveBeenDone } from '../../shared/transport/failure';
import type { Response } from '../../shared/transport/response';
import { comparableNumber } from './comparableNumber';
import {
	billedDifferences,
	differencesOf,
	isAmountDifference,
	hasSameCustomerAndItems,
	isCancelled,
	isRenumbered,
} from './compareInvoice';
import { duplicatesIn } from './duplicates';
import type { Invoice, InvoiceNumbers } from './invoiceNumbers';
import { findInvoices } from './invoiceNumbers';
import type { InvoiceRequest } from './invoiceRequest';
import { bodyOf, needsNumberLookup, withoutRelativeDueDate } from './invoiceRequest';
import { lookUpNumber } from './lookUpNumbers';
import type { SearchResult } from './messages';
import {
	adviceOnLost,
	renumberingFailure,
	alreadyExistsFailure,
	mayBeOlderFailure,
	mayExistFailure,
	createdDifferentlyFailure,
	renumberedFailure,
} from './messages';
import { RecentCreates } from './recentCreates';

/**
 * Creates an invoice (spec 4.1), or finds the one with its number. `outcome` in the result: `created`, `found`, or `recovered` if
 * the response was lost and the invoice was found. Never repeats a request that may have been processed. Never throws. Requests
 * with the same number run one after the other. Otherwise two executions could both find no invoice, and each create one.
 */
export async function createInvoice(
	client: Client,
	request: InvoiceRequest,
	numbers: InvoiceNumbers,
): Promise<Results> {
	const { invoice_number: number } = bodyOf(request);
	if (number === undefined) return await createWithoutNumber(client, request);
	const locks = client.account.part(Locks);
	return await locks.run(comparableNumber(number), client.signal, async () => {
		if (!needsNumberLookup(request.settings))
			return await createWithNumber(client, request, number);
		const existing = await findExisting(client, request, number, numbers);
		return existing ?? (await createFindable(client, request, number, numbers));
	});
}

const invoiceResult = (
	outcome: 'created' | 'found' | 'found, cancelled' | 'recovered',
	invoice: Invoice,
	more = {},
) => ({
	// A spread, because Object.assign would let a field named __proto__ set the prototype. `outcome` comes first and wins.
	results: [{ ...{ outcome }, ...invoice, outcome, ...more }],
});

/** Fields that only an invoice has (spec 2.3): an error may have a `status` and a `code` as well. */
const created = {
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
};

const send = async (client: Client, request: InvoiceRequest) =>
	await fetchCreated(client, request, created);

function createdDifferently(invoice: Invoice, request: InvoiceRequest): Results | undefined {
	const differences = billedDifferences(invoice, bodyOf(request));
	const { status } = invoice;
	const isVoid = typeof status === 'string' && /^(?:cancell?ed|failed)$/i.test(status);
	if (isVoid) differences.push(`its status is ${status}`);
	const warns =
		request.settings.ifAmountsChange === 'warn' && differences.every(isAmountDifference);
	if (warns) return undefined;
	return differences.length
		? createdDifferentlyFailure(request, describe(invoice), differences)
		: undefined;
}

/** If the user only wants a warning, the result says what the service has changed. */
function changedAmounts(invoice: Invoice, request: InvoiceRequest): IDataObject {
	if (request.settings.ifAmountsChange !== 'warn') return {};
	const differences = billedDifferences(invoice, bodyOf(request)).filter(isAmountDifference);
	return differences.length ? { differences } : {};
}

async function createWithoutNumber(client: Client, request: InvoiceRequest): Promise<Results> {
	const sentAt = new Date(clock.now());
	const created = await send(client, request);
	if ('results' in created) {
		const [invoice] = created.results;
		return (
			createdDifferently(invoice, request) ??
			invoiceResult('created', invoice, changedAmounts(invoice, request))
		);
	}
	const { failure } = created;
	if (!mayHaveBeenDone(failure)) return created;
	return { failure: { ...failure, advice: adviceOnLost(request, sentAt) } };
}

/** `undefined`: no invoice has the number, and no earlier request can still create one. */
async function findExisting(
	client: Client,
	request: InvoiceRequest,
	number: string,
	numbers: InvoiceNumbers,
): Promise<Results | undefined> {
	const found = await lookUpNumber(client, request, number, numbers);
	if ('failure' in found) return found;
	const { invoice, all, lostAt } = found;
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
 * Creates an invoice that later runs must find by its number. Stops all creates once the service has changed a number. The first
 * number with a new kind of character, e.g. a space, is sent alone. If the service changes it, no others have been sent yet.
 */
async function createFindable(
	client: Client,
	request: InvoiceRequest,
	number: string,
	numbers: InvoiceNumbers,
): Promise<Results> {
	const recent = client.account.part(RecentCreates);
	const create = async (): Promise<Results> => {
		if (numbers.renumbering !== undefined) return renumberingFailure(request, numbers.renumbering);
		const created = await createWithNumber(client, request, number);
		if ('failure' in created) return created;
		const [invoice] = created.results;
		if (!isRenumbered(invoice, number)) {
			recent.noteStoredAsSent(number);
			return created;
		}
		recent.forgetStoredAsSent();
		numbers.renumbering = `"${number}" became "${String(invoice.invoice_number)}"`;
		return renumberedFailure(request, `${numbers.renumbering}, ${describe(invoice)}`);
	};
	if (recent.keepsAsSent(number)) return await create();
	return await client.account.part(Locks).run(wholeAccount, client.signal, create);
}

async function createWithNumber(
	client: Client,
	request: InvoiceRequest,
	number: string,
): Promise<Results> {
	const recent = client.account.part(RecentCreates);
	const knownInvoices = recent.createdWith(number);
	const sentAt = new Date(clock.now());
	let isFound = false;
	const lookAgain = async () => {
		const found = await findBeforeRepeat(client, request, number, knownInvoices);
		isFound = found !== undefined && 'body' in found;
		return found;
	};
	const policy = { ...request.policy, beforeRepeat: lookAgain };
	const recovered = (invoice: Invoice) => {
		recent.add(number, invoice, clock.now());
		return invoiceResult('recovered', invoice, differencesIn(invoice, request));
	};
	const created = await send(client, { ...request, policy });
	if ('results' in created) {
		const [invoice] = created.results;
		if (isFound) return recovered(invoice);
		recent.add(number, invoice);
		const hasOtherNumber = isRenumbered(invoice, number);
		const storedNumber = String(invoice.invoice_number);
		if (hasOtherNumber && comparableNumber(storedNumber) !== comparableNumber(number))
			recent.add(storedNumber, invoice);
		return (
			createdDifferently(invoice, request) ??
			invoiceResult(
				'created',
				invoice,
				hasOtherNumber ? differencesIn(invoice, request) : changedAmounts(invoice, request),
			)
		);
	}
	const { failure } = created;
	if (!mayHaveBeenDone(failure)) {
		// Retry On Fail would send it again.
		const found = failure.status === 429 && (await lookAgain());
		if (found && 'body' in found) return recovered(found.body as Invoice);
		return found && mayHaveBeenDone(found.failure) ? found : created;
	}
	// Recorded before the search, because another execution may look up the number during it.
	recent.addLost(number, sentAt.getTime());
	const search = await findLostInvoice(client, request, number, knownInvoices);
	if ('invoice' in search) return recovered(search.invoice);
	return { failure: { ...failure, advice: adviceOnLost(request, sentAt, search) } };
}

/**
 * Before a create is sent again that the service has refused for now (429): it may have been done all the same. Without a look-up
 * before the first one, an invoice like it may be older, so a person has to decide.
 */
async function findBeforeRepeat(
	client: Client,
	request: InvoiceRequest,
	number: string,
	knownInvoices: Invoice[],
): Promise<Response | undefined> {
	const found = await findInvoices(client, request, number);
	if ('failure' in found) return found;
	const invoice = unknownIn(found.results, request, knownInvoices);
	if (!invoice) return undefined;
	return needsNumberLookup(request.settings)
		? { body: invoice, status: 200 }
		: mayBeOlderFailure(request, describe(invoice));
}

/** Milliseconds. A slow service may create the invoice only after the response was lost. */
const maxSearchTime = 15_000;

/** Never returns one of `knownInvoices`. During the search, the run sends nothing else, unless the node continues on errors. */
async function findLostInvoice(
	client: Client,
	request: InvoiceRequest,
	number: string,
	knownInvoices: Invoice[],
): Promise<{ invoice: Invoice } | SearchResult> {
	const { hold, cancelled } = client;
	if (hold) hold.count += 1;
	try {
		const searchClient = { ...client, signal: cancelled, hold: undefined };
		return await searchLost(searchClient, request, number, knownInvoices);
	} finally {
		if (hold) hold.count -= 1;
		// On the next tick, so that the caller can stop the run first.
		void clock.sleep(0).then(() => client.account.queue.admit());
	}
}

async function searchLost(
	client: Client,
	request: InvoiceRequest,
	number: string,
	knownInvoices: Invoice[],
): Promise<{ invoice: Invoice } | SearchResult> {
	const startedAt = clock.now();
	const maxWait = Math.min(maxSearchTime, request.policy.maxWait);
	const timeLeft = () => startedAt + maxWait - clock.now();
	for (let wait = 500; ; wait *= 2) {
		const timeout = Math.min(request.policy.timeout ?? maxSearchTime, maxSearchTime);
		const policy = { ...request.policy, timeout, maxWait: Math.max(0, timeLeft()) };
		const found = await findInvoices(client, { ...request, policy }, number);
		if ('failure' in found) return { problem: messageOf(found.failure) };
		const invoice = unknownIn(found.results, request, knownInvoices);
		if (invoice) return { invoice };
		if (timeLeft() <= 0 || client.signal.aborted) {
			return { seconds: Math.round((clock.now() - startedAt) / 1000) };
		}
		await clock.pause(Math.min(wait, timeLeft()), client.signal);
	}
}

/** The invoice that this request may have created. If its number was not looked up before, an older one may have it: compare both. */
const unknownIn = (found: Invoice[], request: InvoiceRequest, knownInvoices: Invoice[]) =>
	found.find(
		(one) =>
			!knownInvoices.some(({ id }) => id === one.id) &&
			(needsNumberLookup(request.settings) || hasSameCustomerAndItems(one, bodyOf(request))),
	);

const describe = ({ id, status }: Invoice) =>
	`invoice ${String(id)}${typeof status === 'string' ? ` (${status})` : ''}`;

function differencesIn(invoice: Invoice, request: InvoiceRequest): IDataObject {
	const differences = differencesOf(
		invoice,
		withoutRelativeDueDate(bodyOf(request), request.settings.hasRelativeDueDate),
	);
	return differences.length ? { differences } : {};
}

/** A key of no number, because comparable numbers contain no spaces. */
const wholeAccount = ' ';

/** Runs work with the same key one after the other. A part of an account. */
class Locks {
	private readonly lastByKey = new Map<string, Promise<unknown>>();

	/** If the signal is aborted, starts the work at once: it then stops by itself. */
	async run<T>(key: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
		const previous = this.lastByKey.get(key);
		const own = (async () => {
			if (previous) await waitUnlessAborted(previous, signal);
			return await work();
		})();
		// Later work waits for all earlier work, even if this work stopped waiting.
		const ended = Promise.all([previous, own.catch(() => undefined)]);
		this.lastByKey.set(key, ended);
		void ended.then(() => {
			if (this.lastByKey.get(key) === ended) this.lastByKey.delete(key);
		});
		return await own;
	}
}

async function waitUnlessAborted(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
	if (signal.aborted) return;
	await new Promise<void>((resolve) => {
		const release = onAbort(signal, resolve);
		void work.then(() => {
			release();
			resolve();
		});
	});
}
