import { ourNode, runWorkflow, workflowOf } from '../../tools/host/workflowOf';
import { note } from '../../tools/host/secretNotes';
import { sharedN8n } from '../../tools/host/sharedN8n';
import { createServer, fs, path, randomBytes } from '../../tools/node';
import { useStage } from '../helpers/n8n/stage';

/** Plants keys and cards that the search after all tests must find, and sends others that it must not find. */
const n8n = useStage();
const { world } = n8n;
jest.setTimeout(300_000);

const root = () => sharedN8n()?.root ?? '';
const run = async (parameters: object) =>
	await runWorkflow(n8n.stage.api, workflowOf([{}], ourNode(n8n.stage, parameters as never)));

test('a workflow writes a key into its execution, and a log contains it', async () => {
	const planted = `dummy-${randomBytes(18).toString('base64url')}`;
	const by = 'secrets.test.ts: a key in an execution, and in Base64 in a log';
	note(root(), { planted, by });
	const workflow = workflowOf(
		[{ planted }],
		ourNode(n8n.stage, { resource: 'member', operation: 'getAll' }),
	);
	expect((await runWorkflow(n8n.stage.api, workflow)).status).toBe('success');
	const base64 = Buffer.from(`key:${planted}`).toString('base64');
	// n8n would overwrite what another process adds to its own log.
	const log = path.join(path.dirname(n8n.stage.n8n.logFile), 'planted.log');
	fs.writeFileSync(log, `planted by a test: ${base64}\n`);
});

test('card data is only stored if the user asks for it', async () => {
	// No other service has the same cards.
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

test('a foreign host gets nothing through redirects and page addresses', async () => {
	const got: string[] = [];
	const foreign = createServer((request, response) => {
		got.push(JSON.stringify([request.method, request.url, request.headers]));
		response.end('{"count":1,"next":null,"previous":null,"results":[]}');
	});
	await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve));
	const { port } = foreign.address() as { port: number };
	const lists = { resource: 'charge', operation: 'getAll', returnAll: true };
	const options = { maxWait: 0, pageSize: 20 };
	// Another name of this machine counts as another host.
	for (const host of [`http://127.0.0.1:${port}`, `http://localhost:${port}`]) {
		for (const status of [301, 302, 303, 307, 308]) {
			world().reset();
			const action = { kind: 'redirect' as const, location: `${host}/v1/charges`, status };
			world().faults.add({ times: null, action });
			const { status: ended, data } = await run({ ...lists, options });
			expect(ended).toBe('error');
			expect(data.resultData.error?.message).toContain('redirect');
		}
		world().reset({ charges: 30 });
		const headers = { 'x-api-key': world().settings.apiKey };
		const page = await fetch(`${n8n.stage.simulator.url}/v1/charges?page_size=20`, { headers });
		const next = `${host}/v1/charges?page=2&page_size=20`;
		const body = JSON.stringify({ ...((await page.json()) as object), next });
		world().faults.add({ action: { kind: 'raw', body } });
		await run({ ...lists, options });
	}
	await new Promise((resolve) => foreign.close(resolve));
	expect(got).toEqual([]);
});

test('[R10] a key in error responses reaches neither executions, log nor credential test', async () => {
	const key = ['dummy', 'example+key&more'].join('-');
	const spelt = (plus: string, ampersand: string) =>
		key.replace('+', () => plus).replace('&', () => ampersand);
	const base64 = Buffer.from(key).toString('base64');
	const leaksIn = (text: string) => [
		...(text.match(/dummy.{1,60}?example.{1,60}?key.{1,60}?more/gis) ?? []),
		...(text.includes(base64.replace(/=+$/, '')) ? [base64] : []),
	];
	const json = (text: string) => `{"message":"The key ${text} may not do this","status":1}`;
	// Each kind of response once. test/unit/shared/secrets.test.ts has every spelling.
	const bodies = [
		['application/json', json(key)],
		['application/json', json(spelt('\\u002b', '\\u0026'))],
		['application/json', `{"errors":{"${spelt('\\u002B', '&')}":["is not a key"]}}`],
		['text/html', `<!doctype html><title>Refused: ${spelt('&#43;', '&#x26;')}</title>`],
		['text/plain', `Refused: ${spelt('%252b', '%2526')}`],
		['application/json', json(base64)],
	];
	world().set({ apiKey: key });
	const { api, simulator, n8n: running } = n8n.stage;
	const type = 'invoicingPaymentsApi';
	const data = { apiKey: key, baseUrl: simulator.url };
	const id = await api.saveCredential({ name: 'A key with signs', type, data });
	const parameters = { resource: 'charge', operation: 'getAll', options: { maxWait: 0 } };
	const node = ourNode(n8n.stage, parameters, { credentials: { [type]: { id, name: 'x' } } });
	for (const [contentType, body] of bodies) {
		expect([body, leaksIn(body).length > 0]).toEqual([body, true]);
		world().faults.add({ times: null, action: { kind: 'raw', status: 400, contentType, body } });
		const execution = await runWorkflow(api, workflowOf([{}], node));
		const text = JSON.stringify(await api.call('get', `/executions/${execution.id}`));
		expect([body, leaksIn(text)]).toEqual([body, []]);
		expect(text).toContain('The service refused the request (status 400)');
		const tested = await api.testCredential({ id, name: 'x', type, data });
		expect([tested.status, leaksIn(JSON.stringify(tested))]).toEqual(['Error', []]);
		world().faults.clear();
	}
	expect(leaksIn(fs.readFileSync(running.logFile, 'utf8'))).toEqual([]);
});
