import type { IDataObject } from 'n8n-workflow';
import type { Results } from '../../shared/pagination/fetchResults';
import { fetchCreated } from '../../shared/pagination/fetchResults';
import type { Client } from '../../shared/transport/client';
import { mayHaveBeenDone } from '../../shared/transport/failure';
import { billedDifferences, differencesOf, isRenumbered } from './compareInvoice';
import { duplicatesIn } from './duplicates';
import { findLostInvoice } from './findLostInvoice';
import type { Invoice, InvoiceNumbers } from './invoiceNumbers';
import type { InvoiceRequest } from './invoiceRequest';
import { bodyOf, lastingBody, looksForNumber } from './invoiceRequest';
import { withLock } from './keyedLock';
import {
	adviceOnLost,
	couldNotBeFoundAgain,
	existsAlready,
	mayExist,
	wasCreatedOtherwise,
	wasRenumbered,
} from './messages';
import { comparableNumber } from './comparableNumber';
import { rememberedOf } from './rememberedInvoices';
import { standingOf } from './standing';
import { clock } from '../../shared/clock';

/**
 * Creates an invoice (spec 4.1), or finds the one that has its number already, as the settings say. The results say so in
 * `outcome`: `created`, `found`, or `recovered` where the response was lost and the invoice was found by its number. The request is
 * never sent again where it may have been processed. Never throws.
 *
 * The same number is used by one request of this n8n process at a time, and what became of it is remembered for all executions:
 * neither two items nor two executions create the invoice that both find missing.
 */
export async function createInvoice(
	client: Client,
	request: InvoiceRequest,
	numbers: InvoiceNumbers,
): Promise<Results> {
	const { invoice_number: number } = bodyOf(request);
	if (number === undefined) return await createWithoutNumber(client, request);
	return await withLock(
		`${client.account.id} ${comparableNumber(number)}`,
		client.signal,
		async () => {
			if (!looksForNumber(request.settings)) return await createNumbered(client, request, number);
			const existing = await findExisting(client, request, number, numbers);
			return existing ?? (await createFindable(client, request, number, numbers));
		},
	);
}

const invoiceResult = (
	outcome: 'created' | 'found' | 'recovered',
	invoice: Invoice,
	more = {},
) => ({
	// Not assigned: what is called __proto__ would be the prototype of the result.
	results: [{ ...{ outcome }, ...invoice, outcome, ...more }],
});

const send = async (client: Client, request: InvoiceRequest) =>
	await fetchCreated(client, request, 'invoice');

/** What the service made of a create, where that is not what was sent. */
function madeOtherwise(invoice: Invoice, request: InvoiceRequest): Results | undefined {
	const differences = billedDifferences(invoice, bodyOf(request));
	const { status } = invoice;
	const isOver = typeof status === 'string' && /^(?:cancell?ed|failed)$/i.test(status);
	if (isOver) differences.push(`its status is ${status}`);
	return differences.length
		? wasCreatedOtherwise(request, nameOf(invoice), differences)
		: undefined;
}

async function createWithoutNumber(client: Client, request: InvoiceRequest): Promise<Results> {
	const sentAt = new Date(clock.now());
	const created = await send(client, request);
	if ('results' in created) {
		const [invoice] = created.results;
		return madeOtherwise(invoice, request) ?? invoiceResult('created', invoice);
	}
	const { failure } = created;
	if (!mayHaveBeenDone(failure)) return created;
	return { failure: { ...failure, advice: adviceOnLost(request, sentAt) } };
}

/** What the user asked for where there is an invoice with the number, or may be one. `undefined`: there is none. */
async function findExisting(
	client: Client,
	request: InvoiceRequest,
	number: string,
	numbers: InvoiceNumbers,
): Promise<Results | undefined> {
	const found = await standingOf(client, request, number, numbers);
	if ('failure' in found) return found;
	const { invoice, all, lostAt } = found;
	if (!invoice)
		return lostAt === undefined ? undefined : mayExist(request, number, new Date(lostAt));
	if (request.settings.ifInvoiceNumberExists === 'fail')
		return existsAlready(request, `"${number}" is ${nameOf(invoice)}`);
	return invoiceResult('found', invoice, {
		...differencesIn(invoice, request),
		...duplicatesIn(invoice.id, all),
	});
}

/**
 * Creates an invoice that a second run has to find again, so nothing more is created once the service was seen to change a number.
 * The first one of a kind goes alone: with several on their way it would be too late to stop.
 */
async function createFindable(
	client: Client,
	request: InvoiceRequest,
	number: string,
	numbers: InvoiceNumbers,
): Promise<Results> {
	const remembered = rememberedOf(client.account);
	const create = async (): Promise<Results> => {
		if (numbers.changed !== undefined) return couldNotBeFoundAgain(request, numbers.changed);
		const created = await createNumbered(client, request, number);
		if ('failure' in created) return created;
		const [invoice] = created.results;
		if (!isRenumbered(invoice, number)) {
			remembered.noteKept(number);
			return created;
		}
		remembered.forgetKept();
		numbers.changed = `"${number}" became "${String(invoice.invoice_number)}"`;
		return wasRenumbered(request, `${numbers.changed}, ${nameOf(invoice)}`);
	};
	if (remembered.isKept(number)) return await create();
	// A lock for the whole account; it cannot be that of an invoice number, which holds no line break.
	return await withLock(`${client.account.id}\n`, client.signal, create);
}

async function createNumbered(
	client: Client,
	request: InvoiceRequest,
	number: string,
): Promise<Results> {
	const remembered = rememberedOf(client.account);
	const before = remembered.of(number);
	const sentAt = new Date(clock.now());
	const created = await send(client, request);
	if ('results' in created) {
		const [invoice] = created.results;
		remembered.add(number, invoice);
		const isOther = isRenumbered(invoice, number);
		const stored = String(invoice.invoice_number);
		if (isOther && comparableNumber(stored) !== comparableNumber(number))
			remembered.add(stored, invoice);
		return (
			madeOtherwise(invoice, request) ??
			invoiceResult('created', invoice, isOther ? differencesIn(invoice, request) : {})
		);
	}
	const { failure } = created;
	if (!mayHaveBeenDone(failure)) return created;
	// At once: another execution may ask while this one is still looking.
	remembered.addLost(number, sentAt.getTime());
	const search = await findLostInvoice(client, request, number, before);
	if ('invoice' in search) {
		remembered.add(number, search.invoice, clock.now());
		return invoiceResult('recovered', search.invoice, differencesIn(search.invoice, request));
	}
	return { failure: { ...failure, advice: adviceOnLost(request, sentAt, search) } };
}

const nameOf = ({ id, status }: Invoice) =>
	`invoice ${String(id)}${typeof status === 'string' ? ` (${status})` : ''}`;

function differencesIn(invoice: Invoice, request: InvoiceRequest): IDataObject {
	const differences = differencesOf(
		invoice,
		lastingBody(bodyOf(request), request.settings.isDueFromToday),
	);
	return differences.length ? { differences } : {};
}
