import { Client } from '@modelcontextprotocol/sdk/client';
// ESLint does not know the pattern by which the package exports it.
// eslint-disable-next-line import-x/no-unresolved
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { parse } from 'csv-parse/sync';
import type { INode } from 'n8n-workflow';
import readXlsxFile from 'read-excel-file/node';
import type { WorkflowFile } from '../../tools/host/api';
import { openBrowser } from '../../tools/host/browser';
import { exampleNames } from '../../tools/host/stage';
import { fs, path, projectFolder } from '../../tools/node';
import { previewedAs } from '../../tools/previewed';
import { sampleInvoices } from '../../tools/commands/samples';
import { until } from '../../tools/until';
import { nodeOf, useExamples } from '../helpers/n8n/exampleRuns';
import { useScriptedModel } from '../helpers/n8n/scriptedModel';
import { postForm, postText, sendForm } from '../helpers/service/sentForm';
import { coming } from '../helpers/sheets/coming';
import { reading } from '../helpers/sheets/fromRows';
import { newKey } from '../helpers/service/useSimulator';
import { useStage } from '../helpers/n8n/stage';

/** The examples with forms, agents and MCP clients. mails.test.ts, flows.test.ts and n8n.test.ts have the others. */
const n8n = useStage();
const { world, created } = n8n;
jest.setTimeout(600_000);

const formUser = { user: 'office', password: 'dummy' };
const token = 'dummy-token-of-the-mcp-clients';
const model = useScriptedModel();
const { mailServer, ends, example, runByHand, publish } = useExamples(n8n, () => ({
	'n8n-nodes-base.formTrigger': ['httpBasicAuth', formUser],
	'@n8n/n8n-nodes-langchain.lmChatOpenAi': ['openAiApi', model.credential()],
	'@n8n/n8n-nodes-langchain.mcpTrigger': ['httpBearerAuth', { token }],
}));

/** The address of the form of an example. */
const urlOf = (name: string) =>
	`${n8n.stage.n8n.url}/form/${nodeOf(example(name), 'formTrigger').webhookId}`;

/**
 * Publishes an example with a form. The result sends a file to it. `confirmed`: the reading of another kind of sheet than that of the
 * example.
 */
async function openForm(name: string, confirmed?: string) {
	const url = urlOf(name);
	const workflow = example(name);
	const billing = workflow.nodes.find((node) => node.name === 'Create Invoices');
	if (billing && confirmed !== undefined) Object.assign(billing.parameters, reading(confirmed));
	await publish(workflow, url);
	return async (file: string, content: Buffer | string) =>
		await sendForm(url, file, content, formUser);
}

/** Publishes an example with a form, and opens its page in a browser. */
async function browse(name: string) {
	const browser = await openBrowser();
	ends.push(async () => await browser.close());
	await openForm(name);
	const { user: username, password } = formUser;
	const context = await browser.newContext({ httpCredentials: { username, password } });
	const page = await context.newPage();
	page.setDefaultTimeout(120_000);
	// The page asks for fonts on the internet.
	const isElsewhere = ({ hostname }: URL) => hostname !== 'localhost';
	await page.route(isElsewhere, async (route) => await route.abort());
	// n8n calls itself localhost here.
	await page.goto(urlOf(name).replace('127.0.0.1', 'localhost'));
	return page;
}

const dataFile = (name: string) => fs.readFileSync(path.join(n8n.stage.filesFolder, name));
const csvOf = (content: Buffer | string) =>
	parse(content, { bom: true, columns: true }) as Array<Record<string, string>>;
const dueDay = coming('05-01');
/** A CSV sheet with these lines. */
const sheet = (...lines: string[]) =>
	['Invoice No.,Email,Description,Qty,Unit Price,Currency,Due Date', ...lines].join('\r\n');
/** Its reading, as confirmed for a sheet of this kind. */
const sheetReading = previewedAs(
	[
		'Invoice Number = Invoice No. (code A-9)',
		'Customer Email = Email (email)',
		'Item Name = Description (text)',
		'Quantity = Qty (number; 1 to 1)',
		'Unit Price = Unit Price (number; 5 to 13.7)',
		'Currency = Currency (text)',
		'Due Date = Due Date (date; empty; 90 days apart; within 400 days)',
		'amounts in: EUR',
		'one invoice per Invoice Number',
	].join('; '),
);
/** The reading of the example's file of this kind. */
function readingOf(kind: 'csv' | 'xlsx'): string {
	const node = kind === 'csv' ? 'Create Invoices' : 'Create Invoices from Excel';
	const found = example('invoices-from-spreadsheet').nodes.find(({ name }) => name === node);
	return (found?.parameters.reading as { value: string }).value;
}
const numbers = () =>
	created()
		.map(({ request }) => String(request.invoice_number))
		.sort();
const samples = (kind: 'CSV' | 'XLSX') =>
	sampleInvoices(n8n.stage.sheetsStart)
		.map(({ request }) => String(request.invoice_number))
		.filter((number) => number.startsWith(kind))
		.sort();

describe('all examples', () => {
	const files = exampleNames().map((file) => {
		const text = fs.readFileSync(path.join(projectFolder, 'examples', `${file}.json`), 'utf8');
		return { file, ...(JSON.parse(text) as WorkflowFile) };
	});
	const isNote = ({ type }: INode) => type === 'n8n-nodes-base.stickyNote';

	test.each(files)(
		'$file has a note, pins data only to its nodes, and contains only our credential name',
		({ nodes, pinData }) => {
			expect(nodes.filter(isNote).map(({ parameters }) => parameters.content)).not.toEqual([]);
			const names = nodes.filter((node) => !isNote(node)).map(({ name }) => name);
			expect(names).toEqual(expect.arrayContaining(Object.keys(pinData ?? {})));
			expect(new Set(nodes.map(({ name }) => name)).size).toBe(nodes.length);
			const held = nodes.flatMap(({ credentials: own }) => Object.keys(own ?? {}));
			expect(held.filter((type) => type !== 'invoicingPaymentsApi')).toEqual([]);
		},
	);

	// The others ask services that are only in flows.test.ts.
	const asksOthers = ({ nodes }: (typeof files)[number]) =>
		nodes.some(({ type }) =>
			/googleSheets|microsoftExcel|slack|wooCommerce|httpRequest/.test(type),
		);
	test.each(files.filter((file) => Object.keys(file.pinData ?? {}).length && !asksOthers(file)))(
		'$file runs with its pinned data',
		async ({ file, pinData }) => {
			model.say('There is nothing to bill.');
			await runByHand(file, pinData);
		},
	);
});

const withoutRows = [sheet(), ''];
const withEmptyRow = [...withoutRows, sheet(',,,,,,')];
test.each([
	['invoices-from-form', withEmptyRow],
	['invoice-links-to-spreadsheet', withoutRows],
	['compare-spreadsheet', withEmptyRow],
	['approve-before-billing', withEmptyRow],
])('%s: the form requires its password, and reports a sheet without rows', async (name, sheets) => {
	const send = await openForm(name);
	const stranger = { ...formUser, password: 'guessed' };
	const { status } = await postForm(urlOf(name), 'x.csv', dataFile('invoices.csv'), stranger);
	expect(status).toBe(401);
	for (const content of sheets)
		expect((await send('empty.csv', content)).title).toBe('The sheet has no rows');
	expect(created()).toEqual([]);
});

describe('invoices-from-form', () => {
	test.each(['csv', 'xlsx'] as const)(
		'creates the invoices of a %s file once, even if it is sent again or twice at once',
		async (kind) => {
			const name = `invoices.${kind}`;
			const send = await openForm('invoices-from-form', readingOf(kind));
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
		},
	);

	test('shows the problems of a sheet on the page, and creates the other invoices', async () => {
		const send = await openForm('invoices-from-form', sheetReading);
		const bad = sheet(
			`F-1,billing1@customer.example,"Work, ""good"" & <b>bold</b>",1,10.00,EUR,${dueDay}`,
			`F-2,nobody@nowhere.example,Work,1,<i>{{ 7 * 7 }}</i>,EUR,${dueDay}`,
			'F-3,billing2@customer.example,Work,1,13.70,EUR,2027-02-30',
		);
		const { title, text } = await send('bad.csv', bad);
		expect(title).toBe('Not everything was created');
		expect(text).toMatch(/^Created: 1\nExisted before: 0\n\nCorrect this and upload/);
		expect(text).toContain(
			'Row 3, column "Unit Price": Unit Price must be an amount such as 19.99, got "<i>{{ 7 * 7 }}</i>"',
		);
		expect(text).toContain('Row 4, column "Due Date": Due Date must be a day of the calendar');
		expect(created().map(({ request }) => request.items)).toEqual([
			[{ name: 'Work, "good" & <b>bold</b>', amount: '10.00', quantity: 1 }],
		]);
	});

	test('reads semicolons and the Windows encoding', async () => {
		const text = sheet(`F-1,billing1@customer.example,Beratung im März,1,12.50,EUR,${dueDay}`);
		const send = await openForm('invoices-from-form', sheetReading);
		const latin = Buffer.from(text.replaceAll(',', ';'), 'latin1');
		expect((await send('windows.csv', latin)).title).toBe('Done');
		expect(created()[0].request.items[0].name).toBe('Beratung im März');
	});
});

describe('invoice-links-to-spreadsheet', () => {
	const added = ['Problem', 'Invoice ID', 'Payment Page'];

	/** The cells of these columns for an invoice of the service. */
	const addedFor = (number: unknown) => {
		const { full } = created().find(({ request }) => request.invoice_number === number) ?? {};
		return ['', full?.id, full?.url];
	};

	/** The headers and rows of a file. */
	const tables = {
		csv: (content: Buffer) => parse(content, { bom: true }) as string[][],
		xlsx: async (content: Buffer) => (await readXlsxFile(content))[0].data as unknown[][],
	};
	/** Days in an Excel file are dates, text or serial numbers. */
	const dayOf = (cell: unknown) => {
		const day = typeof cell === 'number' ? new Date(Date.UTC(1899, 11, 30 + cell)) : cell;
		return day instanceof Date ? day.toISOString().slice(0, 10) : day;
	};

	test.each([
		['csv', 'Invoice No.'],
		['xlsx', 'Invoice #'],
	] as const)('returns a %s file with all columns, all rows, and links', async (kind, number) => {
		const send = await openForm('invoice-links-to-spreadsheet', readingOf(kind));
		const [headers, ...given] = await tables[kind](dataFile(`invoices.${kind}`));
		const [numberAt, dueAt] = [number, 'Due Date'].map((name) => headers.indexOf(name));
		const { file } = await send(`invoices.${kind}`, dataFile(`invoices.${kind}`));
		const content = file?.content ?? Buffer.alloc(0);
		expect(file?.name).toBe(`invoices-with-links.${kind}`);
		const empty = kind === 'csv' ? '' : null;
		const wanted = given.map((row) => [
			...row.map((cell, column) => (column === dueAt ? dayOf(cell) : cell)),
			...addedFor(row[numberAt]).map((cell) => (cell === '' ? empty : cell)),
		]);
		expect(await tables[kind](content)).toEqual([[...headers, ...added], ...wanted]);
		expect(created()).toHaveLength(20);

		// The returned file can be sent again.
		const again = await send(`invoices-with-links.${kind}`, content);
		const twice = await tables[kind](again.file?.content ?? Buffer.alloc(0));
		expect(twice).toEqual([[...headers, ...added], ...wanted]);
		expect(created()).toHaveLength(20);
	});

	test('[S2] leads to all invoices if the user corrects the column Problem and sends the sheet again', async () => {
		const send = await openForm('invoice-links-to-spreadsheet', sheetReading);
		const given = sheet(
			`L-1,billing1@customer.example,"Work, ""good""; 1st line\nand 2nd",1,10.00,EUR,${dueDay}`,
			'L-2,billing2@customer.example,Work,1,ten,EUR,2027-02-30',
			'L-1,billing1@customer.example,Travel,1,5.00,EUR,',
			`L-3,nobody@nowhere.example,Work,1,7.00,EUR,${dueDay}`,
		);
		const billed = addedFor;
		const failed = (...says: string[]) => [
			says.map((one) => expect.stringContaining(one) as string),
			...['', ''],
		];
		const corrections: Array<[from: string, to: string, then: () => unknown[][]]> = [
			['', '', () => [billed('L-1'), failed('Unit Price', 'Due Date'), billed('L-1'), failed('nobody@nowhere.example')]],
			['ten', '10.00', () => [billed('L-1'), failed('Due Date'), billed('L-1'), failed('nobody@nowhere.example')]],
			['2027-02-30', dueDay, () => [billed('L-1'), billed('L-2'), billed('L-1'), failed('nobody@nowhere.example')]],
			['nobody@nowhere.example', 'billing3@customer.example', () => ['L-1', 'L-2', 'L-1', 'L-3'].map(billed)],
			['', '', () => ['L-1', 'L-2', 'L-1', 'L-3'].map(billed)],
		]; // prettier-ignore
		let sent = given;
		for (const [from, to, then] of corrections) {
			const { file, text } = await send('sheet.csv', sent.replace(`,${from},`, `,${to},`));
			sent = String(file?.content);
			const back = csvOf(sent);
			then().forEach(([problem, ...rest], at) => {
				const [own, ...others] = added.map((header) => back[at][header]);
				expect(others).toEqual(rest);
				if (problem === '') expect(own).toBe('');
				else for (const says of problem as unknown[]) expect(own).toEqual(says);
			});
			expect(text.includes('the column Problem says why')).toBe(back.some((row) => row.Problem));
			expect(back[0].Description).toBe('Work, "good"; 1st line\nand 2nd');
		}
		expect(numbers()).toEqual(['L-1', 'L-2', 'L-3']);
	});

	test('works in a browser: password, upload and download', async () => {
		const page = await browse('invoice-links-to-spreadsheet');
		const file = path.join(n8n.stage.filesFolder, 'invoices.csv');
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
});

describe('[R1] approve-before-billing', () => {
	const upload = async (content: string) => {
		const page = await browse('approve-before-billing');
		const buffer = Buffer.from(content);
		await page
			.locator('input[type=file]')
			.setInputFiles({ name: 'sheet.csv', mimeType: 'text/csv', buffer });
		await page.getByRole('button', { name: 'Show the Invoices' }).click();
		await page.getByText('Approve these invoices').waitFor();
		return {
			page,
			approve: async () => {
				await page.getByRole('button', { name: 'Approve and Create' }).click();
				await page.getByText('Existed before').waitFor();
				return await page.locator('body').innerText();
			},
		};
	};
	const content = sheet(
		`P-1,billing1@customer.example,Work <b>,1,1000.00,EUR,${dueDay}`,
		`P-2,billing2@customer.example,Work,2,12.50,EUR,${dueDay}`,
	);

	test('shows the planned invoices, and bills them once after the approval', async () => {
		const { page, approve } = await upload(content);
		await page.getByText('2 invoices to create for EUR 1,025.00').waitFor();
		const cells = await page.locator('table td').allInnerTexts();
		expect(cells.slice(0, 2)).toEqual(['create', 'P-1']);
		expect(cells.slice(3, 5)).toEqual(['1000.00 EUR', dueDay]);
		expect(created()).toEqual([]);
		expect(await approve()).toContain('Created: 2');
		expect(numbers()).toEqual(['P-1', 'P-2']);
		const again = await upload(content);
		await again.page.getByText('Nothing to create; 2 exist').waitFor();
		expect(await again.approve()).toContain('Created: 0');
		expect(numbers()).toEqual(['P-1', 'P-2']);
	});

	test('creates nothing after a change in the service', async () => {
		const { approve } = await upload(content);
		const items = [{ name: 'Work', amount: '7.00', quantity: 1 }];
		world().account.addInvoice({ invoice_number: 'P-2', items }, Date.now());
		const before = created().length;
		const text = await approve();
		expect(text).toContain('The plan has changed since it was approved');
		expect(text).toContain('Created: 0');
		expect(created()).toHaveLength(before);
	});

	test('does not ask to approve a sheet that cannot be billed', async () => {
		const send = await openForm('approve-before-billing');
		const bad = sheet(`P-1,billing1@customer.example,Work,1,ten,EUR,${dueDay}`);
		const { title, text } = await send('bad.csv', bad);
		expect(title).toBe('Nothing was created');
		expect(text).toContain('Row 2, column "Unit Price": Unit Price must be an amount');
	});
});

describe('[R1] agent-drafts-person-approves', () => {
	interface Plan {
		fingerprint: string;
		summary: string;
	}
	const rows = ['1000.00', '25.00'].map((price, at) => ({
		'Invoice Number': `G-${at + 1}`,
		Customer: `billing${at + 1}@customer.example`,
		Item: 'Work <b>',
		'Unit Price': price,
		Currency: 'EUR',
		'Due Date': dueDay,
	}));
	const toldLast = () => String(model.asked.at(-1)?.messages.at(-1)?.content);

	/** Runs the example until somebody is asked for approval. `create`: what the model then gives to the tool. */
	const draft = async (create: (plan: Plan) => object) => {
		const url = urlOf('agent-drafts-person-approves');
		await publish(example('agent-drafts-person-approves'), url);
		model.say(
			{ list_customers: {} },
			{ plan_invoices: { Rows: rows } },
			({ messages }) => {
				const plans = JSON.parse(String(messages.at(-1)?.content)) as Plan[];
				return {
					create_invoices: { toolParameters: create(plans[plans.length - 1]), hitlParameters: {} },
				};
			},
			'Done.',
		);
		const { status } = await postText(url, 'Bill two customers', formUser);
		expect(status).toBe(200);
		const { mail } = await until(
			() => mailServer.mails[0],
			() => `No mail has come; the model was told ${toldLast()}`,
		);
		expect(created()).toEqual([]);
		const answer = async (is: 'Approve' | 'Reject') => {
			const link = [...String(mail.html).matchAll(/<a href="([^"]*)"[^>]*>\s*(\w+)/g)]
				.filter(([, , label]) => label === is)
				.map(([, href]) => href.replaceAll('&amp;', '&'));
			expect(link).toHaveLength(1);
			// n8n answers browsers only, and the mail may come before the execution waits.
			const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0' };
			await until(
				async () => (await fetch(link[0], { headers })).status === 200,
				() => `The link of ${is} does not work`,
			);
			await until(
				() => model.asked.length === 4,
				() => `The agent does not go on after ${is}`,
			);
			return toldLast();
		};
		return { mail, answer };
	};
	const asPlanned = ({ fingerprint, summary }: Plan) => ({
		Rows: rows,
		Fingerprint: fingerprint,
		Summary: summary,
	});

	test('a person gets the exact rows and the total by mail, and what they approve is billed once', async () => {
		const { mail, answer } = await draft(asPlanned);
		expect(mail.subject).toBe('Approve: 2 invoices to create for EUR 1,025.00');
		const text = String(mail.text).replace(/\s+/g, ' ');
		expect(text).toContain(
			`2 invoices to create for EUR 1,025.00 Invoice Number: G-1 Customer: billing1@customer.example Item: Work <b> Unit Price: 1000.00 Currency: EUR Due Date: ${dueDay} Invoice Number: G-2`,
		);
		expect(await answer('Approve')).toMatch(/created.*created/s);
		expect(numbers()).toEqual(['G-1', 'G-2']);
	});

	test.each<[string, (plan: Plan) => object, RegExp]>([
		['another price', (plan) => ({ ...asPlanned(plan), Rows: [{ ...rows[0], 'Unit Price': '9000.00' }, rows[1]] }), /The plan has changed/],
		['another summary', (plan) => ({ ...asPlanned(plan), Summary: '1 invoice to create for EUR 1.00' }), /its summary differs from the approved one/],
	])('if the model gives %s to the tool, an approval creates nothing', async (_what, create, said) => {
		const { answer } = await draft(create);
		expect(await answer('Approve')).toMatch(said);
		expect(created()).toEqual([]);
	}); // prettier-ignore

	test('if a person rejects it, nothing is created', async () => {
		const { answer } = await draft(asPlanned);
		expect(await answer('Reject')).toMatch(/rejected/);
		expect(created()).toEqual([]);
	});
});

describe('compare-spreadsheet', () => {
	test('shows the state of each invoice of a sheet', async () => {
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
			amounts.map((amount) => `${number},billing1@customer.example,Work,1,${amount},EUR,${dueDay}`);
		const send = await openForm('compare-spreadsheet');
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

	test('takes an Excel file, and an account without invoices', async () => {
		world().reset({ apiKey: world().settings.apiKey, invoices: 0 });
		const send = await openForm('compare-spreadsheet');
		// Customers are only found through invoices.
		const { text } = await send('invoices.xlsx', dataFile('invoices.xlsx'));
		expect(text).toContain('Cannot be compared: 20');
	});
});

/** Connects to the MCP server as an assistant does. */
async function connect(url: URL, bearer: string): Promise<Client> {
	const client = new Client({ name: 'example', version: '1.0.0' });
	const requestInit = { headers: { Authorization: `Bearer ${bearer}` } };
	await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
	ends.push(async () => await client.close());
	return client;
}

test('[R12] invoices-for-mcp-clients lets a client use all tools, creates an invoice once, and refuses strangers', async () => {
	const workflow = example('invoices-for-mcp-clients');
	const { path: at } = nodeOf(workflow, 'mcpTrigger').parameters;
	const url = new URL(`${n8n.stage.n8n.url}/mcp/${String(at)}`);
	await publish(workflow, url.href, 'POST');
	const client = await connect(url, token);
	const { tools } = await client.listTools();
	expect(tools.map(({ name }) => name).sort()).toEqual([
		...['create_invoice', 'find_charges', 'get_invoice', 'get_payment_link'],
		...['list_customers', 'list_invoices'],
	]);
	const create = tools.find(({ name }) => name === 'create_invoice');
	expect(Object.keys(create?.inputSchema.properties ?? {}).sort()).toEqual([
		...['Currency', 'Customer_Email', 'Due_Date', 'Invoice_Number', 'Items', 'Title'],
	]);
	const invoice = {
		Customer_Email: 'billing1@customer.example',
		Currency: 'EUR',
		Due_Date: '2027-01-31',
		Items: [{ name: 'Consulting', amount: '120.00', quantity: 8 }],
		Invoice_Number: 'M-1',
	};
	const { account } = world();
	const [{ full }] = account.invoices;
	const [{ id }] = account.links;
	const number = full.invoice_number;
	const two = { Status: 'paid, overdue', Limit: 100 };
	const [paid, overdue] = ['paid', 'overdue'].map(
		(status) => account.invoices.filter((one) => one.full.status === status).length,
	);
	// Tool calls, and how often the response contains the words.
	const calls: Array<[tool: string, given: Record<string, unknown>, words: string, times: number]> =
		[
			['create_invoice', invoice, '"outcome":"created"', 1],
			['create_invoice', invoice, '"outcome":"found"', 1],
			[
				'create_invoice',
				{ ...invoice, Due_Date: 'May' },
				'Due Date must be a date in the form YYYY-MM-DD',
				1,
			],
			['find_charges', { Limit: 5, Currency: 'EUR' }, '"currency":"EUR"', 5],
			['list_invoices', { Status: 'paid', Limit: 3 }, '"status":"paid"', 3],
			['list_invoices', two, '"status":"paid"', paid],
			['list_invoices', two, '"status":"overdue"', overdue],
			['list_invoices', two, '"status":', paid + overdue],
			['list_invoices', {}, '"invoice_number"', 20],
			['get_invoice', { Invoice_Number: number }, full.url, 1],
			['get_invoice', { Invoice_Number: 'NONE-1' }, 'NONE-1', 1],
			['get_invoice', { Invoice_Number: 'NONE-1' }, '"url"', 0],
			['list_customers', {}, account.customers[0].email, 1],
			['get_payment_link', { Payment_Link_ID: id }, `"id":"${id}"`, 1],
		];
	for (const [name, given, words, times] of calls) {
		const { content, isError = false } = await client.callTool({ name, arguments: given });
		const text = (content as Array<{ text?: string }>).map((one) => one.text ?? '').join('');
		expect({ name, text, times: text.split(words).length - 1 }).toEqual({ name, text, times });
		expect(isError).toBe(text.includes('NodeOperationError'));
	}
	expect(created().map(({ request }) => request.items)).toEqual([invoice.Items]);
	await expect(connect(url, 'guessed')).rejects.toThrow();
});
