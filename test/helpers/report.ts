import { log } from '../../tools/node';
import type { Result, RunName } from '../../tools/quality/results';
import { keepResult } from '../../tools/quality/results';

/**
 * The report of a long run. Each test tells its figures and the faults that it planted and saw, which are printed. If all tests pass,
 * `npm run nightly` publishes them in docs/quality.md, but not those of a short run. Call at the top level of a test file.
 */
export function useReport(name: RunName, command: string, isFull: boolean) {
	const result: Result = { command, figures: {}, planted: [] };
	return (figures: Result['figures'], planted: Result['planted'] = []): void => {
		for (const [what, figure] of Object.entries(figures)) log(`${what}: ${figure}`);
		for (const { fault, caught } of planted) log(`Planted: ${fault}: ${caught}`);
		Object.assign(result.figures, figures);
		result.planted.push(...planted);
		if (isFull) keepResult(name, result);
	};
}
