import type { IDataObject } from 'n8n-workflow';
import type { FaultInput } from '../../simulator/faults';
import { newMember, useNode } from '../helpers/n8n/nodeRuns';
import { ActiveTrigger } from '../helpers/n8n/pollEngine';

/**
 * Results of the service that are not what they should be: numbers that JavaScript cannot represent, no ID, another invoice than the
 * one that was sent. They are given as they are, or there is an error that says what is wrong.
 */
const { service, run, fault } = useNode();

const charges = (change: object = {}) => ({
	resource: 'charge',
	operation: 'getAll',
	simplify: false,
	options: { maxWait: 0 },
	...change,
});
const answerWith = (body: string, more: Partial<FaultInput> = {}, status = 200) =>
	fault({ kind: 'raw', body, status }, { times: null, ...more });
/** A page with these results, each as JSON. */
const page = (...results: string[]) =>
	`{"count":${results.length},"next":null,"previous":null,"results":[${results.join(',')}]}`;
const answerCreate = (body: string) => answerWith(body, { method: 'POST', times: 1 });

/** Whole numbers that JavaScript cannot distinguish. */
const [one, other] = ['1234567890123456781', '1234567890123456782'];
const limits: Array<[string, object]> = [
	['with a limit', {}],
	['with the limit reached', { limit: 2 }],
	['all', { returnAll: true }],
	['simplified', { simplify: true, returnAll: true }],
];

describe('numbers that JavaScript cannot represent', () => {
	test.each(limits)('keep two similar IDs as exact text: %s', async (_, change) => {
		answerWith(
			page(`{"id":${one},"reference_id":${other}}`, `{"id":${other},"reference_id":${one}}`),
		);
		const { json, error } = await run(charges(change));
		expect(error).toBeUndefined();
		expect(json).toMatchObject([
			{ id: one, reference_id: other },
			{ id: other, reference_id: one },
		]);
	});

	test('[O7] keep their digits as text, and small ones stay numbers', async () => {
		answerWith(
			page(
				'{"id":"a","minus":-9007199254740993,"long":0.12345678901234567890,"power":1.5e400,"small":12,"half":1.50,"max":9007199254740991}',
			),
		);
		const { json } = await run(charges());
		expect(json).toEqual([
			{
				id: 'a',
				minus: '-9007199254740993',
				long: '0.12345678901234567890',
				power: '1.5e400',
				small: 12,
				half: 1.5,
				max: 9007199254740991,
			},
		]);
	});

	test('keep the ID of a created invoice as exact text', async () => {
		answerCreate(`{"id":${one},"invoice_number":"A","currency":"EUR"}`);
		const { json } = await run(service.invoice({ simplify: false }));
		const fields = { id: one, invoice_number: 'A', currency: 'EUR' };
		expect(json).toEqual([{ outcome: 'created', ...fields }]);
	});
});

describe('an invoice that the service changes', () => {
	const additionalFields = { invoiceNumber: 'A' };
	const wanted = { currency: 'EUR', dueDate: '2027-02-15', additionalFields };
	test.each<[string, string]>([
		['amount: 9.00 in the service', '"amount":"9.00"'],
		['currency: USD in the service, EUR here', '"currency":"USD"'],
		['customer: ', '"customer":{"id":"x"}'],
		['items: 1.00 x 1 in the service', '"items":[{"amount":"1","quantity":1}]'],
		['discount: 10.00% in the service, 0% here', '"discount_percentage":"10.00"'],
		['due date: 2027-03-15 in the service', '"due_date":"2027-03-15T00:00:00Z"'],
		['its status is cancelled', '"status":"cancelled"'],
	])('is an error that names the difference: %s', async (words, field) => {
		answerCreate(`{"id":"a","invoice_number":"A","title":"",${field}}`);
		const { error, json } = await run(service.invoice(wanted));
		expect(json).toEqual([]);
		expect(error?.message).toContain('The invoice was created, but not as it was sent: ');
		expect(error?.message).toContain(words);
		// It exists, so a second run finds it.
		const ifInvoiceNumberExists = 'returnExisting';
		const again = await run(service.invoice({ ...wanted, ifInvoiceNumberExists }));
		expect([again.error?.message, again.json]).toMatchObject([
			undefined,
			[{ outcome: field.includes('cancelled') ? 'found, cancelled' : 'found', id: 'a' }],
		]);
	});

	const warned = { ...wanted, options: { ifAmountsChange: 'warn' } };
	test('is only reported if its amount differs and the user only wants a warning', async () => {
		answerCreate('{"id":"a","invoice_number":"A","amount":"9.00"}');
		const { json, hints } = await run(service.invoice(warned));
		const differences = ['amount: 9.00 in the service, 39.98 here'];
		expect(json).toMatchObject([{ outcome: 'created', id: 'a', differences }]);
		expect(hints).toEqual([expect.stringContaining(differences[0])]);
	});

	test('is an error even then if anything else differs', async () => {
		answerCreate('{"id":"a","invoice_number":"A","amount":"9.00","currency":"USD"}');
		const { error } = await run(service.invoice(warned));
		expect(error?.message).toContain('not as it was sent: ');
	});

	test('may not have been created after status 202', async () => {
		answerWith('{"id":"a","invoice_number":"A"}', { method: 'POST', times: 1 }, 202);
		const { error } = await run(service.invoice(wanted));
		expect(error?.message).toContain('status 202');
		expect(error?.message).toContain('may still have been created');
	});
});

const noIds = ['', '"id":null,', '"id":"",', '"id":{},', '"id":[],'];

describe.each(noIds)('results without an ID (%s)', (id) => {
	test.each(limits.filter(([, { simplify }]: [string, { simplify?: boolean }]) => !simplify))(
		'are distinguished by all their fields: %s',
		async (_, change) => {
			const limit = { limit: 50, ...change, ...('limit' in change && { limit: 3 }) };
			const results = [`"a":1,"b":{"c":${one}}`, `"a":1,"b":{"c":${other}}`, '"a":2'];
			answerWith(page(...results.map((rest) => `{${id}${rest}}`)));
			const { json, error } = await run(charges(limit));
			expect(error).toBeUndefined();
			expect(json.map(({ a, b }) => [a, (b as IDataObject | undefined)?.c])).toEqual([
				[1, one],
				[1, other],
				[2, undefined],
			]);
		},
	);

	test('are given once over several pages', async () => {
		const all = Array.from({ length: 30 }, (_, index) => `{${id}"a":${index}}`);
		for (let number = 3; number >= 1; number--) {
			const results = all.slice((number - 1) * 10, number * 10).join(',');
			const next = number < 3 ? '"x"' : 'null';
			const body = `{"count":30,"next":${next},"results":[${results}]}`;
			answerWith(body, { contains: `page=${number}&` });
		}
		const options = { pageSize: 10, maxWait: 0 };
		const { json, error } = await run(charges({ returnAll: true, options }));
		expect(error).toBeUndefined();
		expect(json.map(({ a }) => a)).toEqual(all.map((_, index) => index));
	});
});

describe('a trigger delivers each charge once', () => {
	const activate = async () => {
		const { credential } = service;
		const active = new ActiveTrigger({ credential, parameters: { simplify: false } });
		await active.activate();
		return active;
	};
	type Difference = [
		title: string,
		field: 'id',
		values: string[],
		withValue: (value: string) => string,
	];
	const differences: Difference[] = [
		['IDs that JavaScript cannot represent', 'id', [one, other], (id) => `"id":${id}`],
	];
	test.each(differences)('if charges differ in %s', async (_name, field, values, withValue) => {
		service.world.reset({ charges: 0 });
		const active = await activate();
		const rest = `"created":"${new Date().toISOString()}","currency":"EUR","items":[]`;
		answerWith(page(...values.map((value) => `{${withValue(value)},${rest}}`)));
		const polls = [await active.poll(), await active.poll(), await active.again().poll()];
		const items = polls.flatMap((delivered) => delivered ?? []);
		expect(items.map((item) => item[field]).sort()).toEqual(values);
	});
});

describe('[R5] a create that was sent', () => {
	test.each([
		'{}',
		'{"ok":true}',
		...['null', '""', '{}', '[1]', 'true'].map((id) => `{"id":${id}}`),
	])(
		// prettier-ignore
		'may have been done if the response is %s',
		async (body) => {
			for (const [noun, parameters] of [
				['team member', newMember],
				['invoice', service.invoice()],
			] as const) {
				answerCreate(body);
				const { error, json } = await run(parameters);
				expect(json).toEqual([]);
				expect(error?.message).toContain(`no ${noun}: the response has no id`);
				expect(error?.message).toContain(`The ${noun} may still have been created`);
			}
		},
	);

	test.each([{}, { simplify: false }])('gets no fields from __proto__ (%o)', async (change) => {
		answerCreate('{"id":"a","url":"x","title":"","__proto__":{"status":"paid","amount":"0.00"}}');
		const { json } = await run(service.invoice(change));
		expect(json).toHaveLength(1);
		expect(Object.getPrototypeOf(json[0])).toBe(Object.prototype);
		expect(Object.hasOwn(json[0], 'status') && json[0].status).toBeFalsy();
	});
});

test('another thing than the one that was asked for is an error', async () => {
	const [{ id }, { id: wanted }] = service.world.account.members;
	const get = { resource: 'member', operation: 'get', memberId: wanted };
	answerWith(JSON.stringify({ id, email: 'ada@team.example' }));
	const { json, error } = await run(get);
	expect(json).toEqual([]);
	expect(error?.message).toContain('another ID than the one that was asked for');
});

test('a list with repeated pages and a 404 at the end is an error', async () => {
	service.world.reset({ charges: 45, pastTheEnd: 'notFound' });
	const { results } = service.world.account.listCharges({}, 1, 7, 'newestFirst');
	const body = JSON.stringify({ count: 45, next: 'https://x.example/2', previous: null, results });
	for (let number = 1; number <= 7; number++) answerWith(body, { contains: `page=${number}&` });
	const options = { maxWait: 0, pageSize: 7 };
	const { error, json } = await run(charges({ returnAll: true, options }));
	expect(json).toEqual([]);
	expect(error?.message).toContain('45');
});
