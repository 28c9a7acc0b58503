import { runsN8n1 } from '../../host/version';
import { useOwnStage } from './stage';
import type { Trial } from './triggerTrial';
import { trialIn } from './triggerTrial';

const scheduler = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_SCHEDULER_EXECUTOR_INTERVAL: '1',
	N8N_SCHEDULER_MATERIALIZATION_INTERVAL: '1',
};
/** Each way in which n8n polls triggers: n8n 1 has no scheduler. */
const enginesOf = () => ({
	"n8n's standard engine": useOwnStage(),
	...(!runsN8n1() && {
		scheduler: useOwnStage({ ...scheduler, N8N_POLLER_DURABLE_CURSORS_ENABLED: 'false' }),
		'scheduler with durable cursors': useOwnStage({
			...scheduler,
			N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
		}),
	}),
});

/** An n8n of each kind. Gives a way to test something in all of them at the same time: it mostly waits for polls. */
export function useEngines() {
	const engines = enginesOf();
	return (title: string, body: (trial: Trial) => Promise<void>) =>
		test(title, async () => {
			const runs = Object.entries(engines).map(async ([engine, n8n]) => {
				const trial = trialIn(n8n);
				const problem = await body(trial).catch((error: Error) => error);
				await trial.remove();
				return { engine, problem: problem?.message };
			});
			const ends = await Promise.all(runs);
			expect(ends.filter(({ problem }) => problem)).toEqual([]);
		});
}
