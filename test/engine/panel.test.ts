import type { IDataObject } from 'n8n-workflow';
import { listIn } from '../helpers/n8n/engine';
import { confirmedParameters } from '../helpers/sheets/confirm';
import { mapping, reading } from '../helpers/sheets/fromRows';
import { outcomes, textOf, useNode } from '../helpers/n8n/nodeRuns';

/** Create From Rows in a new node: the first run only shows what it would create. */
const { service, run: runNode, posts, fault, row: plainRow } = useNode();
const customer = () => service.world.account.customers[0];
const row = (number: string, change: object = {}) =>
	plainRow(number, { 'Customer ID': undefined, Email: customer().email, Qty: '2', ...change });
const run = async (change: object, items: IDataObject[]) =>
	await runNode({ resource: 'invoice', operation: 'createFromRows', ...change }, { items });
/** Creates from a sheet that was confirmed, unless `change` says how it is read. */
const create = async (change: object, items: IDataObject[]) => {
	const parameters = { operation: 'createFromRows', previewOnly: false, ...change };
	return await run(
		confirmedParameters(parameters, items, [...service.world.account.customers]),
		items,
	);
};

test('a new node creates nothing, and shows a table, how it reads the sheet and what it does not bill', async () => {
	const items = [row('A'), row('A', { Item: 'Travel', Qty: '1' }), row('B', { Colour: 'red' })];
	const { json, hints, error } = await run({}, items);
	expect([error, posts()]).toEqual([undefined, []]);
	const { fingerprint, reading: text } = json[1];
	expect(fingerprint).toMatch(/^[0-9a-f]{36}$/);
	expect(text).toBe(
		'Currency = Currency (text); Due Date = Due Date (date; 0 days apart; within 214 days); Invoice Number = Invoice Number (text); Customer Email = Email (email); Item Name = Item (text); Unit Price = Unit Price (number; 100 to 100); Quantity = Qty (number; 1 to 2); amounts in: EUR; one invoice per Invoice Number; not billed: Colour (empty; text)',
	);
	expect(json).toEqual([
		{
			action: 'create',
			customer: customer().name,
			total: 'EUR 300.00',
			due_date: '2027-01-15',
			items: 2,
			invoice_number: 'A',
			rows: '2-3',
			warnings: '',
			...{ reading: '', fingerprint: '', summary: '' },
		},
		expect.objectContaining({
			...{ total: 'EUR 200.00', rows: '4' },
			...{ reading: text, fingerprint, summary: '2 invoices to create for EUR 500.00' },
		}),
	]);
	expect(hints).toEqual([
		'Nothing was created. 2 invoices for 3 rows: EUR 500.00.',
		`The first invoice: ${customer().name}, EUR 300.00, due 2027-01-15: 2 × Consulting at 100.00; 1 × Travel at 100.00.`,
		'Read as: Customer Email = Email; Item Name = Item; Quantity = Qty; one invoice per Invoice Number; Currency, Due Date, Invoice Number, Unit Price as they are called.',
		'Not on the invoices: Colour.',
		"If it is right, choose it under 'Reading' and turn off 'Preview Only'. To correct it, switch 'Reading' to 'As Text' after you have chosen it.",
	]);
});

test('a preview shows what cannot be created and why, instead of an error', async () => {
	const items = [row('A'), row('B', { Qty: 'two' }), row('C', { Email: 'nobody@x.example' })];
	const { json, hints, error } = await run({}, items);
	expect(error).toBeUndefined();
	expect(json.map(({ action }) => action)).toEqual(['create', 'stop', 'stop']);
	expect(json[1].warnings).toBe('Quantity must be a number such as 2 or 1.5, got "two"');
	expect(json[2].warnings).toContain(
		'Customer: No customer with the email "nobody@x.example" was …; ',
	);
	expect(hints.slice(0, 3)).toEqual([
		'Nothing was created. 1 invoice to create for EUR 200.00; 2 cannot be created.',
		'Row 3, column "Qty": Quantity must be a number such as 2 or 1.5, got "two"',
		expect.stringMatching(/^Row 4: Customer: No customer with the email .* Correct the cell/),
	]);
	const whole = await run({ options: { simplify: false } }, items);
	expect(whole.json[0]).toMatchObject({
		customer: { id: customer().id },
		items: [{ quantity: 2 }],
	});
	expect(whole.json[1]).toMatchObject({ action: 'stop', why: hints[1] });
});

test('a preview names existing invoices', async () => {
	await create({}, [row('A'), row('B')]);
	const { json, hints } = await run({}, [row('A'), row('B', { 'Unit Price': '7' })]);
	expect(json.map(({ action }) => action)).toEqual(['exists', 'exists, differs']);
	expect(json[1].warnings).toContain('200.00 in the service, 14.00 here');
	expect(hints[0]).toMatch(/^Nothing to create; 1 exists; 1 differs/);
});

test('invoices are created if Preview Only is off, simplified or not', async () => {
	const { json } = await create({}, [row('A')]);
	expect(json[0]).toMatchObject({ outcome: 'created', amount: '200.00', due_date: '2027-01-15' });
	expect(json[0]).not.toHaveProperty('items');
	const whole = await create({ options: { simplify: false } }, [row('B')]);
	expect(whole.json[0]).toHaveProperty('items');
});

describe('Reading', () => {
	const odd = (change: object = {}) => row('A', { Room: '7', ...change });

	test('is needed before anything is billed, and the error gives it', async () => {
		const { error } = await run({ previewOnly: false }, [odd()]);
		expect(error?.message).toContain('Nobody has confirmed how this sheet is read');
		const { json } = await run({}, [odd()]);
		expect(error?.description).toContain(String(json[0].reading));
		expect(posts()).toEqual([]);
		const { json: created } = await create(reading(String(json[0].reading)), [odd()]);
		expect(created).toMatchObject([{ outcome: 'created', amount: '200.00' }]);
	});

	test('can be picked from the last previews of the account', async () => {
		await run({}, [odd()]);
		const { json } = await run({}, [odd()]);
		const { results } = await listIn('getReadings', service.credential);
		expect(results).toHaveLength(1);
		expect(results[0].value).toBe(json[0].reading);
		expect(results[0].name).toMatch(/^\d\d:\d\d · 1 invoice for 1 row: EUR 200\.00 · Currency/);
		expect((await listIn('getReadings', service.credential, 'dogs')).results).toEqual([]);
		const picked = { reading: { __rl: true, mode: 'list', value: results[0].value } };
		expect((await create(picked, [odd()])).json).toMatchObject([{ outcome: 'created' }]);
		service.world.reset();
		expect((await listIn('getReadings', service.credential)).results).toEqual([]);
	});

	test.each<[string, object, string]>([
		['a new column', { Late: '12.50' }, 'new column: Late (12.50 in row 2)'],
		['a column that is missing', { 'Unit Price': undefined }, 'missing column: Unit Price, which fills Unit Price'],
	])('stops a sheet with %s', async (_what, change, said) => {
		const { json } = await run({}, [odd()]);
		const { error } = await create(reading(String(json[0].reading)), [odd(change)]);
		expect(error?.message).toContain(`The sheet differs from the reading: ${said}`);
		expect(posts()).toEqual([]);
	}); // prettier-ignore

	test('lets an export leave out a column that is not billed, and change the order', async () => {
		const { json } = await run({}, [odd()]);
		const turned = Object.fromEntries(Object.entries(odd({ Room: undefined })).reverse());
		const { json: created } = await create(reading(String(json[0].reading)), [turned]);
		expect(created).toMatchObject([{ outcome: 'created', amount: '200.00' }]);
	});

	test('can be edited', async () => {
		const items = [odd({ Rate: '40.00' })];
		const { json } = await run(reading('Unit Price = Rate'), items);
		expect(json[0]).toMatchObject({ total: 'EUR 80.00' });
		expect(json[0].reading).toContain('not billed: Unit Price (number), Room (number)');
	});

	test('must be a reading', async () => {
		const { error } = await run(reading('Price is Rate'), [odd()]);
		expect(error?.message).toContain('Reading "Price is Rate" is not a statement');
	});
});

test('a field that is mapped by hand is said, and the others are recognized', async () => {
	const columns = mapping({ itemAmount: '={{ $json.much }}', itemQuantity: '3' });
	const items = [row('A', { 'Unit Price': undefined, Qty: undefined, much: '3,80' })];
	const { json } = await run({ columnsMode: 'manual', ...columns }, items);
	expect(json[0]).toMatchObject({
		action: 'create',
		total: 'EUR 11.40',
		customer: customer().name,
	});
	expect(json[0].reading).toContain('Unit Price = much');
});

test.each<[string, object, object]>([
	['a row has only an ID', {}, { Email: '' }],
	['Default Customer is used', { defaults: { customerId: undefined } }, { Email: '' }],
])('the preview names the customer if %s', async (what, change, cells) => {
	const { id, name } = customer();
	const isDefault = what.startsWith('Default');
	const items = [row('A', { ...cells, ...(!isDefault && { 'Customer ID': id }) })];
	const defaults = { defaults: { customerId: { __rl: true, mode: 'id', value: id } } };
	const given = { ...change, ...(isDefault && defaults) };
	expect((await run(given, items)).json).toMatchObject([{ action: 'create', customer: name }]);
	// Without an answer of the service, it shows the ID.
	service.world.reset();
	fault({ kind: 'status', status: 500 }, { method: 'GET', times: null });
	const anyway = { ...given, ifInvoiceNumberExists: 'create', options: { maxWait: 0 } };
	expect((await run(anyway, items)).json).toMatchObject([{ customer: id }]);
});

test('the sums of a run are of what was created, and an existing invoice that differs is a warning before', async () => {
	await create({}, [row('A'), row('B')]);
	const items = [row('A', { Qty: '3' }), row('C'), row('D', { 'Unit Price': 'ten' })];
	const { json, hints } = await run({}, items);
	expect(hints[0]).toBe(
		'Nothing was created. 1 invoice to create for EUR 200.00; 1 differs (A: items: 100.00 x 2 in the service, 100.00 x 3 here; amount: 200.00 in the service, 300.00 here); 1 cannot be created.',
	);
	expect(hints[1]).toBe(
		'Row 4, column "Unit Price": Unit Price must be an amount such as 19.99, got "ten"',
	);
	expect(json.map(({ action }) => action)).toEqual(['exists, differs', 'create', 'stop']);
	const after = await runNode(
		{
			...{ resource: 'invoice', operation: 'createFromRows', previewOnly: false },
			...reading(String(json.at(-1)?.reading)),
		},
		{ items, node: { onError: 'continueRegularOutput' } },
	);
	expect(after.hints).toContain(
		'1 invoice created from 1 row: EUR 200.00; 1 existed already: EUR 200.00; 1 failed.',
	);
});

test('customers are found in a column with any name, also beside Default Customer', async () => {
	const [one, other] = service.world.account.customers;
	const items = [one, other].map(({ name: Agency }, at) =>
		row(`A${at}`, { Email: undefined, Item: 'Work', Agency }),
	);
	const { json } = await run({}, items);
	expect(json.map(({ customer: name }) => name)).toEqual([one.name, other.name]);
	const third = service.world.account.customers[2].id;
	const defaults = { customerId: { __rl: true, mode: 'id', value: third } };
	const beside = await run({ defaults }, items);
	expect(beside.json.map(({ customer: name }) => name)).toEqual([one.name, other.name]);
});

test('the preview shows the note that the customer would read', async () => {
	const items = [row('A', { Remarks: 'late check-out' }), row('B')];
	expect((await run({}, items)).hints.join('\n')).toContain('(note: late check-out).');
	const whole = await run({ options: { simplify: false } }, items);
	expect(whole.json.map(({ note }) => note)).toEqual(['late check-out', undefined]);
});

test('customers are matched by name by default', async () => {
	const items = [row('A', { Email: '', Customer: customer().name })];
	expect((await run({}, items)).json).toMatchObject([{ action: 'create' }]);
	const { hints } = await run({ options: { matchCustomersBy: 'idOrEmail' } }, items);
	expect(hints.join()).toContain("set 'Match Customers By' to 'ID, Email or Name'");
});

test.each(['fingerprint', 'plan'])('a run can be limited to the %s of a preview', async (what) => {
	const both = [row('A'), row('B')];
	const { json } = await run(what === 'plan' ? { options: { simplify: false } } : {}, both);
	const bound = { options: { onlyIfPlanIs: json[1][what] } };
	expect(outcomes((await create(bound, both)).json)).toEqual(['created', 'created']);
	const { error } = await create(bound, [row('A')]);
	expect(error?.message).toContain('The plan has changed');
});

test.each<[object, string]>([
	[{ maximumInvoices: 1 }, "2 invoices would be created, but 'Maximum Invoices' is 1"],
	[{ maximumTotal: '399.99' }, "EUR 400.00 would be billed, but 'Maximum Total' is 399.99"],
])('%j stops a run above it, and counts no existing invoices', async (options, said) => {
	const both = [row('A'), row('B')];
	expect(textOf(await create({ options }, both))).toContain(said);
	expect(posts()).toEqual([]);
	await create({ options }, [row('A')]);
	expect(outcomes((await create({ options }, both)).json)).toEqual(['found', 'created']);
});

test('a price that is mapped by hand cannot stand beside amounts that the reading lists', async () => {
	const columns = { mappingMode: 'defineBelow', value: { itemAmount: 5 } };
	const change = { columnsMode: 'manual', columns, ...reading('Items = Unit Price') };
	const { error } = await run(change, [row('A')]);
	expect(error?.message).toBe(
		"Unit Price is mapped, but the reading lists the amounts after 'Items'. Remove one of them",
	);
});

test('whoever types a reading and sees its preview may bill exactly that', async () => {
	const items = [row('A', { Note: 'x' }), row('B')];
	const typed = reading('Item Name = Item; Note = Note');
	const create = { ...typed, previewOnly: false };
	expect((await run(create, items)).error?.message).toContain('not in the reading yet: ');
	const { hints } = await run(typed, items);
	expect(hints.at(-1)).toBe(
		"If it is right, turn off 'Preview Only'. To have later files compared with it, choose it under 'Reading'.",
	);
	const changed = [row('A', { Note: 'x' }), row('B', { Room: 'paid' })];
	expect((await run(create, changed)).error?.message).toContain('not in the reading yet: ');
	expect(posts()).toEqual([]);
	expect((await run(create, items)).error).toBeUndefined();
	expect(posts()).toHaveLength(2);
});
