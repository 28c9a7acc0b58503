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

/** The parameters of the operation but for the columns, the same for all rows. */
export interface RowSettings extends OperationSettings, InvoiceSettings, SheetFormat {
	groupBy: Grouping;
	groupColumn?: string;
	onlyValidate?: boolean;
	/** The same since version 1.1 of the node. */
	previewOnly?: boolean;
	/** Whether a person looks at previews as a table, as since version 1.1: few and flat columns. */
	isFlat?: boolean;
	/** Whether every input row comes out, with its problem or its invoice. */
	returnRows?: boolean;
	firstRow?: number;
	/** Whether empty cells below a merged one are filled. */
	fillMergedCells?: boolean;
	/** Of invoices whose rows name none. */
	currency?: string;
	customerId?: string;
	dueInDays?: number;
	amountIs?: AmountMeaning;
	checkTotals?: boolean;
	fractionalQuantities?: FractionChoice;
	/** Headers of columns that are taken for not there. */
	ignoreColumns?: string[];
	/** What becomes of columns whose figures no field takes. */
	otherColumns?: OtherColumns;
	/** What becomes of rows that look like the sum of others. */
	totalRows?: TotalRows;
	/** What becomes of rows that a column says are not to be billed. */
	notBillableRows?: NotBillable;
	invoiceNumbers?: NumberSource;
	/** What numbers begin with that are made of what invoices say. */
	numberPrefix?: string;
	/** Whether numbers are made: they are needed, and no column has them. */
	makesNumbers?: boolean;
	/** The plan that a person has approved: nothing is sent if it is another one now. */
	onlyIfPlanIs?: ApprovedPlan;
	matchCustomersBy?: CustomerMatching;
	customerList?: Customer[];
}
