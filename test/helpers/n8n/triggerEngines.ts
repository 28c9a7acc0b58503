import type { SharedStage, Stage } from '../../../tools/host/stage';
import { runsN8n1 } from '../../../tools/host/version';
import { nodeProcess } from '../../../tools/node';
import { durable, standard, withoutCursors } from './engines';
import { useOwnStage, useStage } from './stage';
import type { Trial } from './triggerTrial';
import { trialIn } from './triggerTrial';

interface Opening<Opened> {
	readonly stage: Opened;
	world(): SharedStage['simulator']['world'];
}

/** n8n 1 has no scheduler. */
const engines = runsN8n1() ? [standard] : [standard, withoutCursors, durable];

/** Tests the trigger in a new n8n of each engine, all at once, because they mostly wait for polls. Tests may end them. */
export const useOwnEngines = () =>
	inEach<Stage>(engines.map(({ name, env }) => [name, useOwnStage(env)]));

/** Tests the trigger in the shared n8n, and nightly in a new one of each engine. */
export const useEngines = () =>
	nodeProcess.env.NIGHTLY
		? inEach<SharedStage>(engines.map(({ name, env }) => [name, useOwnStage(env)]))
		: inEach<SharedStage>([[standard.name, useStage()]]);

let seed = 0;

function inEach<Opened extends SharedStage>(all: Array<[name: string, n8n: Opening<Opened>]>) {
	return (title: string, body: (trial: Trial<Opened>) => Promise<void>) =>
		test(title, async () => {
			const runs = all.map(async ([engine, n8n]) => {
				// A service never gives an ID twice, and a new trigger may start from what the last one has just read.
				n8n.world().reset({ seed: (seed += 1) });
				const trial = trialIn(n8n);
				const problem = await body(trial).catch((error: Error) => error);
				await trial.remove();
				return { engine, problem: problem?.message };
			});
			const ends = await Promise.all(runs);
			expect(ends.filter(({ problem }) => problem)).toEqual([]);
		});
}
