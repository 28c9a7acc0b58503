import type { IPollFunctions } from 'n8n-workflow';
import { isUsableId } from '../shared/pagination/page';
import { timeOf } from './watch/timeOf';
import type { TriggerSettings } from './settings';

/** How many IDs one line holds, and how many characters of each: of a line that is too long a log may drop the rest. */
const idsPerLine = 100;
const longestId = 100;

/**
 * Writes what starts the workflow into n8n's log, each by its ID: n8n can lose the data of an execution whose worker was
 * killed. IDs and times only, because logs are read by others than the workflow's owner.
 */
export function logHandOver(
	context: Pick<IPollFunctions, 'logger' | 'getNode' | 'getWorkflow'>,
	{ event }: Pick<TriggerSettings, 'event'>,
	results: Array<Record<string, unknown>>,
): void {
	const { id, name } = context.getWorkflow();
	const where = `${context.getNode().name} in workflow "${name ?? ''}" (ID ${id ?? ''})`;
	const what = `${event.name}, ${results.length} handed over${periodOf(results)}`;
	for (let from = 0; from < results.length; from += idsPerLine) {
		const ids = results.slice(from, from + idsPerLine).map(idOf);
		const range = `IDs ${from + 1} to ${from + ids.length}`;
		context.logger.info(onOneLine(`${where}: ${what}, ${range}: ${ids.join(', ')}`));
	}
}

/** When the first and the last were created, as far as they say. */
function periodOf(results: Array<Record<string, unknown>>): string {
	const times = results.flatMap((result) => timeOf(result) ?? []).sort((a, b) => a - b);
	if (!times.length) return '';
	const [first, last] = [times[0], times[times.length - 1]].map((time) =>
		new Date(time).toISOString(),
	);
	return `, created ${first} to ${last}`;
}

function idOf({ id, reference_id: reference }: Record<string, unknown>): string {
	if (isUsableId(id)) return String(id).slice(0, longestId);
	return isUsableId(reference) ? `reference ${String(reference).slice(0, longestId)}` : 'no ID';
}

/** What the service sends, or a name, must not begin a line of the log of its own. */
const onOneLine = (text: string) => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
