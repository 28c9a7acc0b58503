import type { IDataObject } from 'n8n-workflow';
import readXlsxFile from 'read-excel-file/node';
import type { WorkflowFile } from '../../tools/host/api';
import { ownId } from '../../tools/host/sharedN8n';
import { triggerOf } from '../../tools/host/stage';
import { triggerWorkflow } from '../../tools/host/workflowOf';
import { until } from '../../tools/until';
import { nodeOf, outputOf, useExamples } from '../helpers/n8n/exampleRuns';
import { useStage } from '../helpers/n8n/stage';

/** The examples that mail customers and the office when the time has come. */
const n8n = useStage();
const { world } = n8n;
const { mailServer, example, runByHand, publish } = useExamples(n8n, () => ({}));
jest.setTimeout(600_000);

/** An account without invoices, or with other settings. */
const reset = (change: Parameters<ReturnType<typeof world>['reset']>[0] = { invoices: 0 }) =>
	world().reset({ apiKey: world().settings.apiKey, ...change });

/** The visible parts of all mails. */
const readMails = () =>
	mailServer.mails
		.map(({ to, mail: { subject, text, html } }) => ({ to, subject, text: text?.trim(), html }))
		.sort((a, b) => a.to.join().localeCompare(b.to.join()));

describe('remind-overdue', () => {
	const overdue = (number: string, customer: number, change: object = {}) => {
		const { account } = world();
		const customerId = account.customers[customer].id;
		const one = { invoice_number: number, status: 'overdue' as const, customer_id: customerId };
		return account.addInvoice({ ...one, due_date: '2026-05-01', ...change }, Date.now());
	};
	const run = async () => {
		const execution = await runByHand('remind-overdue');
		expect(execution.status).toBe('success');
		return execution;
	};

	test('sends one mail to each customer, with all overdue invoices', async () => {
		reset();
		const first = overdue('R-1', 0, { title: 'Work <b onclick="x()">in March</b>\n& {{ 7 * 7 }}' });
		const second = overdue('R-2', 1);
		const third = overdue('R-3', 0);
		overdue('R-4', 0, { status: 'paid' });
		overdue('R-5', 2, { status: 'unpaid' });
		await run();
		const [one, other] = world().account.customers;
		const end =
			'If you have paid in the meantime, thank you, and please ignore this mail.\n\nYour Company';
		expect(readMails()).toEqual([
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

	test.each([
		['company', true],
		['person', true],
		['nested', true],
		['onlyName', false],
		['onlyId', false],
	] as const)(
		'sends a mail to customers of the form %s, or lists them',
		async (customerFields, hasEmail) => {
			reset({ customerFields });
			const execution = await run();
			const invoices = outputOf(execution, 'Get Overdue Invoices');
			const overdueOnes = world().account.invoices.filter(({ full }) => full.status === 'overdue');
			const ids = new Set(overdueOnes.map(({ listed }) => (listed.customer as IDataObject).id));
			expect(ids.size).toBeGreaterThan(3);
			const owing = world().account.customers.filter(({ id }) => ids.has(id));
			const mailed = mailServer.mails.map(({ to }) => to.join()).sort();
			expect(mailed).toEqual(hasEmail ? owing.map(({ email }) => email).sort() : []);
			if (hasEmail) return;
			const listed = outputOf(execution, 'Without Email');
			const words = listed.map(({ Invoices: text }) => String(text)).join();
			expect(words).toContain(String(invoices[0].invoice_number));
			expect(new Set(listed.map(({ Customer: who }) => who)).size).toBe(listed.length);
		},
	);

	test('sends the other mails if the server refuses one', async () => {
		reset();
		[0, 1, 2].forEach((customer) => overdue(`R-${customer}`, customer));
		mailServer.refused.add('billing2@customer.example');
		const execution = await run();
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

	test('sends no mail if nothing is overdue, and runs once a day', async () => {
		reset();
		await run();
		expect(mailServer.mails).toEqual([]);
		expect(nodeOf(example('remind-overdue'), 'scheduleTrigger').parameters.rule).toEqual({
			interval: [{ field: 'days', daysInterval: 1, triggerAtHour: 9, triggerAtMinute: 0 }],
		});
	});
});

/** Publishes an example whose triggers poll every few seconds. The result waits for a number of requests. */
async function publishPolling(workflow: WorkflowFile) {
	const { pollTimes } = triggerWorkflow(n8n.stage).nodes[0].parameters;
	for (const { type, parameters } of workflow.nodes)
		if (type.endsWith('invoicingPaymentsTrigger')) parameters.pollTimes = pollTimes;
	await publish(workflow);
	return async (count: number) => {
		const before = world().traffic.requests.length;
		await until(
			() => world().traffic.requests.length >= before + count,
			() => 'The trigger does not poll',
		);
	};
}

/** A date in UTC. */
const daysAgo = (days: number) =>
	new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

const inZone = (workflow: WorkflowFile, timezone: string): WorkflowFile => ({
	...workflow,
	settings: { ...workflow.settings, timezone },
});

describe('reminders-in-stages', () => {
	const [first, second, last] = ['1 Day Overdue', '14 Days Overdue', '30 Days Overdue'];
	const reminders = () => inZone(example('reminders-in-stages'), 'Etc/UTC');
	const end =
		'If you have paid in the meantime, thank you, and please ignore this mail.\n\nYour Company';

	/** The path of the ledger in n8n's data tables. */
	const ledger = async () => {
		const { api } = n8n.stage;
		const { id: project } = await api.call<{ id: string }>('get', '/projects/personal');
		const tables = `/projects/${project}/data-tables`;
		const list = await api.call<{ data: Array<{ id: string; name: string }> }>('get', tables);
		const found = list.data.filter(({ name }) => name === ownId('Invoice reminders sent'));
		expect(found.length).toBeLessThan(2);
		return found.length ? `${tables}/${found[0].id}` : undefined;
	};
	const ledgerRows = async () => {
		const table = await ledger();
		type Rows = { data: Array<Record<string, unknown>> };
		const { data } = await n8n.stage.api.call<Rows>('get', `${String(table)}/rows`);
		return data
			.map((row) => [row.invoice_number, row.stage, row.sent_on])
			.sort((a, b) => String(a).localeCompare(String(b)));
	};
	beforeEach(async () => {
		reset();
		const table = await ledger();
		if (table) await n8n.stage.api.call('delete', table);
	});

	const overdue = (number: string, days: number, customer = 0) => {
		const { account } = world();
		const [due, { id }] = [daysAgo(days), account.customers[customer]];
		return account.addInvoice(
			{ invoice_number: number, status: 'overdue', due_date: due, customer_id: id },
			Date.now(),
		);
	};
	/** Runs the workflow as if this trigger had found these invoices. */
	const run = async (trigger: string, ...found: object[]) => {
		const pinData = { [trigger]: found.map((json) => ({ json: json as IDataObject })) };
		const workflow = { ...reminders(), pinData };
		await n8n.stage.api.saveWorkflow(workflow);
		const execution = await n8n.stage.api.run(workflow.id, trigger);
		expect(execution.data.resultData.error?.message).toBeUndefined();
		expect(execution.status).toBe('success');
		/** The output of a node in all turns of the loop. */
		return (node: string, output = 0) =>
			(execution.data.resultData.runData[node] ?? []).flatMap(({ data }) =>
				(data?.main[output] ?? []).map(({ json }) => json),
			);
	};
	const subjects = () =>
		readMails()
			.map(({ subject }) => subject)
			.sort();

	test('sends each stage once with its text, and only the reached stage if it is late', async () => {
		const afterPolls = await publishPolling(reminders());
		await afterPolls(6);
		const due = [2, 15, 40].map((days, customer) => overdue(`S-${days}`, days, customer));
		await until(
			() => mailServer.mails.length >= 3,
			() => 'Not all reminders have come',
		);
		await afterPolls(9);
		const letter = (at: number, subject: string, words: string) => {
			const { invoice_number: number, url, due_date: date } = due[at];
			const { name, email } = world().account.customers[at];
			const line = `Invoice ${String(number)}: 100.00 EUR, due ${String(date).slice(0, 10)}`;
			return {
				to: [email],
				subject: `${subject}: invoice ${String(number)} is overdue`,
				text: [`Hello ${name},`, words, `${line}\n${String(url)}`, end].join('\n\n'),
				html: false,
			};
		};
		expect(readMails()).toEqual([
			letter(0, 'Reminder', 'you may have missed this invoice. You can pay it with the link:'),
			letter(1, 'Second reminder', 'this invoice is still not paid. Please pay it within seven days. You can pay with the link:'),
			letter(2, 'Last reminder', 'this is our last reminder. If this invoice is not paid within seven days, we have to take further steps. You can pay with the link:'),
		]); // prettier-ignore
		const sent = [1, 14, 30].map((stage, at) => [due[at].invoice_number, stage, daysAgo(0)]);
		expect(await ledgerRows()).toEqual(sent.sort((a, b) => String(a).localeCompare(String(b))));

		// From here on the trigger finds nothing beside the runs by hand.
		await n8n.stage.api.deactivate(reminders().id);
		// Retry gives the same invoices again, but the ledger contains them.
		await run(first, due[0]);
		await run(second, due[1]);
		await run(last, due[2]);
		expect(mailServer.mails).toHaveLength(3);
		// The next stage of the same invoice is a new one.
		world().account.postponeInvoice(String(due[0].id), daysAgo(15));
		await run(second, due[0]);
		expect(subjects()).toContain('Second reminder: invoice S-2 is overdue');
		expect(mailServer.mails).toHaveLength(4);
		expect(await ledgerRows()).toHaveLength(4);
	});

	test('sends one mail for the pinned sample, and none the second time', async () => {
		const { pinData } = reminders();
		await runByHand('reminders-in-stages', pinData);
		expect(subjects()).toEqual(['Last reminder: invoice 2025-0042 is overdue']);
		await runByHand('reminders-in-stages', pinData);
		expect(mailServer.mails).toHaveLength(1);
	});

	test('sends nothing if the invoice changed meanwhile, and lists every other reason', async () => {
		const { account } = world();
		const before = (number: string, change: (id: string) => void, customer = 0) => {
			const found = overdue(number, 2, customer);
			change(String(found.id));
			return found;
		};
		const withoutEmail = (id: string) => {
			const stored = account.invoices.find(({ full }) => full.id === id);
			if (stored) stored.listed = { ...stored.listed, customer: { id, name: 'No Mail Ltd' } };
		};
		const refused = account.customers[1];
		mailServer.refused.add(refused.email);
		const gone = { ...overdue('S-gone', 2), id: '00000000-0000-4000-8000-000000000000' };
		const found = [
			before('S-paid', (id) => account.changeInvoice(id, 'paid')),
			gone,
			before('S-cancelled', (id) => account.changeInvoice(id, 'cancelled')),
			before('S-later', (id) => account.postponeInvoice(id, daysAgo(-7))),
			before('S-further', (id) => account.postponeInvoice(id, daysAgo(20))),
			before('S-without', withoutEmail),
			before('S-refused', () => {}, 1),
			before('S-sent', () => {}, 2),
		];
		const outputs = await run(first, ...found);
		expect(subjects()).toEqual(['Reminder: invoice S-sent is overdue']);
		expect(outputs('Without Email')).toEqual([
			{ Customer: 'No Mail Ltd', 'Invoice Number': 'S-without', Stage: 1 },
		]);
		const says = (words: string) => expect.stringContaining(words) as string;
		expect(outputs('Nothing to Do')).toHaveLength(4);
		expect(outputs('Not Fetched')).toEqual([
			{ 'Invoice ID': gone.id, Stage: 1, Reason: says(gone.id) },
		]);
		expect(outputs('Not Sent')).toEqual([
			{ 'Invoice ID': found[6].id, Stage: 1, Reason: says('No such mailbox') },
		]);
		expect(await ledgerRows()).toEqual([['S-sent', 1, daysAgo(0)]]);

		// Retry sends the refused mail, and not the sent one.
		mailServer.refused.clear();
		await run(first, ...found);
		expect(subjects()).toEqual([
			'Reminder: invoice S-refused is overdue',
			'Reminder: invoice S-sent is overdue',
		]);
	});
});

describe('receivables-by-age', () => {
	const report = async () => {
		// The file is named after the day in the workflow's time zone.
		const workflow = inZone({ ...example('receivables-by-age'), pinData: {} }, 'UTC');
		await n8n.stage.api.saveWorkflow(workflow);
		const execution = await n8n.stage.api.run(workflow.id, triggerOf(workflow));
		expect(execution.data.resultData.error?.message).toBeUndefined();
		const [{ to, mail } = { to: [], mail: undefined }] = mailServer.mails.splice(0);
		const [{ content, filename } = { content: '', filename: '' }] = mail?.attachments ?? [];
		return { to, text: mail?.text ?? '', filename, content };
	};

	test('mails what customers owe as an Excel file, in numbers', async () => {
		reset({ invoices: 0 });
		const { account } = world();
		const [one, other] = account.customers;
		const add = (days: number, amount: string, change: object) =>
			account.addInvoice(
				{ items: [{ name: 'Work', amount, quantity: 1 }], due_date: daysAgo(days), ...change },
				Date.now(),
			);
		add(-30, '0.10', { currency: 'NOK', customer_id: other.id });
		add(45, '12.50', { currency: 'NOK', customer_id: one.id, status: 'overdue' });
		add(45, '77.00', { currency: 'NOK', customer_id: one.id, status: 'paid' });
		add(100, '1101.40', { currency: 'EUR', customer_id: one.id, status: 'overdue' });
		const { to, text, filename, content } = await report();
		expect(to).toEqual(['accounting@your-company.example']);
		expect(filename).toBe(`receivables-${daysAgo(0)}.xlsx`);
		expect(text).toContain('3 balances');
		const [, ...rows] = (await readXlsxFile(content as Buffer))[0].data;
		expect(rows).toEqual([
			[one.name, one.email, 'EUR', 1101.4, 1101.4, 0, 0, 0, 0, 1101.4, 1, daysAgo(100), one.id],
			[one.name, one.email, 'NOK', 12.5, 12.5, 0, 0, 12.5, 0, 0, 1, daysAgo(45), one.id],
			[other.name, other.email, 'NOK', 0.1, 0, 0.1, 0, 0, 0, 0, 1, daysAgo(-30), other.id],
		]);
	});

	test('sends no mail if nothing is open, and runs once a week', async () => {
		reset();
		expect((await report()).to).toEqual([]);
		const monday = { triggerAtDay: [1], triggerAtHour: 8, triggerAtMinute: 0 };
		expect(nodeOf(example('receivables-by-age'), 'scheduleTrigger').parameters.rule).toEqual({
			interval: [{ field: 'weeks', weeksInterval: 1, ...monday }],
		});
	});
});

test('thank-for-paid-invoice sends a mail for a payment', async () => {
	const { account } = world();
	const [customer] = account.customers;
	const one = { invoice_number: 'T-1', title: 'Work\nin <May>' };
	const invoice = account.addInvoice(one, Date.now());
	const afterPolls = await publishPolling(example('thank-for-paid-invoice'));
	await afterPolls(2);
	account.changeInvoice(String(invoice.id), 'paid');
	await until(
		() => mailServer.mails.length > 0,
		() => 'No mail has come',
	);
	await afterPolls(2);
	expect(readMails()).toEqual([
		{
			to: [customer.email],
			subject: 'Thank you for your payment, invoice T-1',
			text: `Hello ${customer.name},\n\nwe received 100.00 EUR for invoice T-1 (Work in <May>). Thank you!\n\nYour Company`,
			html: false,
		},
	]);
});
