import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { Unit } from './plan';
import type { ItemOutcome } from './retryMemory';

/** The output items of a unit, paired with its input items: its results, or its error. */
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
			json: { ...(fields ? inFront(fields, result) : (result as IDataObject)), ...added },
			pairedItem,
		}));
	}
	const input = context.getInputData();
	const error = outcome.error.message;
	// n8n routes an item that holds nothing but `error` and `details` to the error output and adds the input's fields itself.
	const isRouted = context.getNode().onError === 'continueErrorOutput';
	if (!fields) return [{ json: { ...(isRouted ? {} : input[items[0]].json), error }, pairedItem }];
	const details = { outcome: 'failed', ...fields, input: items.map((item) => input[item].json) };
	return [{ json: isRouted ? { error, details } : { ...details, error }, pairedItem }];
}

/** The outcome first, then what is known of the rows, then the result. */
function inFront(fields: IDataObject, result: Record<string, unknown>): IDataObject {
	const { outcome, ...rest } = result as IDataObject;
	return { outcome, ...fields, ...rest };
}
