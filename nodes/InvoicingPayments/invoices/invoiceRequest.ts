import type { ListSettings, ResultsRequest } from '../../shared/pagination/fetchResults';

/** What happens if the service has an invoice with the same number. */
export const ifNumberExists = ['create', 'returnExisting', 'fail'] as const;
export type IfNumberExists = (typeof ifNumberExists)[number];

export interface InvoiceSettings extends ListSettings {
	ifInvoiceNumberExists?: IfNumberExists;
	/** Looks created numbers up again, in case another n8n process created them too. Default: true. */
	checkForDuplicates?: boolean;
	/** The due date is relative to today, so a different one does not make it another invoice. */
	isDueFromToday?: boolean;
}

/** A request to create an invoice (spec 4.1). */
export interface InvoiceRequest extends ResultsRequest {
	settings: InvoiceSettings;
}

/** The fields that are compared with existing invoices. */
export interface InvoiceBody {
	invoice_number?: string;
	currency: string;
	customer: string;
	items: Array<{ name?: string; amount: string; quantity: number }>;
	due_date?: string;
	discount_percentage?: number;
	title?: string;
}

export const bodyOf = ({ request }: InvoiceRequest) => request.body as InvoiceBody;

/** The body without a due date that depends on today. */
export const withoutRelativeDueDate = (body: InvoiceBody, isDueFromToday = false): InvoiceBody =>
	isDueFromToday ? { ...body, due_date: undefined } : body;

export const looksForNumber = ({ ifInvoiceNumberExists: choice = 'create' }: InvoiceSettings) =>
	choice !== 'create';
