import { delay, fs } from '../../tools/node';
import { useOwnEngines } from '../helpers/n8n/triggerEngines';

jest.setTimeout(600_000);
const inEach = useOwnEngines();

inEach(
	'[R6] goes on after it was deactivated, renamed, stopped or killed',
	async ({ stage, pay, save, executions, idsOf, afterPolls, delivered, activate, deactivate }) => {
		const rename = async () => await save({}, { name: 'Another name' });
		const stop = async () => await stage.n8n.stop();
		const kill = async () => await stage.n8n.kill();
		const restart = async () => await stage.restart();
		const interruptions: Array<Array<() => Promise<unknown>>> = [
			[deactivate, activate],
			[rename, activate],
			[deactivate, save, activate],
			[stop, restart],
			[kill, restart],
			[kill, restart],
		];
		await save();
		await activate();
		const ids: string[] = [];
		for (const [interrupt, ...resume] of interruptions) {
			ids.push(...pay(2));
			expect(await delivered(ids.length)).toEqual(ids);
			// Then n8n has saved the memory of the poll with the charges.
			await afterPolls(1);
			await delay(300);
			await interrupt();
			ids.push(...pay(2));
			for (const step of resume) await step();
			expect(await delivered(ids.length)).toEqual(ids);
			await afterPolls(1);
		}
		await afterPolls(3);
		expect(idsOf(await executions())).toEqual(ids);
	},
);

inEach(
	'goes on if the service is down while n8n starts',
	async ({ stage, world, pay, save, delivered, activate }) => {
		await save();
		await activate();
		const ids = pay(1);
		await delivered(1);
		await stage.n8n.stop();
		world().faults.add({ times: null, action: { kind: 'reset' } });
		await stage.restart();
		ids.push(...pay(2));
		// n8n would have given up the activation by now.
		await delay(25_000);
		world().faults.clear();
		expect(await delivered(3)).toEqual(ids);
	},
);

inEach(
	'[T2, T3] delivers charges again with Charges Since, in parts, also after a kill, and logs all IDs',
	async (trial) => {
		const { stage, pay, save, executions, idsOf, afterPolls, delivered } = trial;
		const { activate, deactivate } = trial;
		const log = () => fs.readFileSync(stage.n8n.logFile, 'utf8');
		// Earlier tests had charges with the same IDs.
		const before = log().length;
		await save();
		await activate();
		const early = pay(3);
		await delivered(3);
		await delay(1500);
		const since = new Date(Math.floor(Date.now() / 1000) * 1000).toISOString();
		const ids = pay(30);
		await delivered(33);
		await afterPolls(1);

		await save({ startWith: 'since', since, options: { maxPerRun: 12 } });
		await activate();
		await delivered(33 + 30);
		await afterPolls(1);
		await delay(300);
		await stage.n8n.kill();
		const later = pay(2);
		await stage.restart();
		await delivered(63 + 2);
		// The same value goes on instead of starting again.
		await deactivate();
		await activate();
		await afterPolls(3);
		const found = idsOf(await executions());
		expect([...found].sort()).toEqual([...early, ...ids, ...ids, ...later].sort());
		const handedOver = /New Charge, \d+ handed over, created \S+Z to \S+Z, IDs 1 to \d+: /;
		const lines = log().slice(before).split('\n');
		const logged = lines.filter((line) => handedOver.test(line));
		const times = (id: string) => logged.filter((line) => line.includes(id)).length;
		expect(ids.filter((id) => times(id) !== 2)).toEqual([]);
		expect([...early, ...later].filter((id) => times(id) !== 1)).toEqual([]);
	},
);
