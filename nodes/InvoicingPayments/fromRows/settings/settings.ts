import type { IDataObject, IExecuteFunctions, ResourceMapperValue } from 'n8n-workflow';
import type { Customer } from '../../../shared/customers/customer';
import { referenceIn } from '../../../shared/fields/plainValue';
import { parametersOf, readFields } from '../../../shared/fields/readFields';
import { isEmpty } from '../../../shared/fields/text';
import type { Batch, Operation, OperationSettings } from '../../execution/operation';
import { mapYielding } from '../../execution/prepareItems';
import type { InvoiceSettings } from '../../invoices/invoiceRequest';
import { needsNumberLookup } from '../../invoices/invoiceRequest';
import type { ApprovedPlan } from '../../plan/approval';
import type { CustomerMatching, GivenValues } from '../../reading/columns';
import { sheetFields } from '../../reading/columns';
import type { Statements } from '../../reading/statements';

/** How customers may be matched. */
export const customerMatchings = ['idEmailOrName', 'id', 'idOrEmail'] as const;
/** What to do if an earlier run billed rows that have changed since. */
export const rowChangeChoices = ['stop', 'createBoth'] as const;

/** Parameters that apply to all rows. */
export interface RowSettings extends OperationSettings, InvoiceSettings {
	previewOnly?: boolean;
	reading?: Statements;
	returnRows?: boolean;
	/** Rows from an AI agent. */
	rows?: IDataObject[];
	/** Defaults for rows without these values. */
	currency?: string;
	customerId?: string;
	dueInDays?: number;
	itemName?: string;
	itemAmount?: string;
	numberPrefix?: string;
	ifRowsChanged?: (typeof rowChangeChoices)[number];
	onlyIfPlanIs?: ApprovedPlan;
	matchCustomersBy?: CustomerMatching;
	customerList?: Customer[];
	maximumInvoices?: number;
	maximumTotal?: string;
}

/** The parameters and the rows of one execution. */
export interface Sheet {
	context: IExecuteFunctions;
	operation: Operation;
	settings: RowSettings;
	source: Pick<Batch, 'input' | 'isGiven'>;
}

/** Reads the settings. They apply to all rows, so their expressions are evaluated for the first row only. */
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

/** Rejects an empty approval, which ties the run to nothing, and one for a run that does not look up what exists. */
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

/** What is mapped by hand: the header of a column by field, and values by field and index of the row. */
interface Mapping {
	columns: Map<string, string>;
	given: GivenValues;
}

/** Reads Map Manually. An empty field is recognized from the headers, as without it. The engine names the row of a value that cannot be read. */
export async function mappingOf(context: IExecuteFunctions, count: number): Promise<Mapping> {
	const columns = new Map<string, string>();
	const given = new Map<string, (index: number) => unknown>();
	const { columnsMode, columns: mapper } = context.getNode().parameters;
	const values = (mapper as Partial<ResourceMapperValue> | undefined)?.value ?? {};
	for (const { name } of columnsMode === 'manual' ? sheetFields : []) {
		const value = values[name];
		if (isEmpty(value)) continue;
		if (typeof value !== 'string' || !value.startsWith('=')) {
			given.set(name, () => value);
			continue;
		}
		// n8n takes about a millisecond to evaluate an expression, so read the cell directly.
		const header = referenceIn(`=${value.slice(1).trim()}`);
		if (header !== undefined) {
			columns.set(name, header);
			continue;
		}
		const read = await mapYielding(context, count, (index): (() => unknown) => {
			try {
				const cell = context.getNodeParameter(`columns.value.${name}`, index, '');
				return () => cell;
			} catch (error) {
				return () => {
					throw error as Error;
				};
			}
		});
		given.set(name, (index) => read[index]());
	}
	return { columns, given };
}

/** `undefined` for an expression that fails: the engine names its row. */
function valueAt(valueOf: ((index: number) => unknown) | undefined, index: number): unknown {
	try {
		return valueOf?.(index);
	} catch {
		return undefined;
	}
}

/** Problems: fields in which the name of a column was typed as text, in place of the column. */
export const typedHeaderProblems = ({ given, columns }: Mapping, headers: string[]): string[] => {
	const plain = (text: string) => text.trim().replace(/\s+/g, ' ').toLowerCase();
	const used = new Set([...columns.values()].map(plain));
	return sheetFields.flatMap(({ name, displayName }) => {
		const typed = valueAt(given.get(name), 0);
		if (typeof typed !== 'string' || used.has(plain(typed))) return [];
		const header = headers.find((one) => plain(one) === plain(typed));
		return header === undefined
			? []
			: [
					`${displayName} contains the text "${typed}", which is the name of a column. Drag the column from the left`,
				];
	});
};
