/** A preview as a plan, Only If Plan Is, and invoice numbers from the content of invoices. */

import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { contentNumbers } from '../../nodes/InvoicingPayments/plan/contentNumbers';
import { nodeProcess } from '../../tools/node';
import { passTime } from '../helpers/n8n/clock';
import { per, perRow, preview, reading } from '../helpers/sheets/fromRows';
import type { Plan } from '../helpers/n8n/nodeRuns';
import { actions, continues, outcomes, textOf, useNode } from '../helpers/n8n/nodeRuns';
import { isNight } from '../helpers/someOf';

const {
	service,
	row,
	posts,
	fault,
	fromRows,
	confirmRows,
	planOf,
	createdNumbers: created,
} = useNode();
const account = () => service.world.account;

const rowsOf = (...numbers: string[]) => numbers.map((number) => row(number));

const apply = async (items: IDataObject[], onlyIfPlanIs: unknown, change: object = {}) =>
	await fromRows({ options: { onlyIfPlanIs }, ...change }, items);
const idOf = (number: string) =>
	String(account().invoices.find(({ full }) => full.invoice_number === number)?.full.id);

describe('the plan', () => {
	const rows = () => rowsOf('P-0', 'P-1', 'P-2', 'P-3', 'P-4');
	const begin = async () => {
		await fromRows({}, rowsOf('P-1', 'P-2', 'P-3'));
		await fromRows({}, [row('P-4', { 'Unit Price': '120.00' })]);
		account().changeInvoice(idOf('P-2'), 'paid');
		account().changeInvoice(idOf('P-3'), 'cancelled');
	};

	test('says what would happen to each invoice, and sends nothing', async () => {
		await begin();
		const before = posts().length;
		const { json, hints, plan } = await planOf(rows());
		expect(json.map(({ action, invoice_number: number }) => [number, action])).toEqual([
			['P-0', 'create'],
			['P-1', 'exists'],
			['P-2', 'exists, paid'],
			['P-3', 'exists, cancelled'],
			['P-4', 'exists, differs'],
		]);
		const differences = (json[4].differences as string[]).join('; ');
		expect(plan.summary).toBe(
			`1 invoice to create for EUR 100.00; 1 exists; 1 exists and is paid (P-2); 1 differs (P-4: ${differences}); 1 exists and is cancelled (P-3)`,
		);
		const first = ['action', 'invoice_number', 'customer', 'total', 'currency', 'due_date', 'rows'];
		expect(Object.keys(json[0]).slice(0, 7)).toEqual(first);
		expect(json[2].existing).toMatchObject({ id: idOf('P-2'), status: 'paid' });
		expect(hints.join()).toContain('1 invoice to create for EUR 100.00; 1 exists');
		const table = await fromRows({ previewOnly: true }, rows());
		const { fingerprint, summary } = plan;
		expect(table.json.at(-1)).toMatchObject({ fingerprint, summary });
		expect(posts()).toHaveLength(before);
	});

	test('says with Fail that existing invoices would stop the run', async () => {
		await begin();
		const { json, plan } = await planOf(rows(), { ifInvoiceNumberExists: 'fail' });
		expect(actions(json)).toEqual(['create', ...Array(4).fill('stop')]);
		expect(json[1].why).toContain('already exists');
		expect(plan.summary).toContain('4 stop');
	});

	test('searches nothing with Create Anyway', async () => {
		const { json } = await planOf([row('A')], { ifInvoiceNumberExists: 'create' });
		expect(json).toMatchObject([{ action: 'create' }]);
		const searched = service.requests.filter(({ query }) => 'invoice_number' in query);
		expect(searched).toEqual([]);
	});

	test('needs few requests for many invoices', async () => {
		const many = Array.from({ length: 500 }, (_, at) => row(`A-${at}`));
		await planOf(many);
		expect(service.requests.length).toBeLessThan(10);
	});

	test('has a fingerprint that depends on the order of items, but not of invoices or cells', async () => {
		const fingerprint = async (items: IDataObject[]) => (await planOf(items)).plan.fingerprint;
		const two = () => [row('A'), row('B', { 'Unit Price': '7' })];
		const first = await fingerprint(two());
		const turned = two().map((one) => Object.fromEntries(Object.entries(one).reverse()));
		expect(await fingerprint(turned.reverse())).toBe(first);
		expect(await fingerprint([row('A', { 'Unit Price': 100 }), two()[1]])).toBe(first);
		expect(first).toMatch(/^[0-9a-f]{36}$/);
		const items = [row('A'), row('A', { Item: 'Travel' })];
		expect(await fingerprint([...items].reverse())).not.toBe(await fingerprint(items));
	});

	test('is an error if the service does not respond', async () => {
		fault({ kind: 'status', status: 503 }, { times: null });
		const { error } = await fromRows(preview({ options: { maxWait: 0 } }), [row('A')]);
		expect(error?.message).toContain('could not be looked up');
	});
});

describe('Only If Plan Is', () => {
	const rows = () => rowsOf('A', 'B', 'C');

	test.each<[string, (plan: Plan) => unknown]>([
		['its fingerprint', ({ fingerprint }) => fingerprint],
		['its fingerprint and its summary', ({ fingerprint, summary }) => ({ fingerprint, summary })],
		['the same as JSON', (plan) => JSON.stringify(plan)],
	])('creates what was planned, given %s', async (_how, approved) => {
		const { plan } = await planOf(rows());
		const { error } = await apply(rows(), approved(plan));
		expect(error).toBeUndefined();
		expect(created().sort()).toEqual(['A', 'B', 'C']);
	});

	const changed =
		'The plan has changed since it was approved: the account, the invoices to send, the existing ones or the warnings differ from what was approved';
	const changes: Array<[string, () => IDataObject[] | Promise<IDataObject[]>]> = [
		['an amount', () => [row('A', { 'Unit Price': '120' }), ...rows().slice(1)]],
		['a text', () => [row('A', { Note: 'Thanks' }), ...rows().slice(1)]],
		['one more row', () => [...rows(), row('D')]],
		['one row less', () => rows().slice(1)],
		['somebody else created it', async () => { await fromRows({}, [row('A', { 'Unit Price': '5' })]); return rows(); }],
	]; // prettier-ignore
	test.each(changes)('sends nothing after a change: %s', async (_what, change) => {
		const { plan } = await planOf(rows());
		const items = await change();
		const before = created();
		const result = await apply(items, plan.fingerprint);
		expect(created()).toEqual(before);
		expect(result.error?.message).toContain(changed);
		const { plan: now } = await planOf(items);
		expect(textOf(result)).toContain(`The plan is now: ${now.summary}.`);
	});

	test('sends nothing if an existing invoice has since been paid', async () => {
		await fromRows({}, [row('A')]);
		const { plan } = await planOf(rows());
		account().changeInvoice(idOf('A'), 'paid');
		expect((await apply(rows(), plan.fingerprint)).error?.message).toContain(changed);
		expect(created()).toEqual(['A']);
	});

	test('sends nothing if a paid invoice was replaced by another paid one', async () => {
		await fromRows({}, [row('A')]);
		account().changeInvoice(idOf('A'), 'paid');
		const { plan } = await planOf(rows());
		await fromRows({ ifInvoiceNumberExists: 'create' }, [row('A')]);
		const [first, second] = account().created.map(({ full }) => String(full.id));
		account().changeInvoice(first, 'cancelled');
		account().changeInvoice(second, 'paid');
		const { error } = await apply(rows(), plan.fingerprint);
		expect(error?.message).toContain(changed);
		expect(created()).toEqual(['A', 'A']);
	});

	test('lets a run that stopped halfway go on', async () => {
		const { plan } = await planOf(rows());
		fault({ kind: 'status', status: 400 }, { method: 'POST', skip: 1 });
		const options = { onlyIfPlanIs: plan.fingerprint, maxRequestsInFlight: 1 };
		const first = await fromRows({ options }, rows());
		expect(first.error).toBeDefined();
		expect(created()).toHaveLength(1);
		const second = await fromRows({ options }, rows());
		expect(second.error).toBeUndefined();
		expect(created().sort()).toEqual(['A', 'B', 'C']);
		const third = await fromRows({ options, ifInvoiceNumberExists: 'fail' }, rows());
		expect([third.error, posts().length]).toEqual([undefined, 4]);
	});

	test.each<[string, object, string]>([
		['an empty approval', { options: { onlyIfPlanIs: '={{ $json.nothing }}' } }, 'Only If Plan Is is empty'],
		['a text that is no fingerprint', { options: { onlyIfPlanIs: 'yes' } }, 'must be the fingerprint of a plan'],
		['a fingerprint with something behind it', { options: { onlyIfPlanIs: `${'a'.repeat(36)}b` } }, 'must be the fingerprint of a plan'],
		['Create Anyway', { options: { onlyIfPlanIs: '0123456789abcdef' }, ifInvoiceNumberExists: 'create' }, "set 'If Invoice Number Exists'"],
	])('sends nothing with %s', async (_what, change, said) => {
		const result = await fromRows(change, rows());
		expect(textOf(result)).toContain(said);
		expect(created()).toEqual([]);
	}); // prettier-ignore

	test('fails all rows with Continue', async () => {
		const { plan } = await planOf(rows());
		const options = { onlyIfPlanIs: plan.fingerprint };
		const { json } = await fromRows({ options }, rowsOf('A', 'B'), continues);
		expect(json).toMatchObject([{ outcome: 'failed', rows: '2, 3' }]);
		expect(created()).toEqual([]);
	});

	test('sends nothing if there is something new to look at', async () => {
		const { plan } = await planOf([row('A', { Note: 'late check-out' }), row('B')]);
		const paid = [row('A', { Note: 'late check-out' }), { ...row('B'), Room: 'paid in cash' }];
		const { error } = await apply(paid, plan.fingerprint);
		expect(error?.message).toContain(changed);
		expect(created()).toEqual([]);
	});

	test('settles how the sheet is read, and what raised a hand', async () => {
		const rows = () => [row('A', { Room: 7, Paid: 'cash' })];
		const { plan, json } = await planOf(rows());
		expect(json[0]).toMatchObject({ not_on_invoice: 'Room: 7 · Paid: cash' });
		expect((await fromRows({}, rows())).error?.message).toContain('row 2 says Paid: cash');
		expect((await apply(rows(), plan.fingerprint)).error).toBeUndefined();
		expect(created()).toEqual(['A']);
	});

	test('sends nothing for another account, or with another summary', async () => {
		const rows = [row('A')];
		const { plan } = await planOf(rows);
		const { fingerprint } = plan;
		for (const summary of ['1 invoice to create for EUR 1.00', ''])
			for (const approved of [{ fingerprint, summary }, JSON.stringify({ fingerprint, summary })])
				expect((await apply(rows, approved)).error?.message).toContain(
					'its summary differs from the approved one',
				);
		// The simulator of another account.
		service.world.reset();
		const { error } = await apply(rows, fingerprint);
		expect(error?.message).toContain('The plan has changed');
		expect(created()).toEqual([]);
	});
});

/** A sheet, and what changes in it and in the service between plan and approval. */
const histories = fc.record({
	prices: fc.array(fc.constantFrom(11, 101, 1009, 1009, 10_007), { minLength: 1, maxLength: 6 }),
	before: fc.array(fc.nat(5), { maxLength: 3 }),
	edit: fc.constantFrom('none', 'none', 'price', 'more', 'less', 'order', 'due'),
	meanwhile: fc.constantFrom('none', 'none', 'paid', 'cancelled', 'made', 'made otherwise'),
	at: fc.nat(5),
	hasNumbers: fc.boolean(),
});

const sheet =
	'Customer = Customer ID; Currency = Currency; Due Date = Due Date; Title = Title; Item Name = Item; Unit Price = Unit Price; items repeat; unchecked: repeats, sums';

test('[R1] creates exactly what was approved, or nothing', async () => {
	const property = fc.asyncProperty(histories, async (history) => {
		const { prices, before, edit, meanwhile, at, hasNumbers } = history;
		service.world.reset();
		const rowOf = (price: number, index: number) =>
			row(hasNumbers ? `N-${index}` : undefined, { 'Unit Price': price, Title: `T${index}` });
		const rows = prices.map(rowOf);
		const pick = at % rows.length;
		const seen = hasNumbers
			? reading(`Invoice Number = Invoice Number; ${sheet}`)
			: reading(`${sheet}; one invoice per row`);
		const both = { ...seen, options: { ifRowsChanged: 'createBoth' } };
		await fromRows(
			both,
			before.filter((index) => index < rows.length).map((index) => rows[index]),
		);
		const { json, plan } = await planOf(rows, seen);
		const toCreate = json.filter(({ action }) => action === 'create').length;

		const edited = [...rows];
		if (edit === 'price') edited[pick] = { ...edited[pick], 'Unit Price': 99 };
		if (edit === 'due') edited[pick] = { ...edited[pick], 'Due Date': '2027-02-01' };
		if (edit === 'more') edited.push(rowOf(70_001, 77));
		if (edit === 'less' && edited.length > 1) edited.splice(pick, 1);
		if (edit === 'order') edited.reverse();
		const isEdited = !['none', 'order'].includes(edit) && (edit !== 'less' || rows.length > 1);
		const old = account().created[0]?.full;
		const isMade = json[pick].action === 'create' && meanwhile.startsWith('made');
		if (meanwhile === 'paid' || meanwhile === 'cancelled') {
			if (old) account().changeInvoice(old.id, meanwhile);
		}
		const price = meanwhile === 'made' ? rows[pick]['Unit Price'] : 50;
		if (isMade) {
			const number = String(json[pick].invoice_number);
			await fromRows(both, [{ ...rows[pick], 'Invoice Number': number, 'Unit Price': price }]);
		}

		const count = created().length;
		const { error } = await apply(edited, plan.fingerprint, seen);
		const sent = created().length - count;
		const isChanged =
			isEdited ||
			(['paid', 'cancelled'].includes(meanwhile) && old) ||
			(isMade && meanwhile === 'made otherwise');
		const doesStop = isChanged || actions(json).includes('stop');
		const wanted = doesStop
			? [edit, meanwhile, 0, expect.any(String)]
			: [edit, meanwhile, toCreate - Number(isMade), undefined];
		expect([edit, meanwhile, sent, error?.message]).toEqual(wanted);
		expect(new Set(created()).size).toBe(created().length);
	});
	const { SEED } = nodeProcess.env;
	await fc.assert(property, {
		numRuns: isNight ? 300 : 12,
		...(SEED && { seed: Number(SEED) }),
	});
});

describe('invoice numbers from the content', () => {
	test('are pinned: other numbers would bill sheets again that were billed before', () => {
		const body = {
			customer: '3f2b8c1e-5d4a-4f6b-9c7d-8e9f0a1b2c3d',
			currency: 'EUR',
			due_date: '2027-01-15',
			items: [{ name: 'Consulting', amount: '100.00', quantity: 2 }],
		};
		const more = { name: 'Travel', amount: '7.5', quantity: 1 };
		const bodies = [
			body,
			{ ...body, discount_percentage: 10 },
			{ ...body, title: 'March', items: [...body.items, more] },
			{ ...body, items: [more, ...body.items], title: ' March ' },
		];
		const planned = bodies.map((one) => ({ body: one, items: one.items }));
		expect([...contentNumbers([...planned, { ...planned[0], dueInDays: 30 }])]).toEqual([
			'AUTO-9TS6P86RMX6J',
			'AUTO-CJ20069DE7FQ',
			'AUTO-BXX7FYZD25ZQ',
			'AUTO-BXX7FYZD25ZQ-2',
			'AUTO-9NYR6XQ524ZE',
		]);
	});

	const cells = ['Website', 'Design and texts', 2, '50.00', '100.00'];
	const headers = ['Title', 'Item', 'Quantity', 'Unit Price', 'Line Total'];
	const fields = 'Title = Title; Item Name = Item; Quantity = Quantity; Unit Price = Unit Price; Line Total = Line Total'; // prettier-ignore
	const renamed = ['Projekt', 'Leistung', 'Menge', 'Einzelpreis', 'Betrag'];
	test.each<[string, string[], string]>([
		['under the names of the fields', headers, fields],
		['under names in German', renamed, 'Title = Projekt; Item Name = Leistung; Quantity = Menge; Unit Price = Einzelpreis; Line Total = Betrag'],
		['only with line totals', headers, 'Title = Title; Item Name = Item; Line Total = Line Total; not billed: Quantity, Unit Price'],
		['only with prices and quantities', headers, fields.replace('Line Total =', 'Total =')],
	])('[R1] are the same for a sheet with its columns %s', async (_what, names, said) => {
		const columns = Object.fromEntries(names.map((name, at) => [name, cells[at]]));
		const none = { Item: undefined, 'Unit Price': undefined };
		const fixed = 'Customer = Customer ID; Currency = Currency; Due Date = Due Date';
		const change = reading(`${fixed}; ${said}; one invoice per row`);
		const { json, error } = await fromRows(change, [row(undefined, { ...none, ...columns })]);
		expect(error).toBeUndefined();
		expect(json).toMatchObject([{ invoice_number: 'AUTO-YT65B9K3S06A', amount: '100.00' }]);
	}); // prettier-ignore

	const lesson = (Item: string, price = '10') => row(undefined, { Item, 'Unit Price': price });
	test.each<[string, string[], string[]]>([
		['the month in brackets', ['Hosting (01.2027)'], ['Hosting (02.2027)']],
		['a number in brackets', ['Seat (12)'], ['Seat (13)']],
		['a date in brackets', ['Visit (03.06.2026)'], ['Visit (10.06.2026)']],
		['a year', ['Dues (2026)'], ['Dues (2027)']],
		['a sign that looks alike', ['Room 10\u00b2'], ['Room 102']],
		['a row on top', ['Lesson (1)', 'Lesson (2)', 'Lesson (3)'], ['Lesson (4)', 'Lesson (1)', 'Lesson (2)', 'Lesson (3)']],
	])('[R1] distinguish invoices by %s', async (_what, before, after) => {
		const change = { ...perRow(), options: { ifRowsChanged: 'createBoth' } };
		await fromRows(change, before.map((name) => lesson(name)));
		const { json } = await fromRows(change, after.map((name) => lesson(name)));
		const names = account().created.map(({ full }) => full.items.map(({ name }) => name).join());
		expect(names).toEqual([...before, ...after.filter((name) => !before.includes(name))]);
		const isNew = (name: string) => !before.includes(name);
		expect(outcomes(json)).toEqual(after.map((name) => (isNew(name) ? 'created' : 'found')));
	}); // prettier-ignore

	test('[R1] distinguish invoices by which item has which amount', async () => {
		const items = (...prices: string[]) =>
			['A', 'B'].map((Item, at) => ({ ...lesson(Item, prices[at]), Order: 'O-1' }));
		await fromRows(per('Order'), items('10', '20'));
		const { error } = await fromRows(per('Order'), items('20', '10'));
		expect(error?.message).toContain('You would bill');
		expect(created()).toHaveLength(1);
	});

	const texts = { Title: 'Website', Item: 'Design' };
	const dueLater = { defaults: { dueInDays: 14, currency: 'EUR' } };
	const noDate = { 'Due Date': undefined };
	const typed = 'Customer = Customer ID; Unit Price = Unit Price; one invoice per row';
	test.each<[string, object, object, string, string]>([
		['text fills another field', { ...texts, ...noDate }, {}, 'Title = Title; Item Name = Item', 'Item Name = Title; Note = Item'],
		['currency was corrected', { ...noDate, Currency: undefined }, { defaults: { dueInDays: 14, currency: 'USD' } }, 'Item Name = Item', 'Item Name = Item'],
	])('[R1] stop a run that would bill rows again because their %s, also ten days later', async (_what, cells, change, before, after) => {
		const items = [row(undefined, { Currency: undefined, ...cells })];
		await fromRows({ ...dueLater, ...reading(`${typed}; ${before}`) }, items);
		passTime(10 * 24 * 3_600_000);
		const { error } = await fromRows({ ...dueLater, ...change, ...reading(`${typed}; ${after}`) }, items);
		expect(error?.message).toContain('You would bill');
		expect(created()).toHaveLength(1);
	}); // prettier-ignore

	const rows = () => [row(), row(undefined, { 'Unit Price': '7', Item: 'Travel' })];

	test('[R1] find the same invoices for the same rows', async () => {
		const first = await fromRows(perRow(), rows());
		expect(outcomes(first.json)).toEqual(['created', 'created']);
		expect(created().every((number) => /^AUTO-[0-9A-Z]{12}$/.test(String(number)))).toBe(true);
		expect(first.hints.join()).toContain('so they are made from the content');
		const again = await fromRows(perRow(), rows().reverse());
		expect(outcomes(again.json)).toEqual(['found', 'found']);
		expect(created()).toHaveLength(2);
	});

	test('count equal rows', async () => {
		const equal = () => [row(), row(), row()];
		await confirmRows(perRow(), equal());
		const [one] = created();
		expect(created()).toEqual([one, `${one}-2`, `${one}-3`]);
		await confirmRows(perRow(), equal());
		expect(created()).toHaveLength(3);
	});

	test('do not change with a due date that is counted from today', async () => {
		const items = () => rows().map((one) => ({ ...one, 'Due Date': '' }));
		const change = { ...perRow(), defaults: { dueInDays: 30 } };
		const { plan } = await planOf(items(), change);
		await fromRows({ ...change, options: { onlyIfPlanIs: plan.fingerprint } }, items());
		passTime(26 * 3_600_000);
		const { json, hints } = await fromRows(change, items());
		expect(json.map(({ outcome, differences }) => [outcome, differences])).toEqual([['found', undefined], ['found', undefined]]); // prettier-ignore
		expect(hints.join()).not.toContain('differ');
		expect(created()).toHaveLength(2);
	});

	test('change with the prefix', async () => {
		await fromRows(perRow(), rows());
		await fromRows({ ...perRow(), options: { numberPrefix: '2027-02-' } }, rows());
		expect(created().filter((number) => String(number).startsWith('2027-02-'))).toHaveLength(2);
		const options = { numberPrefix: 'a-prefix-that-is-long' };
		const { error } = await fromRows({ ...perRow(), options }, rows());
		expect(error?.message).toContain('Number Prefix can have at most 12 characters');
	});

	test('[R1] do not depend on spaces, Unicode forms or the order of items', async () => {
		const named = (...items: string[]) =>
			items.map((Item) => row(undefined, { Item, Order: 'O-1' }));
		const change = per('Order');
		await fromRows(change, named('Caf\u00e9', 'Work at home'));
		await fromRows(change, named('Work\u00a0at  home', 'Cafe\u0301'));
		expect(created()).toHaveLength(1);
	});

	test('[R1] distinguish rows by their notes, and count rows that only differ in a field without money', async () => {
		const two = (header: string, ...cells: string[]) =>
			cells.map((cell) => row(undefined, { [header]: cell }));
		const noted = await fromRows(perRow('Note = Note'), two('Note', 'Order 1', 'Order 2'));
		expect(outcomes(noted.json)).toEqual(['created', 'created']);
		const pages = two('Success URL', 'https://x.example/1', 'https://x.example/2');
		const change = {
			...perRow('Success URL = Success URL'),
			options: { ifRowsChanged: 'createBoth' },
		};
		const first = await confirmRows(change, pages);
		const again = await confirmRows(change, pages.reverse());
		expect(outcomes(first.json)).toEqual(['created', 'created']);
		expect(outcomes(again.json)).toEqual(['found', 'found']);
		expect(new Set(created()).size).toBe(4);
	});

	test.each([0, 5])(
		'say that their invoice is cancelled, also %i minutes later',
		async (minutes) => {
			await fromRows({}, [row()]);
			account().changeInvoice(String(account().created[0].full.id), 'cancelled');
			passTime(minutes * 60_000);
			const way = 'To bill one again, give it another invoice number';
			const before = await fromRows({ previewOnly: true }, [row()]);
			expect(before.json).toMatchObject([
				{ action: 'exists, cancelled', warnings: 'cancelled in the service, so it is not billed' },
			]);
			expect(before.hints.join()).toContain('Nothing is billed for cancelled invoices');
			expect(before.hints.join()).toContain(way);
			const { hints, json } = await fromRows({}, [row()]);
			expect(json).toMatchObject([{ outcome: 'found, cancelled' }]);
			expect(hints.join()).toContain('These existing invoices are cancelled');
			expect(hints.join()).toContain(way);
			expect(hints.join()).toContain('1 existed already, cancelled');
			expect(created()).toHaveLength(1);
		},
	);
});
