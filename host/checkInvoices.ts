import type { Invoice } from '../contract';
import { sampleInvoices } from '../scripts/samples';
import type { Simulator } from '../simulator/server';
import type { StoredExecution } from './api';

/**
 * Compares what the spreadsheet example did with the sheets: every row is one invoice in the service, with the row's
 * number, customer, amount and due date, and one item in the execution. Returns what differs.
 */
export function checkInvoices(execution: StoredExecution, { world }: Simulator): string[] {
	const problems: string[] = [];
	const { status, data } = execution;
	if (status !== 'success') {
		problems.push(`The execution ended with ${status}: ${data.resultData.error?.message ?? ''}`);
	}
	const created = world.account.invoices.slice(world.settings.invoices);
	const expected = sampleInvoices();
	if (created.length !== expected.length) {
		problems.push(`${created.length} invoices were created for ${expected.length} rows`);
	}
	for (const row of expected) {
		const found = created.filter(({ request }) => request.invoice_number === row.invoice_number);
		if (found.length !== 1) {
			problems.push(`Row ${row.invoice_number} became ${found.length} invoices`);
			continue;
		}
		const [{ request }] = found;
		for (const [field, wanted] of Object.entries(row)) {
			const sent = JSON.stringify(request[field as keyof typeof row]);
			if (sent !== JSON.stringify(wanted)) {
				problems.push(
					`Row ${row.invoice_number}: ${field} is ${sent} instead of ${JSON.stringify(wanted)}`,
				);
			}
		}
	}
	const results = data.resultData.runData.Results?.[0]?.data?.main[0] ?? [];
	const shown = results.map(({ json }) => JSON.stringify(json)).sort();
	const wanted = created.map(({ full }) => JSON.stringify(resultOf(full))).sort();
	wanted.forEach((json, at) => {
		if (shown[at] !== json) problems.push(`The last node gave ${shown[at]} instead of ${json}`);
	});
	return problems;
}

/** The item that the last node of the example makes of an invoice. */
function resultOf({
	invoice_number: number,
	customer,
	amount,
	currency,
	due_date: due,
	url,
}: Invoice) {
	return {
		'Invoice Number': number,
		Customer: customer.name,
		Amount: `${amount} ${currency}`,
		'Due Date': due.slice(0, 10),
		URL: url,
	};
}
