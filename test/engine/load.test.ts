import type { INodeParameters } from 'n8n-workflow';
import { log, monitorEventLoopDelay, nodeProcess } from '../../tools/node';
import { executeNode } from '../helpers/n8n/engine';
import { confirmedParameters } from '../helpers/sheets/confirm';
import { fromRowsParameters } from '../helpers/sheets/fromRows';
import { outcomes, useNode } from '../helpers/n8n/nodeRuns';
import { isNight } from '../helpers/someOf';

/** Large runs in one process: each invoice once, and n8n goes on with its other work. */
const { service, create, row } = useNode();
const count = isNight ? 10_000 : 150;

/** Runs it, and says how long n8n was kept from other work at most (ms), and how much memory grew (MB). */
async function measured(
	parameters: INodeParameters,
	items: Parameters<typeof executeNode>[0]['items'],
) {
	const delay = monitorEventLoopDelay({ resolution: 5 });
	const before = nodeProcess.memoryUsage().heapUsed;
	delay.enable();
	const { credential } = service;
	const json = await executeNode({ credential, parameters, items });
	delay.disable();
	const megabytes = Math.round((nodeProcess.memoryUsage().heapUsed - before) / 2 ** 20);
	return { json, longestPause: Math.round(delay.max / 1e6), megabytes };
}

const many = {
	options: { maxRequestsInFlight: 50, maximumInvoices: count, maximumTotal: '100000000' },
};
test('[R3] many items, each once', async () => {
	service.world.reset({ latency: 0 });
	const items = Array.from({ length: count }, (_, at) => ({ number: `N-${at}` }));
	const parameters = create('returnExisting', many) as INodeParameters;
	for (const outcome of ['created', 'found']) {
		const { json, ...cost } = await measured(parameters, items);
		if (isNight) log(`${outcome}: ${JSON.stringify(cost)}`);
		expect(new Set(outcomes(json))).toEqual(new Set([outcome]));
		expect(cost.longestPause).toBeLessThan(1000);
	}
	expect(new Set(service.created.map(({ request }) => request.invoice_number)).size).toBe(count);
	expect(service.created).toHaveLength(count);
}, 600_000); // prettier-ignore

test('[R3] many rows, each once', async () => {
	service.world.reset({ latency: 0 });
	const items = Array.from({ length: count }, (_, at) => row(`N-${at}`));
	const parameters = confirmedParameters(
		fromRowsParameters({ ifInvoiceNumberExists: 'returnExisting', ...many }),
		items,
	);
	for (const outcome of ['created', 'found']) {
		const { json, ...cost } = await measured(parameters, items);
		if (isNight) log(`${outcome}: ${JSON.stringify(cost)}`);
		expect(new Set(outcomes(json))).toEqual(new Set([outcome]));
		expect(cost.longestPause).toBeLessThan(1000);
	}
	expect(service.created).toHaveLength(count);
}, 600_000);
