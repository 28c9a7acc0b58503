import { runsN8n1 } from '../../host/version';
import { durable, standard, withoutCursors } from './engines';
import { useOwnStage } from './stage';
import type { Trial } from './triggerTrial';
import { trialIn } from './triggerTrial';

/** n8n 1 has no scheduler. */
const engines = runsN8n1() ? [standard] : [standard, withoutCursors, durable];

/** An n8n of each kind. Gives a way to test something in all of them at the same time: it mostly waits for polls. */
export function useEngines() {
	const all = engines.map(({ name, env }) => [name, useOwnStage(env)] as const);
	return (title: string, body: (trial: Trial) => Promise<void>) =>
		test(title, async () => {
			const runs = all.map(async ([engine, n8n]) => {
				const trial = trialIn(n8n);
				const problem = await body(trial).catch((error: Error) => error);
				await trial.remove();
				return { engine, problem: problem?.message };
			});
			const ends = await Promise.all(runs);
			expect(ends.filter(({ problem }) => problem)).toEqual([]);
		});
}
