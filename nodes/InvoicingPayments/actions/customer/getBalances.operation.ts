import { invoiceFilters } from '../../../shared/descriptions/filters';
import { todayIn } from '../../../shared/fields/dates';
import { boolean } from '../../../shared/fields/rules';
import { unexpected } from '../../../shared/pagination/fetchResults';
import type { Results } from '../../../shared/pagination/fetchResults';
import { ok } from '../../../shared/result';
import type { Client } from '../../../shared/transport/client';
import type { Operation, OperationRequest, OperationSettings } from '../../execution/operation';
import { balancesOf, openStatuses, statesOf } from '../../invoices/balances';
import { listInvoices } from '../../invoices/listInvoices';
import { filters, options } from '../common/fields';

const ownFilters = invoiceFilters(true).filter(({ name }) =>
	['currency', 'customerId'].includes(name),
);

/** Adds up the open invoices of each customer (spec 4.2). */
export const getBalances: Operation = {
	name: 'Get Balances',
	value: 'getBalances',
	action: 'Get customer balances',
	description:
		'Retrieve what each customer owes, open and overdue by age: one item for each customer and currency, who is most overdue first',
	builderHint:
		'For who owes what, receivables and aged balances: it reads all open invoices and adds them up exactly. Use Invoice: Get Many for single invoices.',
	routing: { request: { method: 'GET', url: '/v1/invoices' } },
	fields: [
		filters([
			...ownFilters,
			{
				displayName: 'Overdue Only',
				name: 'overdueOnly',
				type: 'boolean',
				default: true,
				description:
					'Whether to return only customers who have an overdue invoice. Their open amount includes what is not due yet.',
				rule: boolean(),
			},
		]),
		options(),
	],
	response: 'page',
	perform: listBalances,
};

async function listBalances(client: Client, task: OperationRequest): Promise<Results> {
	const { request, zone = 'UTC' } = task;
	const { overdueOnly } = task.settings as OperationSettings & { overdueOnly?: boolean };
	const listed = await readOpenInvoices(client, task);
	if (!listed.ok) return listed;
	const read = await balancesOf(listed.value, { today: todayIn(zone), zone });
	if (!read.ok) return unexpected(request, read.problem);
	const balances = read.value.filter(({ overdue }) => !overdueOnly || Number(overdue) !== 0);
	return ok(balances.map((balance) => ({ ...balance })));
}

/** At most this many readings, of which two in a row have to agree. */
const maxReadings = 6;

/**
 * A balance is wrong if an invoice is missing, and a single reading can miss one: while small pages are read, a paid invoice leaves and
 * moves the others up; an invoice whose due date is extended goes back from one list to another that was read before. Two readings in a
 * row that agree would have to miss the same invoice for the same reason at the same place.
 */
async function readOpenInvoices(client: Client, task: OperationRequest): Promise<Results> {
	const { request, settings } = task;
	let before: ReadonlySet<string> | undefined;
	for (let count = 0; count < maxReadings; count++) {
		const listed = await listInvoices(client, {
			...task,
			request: { ...request, query: { ...request.query, status: openStatuses } },
			settings: { ...settings, returnAll: true },
			mustBeConsistent: true,
		});
		if (!listed.ok) return listed;
		const states = await statesOf(listed.value);
		const agree = before?.size === states.size && [...states].every((one) => before?.has(one));
		if (agree) return listed;
		before = states;
	}
	const reason = `its open invoices changed during each of ${maxReadings} readings, so no sum is certain. Try again, or narrow the filters`;
	return unexpected(request, reason);
}
