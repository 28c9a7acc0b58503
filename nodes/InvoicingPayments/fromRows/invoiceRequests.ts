import type { Operation, OperationRequest } from '../execution/operation';
import { policyOf } from '../execution/operation';
import type { InvoiceRequest } from '../invoices/invoiceRequest';
import type { Draft } from '../reading/invoices';
import type { RowSettings } from './settings';

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
			// If a run carries out an approved plan again, existing invoices are no error.
			...(settings.onlyIfPlanIs && { ifInvoiceNumberExists: 'returnExisting' as const }),
		},
		policy: policyOf(settings),
	};
}
