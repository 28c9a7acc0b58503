import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import type { FaultAction, FaultInput } from '../../../simulator/faults';
import type { RunOptions, RunResult } from './engine';
import { executeNode, runNode } from './engine';
import { confirmedParameters } from '../sheets/confirm';
import { fromRowsParameters, preview, reading } from '../sheets/fromRows';
import { useSimulator } from '../service/useSimulator';

export const outcomes = (json: IDataObject[]) => json.map(({ outcome }) => outcome);
export const actions = (json: IDataObject[]) => json.map(({ action }) => action);
export const ids = (json: IDataObject[]) => json.map(({ id }) => id);
export const locator = (mode: string, value: string) => ({ __rl: true, mode, value });
export const retry = { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 };
export const continues = { onError: 'continueRegularOutput' } as const;
/** The two ways of n8n to continue after an error. */
export const continueModes = ['continueRegularOutput', 'continueErrorOutput'] as const;
export const oneAtATime = { options: { maxRequestsInFlight: 1 } };
export const oneTry = { options: { maxWait: 0 } };
/** How a service may apply a filter. */
export const matches = ['exact', 'contains', 'ignored'] as const;

/** Parameters of a member that can be created. */
export const newMember = {
	resource: 'member',
	operation: 'create',
	firstName: 'Émile',
	lastName: 'Großmann',
	email: 'emile@team.example',
	jobTitle: 'Accountant',
	role: 'Admin',
};

/** A page of a list with these results. */
export const pageOf = (...results: unknown[]): FaultAction => ({
	kind: 'json',
	body: { count: results.length, next: null, previous: null, results },
});

/** Input items that say which of `count` they are. */
export const itemsOf = (count: number): IDataObject[] =>
	Array.from({ length: count }, (_, index) => ({ index }));
export const numbersTo = (count: number) =>
	Array.from({ length: count }, (_, index) => `N-${index}`);

/** The message and the description of an error. */
export const textOf = ({ error }: Pick<RunResult, 'error'>) =>
	`${error?.message}\n${error?.description}`;

/** What a sheet would bill: its invoices and the total of each, or the error as a user sees it. */
export type Validation =
	| { totals: string[]; invoices: IDataObject[] }
	| { message: string; description: string };

export interface Plan {
	fingerprint: string;
	summary: string;
}

/** A simulator and the node that talks to it, for the tests of one file. Call at its top level. */
export function useNode() {
	const service = useSimulator();
	const posts = () => service.requests.filter(({ method }) => method === 'POST');
	const createdNumbers = () => service.created.map(({ full }) => full.invoice_number);
	const fault = (action: Partial<FaultAction>, more: Partial<FaultInput> = {}) =>
		service.world.faults.add({ action: action as FaultAction, ...more });

	const run = async (parameters: object, more: Partial<RunOptions> = {}) =>
		await runNode({
			credential: service.credential,
			parameters: parameters as INodeParameters,
			...more,
		});

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

	/** A row of an invoice of EUR 100.00. A cell that is `undefined` leaves its column out. */
	const row = (number?: unknown, change: object = {}): IDataObject => {
		const cells = {
			'Invoice Number': number,
			'Customer ID': service.world.account.customers[0].id,
			Currency: 'EUR',
			'Due Date': '2027-01-15',
			Item: 'Consulting',
			'Unit Price': '100.00',
			...change,
		};
		const filled = Object.entries(cells).filter(([, cell]) => cell !== undefined);
		return Object.fromEntries(filled) as IDataObject;
	};
	/** Create From Rows, as it is. `change`: parameters besides the usual ones. */
	const unread = async (
		change: object,
		items: IDataObject[],
		node: Partial<INode> = {},
		more: Partial<RunOptions> = {},
	) => await run(fromRowsParameters(change), { items, node, ...more });
	/** Create From Rows of a sheet that was confirmed, unless `change` says how it is read. */
	const fromRows: typeof unread = async (change, items, ...more) =>
		await unread(
			confirmedParameters(fromRowsParameters(change), items, [...service.world.account.customers]),
			items,
			...more,
		);
	/** What a person does: looks at the preview, takes its reading, and creates. */
	const confirmRows = async (change: object, items: IDataObject[], node: Partial<INode> = {}) => {
		const { options } = change as { options?: IDataObject };
		const asInvoices = { ...change, options: { ...options, returnRows: false } };
		const seen = await fromRows(preview(asInvoices), items);
		const text = String(seen.json.at(-1)?.reading);
		return { seen, text, ...(await fromRows({ ...change, ...reading(text) }, items, node)) };
	};
	/** What Preview Only shows, with its plan. */
	const planOf = async (items: IDataObject[], change: object = {}) => {
		const { json, error, hints } = await fromRows(preview(change), items);
		expect(error).toBeUndefined();
		const plan = json.at(-1)?.plan as unknown as Plan;
		return { json, hints, plan };
	};
	/** Create From Rows with a row for each number. */
	const runRows = async (
		ifInvoiceNumberExists: string,
		numbers: string[],
		node: Partial<INode> = {},
	) =>
		await fromRows(
			{ ifInvoiceNumberExists },
			numbers.map((number) => row(number)),
			node,
		);
	/** A whole preview of Create From Rows, without a workflow around it, which takes much longer. */
	const validate = async (items: IDataObject[], change: object = {}): Promise<Validation> => {
		try {
			const invoices = await executeNode({
				credential: service.credential,
				parameters: fromRowsParameters(preview(change)),
				items,
			});
			return { totals: invoices.map(({ total }) => String(total)), invoices };
		} catch (error) {
			const { message, description } = error as Error & { description?: string };
			const text = (description ?? '').replace(/&gt;/g, '>').replace(/&lt;/g, '<');
			return { message, description: text.replace(/&amp;/g, '&') };
		}
	};

	const rows = { row, unread, fromRows, confirmRows, planOf, runRows, validate };
	return { service, run, posts, createdNumbers, fault, create, runNumbers, ...rows };
}
