import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import type { StoredExecution, WorkflowFile } from '../../host/api';
import { ourNode, runWorkflow, triggerWorkflow, workflowOf } from '../../host/workflowOf';
import { fs } from '../../scripts/node';
import { until } from '../../scripts/until';
import type { FaultAction, FaultInput } from '../../simulator/faults';
import { useStage } from '../helpers/stage';
import { trialIn } from '../helpers/triggerTrial';

/** What must not happen in a real n8n: an invoice twice, an execution that never ends, a key that can be read. */
const n8n = useStage();
const { world, created } = n8n;
jest.setTimeout(600_000);

type Operation = 'create' | 'createFromRows';
const operations: Operation[] = ['create', 'createFromRows'];

/** Each test takes numbers of its own: n8n's process remembers those of the tests before. */
const invoiceParameters: Record<Operation, () => INodeParameters> = {
	create: () => ({
		resource: 'invoice',
		operation: 'create',
		customerId: world().account.customers[0].id,
		currency: 'EUR',
		dueDate: '2026-12-31',
		itemsInput: 'fields',
		items: { item: [{ name: 'x', amount: '1.25', quantity: 1 }] },
		additionalFields: { invoiceNumber: '={{ $json["Invoice Number"] }}' },
		ifInvoiceNumberExists: 'returnExisting',
	}),
	createFromRows: () => ({
		resource: 'invoice',
		operation: 'createFromRows',
		columns: { mappingMode: 'autoMapInputData', value: null } as never,
		ifInvoiceNumberExists: 'returnExisting',
	}),
};
const rowsOf = (numbers: string[]): IDataObject[] =>
	numbers.map((number) => ({
		'Invoice Number': number,
		'Customer ID': world().account.customers[0].id,
		Currency: 'EUR',
		'Due Date': '2026-12-31',
		Item: 'Consulting',
		Amount: '1.25',
	}));
const invoices = (
	operation: Operation,
	numbers: string[],
	change: INodeParameters = {},
	settings?: Partial<INode>,
) =>
	workflowOf(
		rowsOf(numbers),
		ourNode(n8n.stage, { ...invoiceParameters[operation](), ...change }, settings),
	);
const charges = (change: INodeParameters = {}, settings?: Partial<INode>) =>
	workflowOf(
		[{}],
		ourNode(n8n.stage, { resource: 'charge', operation: 'getAll', limit: 3, ...change }, settings),
	);

const run = async (workflow: WorkflowFile) => await runWorkflow(n8n.stage.api, workflow);
/** Several executions of a workflow at the same time. */
async function runAtOnce(times: number, workflow: WorkflowFile): Promise<StoredExecution[]> {
	const { api } = n8n.stage;
	await api.saveWorkflow(workflow);
	const executions = Array.from({ length: times }, async () => await api.run(workflow.id, 'Start'));
	return await Promise.all(executions);
}
const outputOf = ({ data }: StoredExecution) =>
	(data.resultData.runData.Node?.at(-1)?.data?.main[0] ?? []).map(({ json }) => json);
const errorOf = ({ data }: StoredExecution) => data.resultData.error?.message;
const createdNumbers = () => created().map(({ request }) => request.invoice_number);
const posts = () => world().traffic.requests.filter(({ method }) => method === 'POST');
const hits = (kind: FaultAction['kind']) =>
	world().traffic.requests.filter(({ fault }) => fault === kind);

describe.each(operations)('%s, of a service whose list lags', (operation) => {
	beforeEach(() => world().set({ listLagMs: 5000 }));

	test('two executions in a row: each number is created once, the second finds it', async () => {
		const numbers = [`${operation}-A`, `${operation}-B`];
		for (const outcome of ['created', 'found']) {
			const execution = await run(invoices(operation, numbers));
			expect(errorOf(execution)).toBeUndefined();
			expect(outputOf(execution)).toEqual(
				numbers.map((number) => expect.objectContaining({ invoice_number: number, outcome })),
			);
		}
		expect(createdNumbers().sort()).toEqual(numbers);
		expect(posts()).toHaveLength(2);
	});

	test('two executions at the same time: each number is created by one and found by the other', async () => {
		const numbers = [`${operation}-C`, `${operation}-D`, `${operation}-E`];
		const executions = await runAtOnce(2, invoices(operation, numbers));
		expect(executions.map(errorOf)).toEqual([undefined, undefined]);
		const [one, other] = executions.map(outputOf);
		expect(other.map(({ id }) => id)).toEqual(one.map(({ id }) => id));
		const outcomes = numbers.map((_number, at) => [one[at].outcome, other[at].outcome].sort());
		expect(outcomes).toEqual(numbers.map(() => ['created', 'found']));
		expect(createdNumbers().sort()).toEqual(numbers);
		expect(posts()).toHaveLength(3);
	});
});

test.each(operations)(
	'%s, whose answer was lost: another execution does not send it again',
	async (operation) => {
		const number = `${operation}-lost`;
		world().faults.add({ method: 'POST', action: { kind: 'reset', work: 'none' } });
		const workflow = () => invoices(operation, [number], { options: { maxWait: 3 } });
		const first = await run(workflow());
		expect([first.status, errorOf(first)]).toEqual([
			'error',
			expect.stringContaining('The invoice may still have been created'),
		]);
		const second = await run(workflow());
		expect([second.status, errorOf(second)]).toEqual([
			'error',
			expect.stringContaining('may have been processed, so this one was not sent'),
		]);
		expect(errorOf(second)).toContain(`"${number}"`);
		expect(posts().map(({ fault }) => fault)).toEqual(['reset']);
		expect(created()).toEqual([]);
		// Another number is none of its business.
		const other = await run(invoices(operation, [`${number}-not`]));
		expect(outputOf(other)).toEqual([expect.objectContaining({ outcome: 'created' })]);
	},
);

describe('answers that drip', () => {
	const late = 'did not respond in time';
	const hasty = {
		requestOptions: { timeout: 1500 },
		options: { maxRequestsInFlight: 5, maxWait: 0 },
	};
	const drip = (more: Partial<FaultInput>) =>
		world().faults.add({ ...more, action: { kind: 'drip', everyMs: 200 } });
	/** The connections of requests that were given up are closed. */
	const untilQuiet = async () =>
		await until(
			() => {
				world().traffic.reset();
				return world().traffic.mostInFlight === 0;
			},
			() => `${world().traffic.mostInFlight} requests are still under way`,
		);

	test('five executions at the same time end, and the next one succeeds', async () => {
		drip({ path: '/v1/charges', times: 5 });
		const executions = await runAtOnce(5, charges(hasty));
		expect(executions.map(errorOf)).toEqual(
			executions.map(() => expect.stringContaining(late) as string),
		);
		expect(executions.map(({ status }) => status)).toEqual(executions.map(() => 'error'));
		expect(hits('drip')).toHaveLength(5);
		await untilQuiet();
		const next = await run(charges());
		expect([next.status, outputOf(next).length]).toEqual(['success', 3]);
	});

	test('five items that create invoices end, and the next execution succeeds', async () => {
		drip({ method: 'POST', times: 5 });
		const numbers = [1, 2, 3, 4, 5].map((at) => `drip-${at}`);
		const execution = await run(
			invoices('create', numbers, hasty, { onError: 'continueRegularOutput' }),
		);
		const errors = outputOf(execution).map(({ error }) => String(error));
		expect(errors).toHaveLength(5);
		for (const error of errors) {
			expect(error).toContain(late);
			expect(error).toContain('The invoice may still have been created');
		}
		expect(posts()).toHaveLength(5);
		await untilQuiet();
		const next = await run(invoices('create', ['drip-6', 'drip-7']));
		expect(outputOf(next).map(({ outcome }) => outcome)).toEqual(['created', 'created']);
		expect(createdNumbers().sort()).toEqual(['drip-6', 'drip-7']);
	});

	test('a poll of the trigger ends, says why, and a later one delivers the charge', async () => {
		const { pay, save, executions, delivered, activate, remove } = trialIn(n8n);
		await save();
		await activate();
		drip({ path: '/v1/charges', times: null });
		const ids = pay(1);
		const [failed] = await until(
			async () => {
				const found = await executions();
				return found.length > 0 && found;
			},
			() => 'The poll does not end',
			1000,
		);
		expect([failed.status, errorOf(failed)]).toEqual(['error', expect.stringContaining(late)]);
		world().faults.clear();
		expect(await delivered(1)).toEqual(ids);
		await remove();
		await untilQuiet();
	});
});

describe('a key with signs that are written in many ways', () => {
	const key = ['dummy', 'example+key&more'].join('-');
	const spelt = (plus: string, ampersand = '&') =>
		key.replace('+', () => plus).replace('&', () => ampersand);
	const base64 = Buffer.from(key).toString('base64');
	/** The key in any spelling, and what is behind it. */
	const leaksIn = (text: string) => [
		...(text.match(/dummy.{1,60}?example.{1,60}?key.{1,60}?more/gis) ?? []),
		...(text.includes(base64.replace(/=+$/, '')) ? [base64] : []),
	];
	const logText = () => fs.readFileSync(n8n.stage.n8n.logFile, 'utf8');
	const executionText = async (id: string) =>
		JSON.stringify(await n8n.stage.api.call('get', `/executions/${id}`));

	let credentialId = '';
	beforeEach(async () => {
		world().set({ apiKey: key });
		credentialId = await n8n.stage.api.saveCredential({
			name: 'A key with signs',
			type: 'invoicingPaymentsApi',
			data: { apiKey: key, baseUrl: n8n.stage.simulator.url },
		});
	});
	const withKey = (): Partial<INode> => ({
		credentials: { invoicingPaymentsApi: { id: credentialId, name: 'x' } },
	});

	let count = 0;
	const newNumber = () => `leak-${++count}`;

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
	const raw = (body: string, contentType: string, more: Partial<FaultInput> = {}) =>
		world().faults.add({ ...more, action: { kind: 'raw', status: 400, contentType, body } });

	test('the key works, and none of these spellings is taken for something else', async () => {
		const execution = await run(charges({}, withKey()));
		expect([execution.status, outputOf(execution).length]).toEqual(['success', 3]);
		expect(bodies.filter(([, body]) => leaksIn(body).length === 0)).toEqual([]);
		expect(leaksIn(await executionText(execution.id))).toEqual([]);
	});

	test.each(bodies)(
		'a refusal that repeats it (%s): neither execution nor log holds it',
		async (_spelling, body, contentType) => {
			for (const onError of ['stopWorkflow', 'continueRegularOutput'] as const) {
				// All of them: a list that is refused is asked for once more without a page size.
				raw(body, contentType, { times: null });
				const execution = await run(charges({}, { ...withKey(), onError }));
				const text = await executionText(execution.id);
				expect(leaksIn(text)).toEqual([]);
				expect(text).toContain('The service refused the request (status 400)');
				expect(text).toMatch(/\(API key\)|\(hidden, for it holds the API key\)/);
				world().faults.clear();
			}
			raw(body, contentType, { method: 'POST' });
			const creation = await run(invoices('create', [newNumber()], {}, withKey()));
			expect(creation.status).toBe('error');
			expect(leaksIn(await executionText(creation.id))).toEqual([]);
			expect(posts().map(({ fault }) => fault)).toEqual(['raw']);
			expect(leaksIn(logText())).toEqual([]);
		},
	);

	test.each([
		`https://elsewhere.example/login?key=${spelt('%2B', '%26')}`,
		`https://elsewhere.example/${spelt('%2B', '%26')}/login`,
		`https://elsewhere.example/${spelt('+', '%26')}`,
		`/v1/login/${spelt('%252B', '%2526')}#${spelt('%2B', '%26')}`,
	])('a redirect to %s: neither execution nor log holds it', async (location) => {
		const action = { kind: 'raw', status: 302, headers: { location }, body: '' } as const;
		const workflows = [
			() => charges({}, withKey()),
			() => invoices('create', [newNumber()], { options: { maxWait: 0 } }, withKey()),
		];
		for (const [at, workflow] of workflows.entries()) {
			world().faults.add({ method: at === 0 ? 'GET' : 'POST', action });
			const execution = await run(workflow());
			const text = await executionText(execution.id);
			expect(execution.status).toBe('error');
			expect(leaksIn(text)).toEqual([]);
			expect(text).toContain('The service answered with a redirect to');
			expect(hits('raw')).toHaveLength(at + 1);
		}
		expect(leaksIn(logText())).toEqual([]);
	});

	test("the credential's test does not repeat it", async () => {
		for (const [, body, contentType] of bodies) {
			raw(body, contentType);
			const tested = await n8n.stage.api.testCredential({
				id: credentialId,
				name: 'x',
				type: 'invoicingPaymentsApi',
				data: { apiKey: key, baseUrl: n8n.stage.simulator.url },
			});
			expect(tested.status).toBe('Error');
			expect(leaksIn(JSON.stringify(tested))).toEqual([]);
		}
		expect(hits('raw')).toHaveLength(bodies.length);
		expect(leaksIn(logText())).toEqual([]);
	});

	test('a trigger that is refused when it is activated tells the log why, without the key', async () => {
		const { workflowId, remove } = trialIn(n8n);
		const { api } = n8n.stage;
		await api.saveWorkflow({
			...triggerWorkflow({ ...n8n.stage, credentialId }),
			id: workflowId,
		});
		const before = logText().length;
		const told = () => logText().slice(before);
		raw(json(spelt('\\u002B', '\\u0026')), 'application/json', { times: null });
		await api.activate(workflowId);
		await until(() => told().includes('The service refused the request'), told, 500);
		expect(told()).toContain('(API key)');
		await remove();
		expect(leaksIn(logText())).toEqual([]);
	});
});
