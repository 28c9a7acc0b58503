import { differencesOf, isCancelled } from '../invoices/compareInvoice';
import type { Invoice } from '../invoices/invoiceNumbers';
import type { IfNumberExists } from '../invoices/invoiceRequest';
import { withoutRelativeDueDate } from '../invoices/invoiceRequest';
import type { NumberLookup } from '../invoices/lookUpNumbers';
import type { PlannedInvoice } from './plannedInvoice';

export type Action =
	| 'create'
	| 'exists'
	| 'exists, differs'
	| 'exists, paid'
	| 'exists, cancelled'
	| 'stop';

/** What a run would do for an invoice now. */
export interface Outlook {
	action: Action;
	existing?: Invoice;
	/** How it differs from the plan, with both values. */
	differences: string[];
	why?: string;
}

export function outlookOf(
	{ body, dueInDays }: PlannedInvoice,
	{ invoice, lostAt }: NumberLookup,
	ifExists: IfNumberExists,
): Outlook {
	if (!invoice) {
		if (lostAt === undefined) return { action: 'create', differences: [] };
		const sent = new Date(lostAt).toISOString();
		const why = `An earlier request with this number (sent at ${sent}) may have been processed. Wait ten minutes after it`;
		return { action: 'stop', differences: [], why };
	}
	const differences = differencesOf(invoice, withoutRelativeDueDate(body, dueInDays !== undefined));
	const outlook = { action: actionOf(invoice, differences), existing: invoice, differences };
	if (ifExists !== 'fail') return outlook;
	const why = `An invoice with this number already exists (${String(invoice.id)})`;
	return { ...outlook, action: 'stop', why };
}

function actionOf(invoice: Invoice, differences: string[]): Action {
	if (isCancelled(invoice)) return 'exists, cancelled';
	if (differences.length) return 'exists, differs';
	return /^paid$/i.test(String(invoice.status)) ? 'exists, paid' : 'exists';
}
