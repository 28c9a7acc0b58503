import type { IDataObject } from 'n8n-workflow';
import { outcomes, textOf, useNode } from '../helpers/nodeRuns';

/** Create From Rows in a new node: the first run only shows what it would create. */
const { service, run: runNode, posts, row: plainRow } = useNode();
const customer = () => service.world.account.customers[0];
const row = (number: string, change: object = {}) =>
	plainRow(number, { 'Customer ID': undefined, Email: customer().email, Qty: '2', ...change });
const run = async (change: object, items: IDataObject[]) =>
	await runNode({ resource: 'invoice', operation: 'createFromRows', ...change }, { items });

test('a new node creates nothing, and shows a table', async () => {
	const items = [row('A'), row('A', { Item: 'Travel', Qty: '1' }), row('B', { Colour: 'red' })];
	const { json, hints, error } = await run({}, items);
	expect(error).toBeUndefined();
	expect(posts()).toEqual([]);
	const { fingerprint } = json[0];
	expect(fingerprint).toMatch(/^[0-9a-f]{36}$/);
	expect(json).toEqual([
		{
			action: 'create',
			invoice_number: 'A',
			customer: customer().name,
			total: '300.00',
			currency: 'EUR',
			due_date: '2027-01-15',
			items: '2 × Consulting at 100.00; 1 × Travel at 100.00',
			rows: '2, 3',
			warnings: '',
			fingerprint,
			summary: '2 invoices to create for EUR 500.00',
		},
		expect.objectContaining({ total: '200.00', rows: '4', fingerprint }),
	]);
	expect(hints).toContain(
		"Nothing was created. 2 invoices for 3 rows: EUR 500.00. Turn off 'Preview Only' to create them.",
	);
});

test('the preview has all fields without Simplify', async () => {
	const { json } = await run({ options: { simplify: false } }, [row('A')]);
	expect(json[0]).toMatchObject({ customer: { id: customer().id }, items: [{ quantity: 2 }] });
});

test('the preview names existing invoices, and does not ask to turn it off if all exist', async () => {
	await run({ previewOnly: false }, [row('A'), row('B')]);
	const { json, hints } = await run({}, [row('A'), row('B', { 'Unit Price': '7' })]);
	expect(json.map(({ action }) => action)).toEqual(['exists', 'exists, differs']);
	expect(json[1].warnings).toContain('200.00 in the service, 14.00 here');
	expect(hints[0]).toMatch(/^Nothing was created\. .*Nothing to create; 1 exists; 1 differs/);
	expect(hints.join()).not.toContain('Preview Only');
});

test('invoices are created if Preview Only is off, simplified or not', async () => {
	const { json } = await run({ previewOnly: false }, [row('A')]);
	expect(json[0]).toMatchObject({ outcome: 'created', amount: '200.00', due_date: '2027-01-15' });
	expect(json[0]).not.toHaveProperty('items');
	const whole = await run({ previewOnly: false, options: { simplify: false } }, [row('B')]);
	expect(whole.json[0]).toHaveProperty('items');
});

test('columns can be mapped by hand', async () => {
	const value = {
		customerId: '={{ $json.who }}',
		currency: 'EUR',
		dueDate: '2027-01-15',
		itemName: '={{ $json.what }}',
		itemAmount: '={{ $json.much }}',
	};
	const { json } = await run(
		{ columnsMode: 'manual', columns: { mappingMode: 'defineBelow', value } },
		[{ who: String(customer().email), what: 'Work', much: '5.00' }],
	);
	expect(json[0]).toMatchObject({ action: 'create', total: '5.00', customer: customer().name });
});

test('customers are matched by name by default', async () => {
	const items = [row('A', { Email: '', Customer: customer().name })];
	expect((await run({}, items)).json).toHaveLength(1);
	expect(textOf(await run({ matchCustomersBy: 'idOrEmail' }, items))).toContain(
		"set 'Match Customers By' to 'ID, Email or Name'",
	);
});

test.each(['fingerprint', 'plan'])('a run can be limited to the %s of a preview', async (what) => {
	const both = [row('A'), row('B')];
	const { json } = await run(what === 'plan' ? { options: { simplify: false } } : {}, both);
	const bound = { previewOnly: false, options: { onlyIfPlanIs: json[0][what] } };
	const { json: created } = await run(bound, both);
	expect(outcomes(created)).toEqual(['created', 'created']);
	const { error } = await run(bound, [row('A')]);
	expect(error?.message).toContain('The plan has changed');
});
