import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { JsonSchema } from '../../tools/commands/outputSchemas';
import {
	eventOutputSchemas,
	outputSchemas,
	triggerOutputSchema,
} from '../../tools/commands/outputSchemas';
import { confirmedParameters } from '../helpers/sheets/confirm';
import { fromRowsParameters } from '../helpers/sheets/fromRows';
import { locator, newMember, pageOf, useNode } from '../helpers/n8n/nodeRuns';
import { operations } from '../helpers/n8n/operations';
import { ActiveTrigger } from '../helpers/n8n/pollEngine';

const node = useNode();
const { service, fault } = node;

/** The parameters of an operation, and its items if it needs any. Lists get 20 results. */
function inputOf(key: string): { parameters: object; items?: IDataObject[] } {
	const { account } = service.world;
	const [charge] = account.listCharges({}, 1, 1, 'newestFirst').results;
	const byId = (id = '') => locator('id', id);
	const inputs: Record<string, object> = {
		'charge/get': { chargeId: byId(charge.id) },
		'customer/getBalances': {},
		'invoice/create': service.invoice(),
		'invoice/createFromRows': confirmedParameters(fromRowsParameters(), [node.row('2026-1')]),
		'invoice/get': { invoiceId: byId(account.invoices[0].full.id) },
		'member/create': newMember,
		'member/get': { memberId: byId(account.members[0].id) },
		'paymentLink/get': { linkId: account.links[0].id },
	};
	const isList = key.endsWith('/getAll');
	if (!isList && !(key in inputs)) throw new Error(`Add ${key} to the operations that are tested`);
	return {
		parameters: isList ? { limit: 20 } : inputs[key],
		items: key === 'invoice/createFromRows' ? [node.row('2026-1')] : undefined,
	};
}

async function run(key: string, change: object = {}): Promise<IDataObject[]> {
	const [resource, operation] = key.split('/');
	const { parameters, items } = inputOf(key);
	const { json, error, stored } = await node.run(
		{ resource, operation, ...parameters, ...change },
		{ items },
	);
	expect(error).toBeUndefined();
	expect(json.length).toBeGreaterThan(0);
	if (!JSON.stringify(change).includes('includeCardData'))
		expect(stored).not.toMatch(/card_data|card_number|security_code/);
	return json;
}

/** Differences between a value and its schema. `null` may have any type. */
function mismatches({ type, properties, items }: JsonSchema, value: unknown, at: string): string[] {
	if (value === null || value === undefined) return [];
	if (type === 'array') {
		if (!Array.isArray(value)) return [`${at} is no list`];
		return items ? value.flatMap((one, index) => mismatches(items, one, `${at}[${index}]`)) : [];
	}
	if (type === 'object') {
		if (typeof value !== 'object' || Array.isArray(value)) return [`${at} is no object`];
		if (!properties) return [];
		return Object.entries(value).flatMap(([name, inner]) =>
			name in properties
				? mismatches(properties[name], inner, `${at}.${name}`)
				: [`${at}.${name} is not in the schema`],
		);
	}
	const isRight = type === 'integer' ? Number.isInteger(value) : typeof value === type;
	return isRight ? [] : [`${at} is not of type ${String(type)}`];
}

describe.each(Object.entries(outputSchemas()))('%s', (key, schema) => {
	test.each(['present', 'missing'] as const)(
		'matches its schema (optional fields %s)',
		async (optionalFields) => {
			// Customers without IDs cannot be collected, invoices without a status cannot be added up.
			if (key.startsWith('customer/') && optionalFields === 'missing') return;
			service.world.reset({ optionalFields, cardData: 'present' });
			for (const { duplicatesChecked, ...json } of await run(key)) {
				// A list without invoice numbers cannot be checked.
				expect(duplicatesChecked).toBe(
					key === 'invoice/createFromRows' && optionalFields === 'missing' ? false : undefined,
				);
				expect(mismatches(schema, json, key)).toEqual([]);
			}
		},
	);

	test('gives the fields of its schema in the same order, and more without Simplify', async () => {
		const [json] = await run(key);
		expect(Object.keys(json)).toEqual(Object.keys(schema.properties ?? {}));
		if (!operations.find((one) => one.key === key)?.operation.simpleFields) return;
		service.world.reset();
		// Create From Rows has it among its options.
		const whole = { simplify: false };
		const [raw] = await run(key, { ...whole, options: key.endsWith('Rows') ? whole : {} });
		const { due_date: due, payer } = json;
		// These are text with Simplify, and found by the node.
		const derived = ['due_date', 'payer', 'customer', 'customer_email', 'items'];
		const others = Object.entries(json).filter(([name]) => !derived.includes(name));
		expect(raw).toMatchObject(Object.fromEntries(others));
		// Results of rows have days instead of times.
		if (due !== undefined) expect(String(raw.due_date)).toContain(String(due));
		if (payer !== undefined) expect(raw.source).toMatchObject({ card_holder_name: payer });
		expect(Object.keys(raw).length).toBeGreaterThan(Object.keys(json).length);
	});
});

test.each([
	['charge/get', true],
	['charge/get', false],
	['charge/getAll', true],
	['charge/getAll', false],
])('%s gives card data only if the user asks for it, Simplify %p', async (key, simplify) => {
	service.world.reset({ cardData: 'present' });
	const [hidden] = await run(key, { simplify });
	const last4 = expect.stringMatching(/\d{4}/) as string;
	if (simplify) expect(hidden).not.toHaveProperty('source');
	else expect(hidden).toMatchObject({ source: { last4 } });
	const [shown] = await run(key, { simplify, options: { includeCardData: true } });
	expect(shown).toHaveProperty('source.card_data.card_number');
});

test.each<[{ output?: string; outputFields?: string[] }, number]>([
	[{}, 10],
	[{ output: 'raw' }, 11],
	[{ output: 'selected', outputFields: ['total', 'status'] }, 3],
	[{ output: 'selected' }, 1],
])('a tool with %j gives %i fields', async (choice, count) => {
	service.world.reset({ cardData: 'present' });
	const { json, error } = await node.run(
		{ resource: 'charge', operation: 'getAll', limit: 3, simplify: false, ...choice },
		{ node: { type: 'n8n-nodes-invoicing-payments.invoicingPaymentsTool' } },
	);
	expect(error).toBeUndefined();
	expect(json).toHaveLength(3);
	for (const one of json) {
		if (choice.output === 'raw') expect(Object.keys(one).length).toBeGreaterThan(count);
		else expect(Object.keys(one)).toHaveLength(count);
		expect(JSON.stringify(one)).not.toContain('card_data');
	}
});

test('an empty expression leaves Simplify on', async () => {
	const [json] = await run('charge/getAll', { simplify: '={{ $json.none }}' });
	expect(Object.keys(json)).toHaveLength(10);
});

test('a result without any field of Simplify is given whole', async () => {
	fault(pageOf({ other: 1 }));
	expect(await run('charge/getAll')).toEqual([{ other: 1 }]);
});

const testEvent = async (parameters: INodeParameters = {}) =>
	(await new ActiveTrigger({ credential: service.credential, parameters }).show()) ?? [];

test.each(Object.entries(eventOutputSchemas()))(
	'the trigger matches its schema: %s',
	async (event, schema) => {
		service.world.account.addCharge({ status: 'refunded' }, Date.now());
		service.world.account.changeMember(service.world.account.members[0].id, 'enabled');
		const dayIn = (days: number) =>
			new Date(Date.now() + days * 24 * 3_600_000).toISOString().slice(0, 10);
		for (const [status, days] of [
			['unpaid', 1],
			['overdue', -30],
		] as const)
			service.world.account.addInvoice({ status, due_date: dayIn(days) }, Date.now());
		const items = await testEvent({ event, status: locator('name', 'refunded') });
		expect(items.length).toBeGreaterThan(0);
		const fields = Object.keys(schema.properties ?? {}).sort();
		for (const one of items) {
			expect(Object.keys(one).sort()).toEqual(fields);
			for (const each of [schema, triggerOutputSchema()])
				expect(mismatches(each, one, event)).toEqual([]);
		}
	},
);

test('a test event of the trigger has all fields without Simplify', async () => {
	const [{ payer, items, ...others }] = await testEvent();
	const [raw] = await testEvent({ simplify: false });
	expect(raw).toMatchObject({ ...others, source: { card_holder_name: payer } });
	expect(raw).toHaveProperty('source.last4');
	expect([typeof items, Array.isArray(raw.items)]).toEqual(['string', true]);
});
