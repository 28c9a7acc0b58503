import type { IDataObject } from 'n8n-workflow';
import type { StoredExecution } from '../../tools/host/api';
import { serial } from '../../tools/commands/samples';
import { ownId } from '../../tools/host/sharedN8n';
import { triggerOf } from '../../tools/host/stage';
import { createHmac } from '../../tools/node';
import { until } from '../../tools/until';
import { outputOf, useExamples } from '../helpers/n8n/exampleRuns';
import {
	outsideCredentials,
	slackSecret,
	useOutsideServices,
} from '../helpers/service/outsideServices';
import { numbersOf, sheetByWebhook } from '../helpers/n8n/sheetWorkflow';
import { useStage } from '../helpers/n8n/stage';
import { coming } from '../helpers/sheets/coming';

/**
 * The examples that connect other services. n8n's own nodes for Google Sheets, Excel 365, Slack, WooCommerce and Clockify run, and talk
 * to a server of the test.
 */
const n8n = useStage();
const { world, created } = n8n;
jest.setTimeout(300_000);

const outside = useOutsideServices();
const { mailServer, example, start, runByHand, publish } = useExamples(n8n, () =>
	outsideCredentials(outside.url),
);

const headers = [
	...['Customer', 'Item', 'Quantity', 'Unit Price', 'Currency', 'Due Date'],
	...['Status', 'Problem', 'Invoice ID', 'Invoice Number', 'Payment Page'],
];
const dueDay = coming('02-28');
/** A row of the live sheet. The due date is a number, as in the sheet's own storage. */
const row = (customer: number, item: string, price: number, change: { status?: string; email?: string } = {}) => [
	change.email ?? `billing${customer}@customer.example`,
	...[item, 2, price, 'EUR', serial(new Date(dueDay)), change.status ?? 'Ready', '', '', '', ''],
]; // prettier-ignore
const cells = (...columns: string[]) =>
	outside.sheet.slice(1).map((line) => columns.map((column) => line[headers.indexOf(column)]));
const billed = () =>
	created()
		.map(({ request }) => [request.items[0].name, String(request.items[0].amount)])
		.sort();

test.each([
	['live-sheet', ['240.00', '960.00']],
	['live-sheet-excel', ['240.00', '960.00']],
	['monthly-billing', ['169.00', '49.00']],
	['shop-orders', ['76.56']],
	['time-entries', ['340.00', '63.75']],
])('%s bills its pinned data, and writes nothing', async (name, amounts) => {
	await runByHand(name, example(name).pinData);
	const sent = created().map(({ full }) => full.amount);
	expect(sent.sort()).toEqual(amounts);
	expect(outside.written).toEqual([]);
});

const createdFor = (item: string) => {
	const found = created().find(({ request }) => request.items[0].name === item);
	if (!found) throw new Error(`No invoice was created for ${item}`);
	return found;
};

describe.each(['live-sheet', 'live-sheet-excel'])('%s', (name) => {
	beforeEach(() => {
		outside.sheet = [
			headers,
			row(1, 'Consulting', 120),
			row(2, 'Not yet', 60, { status: 'Draft' }),
			row(3, 'Hosting', 240.5),
			row(0, 'Nobody', 10, { email: 'nobody@nowhere.example' }),
		];
	});

	test('bills the ready rows, writes number, link and problem into them, and a second run creates nothing', async () => {
		await runByHand(name);
		expect(billed()).toEqual([
			['Consulting', '120'],
			['Hosting', '240.5'],
		]);
		expect(created().map(({ request }) => request.due_date)).toEqual([dueDay, dueDay]);
		const [first, second] = ['Consulting', 'Hosting'].map((item) => createdFor(item).full);
		const done = (full: typeof first) => ['Billed', '', full.id, full.invoice_number, full.url];
		expect(cells(...headers.slice(6))).toEqual([
			done(first),
			['Draft', '', '', '', ''],
			done(second),
			['Ready', expect.stringContaining('nobody@nowhere.example') as string, '', '', ''],
		]);
		// What the person entered is untouched.
		expect(cells(...headers.slice(0, 6))).toEqual([
			row(1, 'Consulting', 120).slice(0, 6),
			row(2, 'Not yet', 60).slice(0, 6),
			row(3, 'Hosting', 240.5).slice(0, 6),
			row(0, 'Nobody', 10, { email: 'nobody@nowhere.example' }).slice(0, 6),
		]);
		// The person corrects the row.
		outside.sheet[4][0] = 'billing2@customer.example';
		for (let run = 0; run < 2; run++) await runByHand(name);
		expect(billed()).toHaveLength(3);
		expect(cells('Status', 'Problem')).toEqual([
			...[['Billed', ''], ['Draft', ''], ['Billed', ''], ['Billed', '']],
		]); // prettier-ignore
	});

	test('[R1] holds an odd row only, and says in it why', async () => {
		outside.sheet.splice(4, 1, row(1, 'Workshop, paid in cash', 80), row(2, 'Advice', -20));
		await runByHand(name);
		expect(billed()).toEqual([
			['Consulting', '120'],
			['Hosting', '240.5'],
		]);
		const [status, problem] = [cells('Status'), cells('Problem')].map((all) => all.flat());
		expect(status).toEqual(['Billed', 'Draft', 'Billed', 'Ready', 'Ready']);
		expect(problem[3]).toContain('says Item: Workshop, paid in cash');
		expect(problem[4]).toContain('the service has no invoices below 0');
	});

	test('writes into no other row if the sheet is sorted meanwhile, and the next run writes', async () => {
		let reads = 0;
		outside.afterRead = () => {
			if (++reads === 1) outside.sheet.splice(1, 2, outside.sheet[2], outside.sheet[1]);
		};
		await runByHand(name);
		expect(billed()).toHaveLength(2);
		expect(cells('Item', 'Status').map(String)).toEqual([
			...['Not yet,Draft', 'Consulting,Ready', 'Hosting,Billed', 'Nobody,Ready'],
		]);
		await runByHand(name);
		expect(billed()).toHaveLength(2);
		expect(cells('Status', 'Invoice ID')[1]).toEqual(['Billed', createdFor('Consulting').full.id]);
	});

	test('goes on after n8n was killed before it wrote', async () => {
		const workflow = example(name);
		const nodes = workflow.nodes.map((node) =>
			node.name === 'Write Back' ? { ...node, disabled: true } : node,
		);
		await start({ ...workflow, pinData: {}, nodes });
		expect([billed().length, outside.written]).toEqual([2, []]);
		await runByHand(name);
		expect(billed()).toHaveLength(2);
		expect(cells('Status').flat()).toEqual(['Billed', 'Draft', 'Billed', 'Ready']);
	});

	test('a new column stops the run, and says so in the rows', async () => {
		outside.sheet[0] = [...headers, 'Discount'];
		outside.sheet[1] = [...outside.sheet[1], '10%'];
		await runByHand(name);
		expect(billed()).toEqual([]);
		expect(cells('Status', 'Problem')[0]).toEqual([
			'Ready',
			expect.stringContaining(
				'Not created: The sheet differs from the reading: new column: Discount',
			),
		]);
	});
});

describe('monthly-billing', () => {
	const subscriptions = (price = 49) => [
		['Customer', 'Item', 'Price', 'Currency'],
		['billing1@customer.example', 'Hosting', price, 'EUR'],
		['billing1@customer.example', 'Support', 120, 'EUR'],
		['billing2@customer.example', 'Hosting', 49, 'EUR'],
	];
	/** Runs it as if the trigger had fired then. */
	const runOn = async (day: string) => {
		const { api } = n8n.stage;
		const workflow = example('monthly-billing');
		const pinData = { 'On the First': [{ json: { timestamp: `${day}T08:00:00.000+01:00` } }] };
		await api.saveWorkflow({ ...workflow, pinData });
		const execution = await api.run(workflow.id, triggerOf(workflow));
		expect(execution.data.resultData.error?.message).toBeUndefined();
		return execution;
	};
	const prefixes = () => created().map(({ full }) => String(full.invoice_number).slice(0, 8)).sort(); // prettier-ignore

	test('bills each customer once a month', async () => {
		outside.sheet = subscriptions();
		await runOn('2026-11-01');
		expect(created().map(({ full }) => full.amount).sort()).toEqual(['169.00', '49.00']); // prettier-ignore
		await runOn('2026-11-30');
		expect(prefixes()).toEqual(['2026-11-', '2026-11-']);
		await runOn('2026-12-01');
		expect(prefixes()).toEqual(['2026-11-', '2026-11-', '2026-12-', '2026-12-']);
		expect(mailServer.mails.map(({ mail }) => mail.text?.trim())).toEqual([
			'2 created, 0 existed already.',
			'0 created, 2 existed already.',
			'2 created, 0 existed already.',
		]);
	});

	test('a price that is changed after the run bills nobody twice, and the mail says what to do', async () => {
		outside.sheet = subscriptions();
		await runOn('2026-11-01');
		outside.sheet = subscriptions(59);
		await runOn('2026-11-02');
		expect(prefixes()).toEqual(['2026-11-', '2026-11-']);
		const { mail } = mailServer.mails[1];
		expect(mail.subject).toBe('Monthly billing: not everything was created');
		expect(mail.text).toContain('You would bill');
	});
});

describe('shop-orders', () => {
	const order = (number: number, change: IDataObject = {}) => ({
		...{ id: number, number: String(number), status: 'completed', currency: 'EUR' },
		...{ total: '30.00', date_paid: null, refunds: [], fee_lines: [] },
		billing: { email: 'billing1@customer.example' },
		line_items: [
			{ name: 'Green tea', quantity: 2, total: '18.00' },
			{ name: 'Cup', quantity: 1, total: '2.00' },
		],
		shipping_lines: [{ method_title: 'Parcel', total: '5.00' }],
		tax_lines: [{ label: 'VAT', tax_total: '4.00', shipping_tax_total: '1.00' }],
		...change,
	});

	test('bills each order that is not paid once, with shipping and taxes', async () => {
		outside.orders = [
			order(1),
			order(2, { date_paid: '2026-10-01T10:00:00' }),
			order(3, { refunds: [{ id: 1, total: '-5.00' }] }),
			order(4, { billing: { email: 'billing2@customer.example' } }),
		];
		for (let run = 0; run < 2; run++) await runByHand('shop-orders');
		expect(
			created()
				.map(({ full, request }) => [full.invoice_number, full.amount, request.items])
				.sort(),
		).toEqual(
			['SHOP-1', 'SHOP-4'].map((number) => [
				...[number, '30.00'],
				[
					{ name: '2 x Green tea', amount: '18.00', quantity: 1 },
					{ name: 'Cup', amount: '2.00', quantity: 1 },
					{ name: 'Parcel', amount: '5.00', quantity: 1 },
					{ name: 'VAT', amount: '4.00', quantity: 1 },
					{ name: 'VAT on shipping', amount: '1.00', quantity: 1 },
				],
			]),
		);
		const [{ query }] = outside.asked;
		expect(query).toMatchObject({ status: 'completed', per_page: '100' });
	});

	test('bills nothing of an order that does not add up, and says so', async () => {
		outside.orders = [order(1, { total: '31.00' }), order(4)];
		const execution = await runByHand('shop-orders');
		expect(created().map(({ full }) => full.invoice_number)).toEqual(['SHOP-4']);
		expect(JSON.stringify(outputOf(execution, 'Not Billed'))).toContain('31.00');
	});
});

describe('time-entries', () => {
	const entry = (client: number, projectName: string, duration: number, change: IDataObject = {}) => ({
		...{ clientId: `64c777ddd3fcab07cfbb210${client}`, clientName: world().account.customers[client].name },
		...{ description: 'Work', billable: true, projectName },
		timeInterval: { start: '2026-10-05T08:00:00Z', end: '2026-10-05T10:00:00Z', duration },
		...change,
	}); // prettier-ignore
	const runOn = async (day: string): Promise<StoredExecution> => {
		const pinData = { 'On the First': [{ json: { timestamp: `${day}T08:00:00.000+01:00` } }] };
		return await runByHand('time-entries', pinData);
	};

	test('bills the hours of the last month once for each client, also those of the second page', async () => {
		const many = Array.from({ length: 250 }, () => entry(1, 'App', 360));
		outside.entries = [
			...[entry(0, 'Website', 5400), entry(0, 'Website', 1000), entry(0, 'Shop', 7200)],
			...[...many, entry(1, 'App', 9999, { billable: false })],
		];
		for (const day of ['2026-11-01', '2026-11-02']) await runOn(day);
		expect(
			created()
				.map(({ full, request }) => [full.invoice_number, full.amount, request.items])
				.sort(),
		).toEqual([
			// 6,400 seconds are two hours, rounded up to a quarter.
			['2610-64c777ddd3fcab07cfbb2100', '340.00', [
				{ name: 'Website', amount: '85.00', quantity: 2 },
				{ name: 'Shop', amount: '85.00', quantity: 2 },
			]],
			['2610-64c777ddd3fcab07cfbb2101', '2125.00', [{ name: 'App', amount: '85.00', quantity: 25 }]],
		]); // prettier-ignore
		const [{ path, body }] = outside.asked;
		expect(path).toBe('/v1/workspaces/ID-of-your-workspace/reports/detailed');
		expect(body).toMatchObject({
			dateRangeStart: '2026-10-01T00:00:00.000+01:00',
			dateRangeEnd: '2026-10-31T23:59:59.999+01:00',
			billable: true,
		});
	});

	test('hours that are added later are said, not billed twice', async () => {
		outside.entries = [entry(0, 'Website', 3600)];
		await runOn('2026-11-01');
		outside.entries.push(entry(0, 'Website', 3600));
		const execution = await runOn('2026-11-02');
		expect(created()).toHaveLength(1);
		const [{ outcome, differences }] = outputOf(execution, 'Create Invoices');
		expect([outcome, String(differences)]).toEqual(['found', expect.stringContaining('170.00')]);
	});

	test('hours without a client are not lost silently', async () => {
		outside.entries = [entry(0, 'Website', 3600), entry(1, 'App', 3600, { clientName: '', clientId: '' })]; // prettier-ignore
		const execution = await runOn('2026-11-01');
		expect(JSON.stringify(outputOf(execution, 'Not Billed'))).toContain('Customer is empty');
	});
});

describe('when-billing-fails', () => {
	test('a mail names what was created and what was not', async () => {
		const watcher = example('when-billing-fails');
		await publish(watcher);
		const action = { kind: 'status', status: 422, message: 'No <more> & more' } as const;
		world().faults.add({ action, method: 'POST', skip: 2, times: null });
		const id = ownId('failing');
		const sheet = sheetByWebhook(n8n.stage, id, numbersOf('A', 4), { maxRequestsInFlight: 1 });
		const settings = { ...sheet.settings, errorWorkflow: n8n.stage.api.idOf(watcher.id) };
		await publish({ ...sheet, name: 'Failing billing', settings });
		const url = `${n8n.stage.n8n.url}/webhook/${id}`;
		await until(
			async () => (await fetch(url, { method: 'POST' })).status === 200,
			() => `Nothing is at ${url}`,
		);
		const { mail } = await until(
			() => mailServer.mails[0],
			() => 'No mail has come',
		);
		expect(created()).toHaveLength(2);
		expect(mail.subject).toBe('Failing billing failed');
		const text = String(mail.text);
		for (const { full } of created()) expect(text).toContain(`${String(full.invoice_number)}, `);
		for (const { full } of created()) expect(text).toContain(full.id);
		expect(text).toContain('Not sent: invoice');
		expect(text).toContain('No <more> & more');
		expect(text).not.toMatch(/<br>|&lt;|&amp;/);
	});
});

describe('approve-in-chat', () => {
	beforeEach(() => {
		outside.sheet = [headers, row(1, 'Consulting & <!channel> ```', 120), row(2, 'Hosting', 240)];
	});
	/** Presses a button in Slack, as its servers tell n8n. */
	const press = async (label: 'approve' | 'decline', secret = slackSecret) => {
		const [{ buttons }] = outside.messages;
		const button = buttons.find(({ action_id: id }) => id.includes(label));
		const payload = {
			user: { id: 'U1', name: 'head.of.office' },
			channel: { id: 'C1' },
			message: { ts: '1.0', blocks: [] },
			actions: [{ ...button, action_ts: '1795600800.5' }],
			response_url: `${outside.url}/respond`,
		};
		const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
		const at = String(Math.floor(Date.now() / 1000));
		const signature = createHmac('sha256', secret).update(`v0:${at}:${body}`).digest('hex');
		return await fetch(`${n8n.stage.n8n.url}/webhook-waiting-slack`, {
			method: 'POST',
			body,
			headers: {
				'content-type': 'application/x-www-form-urlencoded',
				'x-slack-request-timestamp': at,
				'x-slack-signature': `v0=${signature}`,
			},
		});
	};
	const lastMessage = async (count = 2) =>
		await until(
			() => outside.messages[count - 1]?.text,
			() => `There are only ${outside.messages.length} messages`,
		);

	test('shows the plan, and what is approved is billed, with who and when', async () => {
		await runByHand('approve-in-chat');
		const [{ text, channel }] = outside.messages;
		expect(channel).toBe('#billing');
		expect(text).toContain('*2 invoices to create for EUR 720.00*');
		expect(text).toContain("Consulting &amp; &lt;!channel&gt; '''");
		expect(created()).toEqual([]);
		expect((await press('approve', 'guessed')).status).toBe(401);
		await press('approve');
		expect(await lastMessage()).toMatch(
			/^Approved by head\.of\.office at \d{4}-\d\d-\d\d \d\d:\d\d: 2 created, 0 existed already\.$/,
		);
		expect(created()).toHaveLength(2);
	});

	test('creates nothing if it is declined', async () => {
		await runByHand('approve-in-chat');
		await press('decline');
		expect(await lastMessage()).toMatch(
			/^Declined by head\.of\.office at .* Nothing was created\.$/,
		);
		expect(created()).toEqual([]);
	});

	test('creates nothing if the service has changed since', async () => {
		await runByHand('approve-in-chat');
		const stored = await n8n.stage.api.statusesOf(example('approve-in-chat').id);
		const execution = await n8n.stage.api.execution(stored[0].id);
		const [{ invoice_number: number }] = outputOf(execution, 'Plan');
		world().account.addInvoice({ invoice_number: String(number) }, Date.now());
		const before = created().length;
		await press('approve');
		expect(await lastMessage()).toContain('The plan has changed since it was approved');
		expect(created()).toHaveLength(before);
	});

	test('asks nobody about a sheet that cannot be billed', async () => {
		outside.sheet[2][0] = 'nobody@nowhere.example';
		await runByHand('approve-in-chat');
		expect(outside.messages.map(({ text, buttons }) => [text.slice(0, 28), buttons])).toEqual([
			['Nothing can be billed yet:\nR', []],
		]);
	});
});
