import type { ListSettings, ResultsRequest } from '../../shared/pagination/fetchResults';

/** `create`: without a look. */
export const ifNumberExists = ['create', 'returnExisting', 'fail'] as const;
export type IfNumberExists = (typeof ifNumberExists)[number];

/** What to do if the service gives a created invoice another amount. */
export const amountChangeChoices = ['stop', 'warn'] as const;

export interface InvoiceSettings extends ListSettings {
	ifInvoiceNumberExists?: IfNumberExists;
	ifAmountsChange?: (typeof amountChangeChoices)[number];
	checkForDuplicates?: boolean;
	/** The due date is relative to today, so it does not identify the invoice. */
	hasRelativeDueDate?: boolean;
}

/** spec 4.1 */
export interface InvoiceRequest extends ResultsRequest {
	settings: InvoiceSettings;
}

/** The fields of a request that are always there, or that the code names (spec 4.1). */
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

/** `''` without a number. */
export const numberIn = (request: InvoiceRequest): string => bodyOf(request).invoice_number ?? '';

export const withoutRelativeDueDate = (
	body: InvoiceBody,
	hasRelativeDueDate = false,
): InvoiceBody => (hasRelativeDueDate ? { ...body, due_date: undefined } : body);

export const needsNumberLookup = ({ ifInvoiceNumberExists = 'create' }: InvoiceSettings) =>
	ifInvoiceNumberExists !== 'create';
