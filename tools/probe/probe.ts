import type { ProbedService } from './asker';
import { Asker, OutOfRequests } from './asker';
import type { Finding, Question } from './questions';
import { questions } from './questions';

export interface Probed extends Pick<Question, 'unknown' | 'speaksFor'>, Finding {}

/** Asks a service what its interface leaves open. It only reads, and makes at most `maxRequests` requests. */
export async function probe(
	service: ProbedService,
): Promise<{ findings: Probed[]; requests: number }> {
	const asker = new Asker(service);
	const findings: Probed[] = [];
	for (const { unknown, speaksFor, ask } of questions) {
		try {
			findings.push({ unknown, speaksFor, ...(await ask(asker)) });
		} catch (error) {
			const seen =
				error instanceof OutOfRequests
					? 'not asked: too many requests'
					: `no answer: ${(error as Error).message}`;
			findings.push({ unknown, speaksFor, seen, sureness: 'unknown' });
		}
	}
	return { findings, requests: asker.requests };
}
