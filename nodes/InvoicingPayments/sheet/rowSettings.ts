import type { Customer } from '../../shared/customers/customer';
import type { OperationSettings } from '../execution/settings';
import type { InvoiceSettings } from '../invoices/invoiceRequest';
import type { ApprovedPlan } from '../plan/approval';
import type { SheetFormat } from './cells';
import type {
	AmountMeaning,
	CustomerMatching,
	FractionChoice,
	Grouping,
	NotBillable,
	NumberSource,
	OtherColumns,
	TotalRows,
} from './choices';

/** Parameters that apply to all rows. */
export interface RowSettings extends OperationSettings, InvoiceSettings, SheetFormat {
	groupBy: Grouping;
	groupColumn?: string;
	onlyValidate?: boolean;
	/** The name of `onlyValidate` since version 1.1. */
	previewOnly?: boolean;
	/** Whether previews are flat, for a table (since version 1.1). */
	isFlat?: boolean;
	/** Whether to return every input row with its problem or invoice. */
	returnRows?: boolean;
	firstRow?: number;
	fillMergedCells?: boolean;
	/** Defaults for rows without these values. */
	currency?: string;
	customerId?: string;
	dueInDays?: number;
	amountIs?: AmountMeaning;
	checkTotals?: boolean;
	fractionalQuantities?: FractionChoice;
	ignoreColumns?: string[];
	otherColumns?: OtherColumns;
	totalRows?: TotalRows;
	notBillableRows?: NotBillable;
	invoiceNumbers?: NumberSource;
	numberPrefix?: string;
	/** Whether to make invoice numbers from the content: they are needed, and no column has them. */
	makesNumbers?: boolean;
	/** The approved plan. Nothing is sent if the plan has changed. */
	onlyIfPlanIs?: ApprovedPlan;
	matchCustomersBy?: CustomerMatching;
	customerList?: Customer[];
}
