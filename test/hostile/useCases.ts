import { delay, nodeProcess } from '../../tools/node';
import type { Simulator } from '../../simulator/server';
import { startSimulator } from '../../simulator/server';
import { HostileService } from './hostileService';
import { useReport } from '../helpers/report';
import type { CaseResult } from './nodeCase';

const { env } = nodeProcess;
/** Cases of the node and the trigger together. */
const all = Number(env.HOSTILE_CASES ?? 500);
const seed = env.SEED ?? '2026';
/** A single case, as a failure names it. */
const [onlyOf, onlyAt] = env.HOSTILE_CASE?.split(':') ?? [];

type Run<T> = (service: HostileService, seed: number, run: T) => Promise<CaseResult>;

/**
 * Tests that planted faults are found, and then that random cases have no problem. `share`: part of all cases that are of this kind.
 */
export function useCases<T>(
	of: 'node' | 'trigger',
	share: number,
	runCase: Run<T>,
	own: T,
	plants: Array<[string, T, number, RegExp]>,
): void {
	let simulator: Simulator;
	let service: HostileService;
	const count = Math.round(all * share);
	const figures = { errors: 0, requests: 0 };
	const tell = useReport(
		of === 'node' ? 'hostileNode' : 'hostileTrigger',
		`SEED=${seed} HOSTILE_CASES=${all} npm run nightly -- hostile`,
		!onlyOf && all >= 500,
	);
	beforeAll(async () => {
		simulator = await startSimulator();
		service = new HostileService(simulator);
		await service.open();
	});
	afterAll(async () => {
		tell({
			cases: count,
			'cases that ended with an error': figures.errors,
			'hostile requests answered': figures.requests,
			'wrong successes, crashes, hangs, losses or doubles': 0,
		});
		await service.close();
		await simulator.close();
	});

	/** Runs a case. If it takes longer than `patience` real milliseconds, it hangs. */
	async function end(at: number, ownSeed: string, run: T, patience = 300_000): Promise<CaseResult> {
		const one = runCase(service, Math.imul(Number(ownSeed), 1_000_003) ^ at, run);
		const hanging = { words: '', problems: ['it hangs'], isError: true, requests: 0 };
		return (await Promise.race([one, delay(patience, undefined, { ref: false })])) ?? hanging;
	}

	const wanted = plants.filter((_, at) => all >= 500 || at % 4 === 0);
	const find = async (fault: string, faulty: T, count: number, words: RegExp) => {
		let problem: string | undefined;
		let at = 0;
		while (!problem && at < count) {
			const { problems } = await end((at += 1), '3', faulty, 5000);
			problem = problems.find((one) => words.test(one));
		}
		expect(problem).toMatch(words);
		const caught = `in case ${at}: "${problem?.slice(0, 100)}"`;
		tell({}, [{ fault: `the ${of} ${fault}`, caught }]);
	};
	if (!onlyOf) test.each(wanted)(`notices a ${of} that %s`, find, 600_000);

	const numbers = Array.from({ length: count }, (_, at) => at + 1);
	const pass = async (at: number) => {
		const { words, problems, isError, requests } = await end(at, seed, own);
		figures.errors += Number(isError);
		figures.requests += requests;
		const again = `HOSTILE_CASE=${of}:${at} SEED=${seed} npm test -- --hostile`;
		expect({ words, problems, again }).toEqual({ words, problems: [], again });
	};
	const title = `[R5, R9, O8, T7] ${of} survives case %i of seed ${seed}`;
	if (!onlyOf) test.each(numbers)(title, pass, 400_000);
	else if (onlyOf === of) test.each([Number(onlyAt)])(title, pass, 400_000);
	else test.skip('runs another case only', () => undefined);
}
