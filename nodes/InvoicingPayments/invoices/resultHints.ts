import type { NodeExecutionHint } from 'n8n-workflow';
import type { Plan } from '../execution/plan';
import type { Outcomes } from '../execution/retryMemory';
import { isCancelled } from './compareInvoice';

const maxNamed = 10;

/** Warnings about results that look normal at first sight. */
export function resultHints({ units }: Plan, outcomes: Outcomes): NodeExecutionHint[] {
	const results = units.flatMap(({ items, name }) => {
		const outcome = outcomes.get(items[0]);
		return outcome && 'results' in outcome
			? outcome.results.map((result) => ({ name, result }))
			: [];
	});
	const notes: NodeExecutionHint[] = [];
	const warn = (words: string, which: typeof results, max = maxNamed) => {
		if (which.length === 0) return;
		const names = which.slice(0, max).map(({ name }) => name);
		const more = which.length > max ? ` and ${which.length - max} more` : '';
		const message = `${words}: ${names.join('; ')}${more}.`;
		notes.push({ message, type: 'warning', location: 'outputPane' });
	};
	warn(
		"The response was lost, but an invoice with this number was found (with 'Create Anyway' it may be an older one)",
		results.filter(({ result }) => result.outcome === 'recovered'),
	);
	warn(
		'Existing invoices that are cancelled, so nothing is billed for them',
		results.filter(({ result }) => result.outcome === 'found' && isCancelled(result)),
	);
	warn(
		'Existing invoices that differ from the request (see "differences" in the output)',
		results.flatMap(({ name, result }) =>
			Array.isArray(result.differences)
				? [{ name: `${name} (${result.differences.join('; ')})`, result }]
				: [],
		),
	);
	warn(
		'Several invoices have the same number, perhaps because another n8n process created them at the same time. Of the IDs in "duplicates", keep the first invoice and cancel the others',
		results.filter(({ result }) => 'duplicates' in result),
		1000,
	);
	warn(
		'The service did not list these new invoices yet, so it could not be checked whether another n8n process created them as well',
		results.filter(({ result }) => result.duplicatesChecked === false),
	);
	return notes;
}
