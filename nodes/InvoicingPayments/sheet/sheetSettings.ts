import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { parametersOf, readFields } from '../../shared/fields/readFields';
import { isEmpty } from '../../shared/fields/text';
import type { Operation } from '../execution/operation';
import { looksForNumber } from '../invoices/invoiceRequest';
import { defaultPrefix, isContentNumber } from '../plan/plannedInvoice';
import type { Columns } from './columns';
import { cellOf } from './columns';
import { addedHeaders, overwrittenProblems, returnedColumns } from './returnedRows';
import type { RowSettings } from './rowSettings';

/** Reads the settings. They are the same for all rows, so expressions are evaluated for the first one. */
export function settingsOf(
	context: IExecuteFunctions,
	{ fields }: Operation,
	zone: string,
	items: IDataObject[],
) {
	try {
		const { settings, problems } = readFields(
			parametersOf(context.getNode(), fields),
			(name, fallback) => context.getNodeParameter(name, 0, fallback),
			zone,
		);
		const set = inAllVersions(settings as unknown as RowSettings);
		const overwritten = set.returnRows ? overwrittenProblems(items) : [];
		return {
			settings: set,
			problems: [...problems, ...approvalProblems(context, set), ...overwritten],
		};
	} catch (error) {
		return { settings: {} as RowSettings, problems: [(error as Error).message] };
	}
}

/** Maps the setting names of version 1.1 to those of version 1. */
const inAllVersions = (settings: RowSettings): RowSettings =>
	settings.previewOnly === undefined
		? settings
		: { ...settings, onlyValidate: settings.previewOnly, isFlat: settings.simplify !== false };

/** Rejects an empty approval, and one without invoice numbers: neither would bind the run to a plan. */
function approvalProblems(
	context: IExecuteFunctions,
	{ onlyIfPlanIs, ...settings }: RowSettings,
): string[] {
	const { options = {} } = context.getNode().parameters as { options?: IDataObject };
	if (!('onlyIfPlanIs' in options)) return [];
	const name = 'Only If Plan Is';
	if (!looksForNumber(settings)) {
		return [
			`${name} needs invoices that can be found again: set 'If Invoice Number Exists' to 'Return Existing'`,
		];
	}
	return onlyIfPlanIs === undefined
		? [
				`${name} is empty. Enter the fingerprint of the plan, e.g. {{ $json.fingerprint }}, or remove the option`,
			]
		: [];
}

/** Whether to make invoice numbers: they are needed and allowed, and the sheet has none but those of an earlier run. */
export function makesNumbers(
	{ fields }: Columns,
	settings: RowSettings,
	items: IDataObject[],
): boolean {
	const prefixes = [settings.numberPrefix ?? defaultPrefix, defaultPrefix];
	const returned = returnedColumns(items);
	const wasBilled = (json: IDataObject) =>
		returned.includes(addedHeaders.id) && !isEmpty(cellOf(json, addedHeaders.id));
	const isMade = (json: IDataObject, header: string) => {
		const cell = cellOf(json, header);
		const number = String(cell);
		return isEmpty(cell) || isContentNumber(number, wasBilled(json) ? undefined : prefixes);
	};
	const hasNumbers = fields.some(
		({ field, header }) =>
			field.name === 'invoiceNumber' &&
			(header === undefined || !items.every((json) => isMade(json, header))),
	);
	return looksForNumber(settings) && settings.invoiceNumbers !== 'fromSheet' && !hasNumbers;
}
