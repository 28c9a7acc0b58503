import type { Invoice } from '../../contract';
import { sampleInvoices } from '../commands/samples';
import type { StoredExecution } from './api';
import type { SharedStage } from './stage';

/** Compares the spreadsheet example's invoices and output with the sheets. Returns the differences. */
export function checkInvoices(
	execution: StoredExecution,
	{ simulator: { world }, sheetsStart }: Pick<SharedStage, 'simulator' | 'sheetsStart'>,
	outcome: 'created' | 'found' = 'created',
): string[] {
	const problems: string[] = [];
	const { status, data } = execution;
	if (status !== 'success') {
		problems.push(`The execution ended with ${status}: ${data.resultData.error?.message ?? ''}`);
	}
	const { created } = world.account;
	const expected = sampleInvoices(sheetsStart);
	if (created.length !== expected.length) {
		problems.push(`${created.length} invoices were created instead of ${expected.length}`);
	}
	const wanted: string[] = [];
	for (const { request: asked, rows } of expected) {
		const number = asked.invoice_number;
		const found = created.filter(({ request }) => request.invoice_number === number);
		if (found.length !== 1) {
			problems.push(`The rows of ${number} became ${found.length} invoices`);
			continue;
		}
		const [{ request, full }] = found;
		for (const [field, value] of Object.entries(asked)) {
			const sent = JSON.stringify(request[field as keyof typeof asked]);
			if (sent !== JSON.stringify(value)) {
				problems.push(`${number}: ${field} is ${sent} instead of ${JSON.stringify(value)}`);
			}
		}
		wanted.push(JSON.stringify(resultOf(full, outcome, rows)));
	}
	const runs = data.resultData.runData.Results ?? [];
	const shown = runs
		.flatMap((run) => run.data?.main[0] ?? [])
		.map(({ json }) => JSON.stringify(json));
	shown.sort();
	wanted.sort().forEach((json, at) => {
		if (shown[at] !== json) problems.push(`The last node gave ${shown[at]} instead of ${json}`);
	});
	return problems;
}

function resultOf(
	{ invoice_number: number, amount, currency, due_date: due, url }: Invoice,
	outcome: string,
	rows: number[],
) {
	return {
		'Invoice Number': number,
		Outcome: outcome,
		Rows: rows.join(', '),
		Amount: `${amount} ${currency}`,
		'Due Date': due.slice(0, 10),
		URL: url,
	};
}
