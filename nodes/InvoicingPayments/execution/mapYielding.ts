import type { IExecuteFunctions } from 'n8n-workflow';
import { clock } from '../../shared/clock';

/**
 * Calls `work` for 0 … `count` - 1 and yields every 50 ms, because the expressions of many items take seconds. Ends early if
 * cancelled.
 */
export async function mapYielding<T>(
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
