import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { Unit } from './plan';
import type { ItemOutcome } from './retryMemory';

/** The results or the error of a unit, paired with its input items. */
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
	// An item with only `error` goes to the error output in every n8n, which adds the input's fields itself.
	const isRouted = context.getNode().onError === 'continueErrorOutput';
	if (!fields) {
		const own = isRouted ? {} : input[items[0]].json;
		return [{ json: { ...{ error }, ...own, error }, pairedItem }];
	}
	const details = { outcome: 'failed', ...fields, input: items.map((item) => input[item].json) };
	if (!isRouted) return [{ json: { error, ...details }, pairedItem }];
	return [asFailed({ json: { error, details }, pairedItem }, outcome.error)];
}

/**
 * Makes every n8n send the item to the error output. Since n8n 2.35.2 `error` and `details` in its json are enough; older
 * versions need `error` on the item. It must not be enumerable: n8n copies the item without it, and would otherwise keep only
 * the error's message.
 */
export function asFailed(item: INodeExecutionData, error: Error): INodeExecutionData {
	return Object.defineProperty(item, 'error', { value: error, writable: true });
}

function outcomeFirst(fields: IDataObject, result: Record<string, unknown>): IDataObject {
	const { outcome, ...rest } = result as IDataObject;
	return { outcome, ...fields, ...rest };
}
