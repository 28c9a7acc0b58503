import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { JsonSchema } from '../../tools/commands/outputSchemas';
import {
	eventOutputSchemas,
	outputSchemas,
	triggerOutputSchema,
} from '../../tools/commands/outputSchemas';
import { ActiveTrigger } from '../helpers/pollEngine';
import { runNode } from '../helpers/engine';
import { operations } from '../helpers/operations';
import { useSimulator } from '../helpers/service';

const service = useSimulator();

const firstCharge = () => service.world.account.listCharges({}, 1, 1, 'newestFirst').results[0];

/** What each operation is asked in these tests; `charge/getAll` and so on. */
const asked: Record<string, () => { parameters: INodeParameters; items?: IDataObject[] }> = {
	'charge/get': () => ({
		parameters: { chargeId: { __rl: true, mode: 'id', value: firstCharge().id } },
	}),
	'charge/getAll': () => ({ parameters: { limit: 20 } }),
	'customer/getAll': () => ({ parameters: { limit: 20 } }),
	'invoice/create': () => ({ parameters: service.invoice() }),
	'invoice/createFromRows': () => ({
		parameters: { columns: { mappingMode: 'autoMapInputData', value: null } },
		items: [
			{
				Customer: service.world.account.customers[0].id,
				Currency: 'EUR',
				'Due Date': '2026-12-31',
				'Invoice Number': '2026-1',
				Item: 'Consulting',
				Amount: '19.99',
			},
		],
	}),
	'invoice/get': () => ({
		parameters: {
			invoiceId: { __rl: true, mode: 'id', value: service.world.account.invoices[0].full.id },
		},
	}),
	'invoice/getAll': () => ({ parameters: { limit: 20 } }),
	'member/create': () => ({
		parameters: {
			firstName: 'Émile',
			lastName: 'Großmann',
			email: 'emile@team.example',
			jobTitle: 'Accountant',
			role: 'admin',
		},
	}),
	'member/get': () => ({
		parameters: {
			memberId: { __rl: true, mode: 'id', value: service.world.account.members[0].id },
		},
	}),
	'member/getAll': () => ({ parameters: {} }),
	'paymentLink/get': () => ({ parameters: { linkId: service.world.account.links[0].id } }),
};

async function run(key: string, change: INodeParameters = {}): Promise<IDataObject[]> {
	const [resource, operation] = key.split('/');
	if (!(key in asked)) throw new Error(`Add ${key} to the operations that are asked here`);
	const { parameters, items } = asked[key]();
	const { json, error } = await runNode({
		credential: service.credential,
		parameters: { resource, operation, ...parameters, ...change },
		items,
	});
	expect(error).toBeUndefined();
	expect(json.length).toBeGreaterThan(0);
	return json;
}

/** Where a value is not what a schema says; what is null may have any type. */
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
		'gives what its schema says, fields that need not be there %s',
		async (optionalFields) => {
			// Without the IDs of customers there is nothing to collect.
			if (key === 'customer/getAll' && optionalFields === 'missing') return;
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

	test('gives all that is shown before the first run, in the same order', async () => {
		const [json] = await run(key);
		expect(Object.keys(json)).toEqual(Object.keys(schema.properties ?? {}));
	});

	test('gives the same values without Simplify, and more of them', async () => {
		const { simpleFields } = operations.find((one) => one.key === key)?.operation ?? {};
		if (!simpleFields) return;
		const [json] = await run(key);
		service.world.reset();
		const [raw] = await run(key, { simplify: false });
		const { due_date: due, payer, ...others } = json;
		expect(raw).toMatchObject(others);
		// Rows have days, and so has what became of them.
		if (due !== undefined) expect(String(raw.due_date)).toContain(String(due));
		if (payer !== undefined) expect(raw.source).toMatchObject({ card_holder_name: payer });
		expect(Object.keys(raw).length).toBeGreaterThan(Object.keys(json).length);
	});
});

test('an expression that gives nothing leaves Simplify on', async () => {
	const [json] = await run('charge/getAll', { simplify: '={{ $json.none }}' });
	expect(Object.keys(json)).toHaveLength(10);
});

test('a result that has none of the fields of Simplify is given whole', async () => {
	const body = { count: 1, next: null, previous: null, results: [{ other: 1 }] };
	service.world.faults.add({ action: { kind: 'json', body } });
	expect(await run('charge/getAll')).toEqual([{ other: 1 }]);
});

test.each(Object.entries(eventOutputSchemas()))(
	'the trigger gives what its schema says: %s',
	async (event, schema) => {
		const { credential } = service;
		service.world.account.addCharge({ status: 'refunded' }, Date.now());
		service.world.account.changeMember(service.world.account.members[0].id, 'enabled');
		const parameters = { event, status: { __rl: true, mode: 'name', value: 'refunded' } };
		const shown = (await new ActiveTrigger({ credential, parameters }).show()) ?? [];
		expect(shown.length).toBeGreaterThan(0);
		const fields = Object.keys(schema.properties ?? {});
		for (const one of shown) {
			expect(Object.keys(one).sort()).toEqual([...fields].sort());
			for (const each of [schema, triggerOutputSchema()])
				expect(mismatches(each, one, event)).toEqual([]);
		}
	},
);

test('the trigger gives everything without Simplify, also as a test event', async () => {
	const { credential } = service;
	const shown = await new ActiveTrigger({ credential }).show();
	const [raw] =
		(await new ActiveTrigger({ credential, parameters: { simplify: false } }).show()) ?? [];
	const { payer, ...others } = shown?.[0] ?? {};
	expect(raw).toMatchObject({ ...others, source: { card_holder_name: payer } });
	expect(raw).toHaveProperty('source.last4');
});
