import type { Customer } from '../../shared/customers/customer';
import type { OperationSettings } from '../execution/plan';
import type { InvoiceSettings } from '../invoices/invoiceRequest';
import type { ApprovedPlan } from '../plan/approval';
import type { SheetFormat } from './cells';

/** Parameters that apply to all rows. */
export interface RowSettings extends OperationSettings, InvoiceSettings, SheetFormat {
	groupBy: Grouping;
	groupColumn?: string;
	onlyValidate?: boolean;
	/** The name of `onlyValidate` since version 1.1. */
	previewOnly?: boolean;
	/** Whether previews are flat, for a table (since version 1.1). */
	isFlat?: boolean;
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

/** Choices for a sheet. The first of each list is the default. */

/** How rows are grouped into invoices. */
export const groupings = ['invoiceNumber', 'column', 'row'] as const;
export type Grouping = (typeof groupings)[number];

/** How to read a column called just Amount. */
export const amountMeanings = ['unitPrice', 'lineTotal'] as const;
export type AmountMeaning = (typeof amountMeanings)[number];

/** What to do with quantities such as 1.5, which the service rejects (spec 2.4). */
export const fractionChoices = ['refuse', 'intoPrice'] as const;
export type FractionChoice = (typeof fractionChoices)[number];

/** Where invoice numbers come from if no column has them. */
export const numberSources = ['fromContent', 'fromSheet'] as const;
export type NumberSource = (typeof numberSources)[number];

export const customerMatchings = ['id', 'idOrEmail', 'idEmailOrName'] as const;
export type CustomerMatching = (typeof customerMatchings)[number];

export const otherColumnsChoices = ['stop', 'ignore'] as const;
export type OtherColumns = (typeof otherColumnsChoices)[number];

/** What to do with rows that look like a sum or a deduction. */
export const totalRowsChoices = ['stop', 'bill', 'skip'] as const;
export type TotalRows = (typeof totalRowsChoices)[number];

export const notBillableChoices = ['stop', 'skip'] as const;
export type NotBillable = (typeof notBillableChoices)[number];
