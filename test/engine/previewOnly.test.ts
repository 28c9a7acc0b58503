/** Preview Only, with which a new Create From Rows begins: what it shows of a sheet, and offers under Reading. */

import type { IDataObject } from 'n8n-workflow';
import { listIn } from '../helpers/n8n/engine';
import { actions, continues, locator, outcomes, textOf, useNode } from '../helpers/n8n/nodeRuns';
import { mapping, reading } from '../helpers/sheets/fromRows';

const { service, run, posts, fault, row, fromRows } = useNode();

describe('Invoice: Create From Rows in a new node', () => {
	const customer = () => service.world.account.customers[0];
	const line = (number: string, change: object = {}) =>
		row(number, { 'Customer ID': undefined, Email: customer().email, Qty: '2', ...change });
	const newNode = async (change: object, items: IDataObject[]) =>
		await run({ resource: 'invoice', operation: 'createFromRows', ...change }, { items });

	test('creates nothing, and shows a table, how it reads the sheet and what it does not bill', async () => {
		const travel = line('A', { Item: 'Travel', Qty: '1' });
		const items = [line('A'), travel, line('B', { Colour: 'red' })];
		const { json, hints, error } = await newNode({}, items);
		expect([error, posts()]).toEqual([undefined, []]);
		const { fingerprint, reading: text } = json[1];
		expect(fingerprint).toMatch(/^[0-9a-f]{36}$/);
		expect(text).toBe(
			'Currency = Currency (text); Due Date = Due Date (date; 0 days apart; within 214 days); Invoice Number = Invoice Number (text); Customer Email = Email (email); Item Name = Item (text); Unit Price = Unit Price (number; 100 to 100); Quantity = Qty (number; 1 to 2); amounts in: EUR; one invoice per Invoice Number; not billed: Colour (empty; text); as in preview 8WPA6T',
		);
		expect(json).toEqual([
			{
				action: 'create',
				customer: customer().name,
				total: 'EUR 300.00',
				due_date: '2027-01-15',
				items: 2,
				invoice_number: 'A',
				rows: '2, 3',
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
			'Read as: Currency = Currency; Due Date = Due Date; Invoice Number = Invoice Number; Customer Email = Email; Item Name = Item; Unit Price = Unit Price; Quantity = Qty; one invoice per Invoice Number',
			'Not on the invoices: Colour.',
			"If it is right, choose it under 'Reading' and turn off 'Preview Only'. To correct it, switch 'Reading' to 'As Text' after you have chosen it.",
		]);
	});

	test('shows what cannot be created and why, instead of an error', async () => {
		const items = [line('A'), line('B', { Qty: 'two' }), line('C', { Email: 'nobody@x.example' })];
		const { json, hints, error } = await newNode({}, items);
		expect(error).toBeUndefined();
		expect(actions(json)).toEqual(['create', 'stop', 'stop']);
		expect(json[1].warnings).toBe('Quantity must be a number such as 2 or 1.5, got "two"');
		expect(json[2].warnings).toContain(
			'Customer: No customer with the email "nobody@x.example" was …; ',
		);
		expect(hints.slice(0, 3)).toEqual([
			'Nothing was created. 1 invoice to create for EUR 200.00; 2 cannot be created.',
			'Row 3, column "Qty": Quantity must be a number such as 2 or 1.5, got "two"',
			expect.stringMatching(/^Row 4: Customer: No customer with the email .* Correct the cell/),
		]);
		const whole = await newNode({ options: { simplify: false } }, items);
		const { id } = customer();
		expect(whole.json[0]).toMatchObject({ customer: { id }, items: [{ quantity: 2 }] });
		expect(whole.json[1]).toMatchObject({ action: 'stop', why: hints[1] });
	});

	test("offers its reading under 'Reading', for this account only", async () => {
		const items = [line('A', { Room: '7' })];
		await newNode({}, items);
		const { json } = await newNode({}, items);
		const { results } = await listIn('getReadings', service.credential);
		expect(results).toHaveLength(1);
		expect(results[0].value).toBe(json[0].reading);
		expect(results[0].name).toMatch(/^\d\d:\d\d · 1 invoice for 1 row: EUR 200\.00 · Currency/);
		expect((await listIn('getReadings', service.credential, 'dogs')).results).toEqual([]);
		const picked = { reading: locator('list', String(results[0].value)) };
		expect((await fromRows(picked, items)).json).toMatchObject([{ outcome: 'created' }]);
		service.world.reset();
		expect((await listIn('getReadings', service.credential)).results).toEqual([]);
	});

	test('refuses a reading that is none', async () => {
		const { error } = await newNode(reading('Price is Rate'), [line('A')]);
		expect(error?.message).toContain('Reading "Price is Rate" is not a statement');
	});

	test('says a field that is mapped by hand, and recognizes the others', async () => {
		const columns = mapping({ itemAmount: '={{ $json.much }}', itemQuantity: '3' });
		const items = [line('A', { 'Unit Price': undefined, Qty: undefined, much: '3,80' })];
		const { json } = await newNode({ columnsMode: 'manual', ...columns }, items);
		const { name } = customer();
		expect(json[0]).toMatchObject({ action: 'create', total: 'EUR 11.40', customer: name });
		expect(json[0].reading).toContain('Unit Price = much');
	});

	test.each<[string, (id: string) => [change: object, cells: object]]>([
		['a row has only an ID', (id) => [{}, { Email: '', 'Customer ID': id }]],
		['Default Customer is used', (id) => [{ defaults: { customerId: locator('id', id) } }, { Email: '' }]],
	])('names the customer if %s', async (_what, given) => {
		const { id, name } = customer();
		const [change, cells] = given(id);
		const items = [line('A', cells)];
		expect((await newNode(change, items)).json).toMatchObject([{ action: 'create', customer: name }]);
		// Without an answer of the service, it shows the ID.
		service.world.reset();
		fault({ kind: 'status', status: 500 }, { method: 'GET', times: null });
		const anyway = { ...change, ifInvoiceNumberExists: 'create', options: { maxWait: 0 } };
		expect((await newNode(anyway, items)).json).toMatchObject([{ customer: id }]);
	}); // prettier-ignore

	test('warns of an existing invoice that differs, and a run sums what it created', async () => {
		await fromRows({}, [line('A'), line('B')]);
		const items = [line('A', { Qty: '3' }), line('C'), line('D', { 'Unit Price': 'ten' })];
		const { json, hints } = await newNode({}, items);
		expect(hints[0]).toBe(
			'Nothing was created. 1 invoice to create for EUR 200.00; 1 differs (A: item Consulting: 100.00 x 2 in the service, 100.00 x 3 here; amount: 200.00 in the service, 300.00 here); 1 cannot be created.',
		);
		expect(hints[1]).toBe(
			'Row 4, column "Unit Price": Unit Price must be an amount such as 19.99, got "ten"',
		);
		expect(actions(json)).toEqual(['exists, differs', 'create', 'stop']);
		expect(json[0].warnings).toContain('200.00 in the service, 300.00 here');
		const existing = await newNode({}, [items[0], line('B')]);
		expect(actions(existing.json)).toEqual(['exists, differs', 'exists']);
		expect(existing.hints[0]).toMatch(/^Nothing to create; 1 exists; 1 differs/);
		const after = await fromRows(reading(String(json.at(-1)?.reading)), items, continues);
		expect(after.hints).toContain(
			'1 invoice created from 1 row: EUR 200.00; 1 existed already; 1 failed.',
		);
	});

	test('finds customers in a column with any name, also beside Default Customer', async () => {
		const [one, other] = service.world.account.customers;
		const items = [one, other].map(({ name: Agency }, at) =>
			line(`A${at}`, { Email: undefined, Item: 'Work', Agency }),
		);
		const defaults = { customerId: locator('id', service.world.account.customers[2].id) };
		for (const change of [{}, { defaults }]) {
			const { json } = await newNode(change, items);
			expect(json.map(({ customer: name }) => name)).toEqual([one.name, other.name]);
		}
	});

	test('shows the note that the customer would read', async () => {
		const items = [line('A', { Remarks: 'late check-out' }), line('B')];
		expect((await newNode({}, items)).hints.join('\n')).toContain('(note: late check-out).');
		const whole = await newNode({ options: { simplify: false } }, items);
		expect(whole.json.map(({ note }) => note)).toEqual(['late check-out', undefined]);
	});

	test.each<[object, string]>([
		[{ maximumInvoices: 1 }, "2 invoices would be created, but 'Maximum Invoices' is 1"],
		[{ maximumTotal: '399.99' }, "EUR 400.00 would be billed, but 'Maximum Total' is 399.99"],
	])('with %j stops a run above it, and counts no existing invoices', async (options, said) => {
		const both = [line('A'), line('B')];
		expect(textOf(await fromRows({ options }, both))).toContain(said);
		expect(posts()).toEqual([]);
		await fromRows({ options }, [line('A')]);
		expect(outcomes((await fromRows({ options }, both)).json)).toEqual(['found', 'created']);
	});

	test('compares a sheet with a reading that was typed, until its preview is chosen', async () => {
		const items = [line('A', { Note: 'x' }), line('B')];
		const typed = reading('Item Name = Item; Note = Note');
		const { json } = await newNode(typed, items);
		const { error } = await newNode({ ...typed, previewOnly: false }, items);
		expect(error?.message).toContain('not in the reading yet: ');
		expect(posts()).toEqual([]);
		const picked = reading(String(json.at(-1)?.reading));
		expect((await newNode({ ...picked, previewOnly: false }, items)).error).toBeUndefined();
		expect(posts()).toHaveLength(2);
	});
});
