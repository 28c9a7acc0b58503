import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { runNode } from '../helpers/engine';
import { ActiveTrigger } from '../helpers/pollEngine';
import { useSimulator } from '../helpers/service';

/** What answers that were changed at random have shown. */
const service = useSimulator();
const answer = (body: string) =>
	service.world.faults.add({ method: 'POST', action: { kind: 'raw', body, work: 'done' } });
const run = async (parameters: object) =>
	await runNode({ credential: service.credential, parameters: parameters as INodeParameters });
const member = {
	resource: 'member',
	operation: 'create',
	firstName: 'Ada',
	lastName: 'Berg',
	email: 'ada@example.com',
	jobTitle: 'Sales',
	role: 'staff',
};

describe.each([
	'{}',
	'{"ok":true}',
	'{"id":null}',
	'{"id":""}',
	'{"id":{}}',
	'{"id":[1]}',
	'{"id":true}',
])('a creation that is answered with %s', (body) => {
	test.each<[string, () => object]>([
		['team member', () => member],
		['invoice', () => service.invoice()],
	])('is no %s, but may have been done', async (noun, parameters) => {
		answer(body);
		const { error, json } = await run(parameters());
		expect(json).toEqual([]);
		expect(error?.message).toContain(`no ${noun}: the response has no id`);
		expect(error?.message).toContain(`The ${noun} may still have been created`);
	});
});

test('a field that is called __proto__ lends nothing to an invoice', async () => {
	answer('{"id":"a","__proto__":{"status":"paid","amount":"0.00"}}');
	const { json } = await run(service.invoice());
	expect(json).toHaveLength(1);
	expect(Object.getPrototypeOf(json[0])).toBe(Object.prototype);
	expect((json[0] as { status?: string }).status).toBeUndefined();
	answer('{"id":"a","__proto__":{"status":"paid"}}');
	const whole = await run(service.invoice({ simplify: false }));
	expect(Object.getPrototypeOf(whole.json[0])).toBe(Object.prototype);
});

test('a charge that loses its date, and gets it back, comes once', async () => {
	service.world.reset({ charges: 3 });
	const active = new ActiveTrigger({ credential: service.credential });
	await active.activate();
	const charge = service.world.account.addCharge({}, Date.now());
	const { created } = charge;
	const ids = (items: IDataObject[] | null) => items?.map(({ id }) => id);
	expect(ids(await active.poll())).toEqual([charge.id]);
	charge.created = undefined;
	expect(await active.poll()).toBeNull();
	charge.created = created;
	expect(await active.poll()).toBeNull();
	const undated = service.world.account.addCharge({}, Date.now());
	const later = undated.created;
	undated.created = 'some day';
	expect(ids(await active.poll())).toEqual([undated.id]);
	undated.created = later;
	expect(await active.poll()).toBeNull();
});

test('a list whose pages repeat and then end with a 404 is not whole', async () => {
	service.world.reset({ charges: 45, pastTheEnd: 'notFound' });
	const { results } = service.world.account.listCharges({}, 1, 7, 'newestFirst');
	const body = JSON.stringify({ count: 45, next: 'https://x.example/2', previous: null, results });
	for (let page = 1; page <= 7; page++) {
		service.world.faults.add({
			times: null,
			contains: `page=${page}&`,
			action: { kind: 'raw', body },
		});
	}
	const parameters = { resource: 'charge', operation: 'getAll', returnAll: true };
	const { error, json } = await run({ ...parameters, options: { maxWait: 0, pageSize: 7 } });
	expect(json).toEqual([]);
	expect(error?.message).toContain('45');
});
