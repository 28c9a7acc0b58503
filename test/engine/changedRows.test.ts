/** Rows whose invoice has another number than in an earlier run, because what they say has changed. */

import { passTime } from '../helpers/n8n/clock';
import { perRow } from '../helpers/sheets/fromRows';
import { actions, continues, textOf, useNode } from '../helpers/n8n/nodeRuns';

const { service, row, fault, fromRows, planOf, createdNumbers: created } = useNode();
const account = () => service.world.account;
const rows = () => [row(), row(undefined, { 'Unit Price': '7', Item: 'Travel' })];

describe('rows that have changed since an earlier run', () => {
	const changed = () => [
		row(undefined, { 'Unit Price': '90' }),
		rows()[1],
		row(undefined, { Item: 'Food', 'Due Date': '2027-03-15' }),
	];
	const twice =
		/You would bill .* twice: now 90\.00, and in an earlier run EUR 100\.00 due 2027-01-15, AUTO-/;

	test('stop the run, and the preview says which invoice would be the second one', async () => {
		await fromRows(perRow(), rows());
		const { json, hints, plan } = await planOf(changed(), perRow());
		expect(actions(json)).toEqual(['stop', 'exists', 'create']);
		const warnings = [expect.stringMatching(twice), '', ''];
		expect(json.map((one) => one.warnings ?? '')).toEqual(warnings);
		expect(plan.summary).toMatch(twice);
		expect(hints.join('\n')).toMatch(twice);
		expect(hints.join('\n')).toContain('cancel the earlier invoice in the service');
		const { error } = await fromRows(perRow(), changed());
		expect(error?.message).toMatch(twice);
		expect(created()).toHaveLength(2);
	});

	test('stop the run as well if somebody has approved both before one was run', async () => {
		const plans = [await planOf([row()], perRow()), await planOf([changed()[0]], perRow())];
		const approved = (at: number) => ({ options: { onlyIfPlanIs: plans[at].plan.fingerprint } });
		await fromRows({ ...perRow(), ...approved(0) }, [row()]);
		const { error } = await fromRows({ ...perRow(), ...approved(1) }, [changed()[0]]);
		expect(error?.message).toContain('The plan has changed since it was approved');
		expect(created()).toHaveLength(1);
	});

	test('stop the run before the lists show the earlier invoices', async () => {
		service.world.reset({ listLagMs: 60_000 });
		await fromRows(perRow(), rows());
		passTime(5000);
		const { error } = await fromRows(perRow(), changed());
		expect(error?.message).toMatch(twice);
		expect(created()).toHaveLength(2);
	});

	test('stop the run if the response of the earlier one was lost, and the service is slow', async () => {
		fault({ kind: 'reset', work: { lateMs: 120_000 } }, { method: 'POST' });
		const first = await fromRows(perRow(), [row()], continues);
		expect(JSON.stringify(first.json)).toContain('may still have been created');
		const { error } = await fromRows(perRow(), [changed()[0]]);
		expect(error?.message).toContain('You would bill');
		expect(created()).toHaveLength(0);
	});

	test('of other customers, in another sheet, do not stop the run', async () => {
		const [other] = account().customers.filter(({ id }) => id !== row()['Customer ID']);
		await fromRows(perRow(), [row(undefined, { 'Customer ID': other.id, Item: 'Advice' })]);
		await fromRows(perRow(), rows());
		const { error } = await fromRows(perRow(), [...rows(), changed()[2]]);
		expect([error, created().length]).toEqual([undefined, 4]);
	});

	test('stop the run if they had a column of numbers before', async () => {
		const numbered = [row('INV-1'), row('INV-2', { 'Unit Price': '7', Item: 'Travel' })];
		await fromRows({}, numbered);
		const { error } = await fromRows(perRow(), rows());
		expect(error?.message).toMatch(/You would bill .* twice: .*INV-1/);
		expect(created()).toHaveLength(2);
	});

	test('are named in the preview if they have got a column of numbers', async () => {
		await fromRows(perRow(), [row()]);
		const { json, hints } = await planOf([row('INV-1')], {});
		expect(actions(json)).toEqual(['create']);
		expect(hints.join('\n')).toMatch(/Look at: You would bill .* twice: .*AUTO-/);
	});

	test('of another month do not stop the rows of this one, though some of these exist', async () => {
		await fromRows(perRow(), rows());
		const february = rows().map((one) => ({ ...one, 'Due Date': '2027-02-15' }));
		await fromRows(perRow(), february.slice(0, 1));
		const { error } = await fromRows(perRow(), february);
		expect([error, created().length]).toEqual([undefined, 4]);
	});

	test('stop the run if only a due date was corrected, by some weeks', async () => {
		const due = (date: string) => [rows()[0], { ...rows()[1], 'Due Date': date }];
		await fromRows(perRow(), due('2027-02-05'));
		const { error } = await fromRows(perRow(), due('2027-01-15'));
		expect(error?.message).toContain('You would bill');
		// Another prefix would bill the first row again.
		expect(textOf({ error })).not.toContain('Number Prefix');
	});

	test('say that another month needs a prefix if none of them exists', async () => {
		await fromRows(perRow(), [row()]);
		const { error } = await fromRows(perRow(), [changed()[0]]);
		expect(textOf({ error })).toContain("set 'Number Prefix' under Options");
	});

	test('are created if the service has refused them before', async () => {
		fault({ kind: 'status', status: 422 }, { method: 'POST' });
		await fromRows(perRow(), [row()], continues);
		const { error } = await fromRows(perRow(), [changed()[0]]);
		expect([error, created().length]).toEqual([undefined, 1]);
	});

	test('are created if due dates count from today, and other work costs the same', async () => {
		const change = { ...perRow(), defaults: { dueInDays: 14 } };
		const one = (Item: string) => [row(undefined, { Item, 'Due Date': '' })];
		await fromRows(change, one('Grammar'));
		passTime(24 * 3_600_000);
		const { error } = await fromRows(change, one('Spelling'));
		expect([error, created().length]).toEqual([undefined, 2]);
	});

	test.each<[string, object, (id: string) => void]>([
		['the earlier invoice is cancelled', {}, (id) => account().changeInvoice(id, 'cancelled')],
		['the user wants both', { options: { ifRowsChanged: 'createBoth' } }, () => {}],
	])('are created if %s', async (_what, change, meanwhile) => {
		await fromRows(perRow(), rows());
		const of = (amount: string) => account().created.find(({ full }) => full.amount === amount);
		meanwhile(String(of('100.00')?.full.id));
		passTime(5 * 60_000);
		const { error } = await fromRows({ ...perRow(), ...change }, changed());
		expect(error).toBeUndefined();
		expect(created()).toHaveLength(4);
	}); // prettier-ignore

	test('stop the run too if the service does not tell which invoices exist', async () => {
		await fromRows(perRow(), rows());
		fault({ kind: 'status', status: 403 }, { contains: 'customer_id=', times: null });
		const { error } = await fromRows(perRow(), changed());
		expect(error?.message).toContain('does not allow this');
		expect(created()).toHaveLength(2);
		const { json } = await fromRows(perRow(), changed(), continues);
		expect(json).toHaveLength(3);
	});

	test.each<[string, object[], object[]]>([
		['the only row has another price', [{}], [{ 'Unit Price': '90' }]],
		['the only row has another item', [{}], [{ Item: 'Advice' }]],
		['the only row is due some days later', [{}], [{ 'Due Date': '2027-01-20' }]],
		['another row exists, and all of this one has changed', [{}, { Item: 'Food', 'Unit Price': '7' }], [{}, { Item: 'Travel', 'Unit Price': '90', 'Due Date': '2027-06-15' }]],
	])('stop the run if %s', async (_what, before, after) => {
		await fromRows(perRow(), before.map((change) => row(undefined, change)));
		const count = created().length;
		const { error } = await fromRows(perRow(), after.map((change) => row(undefined, change)));
		expect(error?.message).toContain('You would bill');
		expect(created()).toHaveLength(count);
	}); // prettier-ignore

	test('stop the run if the customer has had hundreds of invoices since', async () => {
		const [invoice] = (await fromRows(perRow(), [row()])).json;
		const { id } = account().created[0].full.customer as { id: string };
		for (let count = 0; count < 300; count++) account().addInvoice({ customer_id: id }, Date.now());
		passTime(11 * 60_000);
		const { error } = await fromRows(perRow(), [row(undefined, { 'Unit Price': '90' })]);
		expect(error?.message).toContain(String(invoice.invoice_number));
	});

	test('are created if the only row has moved to another month', async () => {
		await fromRows(perRow(), [row()]);
		await fromRows(perRow(), [row(undefined, { 'Due Date': '2027-02-15' })]);
		expect(created()).toHaveLength(2);
	});

	test('are created if only rows are new', async () => {
		await fromRows(perRow(), rows());
		const { error } = await fromRows(perRow(), [...rows(), changed()[2]]);
		expect([error, created().length]).toEqual([undefined, 3]);
	});
});
