import type { ListSettings, ResultsRequest } from '../../shared/pagination/fetchResults';

/** What happens if the service has an invoice with the same number. */
export const ifNumberExists = ['create', 'returnExisting', 'fail'] as const;
export type IfNumberExists = (typeof ifNumberExists)[number];

export interface InvoiceSettings extends ListSettings {
	ifInvoiceNumberExists?: IfNumberExists;
	/** Whether created numbers are looked up again. Default: true. */
	checkForDuplicates?: boolean;
	/** Whether the due date is relative to today, so that another day makes no other invoice. */
	isDueFromToday?: boolean;
}

/** A request to create an invoice (spec 4.1). */
export interface InvoiceRequest extends ResultsRequest {
	settings: InvoiceSettings;
}

/** The fields of a request that identify an invoice. */
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

/** The fields that are the same on every day, to compare with existing invoices. */
export const lastingBody = (body: InvoiceBody, isDueFromToday = false): InvoiceBody =>
	isDueFromToday ? { ...body, due_date: undefined } : body;

export const looksForNumber = ({ ifInvoiceNumberExists: choice = 'create' }: InvoiceSettings) =>
	choice !== 'create';
