import { nodeProcess } from '../../tools/node';
import { until } from '../../tools/until';
import { controlC, npm } from '../helpers/n8n/npmCommand';

jest.setTimeout(600_000);

test('Ctrl-C stops npm start while n8n starts', async () => {
	const early = npm('start');
	await until(() => early.said().includes('Starting n8n'), early.said);
	controlC(early.child);
	await early.ended;
	expect(early.said()).toContain('Stopping');
	expect(early.said()).not.toContain('invoices were created');
});

test('npm start reports a crash of n8n', async () => {
	const { ended, said } = npm('start');
	const [, pid] = await until(() => /\(process (\d+)\)/.exec(said()) ?? undefined, said);
	nodeProcess.kill(Number(pid), 'SIGKILL');
	expect(await ended).toBe(1);
	expect(said()).toContain('n8n has ended by itself');
});
