import { ourNode, runWorkflow, workflowOf } from '../../host/workflowOf';
import { note } from '../../host/secretNotes';
import { sharedN8n } from '../../host/sharedN8n';
import { createServer, fs, path, randomBytes } from '../../scripts/node';
import { useStage } from '../helpers/stage';

/** What the search at the end of all tests looks for: here it is put where it must be found, and sent where it must not go. */
const n8n = useStage();
const { world } = n8n;
jest.setTimeout(300_000);

const root = () => sharedN8n()?.root ?? '';
const run = async (parameters: object) =>
	await runWorkflow(n8n.stage.api, workflowOf([{}], ourNode(n8n.stage, parameters as never)));

test('a key that a workflow writes into its execution, and a log that holds it', async () => {
	const planted = `dummy-${randomBytes(18).toString('base64url')}`;
	const by = 'secrets.test.ts: a key in an execution, and in Base64 in a log';
	note(root(), { planted, by });
	const workflow = workflowOf(
		[{ planted }],
		ourNode(n8n.stage, { resource: 'member', operation: 'getAll' }),
	);
	expect((await runWorkflow(n8n.stage.api, workflow)).status).toBe('success');
	const base64 = Buffer.from(`key:${planted}`).toString('base64');
	// n8n would write over what another process adds to its own log.
	const log = path.join(path.dirname(n8n.stage.n8n.logFile), 'planted.log');
	fs.writeFileSync(log, `planted by a test: ${base64}\n`);
});

test('card data that is asked for, and card data that is not', async () => {
	// The cards of this service are those of no other.
	const seed = 7001;
	note(root(), { askedFor: seed, by: 'secrets.test.ts: Include Card Data' });
	world().reset({ seed });
	const whole = { resource: 'charge', operation: 'getAll', limit: 3, simplify: false };
	const asked = await run({ ...whole, options: { includeCardData: true } });
	expect(JSON.stringify(asked.data)).toContain('card_number');
	world().reset({ seed: 7002 });
	const plain = await run(whole);
	expect(plain.status).toBe('success');
	expect(JSON.stringify(plain.data)).not.toContain('card_number');
});

test('a foreign host gets nothing, wherever answers lead', async () => {
	const got: string[] = [];
	const foreign = createServer((request, response) => {
		got.push(JSON.stringify([request.method, request.url, request.headers]));
		response.end('{"count":1,"next":null,"previous":null,"results":[]}');
	});
	await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve));
	const { port } = foreign.address() as { port: number };
	// Another name of this machine is another host.
	const hosts = [`http://127.0.0.1:${port}`, `http://localhost:${port}`];
	const lists = {
		resource: 'charge',
		operation: 'getAll',
		returnAll: true,
		options: { maxWait: 0 },
	};
	for (const host of hosts) {
		for (const status of [301, 302, 303, 307, 308]) {
			world().reset();
			world().faults.add({
				times: null,
				action: { kind: 'redirect', location: `${host}/v1/charges`, status },
			});
			const { status: ended, data } = await run(lists);
			expect([ended, data.resultData.error?.message]).toEqual([
				'error',
				expect.stringContaining('redirect'),
			]);
		}
		world().reset({ charges: 30 });
		const page = (await (
			await fetch(`${n8n.stage.simulator.url}/v1/charges?page_size=20`, {
				headers: { 'x-api-key': world().settings.apiKey },
			})
		).json()) as object;
		const body = JSON.stringify({ ...page, next: `${host}/v1/charges?page=2&page_size=20` });
		world().faults.add({ action: { kind: 'raw', body } });
		await run({ ...lists, options: { maxWait: 0, pageSize: 20 } });
	}
	await new Promise((resolve) => foreign.close(resolve));
	expect(got).toEqual([]);
});
