import { Client } from '@modelcontextprotocol/sdk/client';
// ESLint does not know the pattern by which the package exports it.
// eslint-disable-next-line import-x/no-unresolved
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { parse } from 'csv-parse/sync';
import type { IDataObject, INode } from 'n8n-workflow';
import readXlsxFile from 'read-excel-file/node';
import type { StoredExecution, WorkflowFile } from '../../tools/host/api';
import { openBrowser } from '../../tools/host/browser';
import { ownId } from '../../tools/host/sharedN8n';
import { exampleNames, readExample, triggerOf } from '../../tools/host/stage';
import { fs, path, projectFolder } from '../../tools/node';
import { sampleInvoices } from '../../tools/commands/samples';
import { until } from '../../tools/until';
import type { MailServer } from '../helpers/mailServer';
import { startMailServer } from '../helpers/mailServer';
import { postForm, sendForm } from '../helpers/sentForm';
import { newKey } from '../helpers/service';
import { useStage } from '../helpers/stage';

/** The examples that need more of n8n than a start by hand, each with the real thing at its ends. */
const n8n = useStage();
const { world, created } = n8n;
jest.setTimeout(600_000);

const formUser = { user: 'office', password: 'dummy' };
const token = 'dummy-token-of-the-mcp-clients';
let mailServer: MailServer;
let credentials: Record<string, { type: string; id: string }>;
beforeAll(async () => {
	mailServer = await startMailServer();
	const save = async (type: string, data: Record<string, unknown>) => {
		const id = await n8n.stage.api.saveCredential({ name: ownId(`Example ${type}`), type, data });
		return { type, id };
	};
	const basic = await save('httpBasicAuth', formUser);
	credentials = {
		'n8n-nodes-base.formTrigger': basic,
		'n8n-nodes-base.emailSend': await save('smtp', mailServer.credential),
		'@n8n/n8n-nodes-langchain.mcpTrigger': await save('httpBearerAuth', { token }),
	};
}, 120_000);
afterAll(async () => await mailServer?.close());
beforeEach(async () => {
	// The node remembers what it created in an account.
	await n8n.stage.useKey(newKey());
	mailServer.mails.length = 0;
	mailServer.refused.clear();
});

/** An example with all credentials picked. */
const example = (name: string): WorkflowFile => readExample(name, n8n.stage, credentials);

const nodeOf = ({ nodes }: WorkflowFile, type: string): INode => {
	const found = nodes.find((node) => node.type.endsWith(type));
	if (!found) throw new Error(`The example has no ${type}`);
	return found;
};

const outputOf = ({ data }: StoredExecution, node: string, output = 0) =>
	(data.resultData.runData[node]?.at(-1)?.data?.main[output] ?? []).map(({ json }) => json);

/** Runs an example by hand, without what is pinned. It ends, or waits for somebody to look at its last page. */
async function runByHand(workflow: WorkflowFile, pinData: WorkflowFile['pinData'] = {}) {
	const { api } = n8n.stage;
	await api.saveWorkflow({ ...workflow, pinData });
	const id = await api.start(workflow.id, triggerOf(workflow));
	return await until(
		async () => {
			const execution = await api.execution(id);
			return !['new', 'running'].includes(execution.status) && execution;
		},
		() => `Execution ${id} has not ended`,
	);
}

/** Publishes an example while it is used. */
async function published<T>(workflow: WorkflowFile, use: () => Promise<T>): Promise<T> {
	const { api } = n8n.stage;
	await api.saveWorkflow(workflow);
	await api.activate(workflow.id);
	try {
		return await use();
	} finally {
		await api.deactivate(workflow.id);
	}
}

/** The address of the form of an example. */
const urlOf = (name: string) =>
	`${n8n.stage.n8n.url}/form/${nodeOf(example(name), 'formTrigger').webhookId}`;

/** Publishes an example with a form, and gives what sends a file to it. */
async function withForm(
	name: string,
	use: (
		send: (file: string, content: Buffer | string) => ReturnType<typeof sendForm>,
	) => Promise<void>,
) {
	const url = urlOf(name);
	await published(example(name), async () => {
		const isThere = async () => (await fetch(url)).status !== 404;
		await until(isThere, () => 'The form is not there');
		await use(async (file, content) => await sendForm(url, file, content, formUser));
	});
}

const dataFile = (name: string) =>
	fs.readFileSync(path.join(projectFolder, 'examples', 'data', name));
const csvOf = (content: Buffer | string) =>
	parse(content, { bom: true, columns: true }) as Array<Record<string, string>>;
/** A sheet of lines, as a person types it. */
const sheet = (...lines: string[]) =>
	['Invoice No.,Email,Description,Qty,Unit Price,Currency,Due Date', ...lines].join('\r\n');
const numbers = () =>
	created()
		.map(({ request }) => String(request.invoice_number))
		.sort();
const samples = (kind: 'CSV' | 'XLSX') =>
	sampleInvoices()
		.map(({ request }) => String(request.invoice_number))
		.filter((number) => number.startsWith(kind))
		.sort();

describe('all examples', () => {
	const files = exampleNames().map((file) => {
		const text = fs.readFileSync(path.join(projectFolder, 'examples', `${file}.json`), 'utf8');
		return { file, ...(JSON.parse(text) as WorkflowFile) };
	});
	const isNote = ({ type }: INode) => type === 'n8n-nodes-base.stickyNote';

	test('each one runs in a test, here or beside the operations', () => {
		expect(exampleNames()).toEqual([
			'compare-spreadsheet',
			'find-charges',
			'invite-team-member',
			'invoice-links-to-spreadsheet',
			'invoices-for-mcp-clients',
			'invoices-from-form',
			'invoices-from-spreadsheet',
			'new-charge-notify',
			'new-charge-to-spreadsheet',
			'one-invoice',
			'remind-overdue',
			'thank-for-paid-invoice',
		]);
	});

	test.each(files)('$file has a note, and pins only to nodes that it has', ({ nodes, pinData }) => {
		const notes = nodes.filter(isNote).map(({ parameters }) => String(parameters.content));
		expect(notes.length).toBeGreaterThan(0);
		const names = nodes.filter((node) => !isNote(node)).map(({ name }) => name);
		expect(Object.keys(pinData ?? {}).filter((name) => !names.includes(name))).toEqual([]);
		expect(new Set(nodes.map(({ name }) => name)).size).toBe(nodes.length);
	});

	test.each(files)('$file holds no credential but ours, which is a name', ({ nodes }) => {
		for (const { credentials: held } of nodes) {
			expect(Object.keys(held ?? {}).filter((type) => type !== 'invoicingPaymentsApi')).toEqual([]);
		}
	});

	test.each(files.filter(({ pinData }) => Object.keys(pinData ?? {}).length))(
		'$file runs with what is pinned to it',
		async ({ file, pinData }) => {
			const execution = await runByHand(example(file), pinData);
			expect(execution.data.resultData.error?.message).toBeUndefined();
			expect(['success', 'waiting']).toContain(execution.status);
		},
	);
});

describe('invoices-from-form', () => {
	test.each(['csv', 'xlsx'] as const)('a %s file, sent again and twice at once', async (kind) => {
		const name = `invoices.${kind}`;
		await withForm('invoices-from-form', async (send) => {
			expect(await send(name, dataFile(name))).toEqual({
				title: 'Done',
				text: 'Created: 20\nExisted before: 0',
			});
			expect(numbers()).toEqual(samples(kind === 'csv' ? 'CSV' : 'XLSX'));
			const { text } = await send(name.toUpperCase(), dataFile(name));
			expect(text).toBe('Created: 0\nExisted before: 20');

			await n8n.stage.useKey(newKey());
			const pages = await Promise.all([1, 2].map(async () => await send(name, dataFile(name))));
			expect(pages.map(({ title }) => title)).toEqual(['Done', 'Done']);
			expect(numbers()).toEqual(samples(kind === 'csv' ? 'CSV' : 'XLSX'));
		});
	});

	test('what is wrong with a sheet is on the page, and the rest is created', async () => {
		await withForm('invoices-from-form', async (send) => {
			const bad = sheet(
				'F-1,billing1@customer.example,"Work, ""good"" & <b>bold</b>",1,10.00,EUR,2027-05-01',
				'F-2,nobody@nowhere.example,Work,1,<i>{{ 7 * 7 }}</i>,EUR,2027-05-01',
				'F-3,billing2@customer.example,Work,1,12.50,EUR,31/12/2027',
			);
			const { title, text } = await send('bad.csv', bad);
			expect(title).toBe('Not everything was created');
			expect(text).toMatch(/^Created: 1\nExisted before: 0\n\nCorrect this and upload/);
			expect(text).toContain(
				'Row 3: Unit Price must be an amount such as 19.99, got "<i>{{ 7 * 7 }}</i>"',
			);
			expect(text).toContain('Row 4: Due Date must be a date');
			expect(created().map(({ request }) => request.items)).toEqual([
				[{ name: 'Work, "good" & <b>bold</b>', amount: '10.00', quantity: 1 }],
			]);
		});
	});

	test.each([
		['no rows', sheet()],
		['nothing', ''],
		['an empty row', sheet(',,,,,,')],
	])('a sheet with %s', async (_, content) => {
		await withForm('invoices-from-form', async (send) => {
			expect((await send('empty.csv', content)).title).toBe('The sheet has no rows');
			expect(created()).toEqual([]);
		});
	});

	test('semicolons and the letters of Windows', async () => {
		const text = sheet('F-1,billing1@customer.example,Beratung im März,1,12.50,EUR,2027-05-01');
		await withForm('invoices-from-form', async (send) => {
			const latin = Buffer.from(text.replaceAll(',', ';'), 'latin1');
			expect((await send('windows.csv', latin)).title).toBe('Done');
			expect(created()[0].request.items[0].name).toBe('Beratung im März');
		});
	});

	test('nobody sends it without the password', async () => {
		await withForm('invoices-from-form', async () => {
			const url = urlOf('invoices-from-form');
			const stranger = { ...formUser, password: 'guessed' };
			const { status } = await postForm(url, 'invoices.csv', dataFile('invoices.csv'), stranger);
			expect(status).toBe(401);
			expect(created()).toEqual([]);
		});
	});
});

describe('invoice-links-to-spreadsheet', () => {
	const added = ['Invoice Link', 'Invoice Status', 'Number on Invoice'];

	/** What the three columns hold for an invoice of the service. */
	const addedFor = (number: unknown) => {
		const { full } = created().find(({ request }) => request.invoice_number === number) ?? {};
		return [full?.url, full?.status, full?.invoice_number];
	};

	test('a CSV file comes back with all columns, all rows, and links', async () => {
		await withForm('invoice-links-to-spreadsheet', async (send) => {
			const given = csvOf(dataFile('invoices.csv'));
			const { file } = await send('invoices.csv', dataFile('invoices.csv'));
			const back = csvOf(file?.content ?? '');
			expect(file?.name).toBe('invoices-with-links.csv');
			expect(Object.keys(back[0])).toEqual([...Object.keys(given[0]), ...added]);
			expect(back).toEqual(
				given.map((row) => {
					const [link, status, number] = addedFor(row['Invoice No.']);
					return { ...row, [added[0]]: link, [added[1]]: status, [added[2]]: number };
				}),
			);
			expect(created()).toHaveLength(20);

			// What came back can be sent again.
			const again = await send('invoices-with-links.csv', file?.content ?? '');
			expect(csvOf(again.file?.content ?? '')).toEqual(back);
			expect(created()).toHaveLength(20);
		});
	});

	test('an Excel file comes back with numbers as numbers and days as text', async () => {
		await withForm('invoice-links-to-spreadsheet', async (send) => {
			const tableOf = async (content: Buffer) => {
				const [{ data }] = await readXlsxFile(content);
				return data;
			};
			const [headers, ...given] = await tableOf(dataFile('invoices.xlsx'));
			const { file } = await send('invoices.xlsx', dataFile('invoices.xlsx'));
			const [newHeaders, ...back] = await tableOf(file?.content ?? Buffer.alloc(0));
			expect(newHeaders).toEqual([...headers, ...added]);
			const [numberAt, dueAt] = ['Invoice #', 'Due Date'].map((name) => headers.indexOf(name));
			// Some days are dates in the sheet, some text, and some the numbers by which Excel keeps them.
			const dayOf = (cell: unknown) => {
				const day = typeof cell === 'number' ? new Date(Date.UTC(1899, 11, 30 + cell)) : cell;
				return typeof day === 'object' && day ? (day as Date).toISOString().slice(0, 10) : day;
			};
			expect(back).toEqual(
				given.map((row) => [
					...row.map((cell, column) => (column === dueAt ? dayOf(cell) : cell)),
					...addedFor(row[numberAt]),
				]),
			);
			expect(created()).toHaveLength(20);

			const again = await send('invoices-with-links.xlsx', file?.content ?? '');
			expect(await tableOf(again.file?.content ?? Buffer.alloc(0))).toEqual([newHeaders, ...back]);
			expect(created()).toHaveLength(20);
		});
	});

	test('a row that cannot be billed says why, and commas and quotes survive', async () => {
		await withForm('invoice-links-to-spreadsheet', async (send) => {
			const given = sheet(
				'L-1,billing1@customer.example,"Work, ""good""; 1st line\nand 2nd",1,10.00,EUR,2027-05-01',
				'L-2,billing2@customer.example,Work,1,ten,EUR,2027-05-01',
				'L-1,billing1@customer.example,Travel,1,5.00,EUR,',
			);
			const { file, text } = await send('bad.csv', given);
			expect(text).toContain('the column Invoice Status says why');
			const back = csvOf(file?.content ?? '');
			expect(back.map(({ Description: description }) => description)).toEqual([
				'Work, "good"; 1st line\nand 2nd',
				'Work',
				'Travel',
			]);
			const [link, status, number] = addedFor('L-1');
			expect(back.map((row) => added.map((header) => row[header]))).toEqual([
				[link, status, number],
				['', expect.stringContaining('Not created: Row 3') as string, ''],
				[link, status, number],
			]);
		});
	});

	test('in a browser: the page asks for the password, takes the file, and downloads the new one', async () => {
		const browser = await openBrowser();
		try {
			await withForm('invoice-links-to-spreadsheet', async () => {
				const { user: username, password } = formUser;
				const context = await browser.newContext({ httpCredentials: { username, password } });
				const page = await context.newPage();
				page.setDefaultTimeout(120_000);
				// The page asks for fonts on the internet.
				const isElsewhere = ({ hostname }: URL) => hostname !== 'localhost';
				await page.route(isElsewhere, async (route) => await route.abort());
				// By the name by which n8n calls itself here.
				await page.goto(urlOf('invoice-links-to-spreadsheet').replace('127.0.0.1', 'localhost'));
				const file = path.join(projectFolder, 'examples', 'data', 'invoices.csv');
				await page.locator('input[type=file]').setInputFiles(file);
				const [download] = await Promise.all([
					page.waitForEvent('download'),
					page.getByRole('button', { name: 'Create Invoices' }).click(),
				]);
				expect(download.suggestedFilename()).toBe('invoices-with-links.csv');
				const [first] = csvOf(fs.readFileSync(await download.path()));
				expect(added.map((header) => first[header])).toEqual(addedFor(first['Invoice No.']));
				expect(created()).toHaveLength(20);
			});
		} finally {
			await browser.close();
		}
	});

	test('a sheet without rows', async () => {
		await withForm('invoice-links-to-spreadsheet', async (send) => {
			expect((await send('empty.csv', sheet())).title).toBe('The sheet has no rows');
		});
	});
});

describe('compare-spreadsheet', () => {
	test('says of each invoice of a sheet what became of it', async () => {
		const add = (number: string, amount: string, change: object = {}) =>
			world().account.addInvoice(
				{ invoice_number: number, items: [{ name: 'Work', amount, quantity: 1 }], ...change },
				Date.now(),
			);
		const [, other] = world().account.customers;
		add('C-paid', '15.00', { status: 'paid' });
		const open = add('C-open', '1046.40');
		const less = add('C-less', '9.99', { status: 'paid' });
		const dollars = add('C-dollars', '10.00', { currency: 'USD' });
		const twice = add('C-twice', '10.00', { status: 'cancelled' });
		add('C-twice', '10.00', { status: 'paid', customer_id: other.id });
		add('C-not-in-the-sheet', '10.00');
		const lines = (number: string, ...amounts: string[]) =>
			amounts.map(
				(amount) => `${number},billing1@customer.example,Work,1,${amount},EUR,2027-05-01`,
			);
		await withForm('compare-spreadsheet', async (send) => {
			const { file, text, title } = await send(
				'compare.csv',
				sheet(
					...lines('C-missing', '10.00'),
					...lines('C-paid', '10', '5'),
					...lines('C-open', '"1,046.40"'),
					...lines('C-less', '10.00'),
					...lines('C-dollars', '10.00'),
					...lines('C-twice', '10.00'),
					...lines('C-bad', 'ten'),
				),
			);
			expect(title).toBe('Done');
			expect(text).toBe(
				'Your browser downloads the list.\n\nMissing in the service: 1\nDifferent amount: 2\nPaid: 2\nNot paid: 2\nCannot be compared: 1',
			);
			const rows = csvOf(file?.content ?? '').map((row) => Object.values(row));
			expect(rows.slice(0, -1)).toEqual([
				['Missing in the service', 'C-missing', '10.00 EUR', '', '', '', ''],
				['Paid', 'C-paid', '15.00 EUR', '15.00 EUR', 'paid', '', ''],
				['Paid', 'C-twice', '10.00 EUR', '10.00 EUR', 'paid', '', ''],
				['Different amount', 'C-less', '10.00 EUR', '9.99 EUR', 'paid', less.url, ''],
				['Different amount', 'C-dollars', '10.00 EUR', '10.00 USD', 'unpaid', dollars.url, ''],
				['Not paid', 'C-open', '1046.40 EUR', '1046.40 EUR', 'unpaid', open.url, ''],
				['Not paid', 'C-twice', '10.00 EUR', '10.00 EUR', 'cancelled', twice.url, ''],
			]);
			expect(rows.at(-1)?.slice(0, 2)).toEqual(['Cannot be compared', 'C-bad']);
			expect(rows.at(-1)?.at(-1)).toContain('Unit Price must be an amount');
			expect(world().traffic.requests.filter(({ method }) => method === 'POST')).toEqual([]);
		});
	});

	test('an Excel file, an account without invoices, and a sheet without rows', async () => {
		world().reset({ apiKey: world().settings.apiKey, invoices: 0 });
		await withForm('compare-spreadsheet', async (send) => {
			// Customers are found among those of invoices.
			const { text } = await send('invoices.xlsx', dataFile('invoices.xlsx'));
			expect(text).toContain('Cannot be compared: 20');
			expect((await send('empty.csv', sheet())).title).toBe('The sheet has no rows');
		});
	});
});

/** Everything of a mail that a person reads. */
const read = (server: MailServer) =>
	server.mails
		.map(({ to, mail: { subject, text, html } }) => ({ to, subject, text: text?.trim(), html }))
		.sort((a, b) => a.to.join().localeCompare(b.to.join()));

describe('remind-overdue', () => {
	const overdue = (number: string, customer: number, change: object = {}) => {
		const { account } = world();
		const customerId = account.customers[customer].id;
		const one = { invoice_number: number, status: 'overdue' as const, customer_id: customerId };
		return account.addInvoice({ ...one, due_date: '2026-05-01', ...change }, Date.now());
	};
	const run = async () => await runByHand(example('remind-overdue'));

	test('one mail for each customer, with all that is overdue', async () => {
		world().reset({ apiKey: world().settings.apiKey, invoices: 0 });
		const first = overdue('R-1', 0, { title: 'Work <b onclick="x()">in March</b>\n& {{ 7 * 7 }}' });
		const second = overdue('R-2', 1);
		const third = overdue('R-3', 0);
		overdue('R-4', 0, { status: 'paid' });
		overdue('R-5', 2, { status: 'unpaid' });
		const execution = await run();
		expect(execution.status).toBe('success');
		const [one, other] = world().account.customers;
		const end =
			'If you have paid in the meantime, thank you, and please ignore this mail.\n\nYour Company';
		expect(read(mailServer)).toEqual([
			{
				to: ['billing1@customer.example'],
				subject: '2 invoices are overdue',
				text: [
					`Hello ${one.name},`,
					'these invoices are overdue. You can pay with the link:',
					// In the order of the list, which shows the newest first.
					`Invoice R-3: 100.00 EUR, due 2026-05-01\n${third.url}`,
					`Invoice R-1, Work <b onclick="x()">in March</b> & {{ 7 * 7 }}: 100.00 EUR, due 2026-05-01\n${first.url}`,
					end,
				].join('\n\n'),
				html: false,
			},
			{
				to: ['billing2@customer.example'],
				subject: 'An invoice is overdue',
				text: `Hello ${other.name},\n\nthis invoice is overdue. You can pay with the link:\n\nInvoice R-2: 100.00 EUR, due 2026-05-01\n${second.url}\n\n${end}`,
				html: false,
			},
		]);
		expect(mailServer.mails[0].mail.from?.text).toContain('billing@your-company.example');
	});

	test.each(['company', 'person', 'nested'] as const)(
		'the email is found, whatever the service calls it: %s',
		async (customerFields) => {
			world().reset({ apiKey: world().settings.apiKey, customerFields });
			const execution = await run();
			const customers = new Set(
				outputOf(execution, 'Get Overdue Invoices').map(
					({ customer }) => (customer as IDataObject).id,
				),
			);
			expect(customers.size).toBeGreaterThan(3);
			expect(mailServer.mails.map(({ to }) => to.join()).sort()).toEqual(
				world()
					.account.customers.filter(({ id }) => customers.has(id))
					.map(({ email }) => email)
					.sort(),
			);
		},
	);

	test.each(['onlyName', 'onlyId'] as const)(
		'customers without an email are listed: %s',
		async (customerFields) => {
			world().reset({ apiKey: world().settings.apiKey, customerFields });
			const execution = await run();
			expect(execution.status).toBe('success');
			expect(mailServer.mails).toEqual([]);
			const all = outputOf(execution, 'Get Overdue Invoices');
			const listed = outputOf(execution, 'Without Email');
			expect(listed.map(({ Invoices: text }) => String(text)).join()).toContain(
				String(all[0].invoice_number),
			);
			expect(new Set(listed.map(({ Customer: who }) => who)).size).toBe(listed.length);
		},
	);

	test('a mail that the server refuses keeps no other customer from theirs', async () => {
		world().reset({ apiKey: world().settings.apiKey, invoices: 0 });
		[0, 1, 2].forEach((customer) => overdue(`R-${customer}`, customer));
		mailServer.refused.add('billing2@customer.example');
		const execution = await run();
		expect(execution.status).toBe('success');
		expect(mailServer.mails.map(({ to }) => to.join()).sort()).toEqual([
			'billing1@customer.example',
			'billing3@customer.example',
		]);
		expect(outputOf(execution, 'Not Sent')).toEqual([
			{
				Customer: 'billing2@customer.example',
				Reason: expect.stringContaining('No such mailbox') as string,
			},
		]);
	});

	test('nothing is overdue: no mail', async () => {
		world().reset({ apiKey: world().settings.apiKey, invoices: 0 });
		expect((await run()).status).toBe('success');
		expect(mailServer.mails).toEqual([]);
	});

	test('it runs once a day', () => {
		expect(nodeOf(example('remind-overdue'), 'scheduleTrigger').parameters.rule).toEqual({
			interval: [{ field: 'days', daysInterval: 1, triggerAtHour: 9, triggerAtMinute: 0 }],
		});
	});
});

describe('thank-for-paid-invoice', () => {
	test('a payment, a mail', async () => {
		const { account } = world();
		const [customer] = account.customers;
		const invoice = account.addInvoice(
			{ invoice_number: 'T-1', title: 'Work\nin <May>' },
			Date.now(),
		);
		const workflow = example('thank-for-paid-invoice');
		const item = Array.from({ length: 20 }, (_, at) => ({
			mode: 'custom',
			cronExpression: `${at * 3} * * * * *`,
		}));
		const nodes = workflow.nodes.map((node) =>
			node.name === 'Invoice Paid'
				? { ...node, parameters: { ...node.parameters, pollTimes: { item } } }
				: node,
		);
		await published({ ...workflow, nodes }, async () => {
			const polls = () => world().traffic.requests.length;
			await until(
				() => polls() >= 2,
				() => 'The trigger has not looked',
			);
			account.changeInvoice(String(invoice.id), 'paid');
			await until(
				() => mailServer.mails.length > 0,
				() => 'No mail has come',
			);
			const before = polls();
			await until(
				() => polls() > before + 1,
				() => 'The trigger has not looked again',
			);
		});
		expect(read(mailServer)).toEqual([
			{
				to: [customer.email],
				subject: 'Thank you for your payment, invoice T-1',
				text: `Hello ${customer.name},\n\nwe received 100.00 EUR for invoice T-1 (Work in <May>). Thank you!\n\nYour Company`,
				html: false,
			},
		]);
	});
});

describe('invoices-for-mcp-clients', () => {
	const addressOf = (workflow: WorkflowFile) =>
		new URL(`${n8n.stage.n8n.url}/mcp/${String(nodeOf(workflow, 'mcpTrigger').parameters.path)}`);

	/** Connects as an assistant does. */
	async function connect(url: URL, bearer: string): Promise<Client> {
		const client = new Client({ name: 'example', version: '1.0.0' });
		const requestInit = { headers: { Authorization: `Bearer ${bearer}` } };
		await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
		return client;
	}

	async function withClient(use: (client: Client) => Promise<void>) {
		const workflow = example('invoices-for-mcp-clients');
		await published(workflow, async () => {
			const url = addressOf(workflow);
			await until(
				async () => (await fetch(url, { method: 'POST' })).status !== 404,
				() => 'The MCP server is not there',
			);
			const client = await connect(url, token);
			try {
				await use(client);
			} finally {
				await client.close();
			}
		});
	}

	async function call(client: Client, name: string, given: Record<string, unknown> = {}) {
		const { content, isError } = await client.callTool({ name, arguments: given });
		const text = (content as Array<{ text?: string }>).map((one) => one.text ?? '').join('');
		return { text, isError: isError === true };
	}

	test('[R12] a client sees the tools, and creates an invoice once', async () => {
		await withClient(async (client) => {
			const { tools } = await client.listTools();
			expect(tools.map(({ name }) => name).sort()).toEqual([
				'create_invoice',
				'find_charges',
				'get_invoice',
				'get_payment_link',
				'list_customers',
				'list_invoices',
			]);
			const create = tools.find(({ name }) => name === 'create_invoice');
			expect(Object.keys(create?.inputSchema.properties ?? {}).sort()).toEqual([
				'Currency',
				'Customer_Email',
				'Due_Date',
				'Invoice_Number',
				'Items',
				'Title',
			]);
			const invoice = {
				Customer_Email: 'billing1@customer.example',
				Currency: 'EUR',
				Due_Date: '2027-01-31',
				Items: [{ name: 'Consulting', amount: '120.00', quantity: 8 }],
				Invoice_Number: 'M-1',
			};
			for (const outcome of ['created', 'found']) {
				const { text, isError } = await call(client, 'create_invoice', invoice);
				expect(text).toContain(`"outcome":"${outcome}"`);
				expect(isError).toBe(false);
			}
			expect(numbers()).toEqual(['M-1']);
			expect(created()[0].request.items).toEqual(invoice.Items);
			const { text } = await call(client, 'create_invoice', { ...invoice, Due_Date: 'May' });
			expect(text).toContain('Due Date must be a date in the form YYYY-MM-DD');
			expect(numbers()).toEqual(['M-1']);
		});
	});

	test('a client finds charges, invoices, customers and links', async () => {
		await withClient(async (client) => {
			const { account } = world();
			const charges = await call(client, 'find_charges', { Limit: 5, Currency: 'EUR' });
			expect(charges.text.match(/"currency":"EUR"/g)).toHaveLength(5);
			const paid = await call(client, 'list_invoices', { Status: 'paid', Limit: 3 });
			expect(paid.text.match(/"status":"paid"/g)).toHaveLength(3);
			const two = await call(client, 'list_invoices', { Status: 'paid, overdue', Limit: 100 });
			expect(new Set(two.text.match(/"status":"\w+"/g))).toEqual(
				new Set(['"status":"paid"', '"status":"overdue"']),
			);
			const all = await call(client, 'list_invoices');
			expect(all.text.match(/"invoice_number"/g)).toHaveLength(20);
			const [{ full }] = account.invoices;
			const one = await call(client, 'get_invoice', { Invoice_Number: full.invoice_number });
			expect(one.text).toContain(full.url);
			const none = await call(client, 'get_invoice', { Invoice_Number: 'NONE-1' });
			expect(none.text).toContain('NONE-1');
			expect(none.text).not.toContain('"url"');
			expect((await call(client, 'list_customers')).text).toContain(account.customers[0].email);
			const [{ id }] = account.links;
			expect((await call(client, 'get_payment_link', { Payment_Link_ID: id })).text).toContain(id);
		});
	});

	test('nobody connects without the token', async () => {
		const workflow = example('invoices-for-mcp-clients');
		await withClient(async () => {
			await expect(connect(addressOf(workflow), 'guessed')).rejects.toThrow();
		});
	});
});
