import { oneTry, outcomes, useNode } from './nodeRuns';

export const minute = 60_000;
/** Longer than any test moves the clock. */
export const forHours = 10_000_000;
/** What an error says of a number whose earlier create may have been done. */
export const unsent = 'may have been processed, so this one was not sent';

export const all = (outcome: string, numbers: string[]) => numbers.map(() => outcome);

/** `useNode`, and creates of invoices with numbers. Call at the top level of a test file. */
export function useNumbers() {
	const node = useNode();
	const { service, create, runNumbers } = node;
	const existing = (change: object = {}) => create('returnExisting', change);
	/** Creates once, without another try. */
	const send = async (choice: string, numbers: string[], change: object = {}) =>
		await runNumbers(create(choice, { ...oneTry, ...change }), numbers);
	const outcomesOf = async (...args: Parameters<typeof send>) =>
		outcomes((await send(...args)).json);
	const errorOf = async (...args: Parameters<typeof send>) =>
		(await send(...args)).error?.message ?? '';
	/** A tool of an agent that creates an invoice with the number. */
	const tool = (choice: string, invoiceNumber = 'A') => ({
		credential: service.credential,
		parameters: create(choice, { ...oneTry, additionalFields: { invoiceNumber } }),
	});
	const sentNumbers = () => service.created.map(({ request }) => request.invoice_number);
	return { ...node, existing, send, outcomesOf, errorOf, tool, sentNumbers };
}
