import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { plainError } from '../shared/errors/nodeErrors';
import { newestCharges } from './newCharges/poll';
import { open, taskOf, toError, toItem } from './task';
import { readSettings } from './settings';

/** How many charges are shown. */
const most = 10;
/** The user waits for them (milliseconds). */
const time = 60_000;

/** "Fetch Test Event": the newest charges as they would start the workflow. Remembers nothing. Throws a NodeApiError. */
export async function fetchTestEvent(context: IPollFunctions): Promise<INodeExecutionData[][]> {
	const settings = readSettings(context);
	const client = await open(context, time);
	const task = taskOf(client, settings, Date.now(), time);
	const charges = await newestCharges(task, most).catch((error: Error) => error);
	if (charges instanceof Error) throw toError(context, charges);
	if (charges.length) return [charges.map((charge) => toItem(charge, settings))];
	const isFiltered = Object.keys(settings.filters).length > 0;
	throw plainError(
		context.getNode(),
		isFiltered
			? 'No charge matches the filters yet, so there is nothing to show'
			: 'There are no charges yet, so there is nothing to show',
		isFiltered
			? 'Widen the filters, or publish the workflow: it starts with the first matching charge.'
			: 'Publish the workflow: it starts with the first charge.',
	);
}
