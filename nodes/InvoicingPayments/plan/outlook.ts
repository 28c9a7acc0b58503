import { differencesOf } from '../invoices/compareInvoice';
import type { Invoice } from '../invoices/invoiceNumbers';
import type { IfNumberExists, InvoiceBody } from '../invoices/invoiceRequest';
import type { Standing } from '../invoices/standing';
import type { PlannedInvoice } from './plannedInvoice';

/** What a run would do for an invoice. */
export type Action =
	| 'create'
	| 'exists'
	| 'exists, differs'
	| 'exists, paid'
	| 'exists, cancelled'
	| 'stop';

/** What would become of an invoice, as the service is now. */
export interface Outlook {
	action: Action;
	/** The invoice that has its number. */
	existing?: Invoice;
	/** In what that is another one, with both values. */
	differences: string[];
	/** Why a run would stop. */
	why?: string;
}

/** What a run would do for an invoice, by what there is of its number. */
export function outlookOf(
	{ body, dueInDays }: PlannedInvoice,
	{ invoice, lostAt }: Standing,
	ifExists: IfNumberExists,
): Outlook {
	if (!invoice) {
		if (lostAt === undefined) return { action: 'create', differences: [] };
		const sent = new Date(lostAt).toISOString();
		const why = `An earlier request with this number (sent at ${sent}) may have been processed. Wait ten minutes after it`;
		return { action: 'stop', differences: [], why };
	}
	const lasting: InvoiceBody = dueInDays === undefined ? body : { ...body, due_date: undefined };
	const differences = differencesOf(invoice, lasting);
	const outlook = { action: actionOf(invoice, differences), existing: invoice, differences };
	if (ifExists !== 'fail') return outlook;
	const why = `An invoice with this number already exists (${String(invoice.id)})`;
	return { ...outlook, action: 'stop', why };
}

function actionOf({ status }: Invoice, differences: string[]): Action {
	const is = (word: RegExp) => typeof status === 'string' && word.test(status);
	if (is(/^cancell?ed$/i)) return 'exists, cancelled';
	if (differences.length) return 'exists, differs';
	return is(/^paid$/i) ? 'exists, paid' : 'exists';
}
