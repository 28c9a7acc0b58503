import type { IDataObject } from 'n8n-workflow';
import { passTime } from '../helpers/clock';
import { fromRows } from '../helpers/fromRows';
import { useSimulator } from '../helpers/service';

/** Return Rows: the sheet comes back with the problem or the invoice of each row, to be corrected and run again. */
const service = useSimulator();
const run = fromRows(service);
const customer = () => service.world.account.customers[0].id;
const row = (change: object = {}): IDataObject => ({
	'Customer ID': customer(),
	Currency: 'EUR',
	'Due Date': '2027-01-15',
	Item: 'Consulting',
	'Unit Price': '100.00',
	...change,
});
const numbered = (number: string, change: object = {}) =>
	row({ 'Invoice Number': number, ...change });
const added = ({ Problem, 'Invoice ID': id, 'Invoice Number': number, 'Payment Page': page }: IDataObject) => ({ problem: Problem, id, number, page }); // prettier-ignore
const created = () => service.created.map(({ full }) => full);
const posts = () => service.requests.filter(({ method }) => method === 'POST').length;
const back = (change: object = {}) => ({ options: { returnRows: true }, ...change });
const onError = (how: 'continueRegularOutput' | 'continueErrorOutput') => ({ onError: how });

describe('[S2] the rows that come back', () => {
	test('are all of the input, unchanged, in its order, paired with it', async () => {
		const items = [
			numbered('A', { Qty: 2, row_number: 5 }),
			{ 'Invoice Number': '' },
			numbered('B'),
			numbered('A', { Item: 'Travel', row_number: 8 }),
		];
		const { json, items: output, error } = await run(back(), items);
		expect(error).toBeUndefined();
		json.forEach((one, at) => expect(one).toMatchObject(items[at]));
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 2, 3].map((item) => ({ item })),
		);
		const of = (number: string) => created().find(({ invoice_number }) => invoice_number === number); // prettier-ignore
		expect(json.map(added)).toEqual([
			{ problem: '', id: of('A')?.id, number: 'A', page: of('A')?.url },
			{ problem: '', id: '', number: '', page: '' },
			{ problem: '', id: of('B')?.id, number: 'B', page: of('B')?.url },
			{ problem: '', id: of('A')?.id, number: 'A', page: of('A')?.url },
		]);
	});

	test('have the problem of their own cells, and the others of the invoice name the row', async () => {
		const items = [numbered('A', { Qty: 'two' }), numbered('A'), numbered('B', { Currency: '' })];
		const { json, hints } = await run(back({ onlyValidate: true }), items);
		expect(json.map(({ Problem }) => Problem)).toEqual([
			expect.stringMatching(/^Not created: Row 2, column "Qty": .*"two"/),
			'Not created: Correct row 2 of this invoice first',
			'Not created: Row 4: Currency is empty, but it is required',
		]);
		expect(hints.join()).toContain('2 cannot be created, as the column Problem says');
		expect(posts()).toBe(0);
	});

	test('without Continue, rows that are not valid stop the run', async () => {
		const { error } = await run(back(), [numbered('A'), numbered('B', { Currency: '' })]);
		expect(error?.message).toContain('Currency is empty');
		expect(posts()).toBe(0);
	});

	test('go to the error output if they failed', async () => {
		const items = [numbered('A'), numbered('B', { Currency: '' })];
		const { json, errorItems } = await run(back(), items, onError('continueErrorOutput'));
		expect(json.map(({ Item, Problem }) => [Item, Problem])).toEqual([['Consulting', '']]);
		expect(errorItems.map((item) => item.json)).toEqual([
			{ ...items[1], Problem: expect.stringContaining('Currency is empty') as string, 'Invoice ID': '', 'Payment Page': '' },
		]); // prettier-ignore
	});

	test('say what is wrong with the sheet in each row', async () => {
		const { json } = await run(back(), [numbered('A', { Shipping: '5.00' }), {}], onError('continueRegularOutput')); // prettier-ignore
		expect(json.map(({ Problem }) => Problem)).toEqual([
			expect.stringContaining('"Shipping": 5.00 in row 2'),
			'',
		]);
	});

	test('say that an invoice may have been created', async () => {
		service.world.faults.add({ method: 'POST', path: '/v1', times: null, action: { kind: 'status', status: 500, work: 'none' } }); // prettier-ignore
		const { json } = await run(back({ options: { returnRows: true, maxWait: 0 } }), [numbered('A')], onError('continueRegularOutput')); // prettier-ignore
		expect(json[0].Problem).toMatch(/^May have been created: /);
	});

	test('say how an invoice that exists differs', async () => {
		await run({}, [numbered('A'), numbered('off')]);
		const { id } = created().find((one) => one.invoice_number === 'off') ?? {};
		service.world.account.changeInvoice(String(id), 'cancelled');
		passTime(3_600_000);
		const items = [numbered('A', { 'Unit Price': '7' }), numbered('off'), numbered('new')];
		for (const onlyValidate of [true, false]) {
			const { json } = await run(back({ onlyValidate }), items);
			expect(json.map(({ Problem }) => Problem)).toEqual([
				expect.stringMatching(/^Exists, but differs: .*100\.00 in the service, 7\.00 here/),
				expect.stringMatching(/^Exists, but is cancelled: /),
				'',
			]);
			expect(json[0]['Invoice ID']).toBe(created().find((one) => one.invoice_number === 'A')?.id);
			expect(json[2]['Invoice ID'] === '').toBe(onlyValidate);
		}
	});
});

describe('[S2] correcting and running again', () => {
	const corrected = (json: IDataObject[]) =>
		json.map((one) => ({ ...one, ...(one.Qty === 'two' && { Qty: '2' }) }));
	/** As a file keeps it: an Excel reader leaves out empty cells. */
	const reread = (json: IDataObject[]) =>
		json.map((one) => Object.fromEntries(Object.entries(one).filter(([, cell]) => cell !== '')));

	test.each(['with numbers', 'without numbers'])(
		'ends with every invoice once: %s',
		async (how) => {
			const has = how === 'with numbers';
			const one = (number: string, change: object = {}) =>
				has ? numbered(number, change) : row(change);
			const items = [one('A', { Qty: '1' }), one('B', { Qty: 'two' }), one('C', { Qty: '1' })];
			const first = await run(back({ onlyValidate: true }), items);
			const second = await run(back(), reread(first.json), onError('continueRegularOutput'));
			expect(created()).toHaveLength(2);
			const third = await run(back(), corrected(reread(second.json)));
			expect(third.error).toBeUndefined();
			expect(third.json.map(({ Problem }) => Problem)).toEqual(['', '', '']);
			const fourth = await run(back(), reread(third.json));
			expect(fourth.json).toEqual(third.json);
			expect(created().map(({ amount }) => amount).sort()).toEqual(['100.00', '100.00', '200.00']); // prettier-ignore
			const ids = new Set(fourth.json.map((returned) => returned['Invoice ID']));
			expect(ids).toEqual(new Set(created().map(({ id }) => id)));
		},
	);

	test('a number that was made stays with its row, and a new row that is equal gets another', async () => {
		const first = await run(back(), [row()]);
		const second = await run(back(), [row(), ...first.json, row({ 'Unit Price': '7' })]);
		expect(second.error).toBeUndefined();
		const number = String(first.json[0]['Invoice Number']);
		expect(second.json.map((one) => one['Invoice Number'])).toEqual([
			`${number}-2`,
			number,
			expect.stringMatching(/^AUTO-/),
		]);
		expect(created()).toHaveLength(3);
		// A row that is corrected afterwards is the same invoice, and says so.
		const wrong = second.json.map((one) => ({ ...one, 'Unit Price': '8' }));
		const third = await run(back(), wrong);
		expect(created()).toHaveLength(3);
		expect(third.json.map(({ Problem }) => Problem)).toEqual(
			Array(3).fill(expect.stringContaining('Exists, but differs')),
		);
	});

	test('also with a prefix of last month', async () => {
		const prefixed = (numberPrefix: string) =>
			back({ options: { returnRows: true, numberPrefix } });
		const first = await run(prefixed('2026-10-'), [row()]);
		const second = await run(prefixed('2026-11-'), [...first.json, row({ 'Unit Price': '7' })]);
		expect(second.error).toBeUndefined();
		expect(second.json.map((one) => String(one['Invoice Number']).slice(0, 8))).toEqual(
			['2026-10-', '2026-11-'], // prettier-ignore
		);
	});

	test('numbers of the user are still needed in every row', async () => {
		const { error } = await run({}, [numbered('INV-1'), row()]);
		expect(error?.message).toContain('Invoice Number is empty');
	});
});

describe('[S2] columns of the user are not overwritten', () => {
	test.each<[string, IDataObject]>([
		['Problem', { Problem: 'Screen is broken' }],
		['Invoice ID', { 'Invoice ID': 'INV-7' }],
		['Invoice ID', { 'Invoice ID': '3f2b8c1e-5d4a-4f6b-9c7d-8e9f0a1b2c3d' }],
		['Payment Page', { 'Payment Page': 'to do' }],
	])('%s', async (header, cells) => {
		const { error } = await run(back(), [row(cells)]);
		expect(error?.message).toContain(`Return Rows would overwrite the column "${header}"`);
		expect(posts()).toBe(0);
	});
});
