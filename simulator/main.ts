import { z, ZodError } from 'zod/v4';
import { log, nodeProcess, parseArgs } from '../tools/node';
import { startSimulator } from './server';
import type { SettingsInput } from './settings';

const usage = `Usage: npm run simulator -- [options]
  --port N          port to listen on (default 4010; 0 takes a free one)
  --key TEXT        API key that the simulator accepts
  --set NAME=VALUE  any switch, e.g. --set order=none --set charges=100000 (may be repeated)
Switches: simulator/settings.ts. Faults and inspection: see simulator/README.md.`;

/** `order=none` → `{ order: 'none' }`. Reads numbers and lists as JSON. */
function readSwitches(pairs: string[]): SettingsInput {
	const entries = pairs.map((pair) => {
		const [name, ...rest] = pair.split('=');
		const text = rest.join('=');
		try {
			return [name, JSON.parse(text)] as const;
		} catch {
			return [name, text] as const;
		}
	});
	return Object.fromEntries(entries) as SettingsInput;
}

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			port: { type: 'string', default: '4010' },
			key: { type: 'string' },
			set: { type: 'string', multiple: true, default: [] },
			help: { type: 'boolean', default: false },
		},
	});
	if (values.help) {
		log(usage);
		return;
	}
	const port = Number(values.port);
	if (!Number.isInteger(port) || port < 0 || port > 65_535) {
		throw new Error(`--port: a number from 0 to 65535, got ${values.port}`);
	}
	const input = {
		...readSwitches(values.set),
		...(values.key !== undefined && { apiKey: values.key }),
	};
	const simulator = await startSimulator(input, port);
	const { settings, account } = simulator.world;
	log(
		`Simulator of the invoicing and payments service\n` +
			`  Base URL     ${simulator.url}\n` +
			`  API key      ${settings.apiKey}\n` +
			`  A customer   ${account.customers[0].id} (${account.customers[0].name})\n` +
			`  A link       ${account.links[0]?.id ?? 'none'}\n` +
			`  Inspect      ${simulator.url}/control/state\n` +
			`Stop with Ctrl-C.`,
	);
	// Do not wait for delayed responses.
	const stop = () => void simulator.close().finally(() => nodeProcess.exit(0));
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) nodeProcess.once(signal, stop);
}

main().catch((error: unknown) => {
	const problem = error instanceof ZodError ? z.prettifyError(error) : (error as Error).message;
	nodeProcess.stderr.write(`${problem}\n\n${usage}\n`);
	nodeProcess.exitCode = 1;
});
