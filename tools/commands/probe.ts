import Table from 'cli-table3';
import { log, nodeProcess, parseArgs } from '../node';
import { probe } from '../probe/probe';
import { unasked } from '../probe/questions';

/**
 * Asks a service what its interface leaves open, before the first release and whenever the service changes. It only reads. The key comes
 * from the environment, so that no list of processes and no history of a shell has it. Prints no key and no value of a customer.
 */
const usage = `Usage: INVOICING_API_KEY=your-key npm run probe -- --url https://your-service.example
  --url URL        the Base URL
  --requests N     the most requests (default 80)`;

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			url: { type: 'string' },
			requests: { type: 'string', default: '80' },
			help: { type: 'boolean', default: false },
		},
	});
	const key = nodeProcess.env.INVOICING_API_KEY;
	const most = Number(values.requests);
	if (values.help || !values.url || !key || !(most > 0)) {
		log(usage);
		nodeProcess.exitCode = values.help ? 0 : 1;
		return;
	}
	const { findings, requests } = await probe({
		baseURL: values.url,
		apiKey: key,
		maxRequests: most,
		pauseMs: 100,
	});
	const table = new Table({
		head: ['Unknown', 'Seen', 'How sure', 'Speaks for'],
		colWidths: [36, 36, 10, 48],
		wordWrap: true,
		style: { head: [], border: [], compact: true },
	});
	for (const { unknown, seen, sureness, speaksFor } of findings)
		table.push([unknown, seen, sureness, speaksFor]);
	log(table.toString());
	log(`${requests} requests, which changed nothing. Not asked:`);
	for (const one of unasked) log(`- ${one}`);
}

void main();
