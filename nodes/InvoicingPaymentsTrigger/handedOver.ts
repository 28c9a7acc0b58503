import type { IPollFunctions } from 'n8n-workflow';
import type { TriggerSettings } from './settings';
import { creationTimeOf } from './watch/creationTimes';
import { shortId } from './watch/ids';

/** Loggers may cut long lines. */
const idsPerLine = 100;

/** Makes items traceable that n8n loses, e.g. if a worker is killed. Logs only IDs and times, because many people may read logs. */
export function logDelivered(
	context: Pick<IPollFunctions, 'logger' | 'getNode' | 'getWorkflow'>,
	{ event }: Pick<TriggerSettings, 'event'>,
	results: Array<Record<string, unknown>>,
): void {
	const { id, name } = context.getWorkflow();
	const prefix = `${context.getNode().name} in workflow "${name ?? ''}" (ID ${id ?? ''})`;
	const summary = `${event.name}, ${results.length} handed over${periodOf(results)}`;
	for (let from = 0; from < results.length; from += idsPerLine) {
		const ids = results.slice(from, from + idsPerLine).map(shortId);
		const range = `IDs ${from + 1} to ${from + ids.length}`;
		context.logger.info(onOneLine(`${prefix}: ${summary}, ${range}: ${ids.join(', ')}`));
	}
}

function periodOf(results: Array<Record<string, unknown>>): string {
	const times = results.flatMap((result) => creationTimeOf(result) ?? []).sort((a, b) => a - b);
	if (!times.length) return '';
	const [first, last] = [times[0], times[times.length - 1]].map((time) =>
		new Date(time).toISOString(),
	);
	return `, created ${first} to ${last}`;
}

/** Names and IDs must not start a new line in the log. */
const onOneLine = (text: string) => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
