import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { Customer } from '../../shared/customers/customer';
import { parametersOf, readFields } from '../../shared/fields/readFields';
import type { Operation, OperationSettings } from '../execution/operation';
import type { InvoiceSettings } from '../invoices/invoiceRequest';
import { needsNumberLookup } from '../invoices/invoiceRequest';
import type { ApprovedPlan } from '../plan/approval';
import type { SheetFormat } from './cells';

/** Choices for a sheet. The first of each list is the default. */
export const groupings = ['invoiceNumber', 'column', 'row'] as const;
export const amountMeanings = ['unitPrice', 'lineTotal'] as const;
export const customerMatchings = ['id', 'idOrEmail', 'idEmailOrName'] as const;
export const otherColumnsChoices = ['stop', 'ignore'] as const;
export const notBillableChoices = ['stop', 'skip'] as const;

/** What to do with rows that look like a sum or a deduction. */
export const totalRowsChoices = ['stop', 'bill', 'skip'] as const;

/** What to do with quantities such as 1.5, which the service rejects (spec 2.4). */
export const fractionChoices = ['refuse', 'intoPrice'] as const;

/** Where invoice numbers come from if the sheet has none. */
export const numberSources = ['fromContent', 'fromSheet'] as const;

/** Parameters that apply to all rows. */
export interface RowSettings extends OperationSettings, InvoiceSettings, SheetFormat {
	groupBy: (typeof groupings)[number];
	groupColumn?: string;
	previewOnly?: boolean;
	returnRows?: boolean;
	firstRow?: number;
	fillMergedCells?: boolean;
	/** Defaults for rows without these values. */
	currency?: string;
	customerId?: string;
	dueInDays?: number;
	amountIs?: (typeof amountMeanings)[number];
	checkTotals?: boolean;
	fractionalQuantities?: (typeof fractionChoices)[number];
	ignoreColumns?: string[];
	otherColumns?: (typeof otherColumnsChoices)[number];
	totalRows?: (typeof totalRowsChoices)[number];
	notBillableRows?: (typeof notBillableChoices)[number];
	invoiceNumbers?: (typeof numberSources)[number];
	numberPrefix?: string;
	/** Whether to make invoice numbers from the content. */
	makesNumbers?: boolean;
	onlyIfPlanIs?: ApprovedPlan;
	matchCustomersBy?: (typeof customerMatchings)[number];
	customerList?: Customer[];
}

/** Reads the settings. The settings apply to all rows, so their expressions are evaluated for the first row only. */
export function settingsOf(context: IExecuteFunctions, { fields }: Operation, zone: string) {
	try {
		const { settings: read, problems } = readFields(
			parametersOf(context.getNode(), fields),
			(name, fallback) => context.getNodeParameter(name, 0, fallback),
			zone,
		);
		const settings = read as unknown as RowSettings;
		return { settings, problems: [...problems, ...approvalProblems(context, settings)] };
	} catch (error) {
		return { settings: {} as RowSettings, problems: [(error as Error).message] };
	}
}

/** Rejects an empty approval, and an approval if invoices have no numbers. Neither would tie the run to a plan. */
function approvalProblems(context: IExecuteFunctions, given: RowSettings): string[] {
	const { onlyIfPlanIs, ...settings } = given;
	const { options = {} } = context.getNode().parameters as { options?: IDataObject };
	if (!('onlyIfPlanIs' in options)) return [];
	const name = 'Only If Plan Is';
	if (!needsNumberLookup(settings)) {
		const text = `${name} needs invoices that can be found again: set 'If Invoice Number Exists' to 'Return Existing'`;
		return [text];
	}
	if (onlyIfPlanIs !== undefined) return [];
	const text = `${name} is empty. Enter the fingerprint of the plan, e.g. {{ $json.fingerprint }}, or remove the option`;
	return [text];
}
