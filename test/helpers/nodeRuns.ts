import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { FaultAction, FaultInput } from '../../simulator/faults';
import type { RunOptions } from './engine';
import { runNode } from './engine';
import { useSimulator } from './service';

export const outcomes = (json: IDataObject[]) => json.map(({ outcome }) => outcome);
export const ids = (json: IDataObject[]) => json.map(({ id }) => id);
export const locator = (mode: string, value: string) => ({ __rl: true, mode, value });
export const retry = { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 };
/** The three ways in which a service may apply a filter. */
export const matches = ['exact', 'contains', 'ignored'] as const;

/** A page of a list with these results. */
export const pageOf = (...results: unknown[]): FaultAction => ({
	kind: 'json',
	body: { count: results.length, next: null, previous: null, results },
});

/** A simulator and the node that talks to it, for the tests of one file. Call at its top level. */
export function useNode() {
	const service = useSimulator();

	const run = async (parameters: object, more: Partial<RunOptions> = {}) =>
		await runNode({
			credential: service.credential,
			parameters: parameters as INodeParameters,
			...more,
		});
	const posts = () => service.requests.filter(({ method }) => method === 'POST');
	const fault = (action: Partial<FaultAction>, more: Partial<FaultInput> = {}) =>
		service.world.faults.add({ action: action as FaultAction, ...more });

	/** Invoice: Create, with the number that each item has. */
	const create = (ifInvoiceNumberExists: string, change: object = {}) =>
		service.invoice({
			additionalFields: { invoiceNumber: '={{ $json.number }}' },
			ifInvoiceNumberExists,
			...change,
		}) as INodeParameters;
	/** Runs such parameters with an item for each number. */
	const runNumbers = async (
		parameters: object,
		numbers: unknown[],
		more: Partial<RunOptions> = {},
	) =>
		await run(parameters, { items: numbers.map((number) => ({ number }) as IDataObject), ...more });
	/** The same with a row for each number. */
	const fromRows = async (choice: string, numbers: string[], node: RunOptions['node'] = {}) =>
		await run(
			{
				resource: 'invoice',
				operation: 'createFromRows',
				ifInvoiceNumberExists: choice,
				columns: { mappingMode: 'autoMapInputData', value: null },
			},
			{
				items: numbers.map((number) => ({
					'Invoice Number': number,
					'Customer ID': service.world.account.customers[0].id,
					Currency: 'EUR',
					'Due Date': '2027-01-15',
					Item: 'Consulting',
					Amount: '19.99',
				})),
				node,
			},
		);

	return { service, run, posts, fault, create, runNumbers, fromRows };
}
