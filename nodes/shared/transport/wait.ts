import { sleep } from 'n8n-workflow';

/** Waits, and looks at the signal now and then: n8n has no timer that could be taken back. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
	const until = Date.now() + ms;
	for (let left = ms; left > 0 && !signal.aborted; left = until - Date.now()) {
		await sleep(Math.min(left, 100));
	}
}
