import { differencesOf, isCancelled } from '../invoices/compareInvoice';
import type { Invoice } from '../invoices/invoiceNumbers';
import type { IfNumberExists } from '../invoices/invoiceRequest';
import { withoutRelativeDueDate } from '../invoices/invoiceRequest';
import type { NumberLookup } from '../invoices/lookUpNumbers';
import type { ReadyDraft } from '../reading/invoices';

export type Action =
	| 'create'
	| 'exists'
	| 'exists, differs'
	| 'exists, paid'
	| 'exists, cancelled'
	| 'stop';

export interface Comparison {
	action: Action;
	existing?: Invoice;
	differences: string[];
	/** Why the run stops. */
	why?: string;
}

/** An invoice that can be sent, and what a run would do with it. */
export interface ComparedDraft extends ReadyDraft {
	readonly comparison: Comparison;
}

export function comparisonOf(
	{ body, dueInDays }: ReadyDraft,
	{ invoice, lostAt }: NumberLookup,
	ifExists: IfNumberExists,
): Comparison {
	if (!invoice) {
		if (lostAt === undefined) return { action: 'create', differences: [] };
		const sent = new Date(lostAt).toISOString();
		const why = `An earlier request with this number (sent at ${sent}) may have been processed. Wait ten minutes after it`;
		return { action: 'stop', differences: [], why };
	}
	const differences = differencesOf(invoice, withoutRelativeDueDate(body, dueInDays !== undefined));
	const comparison = { action: actionOf(invoice, differences), existing: invoice, differences };
	if (ifExists !== 'fail') return comparison;
	const why = `An invoice with this number already exists (${String(invoice.id)})`;
	return { ...comparison, action: 'stop', why };
}

function actionOf(invoice: Invoice, differences: string[]): Action {
	if (isCancelled(invoice)) return 'exists, cancelled';
	if (differences.length) return 'exists, differs';
	return /^paid$/i.test(String(invoice.status)) ? 'exists, paid' : 'exists';
}
