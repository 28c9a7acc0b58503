import type { IExecuteFunctions } from 'n8n-workflow';
import { clock } from '../../shared/clock';

/**
 * Does something for 0, 1, … `count` - 1 and gives the results: evaluating the expressions of many items takes seconds, and n8n
 * has other things to do meanwhile. Ends early when the execution is cancelled.
 */
export async function inSlices<T>(
	context: IExecuteFunctions,
	count: number,
	work: (index: number) => T,
): Promise<T[]> {
	const results: T[] = [];
	let pausedAt = clock.now();
	for (let index = 0; index < count; index++) {
		results.push(work(index));
		if (clock.now() - pausedAt < 50) continue;
		await clock.sleep(0);
		if (context.getExecutionCancelSignal()?.aborted) break;
		pausedAt = clock.now();
	}
	return results;
}
