import type { InvoiceSettings } from '../invoices/invoiceRequest';
import type { OperationSettings } from '../execution/settings';
import type { SheetFormat } from './cells';
import type { Grouping } from './group';

/** The parameters of the operation but for the columns, the same for all rows. */
export interface RowSettings extends OperationSettings, InvoiceSettings, SheetFormat {
	groupBy: Grouping;
	groupColumn?: string;
	onlyValidate?: boolean;
	firstRow?: number;
	/** Of invoices whose rows name none. */
	currency?: string;
	dueInDays?: number;
}
