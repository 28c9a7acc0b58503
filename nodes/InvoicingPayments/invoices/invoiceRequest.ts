import type { ListSettings, ResultsRequest } from '../../shared/pagination/fetchResults';

/** What happens where the service has an invoice with the same number. */
export const ifNumberExists = ['create', 'returnExisting', 'fail'] as const;
export type IfNumberExists = (typeof ifNumberExists)[number];

export interface InvoiceSettings extends ListSettings {
	ifInvoiceNumberExists?: IfNumberExists;
	/** Whether the numbers of created invoices are read once more (true if not set). */
	checkForDuplicates?: boolean;
	/** Whether the due date is counted from today, so that another day makes no other invoice. */
	isDueFromToday?: boolean;
}

/** An invoice that is to be created (spec 4.1). */
export interface InvoiceRequest extends ResultsRequest {
	settings: InvoiceSettings;
}

/** What an invoice is asked to be, as far as it tells one from another. */
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

/** What an invoice that exists is compared with: what is the same on every day. */
export const lastingBody = (body: InvoiceBody, isDueFromToday = false): InvoiceBody =>
	isDueFromToday ? { ...body, due_date: undefined } : body;

/** Whether invoices with the same number are looked for before one is created. */
export const looksForNumber = ({ ifInvoiceNumberExists: choice = 'create' }: InvoiceSettings) =>
	choice !== 'create';
