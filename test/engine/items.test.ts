import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { InvoicingPayments } from '../../index';
import { plainValue } from '../../nodes/shared/fields/plainValue';
import { fs, log, monitorEventLoopDelay, nodeProcess, path, projectFolder } from '../../tools/node';
import { pause } from '../helpers/n8n/clock';
import { contextOf, executeNode } from '../helpers/n8n/engine';
import {
	continueModes,
	continues,
	locator,
	newMember,
	numbersTo,
	outcomes,
	useNode,
} from '../helpers/n8n/nodeRuns';
import { confirmedParameters } from '../helpers/sheets/confirm';
import { fromRowsParameters } from '../helpers/sheets/fromRows';
import { isNight } from '../helpers/someOf';

/**
 * The items that come in: with fields that the service would refuse, with text that is HTML or a formula elsewhere, with anything that
 * an expression can give, and ten thousand of them.
 */
const { service, run, posts, fault, create, row, fromRows, confirmRows } = useNode();

const additional = (additionalFields: object) => ({ additionalFields });
/** An invoice with one line. */
const line = (change: object) => ({
	items: { item: [{ name: 'x', amount: '1', quantity: 1, ...change }] },
});
const json = (itemsJson: string) => ({ itemsInput: 'json', itemsJson });

describe('invalid input is an error that names field, limit and item', () => {
	test.each<[string[], object]>([
		[['Customer', 'required'], { customerId: '={{ $json.none }}' }],
		[['Due Date', 'day of the calendar'], { dueDate: '2026-02-31' }],
		[['Due Date', 'YYYY-MM-DD'], { dueDate: '={{ "01/02/2026" }}' }],
		[['cannot be read'], { dueDate: '={{ {toISO: 1} }}' }],
		[['Items', 'at least one item'], { items: {} }],
		[['Items (JSON)', 'at least one item'], json('[]')],
		[['Items (JSON)', 'JSON list'], json('[{')],
		[['Items (JSON)', 'JSON list'], json('={{ 5 }}')],
		[['Items (JSON), line 1', 'object'], json('[1]')],
		[['"qty"', 'name, amount, quantity'], json('[{"name":"a","amount":1,"qty":2}]')],
		[['Items, line 1', 'amount', 'required'], line({ amount: '' })],
		[['Items, line 1', 'name', 'required'], line({ name: ' ' })],
		[['Items, line 1', 'amount', 'at most 3 decimals'], line({ amount: '10.1234' })],
		[['Items, line 1', 'at most 10 digits'], line({ amount: '12345678901' })],
		[['Items, line 1', 'quantity', 'whole number'], line({ quantity: 1.5 })],
		[['Items, line 1', 'quantity', 'required'], line({ quantity: '={{ $json.Qty }}' })],
		[['Custom Fields, line 1', 'must be text'], additional({ customFields: { field: [{ name: '={{ {a: 1} }}' }] } })],
		[['Start Date', 'day of the calendar'], additional({ startsAt: '2026-04-31' })],
	])('%j for an invoice', async (words, change) => {
		const { error, items } = await run(service.invoice(change));
		for (const word of words) expect(error?.message).toContain(word);
		expect(error?.message).not.toContain('[item');
		expect(error?.description).toContain('Nothing was sent');
		expect([items, service.requests]).toEqual([[], []]);
	}); // prettier-ignore

	test.each<[string[], string, object]>([
		[['Payment Link ID', 'UUID'], 'paymentLink/get', { linkId: '../members' }],
		[['Team Member', 'UUID'], 'member/get', { memberId: locator('id', '=..') }],
		[['Limit', 'whole number'], 'member/getAll', { limit: '={{ "all" }}' }],
		[['First Name must have at least 2'], 'member/create', { firstName: '=A' }],
		[['Last Name is empty'], 'member/create', { lastName: '=' }],
	])('%j for %s', async (words, key, change) => {
		const [resource, operation] = key.split('/');
		const { error } = await run({
			resource,
			operation,
			...(key === 'member/create' && newMember),
			...change,
		});
		for (const word of words) expect(error?.message).toContain(word);
		expect(service.requests).toEqual([]);
	}); // prettier-ignore
});

test.each([
	['more items than Maximum Invoices', { maximumInvoices: 1 }, "2 invoices would be created, but 'Maximum Invoices' is 1"],
	['more money than Maximum Total', { maximumTotal: '1' }, "would be billed, but 'Maximum Total' is 1"],
])('%s send nothing', async (_what, options, said) => {
	const items = [{}, {}];
	const { error } = await run(service.invoice({ options }), { items });
	expect(error?.message).toContain(said);
	const { json } = await run(service.invoice({ options }), { items, node: continues });
	expect(json.map((item) => String(item.error).includes(said))).toEqual([true, true]);
	expect(posts()).toEqual([]);
}); // prettier-ignore

describe('one bad item among good ones', () => {
	const good = { amount: '5', percent: 5 };
	const notMoney = { amount: 'x', percent: 5 };
	const items = [good, good, { amount: '5.00001', percent: 101 }, good, notMoney];
	const parameters = () =>
		service.invoice({
			...line({ amount: '={{ $json.amount }}' }),
			...additional({ discountPercentage: '={{ $json.percent }}' }),
		}) as INodeParameters;

	test('[O5] sends nothing, and reports all problems of all items in one error', async () => {
		const { error } = await run(parameters(), { items });
		expect(service.requests).toEqual([]);
		expect(error?.message).toMatch(
			/at most 3 decimals.*; Discount Percentage.*\[item 3\] \(and 1 more in other items\)/,
		);
		expect(error?.context.itemIndex).toBe(2);
		expect(error?.description).toMatch(/• Items, line 1: amount must .* \[item 5\]$/);
		expect(error?.description).not.toContain('[item 3]');
	});

	test('counts two hundred bad items, and lists six', async () => {
		const { error } = await run(parameters(), { items: Array(200).fill(notMoney) });
		expect(error?.message).toContain('and 199 more in other items');
		expect(error?.description?.split('<br>')).toHaveLength(7);
	});

	test.each(continueModes)('[O5] creates the others with %s', async (onError) => {
		const result = await run(parameters(), { items, node: { onError } });
		expect(service.created).toHaveLength(3);
		const isApart = onError === 'continueErrorOutput';
		const placesOf = (some: typeof result.items) =>
			some.map(({ pairedItem }) => (pairedItem as { item: number }).item);
		expect(placesOf(result.items)).toEqual(isApart ? [0, 1, 3] : [0, 1, 2, 3, 4]);
		expect(placesOf(result.errorItems)).toEqual(isApart ? [2, 4] : []);
		const failed = (isApart ? result.errorItems : result.items).filter(
			({ json: one }) => one.error,
		);
		expect(placesOf(failed)).toEqual([2, 4]);
		expect(failed[0].json).toMatchObject({
			amount: '5.00001',
			error: expect.stringMatching(/at most 3 decimals.*101/) as string,
		});
	});

	test.each<[string, object[]]>([
		['$json.due.toISODate()', [{ due: 1 }, {}]],
		['$json.bad ? $("Nowhere").item.json.x : "2026-12-31"', [{}, {}, { bad: true }, {}]],
	])('sends nothing if the expression of one item fails: %s', async (due, all) => {
		const { error } = await run(service.invoice({ dueDate: `={{ ${due} }}` }), {
			items: all as Array<Record<string, never>>,
		});
		expect(error).toBeDefined();
		await pause(100);
		expect(service.requests).toEqual([]);
	});
});

describe('text is never HTML', () => {
	const evil = '<!-- <b onclick=x>&';
	test('in the hints of a sheet and of an existing invoice', async () => {
		const items = [row('A', { [`${evil} fee`]: '12.00' })];
		const { seen } = await confirmRows({ ifInvoiceNumberExists: 'returnExisting' }, items);
		service.created.forEach(({ full }) => Object.assign(full, { title: evil, currency: evil }));
		const again = await fromRows({ ifInvoiceNumberExists: 'returnExisting' }, [row('A', { Title: 'x' })]);
		const texts = [...seen.hints, ...again.hints, again.error?.description ?? ''].join('\n');
		expect(texts).toContain('&lt;!-- &lt;b onclick=x&gt;&amp;');
		expect(texts).not.toContain('<!--');
		expect(texts).not.toContain('<b');
	}); // prettier-ignore

	test('in the pages of the examples', () => {
		const folder = path.join(projectFolder, 'examples');
		const open = fs
			.readdirSync(folder)
			.filter((file) => file.endsWith('.json'))
			.flatMap((file) => {
				const { nodes } = JSON.parse(fs.readFileSync(path.join(folder, file), 'utf8')) as {
					nodes: Array<{ parameters: IDataObject }>;
				};
				return nodes.flatMap(({ parameters: { options = {} } }) => {
					const { formDescription = '' } = options as { formDescription?: string };
					const isSafe = !formDescription.includes('{{') || formDescription.includes('&lt;');
					return isSafe ? [] : [`${file}: ${formDescription}`];
				});
			});
		expect(open).toEqual([]);
	});
});

test.each(['=HYPERLINK("https://x.example")', '+1', '@SUM(A1)', '-1'])(
	'an ID and an address that begin like a formula go back into a sheet as text: %s',
	async (formula) => {
		const body = { id: formula, url: formula, currency: 'EUR', invoice_number: 'A' };
		fault({ kind: 'json', body }, { method: 'POST' });
		const { json } = await confirmRows({ options: { returnRows: true } }, [row('A')]);
		expect(json).toMatchObject([{ 'Invoice ID': `'${formula}`, 'Payment Page': `'${formula}` }]);
	},
);

describe('an item that cannot be read', () => {
	const cyclic: IDataObject = {};
	cyclic.self = cyclic;
	const deep = JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`) as IDataObject;
	const throwing = Object.defineProperty({}, 'toString', { value: () => { throw new TypeError('no'); } }) as IDataObject; // prettier-ignore
	const fields = ['title', 'invoiceNumber', 'note'];
	test.each(
		Object.entries({ cyclic, deep, throwing }).flatMap(([name, value]) =>
			fields.map((field) => [name, field, value] as const),
		),
	)('is an error before anything is sent: %s in %s', async (_name, field, value) => {
		const additionalFields = { [field]: '={{ $json.value }}' };
		const items = [{ value: 'fine' }, { value }] as IDataObject[];
		const parameters = service.invoice({ additionalFields }) as INodeParameters;
		const { credential } = service;
		await expect(executeNode({ credential, parameters, items })).rejects.toThrow();
		expect(posts()).toEqual([]);
	});
});

describe("a value that is read without n8n's evaluator", () => {
	const names = [
		...[
			'Amount',
			'Due Date',
			'a',
			'_b2',
			'Größe',
			'toString',
			'__proto__',
			'constructor',
			'x"y',
			'',
		],
	];
	const name = fc.constantFrom(...names);
	const expression = name.chain((one) =>
		fc.constantFrom(
			`={{ $json.${one} }}`,
			`={{$json["${one}"]}}`,
			`={{ $json['${one}'] }}`,
			`= {{ $json.${one} }}`,
			`={{ $json.${one} }} `,
			`={{ $json.${one} + 1 }}`,
			`={{ $json.${one}?.length }}`,
			`=${one}`,
			`{{ $json.${one} }}`,
		),
	);
	const value = fc.oneof(
		fc.constantFrom<unknown>(null, 0, -0, 1.5, true, '', '={{ 1 }}', ' text ', '2026-12-31', 'é\u0000'), // prettier-ignore
		fc.double({ noNaN: true, noDefaultInfinity: true }),
		fc.string(),
		fc.constant({ Amount: 1 }),
		fc.constant([1, 'a']),
	);
	const item = fc.dictionary(name, value, { noNullPrototype: true });
	const parameter = fc.oneof(
		{ weight: 4, arbitrary: expression },
		fc.string(),
		fc.integer(),
		fc.boolean(),
		fc.record({ mode: fc.constant('id'), __rl: fc.constant(true), value: expression }),
		fc.record({ item: fc.array(fc.record({ name: expression, quantity: expression }), { maxLength: 3 }) }),
	); // prettier-ignore

	/** The value from n8n-core's context, or that it throws. */
	function evaluated(parameters: INodeParameters, items: IDataObject[], index: number): unknown {
		try {
			const context = contextOf({ credential: service.credential, parameters, items });
			return { value: context.getNodeParameter('firstName', index, '') };
		} catch {
			return 'an error';
		}
	}

	const member = { resource: 'member', operation: 'create' };

	test('equals the one of the evaluator', () => {
		let read = 0;
		fc.assert(
			fc.property(fc.array(item, { minLength: 1, maxLength: 3 }), parameter, (items, note) => {
				const all = items as IDataObject[];
				all.forEach((json, index) => {
					const plain = plainValue(note, json);
					if (!plain) return;
					read++;
					expect(plain).toEqual(
						evaluated({ ...member, firstName: note } as INodeParameters, all, index),
					);
				});
			}),
			{ seed: 2026, numRuns: 300 },
		);
		expect(read).toBeGreaterThan(100);
	});

	test('is not converted, and no property asks n8n for that', () => {
		const { properties } = new InvoicingPayments().description;
		expect(JSON.stringify(properties)).not.toContain('validateType');
	});
});

describe('[R3] large runs', () => {
	const count = isNight ? 10_000 : 150;
	const numbers = numbersTo(count);
	const many = {
		options: { maxRequestsInFlight: 50, maximumInvoices: count, maximumTotal: '100000000' },
	};

	/** Runs it, and says how long n8n was kept from other work at most (ms), and how much memory grew (MB). */
	async function measured(parameters: INodeParameters, items: IDataObject[]) {
		const delay = monitorEventLoopDelay({ resolution: 5 });
		const before = nodeProcess.memoryUsage().heapUsed;
		delay.enable();
		const { credential } = service;
		const json = await executeNode({ credential, parameters, items });
		delay.disable();
		const megabytes = Math.round((nodeProcess.memoryUsage().heapUsed - before) / 2 ** 20);
		return { json, longestPause: Math.round(delay.max / 1e6), megabytes };
	}

	test.each(['items', 'rows'])(
		'create an invoice for each of many %s once, and n8n goes on with its other work',
		async (kind) => {
			service.world.reset({ latency: 0 });
			const items = numbers.map((number) => (kind === 'rows' ? row(number) : { number }));
			const fromRowsOnce = fromRowsParameters({ ifInvoiceNumberExists: 'returnExisting', ...many });
			const parameters =
				kind === 'rows' ? confirmedParameters(fromRowsOnce, items) : create('returnExisting', many);
			for (const outcome of ['created', 'found']) {
				const { json, ...cost } = await measured(parameters, items);
				if (isNight) log(`${kind} ${outcome}: ${JSON.stringify(cost)}`);
				expect(new Set(outcomes(json))).toEqual(new Set([outcome]));
				expect(cost.longestPause).toBeLessThan(1000);
			}
			const sent = service.created.map(({ request }) => request.invoice_number);
			expect(sent.sort()).toEqual([...numbers].sort());
		},
		600_000,
	);
});
