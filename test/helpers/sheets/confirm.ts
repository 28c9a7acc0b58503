import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { returnedColumns } from '../../../nodes/InvoicingPayments/fromRows/returnedRows/returnedRows';
import type { SheetSettings } from '../../../nodes/InvoicingPayments/reading/readSheet';
import { openSheet } from '../../../nodes/InvoicingPayments/reading/columns';
import { readSheet } from '../../../nodes/InvoicingPayments/reading/readSheet';
import { parseReading, printReading } from '../../../nodes/InvoicingPayments/reading/text/text';
import { CustomerIndex } from '../../../nodes/shared/customers/customerIndex';
import { todayIn } from '../../../nodes/shared/fields/dates';
import { referenceIn } from '../../../nodes/shared/fields/plainValue';
import type { Account } from '../../../simulator/account';
import { reading } from './fromRows';
import { finish } from './finish';

type SimulatedCustomer = Account['customers'][number];

interface Given {
	defaults?: SheetSettings['defaults'];
	columns?: { value?: Record<string, unknown> };
	options?: { numberPrefix?: string };
	ifInvoiceNumberExists?: string;
	reading?: { value?: unknown };
}

/** A typed reading that no preview has completed. */
function typedIn({ reading: given }: Given) {
	const said = typeof given?.value === 'string' ? parseReading(given.value) : undefined;
	return said?.ok && !said.value.isPreviewed ? said.value : undefined;
}

/**
 * The parameter `reading` of somebody who has confirmed these rows before, perhaps after typing a reading: without a request, and without
 * what only these rows show.
 */
export function confirmed(items: IDataObject[], change: object, customers: SimulatedCustomer[]) {
	const zone = 'Europe/Stockholm';
	const { defaults = {}, columns, options, ifInvoiceNumberExists } = change as Given;
	const said = typedIn(change as Given);
	const values = Object.entries(columns?.value ?? {});
	const references = values.map(([name, value]): [string, string | undefined] => [
		name,
		typeof value === 'string' ? referenceIn(value) : undefined,
	]);
	const settings: SheetSettings = {
		said,
		given: new Map(values.map(([name, value]) => [name, () => value])),
		mapped: new Map(references.flatMap(([name, header]) => (header ? [[name, header]] : []))),
		...{ matchCustomersBy: 'idEmailOrName' },
		defaults: { ...defaults, currency: defaults.currency?.toUpperCase() },
		isFoundByNumber: ifInvoiceNumberExists !== 'create',
		without: returnedColumns(items, options?.numberPrefix),
		...{ zone, today: todayIn(zone) },
	};
	for (const name of settings.mapped.keys()) (settings.given as Map<string, unknown>).delete(name);
	const listed = customers.map(({ id, name, email }) => ({
		...{ id, names: [name], emails: email ? [email] : [] },
		...{ texts: [], invoices: 1, currencies: [] },
	}));
	const known = { own: new CustomerIndex(listed), notFound: () => '' };
	const { statements } = finish(readSheet(finish(openSheet(items, settings)), settings, known));
	return reading(printReading(statements));
}

/** Parameters of a creating run of these rows, which were confirmed unless they say otherwise. `typed` in `reading`: it was not. */
export const confirmedParameters = (
	parameters: INodeParameters,
	items: IDataObject[],
	customers: SimulatedCustomer[] = [],
): INodeParameters => {
	const isCreating = parameters.operation === 'createFromRows' && parameters.previewOnly === false;
	const { options, reading: given } = parameters as {
		options?: IDataObject;
		reading?: { typed?: boolean };
	};
	const isOpen = given === undefined || (!given.typed && typedIn(parameters) !== undefined);
	return !isCreating || !isOpen || options?.onlyIfPlanIs !== undefined
		? parameters
		: { ...parameters, ...confirmed(items, parameters, customers) };
};
