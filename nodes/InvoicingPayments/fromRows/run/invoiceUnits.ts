import type { Operation, OperationRequest, Unit } from '../../execution/operation';
import { policyOf } from '../../execution/operation';
import type { InvoiceRequest } from '../../invoices/invoiceRequest';
import type { Draft } from '../../reading/invoices';
import { isReady } from '../../reading/invoices';
import { problemText, rowsLabel } from '../../reading/cells';
import type { RowSettings } from '../settings';

/** The row numbers of an invoice: `2, 3`. */
export const numbersOf = ({ rows }: Draft) =>
	[...new Set(rows.map(({ number }) => number))].join(', ');

/** Why an invoice cannot be created. */
export const reasonsOf = ({ cellProblems, problems }: Draft) => [
	...cellProblems.map(problemText),
	...problems,
];

/** The request of an invoice (spec 4.1). */
export function requestOf(
	{ body, dueInDays }: Draft,
	{ routing, response }: Operation,
	settings: RowSettings,
): OperationRequest & InvoiceRequest {
	const { method, url: path } = routing.request;
	return {
		request: { method, path, body },
		response,
		settings: {
			...settings,
			...(dueInDays !== undefined && { hasRelativeDueDate: true }),
			// A plan may be carried out again after it has stopped: then invoices that exist are its own, and no error, whatever is set.
			...(settings.onlyIfPlanIs && { ifInvoiceNumberExists: 'returnExisting' as const }),
		},
		policy: policyOf(settings),
	};
}

/** The rows of an invoice, with its name and sum. */
export function unitOf(draft: Draft): Omit<Unit, 'work'> {
	const { rows, body, sums } = draft;
	const number =
		body.invoice_number === undefined ? '' : `invoice ${String(body.invoice_number)}, `;
	return {
		// Items that stand side by side are rows of one item of the input.
		items: [...new Set(rows.map(({ line }) => line.index))],
		name: `${number}${rowsLabel(rows)}`,
		...(sums && isReady(draft) && { sum: { currency: String(body.currency), total: sums.total } }),
	};
}

/** An invoice with its request, or why it cannot be created. */
export function unitToSend(
	draft: Draft,
	{ operation, settings }: { operation: Operation; settings: RowSettings },
): Unit {
	const { body, match } = draft;
	const number = body.invoice_number as string | undefined;
	const reasons = reasonsOf(draft);
	return {
		...unitOf(draft),
		fields: { rows: numbersOf(draft), ...(number !== undefined && { invoice_number: number }) },
		...(match && { added: { customer_match: { ...match } } }),
		work: reasons.length
			? { kind: 'refuse', problems: reasons }
			: { kind: 'send', request: requestOf(draft, operation, settings) },
	};
}
