import { ourNode, runWorkflow, workflowOf } from '../../tools/host/workflowOf';
import { note } from '../../tools/host/secretNotes';
import { sharedN8n } from '../../tools/host/sharedN8n';
import { createServer, fs, path, randomBytes } from '../../tools/node';
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

describe('[R10] a key with signs that are written in many ways', () => {
	const key = ['dummy', 'example+key&more'].join('-');
	const spelt = (plus: string, ampersand = '&') =>
		key.replace('+', () => plus).replace('&', () => ampersand);
	const base64 = Buffer.from(key).toString('base64');
	const leaksIn = (text: string) => [
		...(text.match(/dummy.{1,60}?example.{1,60}?key.{1,60}?more/gis) ?? []),
		...(text.includes(base64.replace(/=+$/, '')) ? [base64] : []),
	];
	const json = (text: string) => `{"message":"The key ${text} may not do this","status":1}`;
	const page = (text: string) =>
		`<!doctype html><html><head><title>Refused: ${text}</title></head><body><p>${text}</p></body></html>`;
	const bodies: Array<[string, string, string]> = [
		['as it is', json(key), 'application/json'],
		['\\u002B', json(spelt('\\u002B')), 'application/json'],
		['\\u002b and \\u0026', json(spelt('\\u002b', '\\u0026')), 'application/json'],
		['\\u002B in an inner JSON', json(spelt('\\\\u002B', '\\\\u0026')), 'application/json'],
		['&amp;', page(spelt('+', '&amp;')), 'text/html'],
		['&amp; in JSON', json(spelt('+', '&amp;')), 'application/json'],
		['&#43; and &#x26;', page(spelt('&#43;', '&#x26;')), 'text/html'],
		['%2B', json(spelt('%2B')), 'application/json'],
		['%2B and %26 in plain text', `Refused: ${spelt('%2B', '%26')}`, 'text/plain'],
		['%252b and %2526', json(spelt('%252b', '%2526')), 'application/json'],
		[
			'as the name of a field',
			`{"errors":{"${spelt('\\u002B')}":["is not a key"]}}`,
			'application/json',
		],
		['Base64', json(base64), 'application/json'],
	];

	test('refusals that repeat it: neither execution nor log nor the test of the credential holds it', async () => {
		world().set({ apiKey: key });
		const { api, simulator } = n8n.stage;
		const type = 'invoicingPaymentsApi';
		const data = { apiKey: key, baseUrl: simulator.url };
		const id = await api.saveCredential({ name: 'A key with signs', type, data });
		const parameters = { resource: 'charge', operation: 'getAll', options: { maxWait: 0 } };
		const node = ourNode(n8n.stage, parameters, { credentials: { [type]: { id, name: 'x' } } });
		for (const [spelling, body, contentType] of bodies) {
			expect([spelling, leaksIn(body).length > 0]).toEqual([spelling, true]);
			world().faults.add({ times: null, action: { kind: 'raw', status: 400, contentType, body } });
			const execution = await runWorkflow(api, workflowOf([{}], node));
			const text = JSON.stringify(await api.call('get', `/executions/${execution.id}`));
			expect([spelling, leaksIn(text)]).toEqual([spelling, []]);
			expect(text).toContain('The service refused the request (status 400)');
			const tested = await api.testCredential({ id, name: 'x', type, data });
			expect([tested.status, leaksIn(JSON.stringify(tested))]).toEqual(['Error', []]);
			world().faults.clear();
		}
		expect(leaksIn(fs.readFileSync(n8n.stage.n8n.logFile, 'utf8'))).toEqual([]);
	});
});
