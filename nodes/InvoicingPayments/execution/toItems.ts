import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { Unit } from './plan';
import type { ItemOutcome } from './retryMemory';

export function toItems(
	context: IExecuteFunctions,
	{ items, fields, added }: Unit,
	outcome: ItemOutcome | undefined,
): INodeExecutionData[] {
	if (!outcome) return [];
	const pairs = items.map((item) => ({ item }));
	const pairedItem = pairs.length === 1 ? pairs[0] : pairs;
	if ('results' in outcome) {
		return outcome.results.map((result) => ({
			json: { ...(fields ? outcomeFirst(fields, result) : (result as IDataObject)), ...added },
			pairedItem,
		}));
	}
	const input = context.getInputData();
	const error = outcome.error.message;
	// All n8n versions send an item with no field but `error` to the error output, and add the input's fields.
	const isRouted = context.getNode().onError === 'continueErrorOutput';
	if (!fields) {
		const inputFields = isRouted ? {} : input[items[0]].json;
		return [{ json: { ...{ error }, ...inputFields, error }, pairedItem }];
	}
	const details = { outcome: 'failed', ...fields, input: items.map((item) => input[item].json) };
	if (!isRouted) return [{ json: { error, ...details }, pairedItem }];
	return [asFailed({ json: { error, details }, pairedItem }, outcome.error)];
}

/** n8n before 2.35.2 needs `error` on the item itself, not enumerable: otherwise n8n keeps only the message. */
export function asFailed(item: INodeExecutionData, error: Error): INodeExecutionData {
	return Object.defineProperty(item, 'error', { value: error, writable: true });
}

function outcomeFirst(fields: IDataObject, result: Record<string, unknown>): IDataObject {
	const { outcome, ...rest } = result as IDataObject;
	return { outcome, ...fields, ...rest };
}
