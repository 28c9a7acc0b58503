import axios from 'axios';
import { until } from '../../tools/until';
import { controlC, isUp, npm } from '../helpers/n8n/npmCommand';

jest.setTimeout(600_000);

test('npm start -- --once runs and checks the example, and ends', async () => {
	const { ended, said } = npm('start', '--', '--once');
	const code = await ended;
	expect([code, said()]).toEqual([0, expect.stringContaining('All as it should be.')]);
	expect(said()).toContain('40 invoices were created.');
});

test('npm start keeps running and prints its addresses, and Ctrl-C stops it', async () => {
	const { child, ended, said } = npm('start');
	const [, url] = await until(() => /n8n +(http:\S+)/.exec(said()) ?? undefined, said);
	const [, simulator] = await until(() => /Simulator +(http:\S+)/.exec(said()) ?? undefined, said);
	expect([await isUp(url), await isUp(simulator)]).toEqual([true, true]);

	controlC(child);
	await ended;
	expect(said()).toContain('Stopping');
	expect([await isUp(url), await isUp(simulator)]).toEqual([false, false]);
});

test('npm run simulator prints a working base URL and key', async () => {
	const { child, ended, said } = npm(
		'run',
		'simulator',
		'--',
		'--port',
		'0',
		'--key',
		'your-own-key',
		'--set',
		'charges=7',
	);
	const [, url] = await until(() => /Base URL +(http:\S+)/.exec(said()) ?? undefined, said);
	const charges = await axios.get<{ count: number }>(`${url}/v1/charges`, {
		headers: { 'X-API-KEY': 'your-own-key' },
		proxy: false,
	});
	expect(charges.data.count).toBe(7);
	controlC(child);
	await ended;
	expect(await isUp(url)).toBe(false);
});
