import type { IDataObject } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import { differencesOf, isRenumbered, isSame, totalOf } from './compareInvoice';
import type { Failure } from './failure';
import { mayHaveBeenDone } from './failure';
import type { Invoice, InvoiceNumbers } from './invoiceNumbers';
import { findInvoices } from './invoiceNumbers';
import { messageOf } from './messages';
import { formOf } from './numberForm';
import type { Performed, Task } from './perform';
import { performOne } from './perform';
import { rememberedOf } from './rememberedInvoices';
import type { Service } from './service';
import { inTurn } from './turns';
import { pause } from './wait';

/** For how many milliseconds an invoice is looked for whose answer was lost; a slow service may need some of them. */
const longestSearch = 15_000;

/**
 * Creates an invoice (spec 4.1), or finds the one that has its number already, as the task's settings say. The results say so in
 * `outcome`: `created`, `found`, or `recovered` where the answer was lost and the invoice was found by its number. The request is
 * never sent again where it may have been processed. Never throws.
 *
 * The same number is used by one request of this n8n process at a time, and what became of it is remembered for all executions:
 * neither two items nor two executions create the invoice that both find missing.
 */
export async function createInvoice(
	service: Service,
	task: Task,
	numbers: InvoiceNumbers,
): Promise<Performed> {
	const { invoice_number: number } = bodyOf(task);
	if (number === undefined) return await createWithout(service, task);
	return await inTurn(`${service.account.id} ${formOf(number)}`, service.signal, async () => {
		const isChecked = (task.settings.if_number_exists ?? 'create') !== 'create';
		if (!isChecked) return await createNumbered(service, task, number);
		const existing = await lookUp(service, task, number, numbers);
		return existing ?? (await createFindable(service, task, number, numbers));
	});
}

interface Body {
	invoice_number?: string;
	currency: string;
	customer: string;
	items: Array<{ amount: string; quantity: number }>;
}

const bodyOf = ({ request }: Task) => request.body as Body;

const told = (outcome: 'created' | 'found' | 'recovered', invoice: Invoice, rest = {}) => ({
	results: [Object.assign({ outcome }, invoice, { outcome, ...rest })],
});

async function createWithout(service: Service, task: Task): Promise<Performed> {
	const sentAt = new Date();
	const performed = await performOne(service, task);
	if ('results' in performed) return told('created', performed.results[0]);
	return { failure: { ...performed.failure, lost: { description: descriptionOf(task, sentAt) } } };
}

/** Nothing is sent. */
const unsent = ({ request: { method, path } }: Task, kind: Failure['kind'], reason: string) => ({
	failure: { kind, method, path, reason },
});

/**
 * What the user asked for where there is an invoice with the number, or may be one. `undefined`: there is none. What this process
 * has created counts before what a list says, which may lag behind.
 */
async function lookUp(
	service: Service,
	task: Task,
	number: string,
	numbers: InvoiceNumbers,
): Promise<Performed | undefined> {
	const remembered = rememberedOf(service.account);
	const fresh = remembered.fresh(number);
	const found = fresh
		? { results: [fresh], readAt: Date.now() }
		: await numbers.find(service, task, number);
	if ('failure' in found) {
		const during = `The invoice number "${number}" could not be looked up, so nothing was created`;
		return { failure: { ...found.failure, during } };
	}
	const { invoices, lostAt } = fresh
		? { invoices: found.results }
		: remembered.reconcile(number, found.results, found.readAt);
	const existing = invoices.find((one) => one.invoice_number === number) ?? invoices[0];
	if (!existing && lostAt === undefined) return undefined;
	if (!existing) {
		const since = new Date(lostAt ?? 0).toISOString();
		return unsent(task, 'uncertain', `"${number}" (sent at ${since})`);
	}
	if (task.settings.if_number_exists === 'fail')
		return unsent(task, 'exists', `"${number}" is ${nameOf(existing)}`);
	return told('found', existing, differencesIn(existing, task));
}

/**
 * Creates an invoice that a second run has to find again, so nothing more is created once the service was seen to change a number.
 * The first one of a kind goes alone: with several on their way it would be too late to stop.
 */
async function createFindable(
	service: Service,
	task: Task,
	number: string,
	numbers: InvoiceNumbers,
): Promise<Performed> {
	const remembered = rememberedOf(service.account);
	const create = async (): Promise<Performed> => {
		if (numbers.changed !== undefined) return unsent(task, 'unsafe', numbers.changed);
		const performed = await createNumbered(service, task, number);
		if ('failure' in performed) return performed;
		const [invoice] = performed.results;
		if (!isRenumbered(invoice, number)) {
			remembered.noteKept(number);
			return performed;
		}
		remembered.forgetKept();
		numbers.changed = `"${number}" became "${String(invoice.invoice_number)}"`;
		return unsent(task, 'renumbered', `${numbers.changed}, ${nameOf(invoice)}`);
	};
	if (remembered.isKept(number)) return await create();
	// No number has this form.
	return await inTurn(`${service.account.id}\n`, service.signal, create);
}

async function createNumbered(service: Service, task: Task, number: string): Promise<Performed> {
	const remembered = rememberedOf(service.account);
	const before = remembered.of(number);
	const sentAt = new Date();
	const performed = await performOne(service, task);
	if ('results' in performed) {
		const [invoice] = performed.results;
		remembered.add(number, invoice);
		const isOther = isRenumbered(invoice, number);
		const stored = String(invoice.invoice_number);
		if (isOther && formOf(stored) !== formOf(number)) remembered.add(stored, invoice);
		return told('created', invoice, differencesIn(invoice, task, isOther));
	}
	const { failure } = performed;
	if (!mayHaveBeenDone(failure)) return performed;
	// At once: another execution may ask while this one is still looking.
	remembered.addLost(number, sentAt.getTime());
	const search = await whileHeld(service, async (patient) => {
		return await searchLost(patient, task, number, before);
	});
	if ('invoice' in search) {
		remembered.add(number, search.invoice, Date.now());
		return told('recovered', search.invoice, differencesIn(search.invoice, task));
	}
	const description = descriptionOf(task, sentAt);
	return { failure: { ...failure, lost: { number, ...search, description } } };
}

/**
 * Finds out what became of a request while nothing else of the run is sent. The work is given a service that is not held, and that
 * goes on when the run stops: what stops other items is no reason not to find out.
 */
async function whileHeld<T>(service: Service, work: (patient: Service) => Promise<T>): Promise<T> {
	const { hold, cancelled } = service;
	if (hold) hold.count += 1;
	try {
		return await work({ ...service, signal: cancelled, hold: undefined });
	} finally {
		if (hold) hold.count -= 1;
		// Whoever called decides first whether anything more is to be sent.
		void sleep(0).then(() => service.account.line.admit());
	}
}

/** Looks for the invoice of a create whose answer was lost: one with its number that was not there before. */
async function searchLost(
	service: Service,
	task: Task,
	number: string,
	before: Invoice[],
): Promise<{ invoice: Invoice } | { problem: string } | { lookedFor: number }> {
	const begin = Date.now();
	const maxWait = Math.min(longestSearch, task.manner.maxWait);
	const left = () => begin + maxWait - Date.now();
	const knownIds = before.map(({ id }) => id);
	// Without a look before, there may have been invoices with this number all the time.
	const isAnyNew = (task.settings.if_number_exists ?? 'create') !== 'create';
	for (let wait = 500; ; wait *= 2) {
		const timeout = Math.min(task.manner.timeout ?? longestSearch, longestSearch);
		const manner = { ...task.manner, timeout, maxWait: Math.max(0, left()) };
		const found = await findInvoices(service, { ...task, manner }, number);
		if ('failure' in found) return { problem: messageOf(found.failure) };
		const invoice = found.results.find(
			(one) => !knownIds.includes(one.id) && (isAnyNew || isSame(one, bodyOf(task))),
		);
		if (invoice) return { invoice };
		if (left() <= 0 || service.signal.aborted) {
			return { lookedFor: Math.round((Date.now() - begin) / 1000) };
		}
		await pause(Math.min(wait, left()), service.signal);
	}
}

const nameOf = ({ id, status }: Invoice) =>
	`invoice ${String(id)}${typeof status === 'string' ? ` (${status})` : ''}`;

function differencesIn(invoice: Invoice, task: Task, isDifferent = true): IDataObject {
	const differences = isDifferent ? differencesOf(invoice, bodyOf(task)) : [];
	return differences.length ? { differences } : {};
}

/** Customer, amount and time, by which a person can find an invoice. */
function descriptionOf(task: Task, sentAt: Date): string {
	const { customer, currency, items } = bodyOf(task);
	return `customer ${customer}, items of ${totalOf(items)} ${currency}, sent at ${sentAt.toISOString()}`;
}
