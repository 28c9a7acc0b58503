import { listIn } from '../helpers/engine';
import { useSimulator } from '../helpers/service';

const service = useSimulator();
const members = async (filter?: string, token?: string) =>
	await listIn('getMembers', service.credential, filter, token);
const customers = async (filter?: string) =>
	await listIn('getCustomers', service.credential, filter);

/** Lets the service answer with invoices of these customers. */
function answerWith(...all: unknown[]) {
	const results = all.map((customer, index) => ({ id: String(index), customer }));
	const body = { count: results.length, next: null, previous: null, results };
	service.world.faults.add({ action: { kind: 'json', body } });
}

const ids = [1, 2, 3].map((digit) => `00000000-0000-4000-8000-00000000000${digit}`);

describe('team members', () => {
	test('come in parts, by name, each once', async () => {
		service.world.reset({ members: 250 });
		const found = [];
		let token: string | undefined;
		do {
			const { results, paginationToken } = await members('', token);
			found.push(...results);
			token = paginationToken;
		} while (token);
		expect(found.map(({ value }) => value).sort()).toEqual(
			service.world.account.members.map(({ id }) => id).sort(),
		);
		const names = found.map(({ name }) => name);
		expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b)));
	});

	test('are searched by name, job title and ID', async () => {
		const [member] = service.world.account.members;
		for (const filter of [
			member.user.last_name.toUpperCase(),
			` ${member.job_title} `,
			member.id,
		]) {
			const { results } = await members(filter);
			expect(results.map(({ value }) => value)).toContain(member.id);
		}
		expect((await members('nobody is called like this')).results).toEqual([]);
	});
});

describe('customers', () => {
	test('are those of the invoices, each once', async () => {
		const { results } = await customers();
		const known = new Map(service.world.account.customers.map((one) => [one.id, one]));
		expect(results.length).toBeGreaterThan(5);
		expect(new Set(results.map(({ value }) => value)).size).toBe(results.length);
		for (const { name, value } of results) {
			const { name: own = '', email = '' } = known.get(String(value)) ?? {};
			expect(name).toBe(`${own}, ${email} (${String(value).slice(0, 8)})`);
		}
		const [first] = results;
		expect((await customers(first.name.slice(0, 9).toUpperCase())).results).toContainEqual(first);
		expect((await customers(String(first.value))).results).toEqual([first]);
	});

	test('are found in all invoices, and read once in five minutes', async () => {
		service.world.reset({ invoices: 1000 });
		const { results } = await customers();
		expect(results).toHaveLength(service.world.account.customers.length);
		expect((await customers(String(results[0].value))).results).toEqual([results[0]]);
		expect(service.requests.length).toBeLessThanOrEqual(11);
	});

	const start = ids[0].slice(0, 8);
	test.each([
		['a name', { id: ids[0], name: ' Northwind  AB' }, `Northwind AB (${start})`],
		[
			'names in an object, an address, a moment and other IDs',
			{
				kind: 'company',
				email: 'ann@shop.example',
				user: { first_name: 'Ann', last_name: 'Lee' },
				id: ids[0],
				account: ids[1],
				url: 'https://shop.example',
				created: '2026-01-01T00:00:00Z',
				city: 'Oslo',
			},
			`Ann, Lee, ann@shop.example (${start})`,
		],
		['a long name', { id: ids[0], name: 'x'.repeat(70) }, `${'x'.repeat(60)}… (${start})`],
		['card data', { id: ids[0], card_data: { name: '4111' }, city: 'Oslo' }, `Oslo (${start})`],
		['nothing but an ID', { id: ids[0] }, ids[0]],
	])('with %s', async (_what, customer, name) => {
		answerWith(customer, { ...customer, id: 'no UUID' }, null, 'text');
		expect((await customers()).results).toEqual([{ name, value: ids[0] }]);
	});

	test('who are called the same are told apart by their IDs, and one who was renamed is shown once', async () => {
		const other = 'ffffffff-0000-4000-8000-000000000001';
		answerWith(
			{ id: other, name: 'Lee' },
			{ id: ids[1], name: 'Lee' },
			{ id: other.toUpperCase(), name: 'Lee as it was' },
		);
		expect((await customers('LEE')).results).toEqual([
			{ name: 'Lee (00000000)', value: ids[1] },
			{ name: 'Lee (ffffffff)', value: other },
		]);
	});

	test.each([
		['oslo', 1],
		['bergen', 0],
	])('are searched by all that they hold: %s', async (words, count) => {
		answerWith({
			id: ids[0],
			name: 'Lee',
			company: 'Lee AB',
			email: 'lee@x.example',
			city: 'Oslo',
		});
		expect((await customers(words)).results).toHaveLength(count);
	});

	test('without IDs are an error that says what to do', async () => {
		answerWith({ name: 'Northwind' });
		await expect(customers()).rejects.toMatchObject({
			message: 'The invoices do not contain customer IDs',
			description: expect.stringContaining('By ID') as string,
		});
		service.world.reset({ invoices: 0 });
		expect((await customers()).results).toEqual([]);
	});
});

test.each(['getMembers', 'getCustomers'] as const)('%s says what is wrong', async (method) => {
	const wrong = { ...service.credential, apiKey: 'wrong' };
	await expect(listIn(method, wrong)).rejects.toThrow('The service did not accept the API key');
	await expect(listIn(method, { apiKey: 'x', baseUrl: '' })).rejects.toThrow('Base URL');
	service.world.faults.add({ action: { kind: 'json', body: [1] } });
	await expect(listIn(method, service.credential)).rejects.toThrow('an unexpected response');
});
