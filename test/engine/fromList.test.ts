/** From List: the lists that the editor offers for a field. */

import { InvoicingPayments } from '../../index';
import type { ListedIn } from '../helpers/n8n/engine';
import { listIn } from '../helpers/n8n/engine';
import { useLists } from '../helpers/n8n/listRuns';
import { pageOf } from '../helpers/n8n/nodeRuns';

const { service, fault, charges, seeded } = useLists();

const list = async (method: ListedIn, filter?: string, token?: string) =>
	await listIn(method, service.credential, filter, token);
const entries = async (...args: Parameters<typeof list>) => (await list(...args)).results;
const values = async (...args: Parameters<typeof list>) =>
	(await entries(...args)).map(({ value }) => value);
const byName = (names: string[]) => [...names].sort((a, b) => a.localeCompare(b));
/** The service lists invoices of these customers. */
const answerWith = (...customers: unknown[]) =>
	fault(pageOf(...customers.map((customer, index) => ({ id: String(index), customer }))));

describe('team members in the editor', () => {
	test('come in pages, sorted by name, each once', async () => {
		service.world.reset({ members: 250 });
		const found = [];
		let token: string | undefined;
		do {
			const { results, paginationToken } = await list('getMembers', '', token);
			found.push(...results);
			token = paginationToken;
		} while (token);
		const { members } = service.world.account;
		expect(found.map(({ value }) => value).sort()).toEqual(members.map(({ id }) => id).sort());
		const names = found.map(({ name }) => name);
		expect(names).toEqual(byName(names));
	});

	test('are found by name, job title and ID', async () => {
		const [{ id, job_title: title, user }] = service.world.account.members;
		for (const filter of [user.last_name.toUpperCase(), ` ${title} `, id])
			expect(await values('getMembers', filter)).toContain(id);
		expect(await values('getMembers', 'nobody is called like this')).toEqual([]);
	});
});

describe('customers in the editor', () => {
	const [one, two, three] = [1, 2, 3].map((digit) => `00000000-0000-4000-8000-00000000000${digit}`);

	test('are those of all invoices, each once, and read once in five minutes', async () => {
		service.world.reset({ invoices: 1000 });
		const all = await entries('getCustomers');
		const { customers } = service.world.account;
		expect(new Map(all.map(({ value, name }) => [value, name]))).toEqual(
			new Map(
				customers.map(({ id, name, email }) => [id, `${name}, ${email} (${id.slice(0, 8)})`]),
			),
		);
		expect(all).toHaveLength(customers.length);
		const [first] = all;
		expect(await entries('getCustomers', first.name.slice(0, 9).toUpperCase())).toContainEqual(
			first,
		);
		expect(await entries('getCustomers', String(first.value))).toEqual([first]);
		expect(service.requests.length).toBeLessThanOrEqual(11);
	});

	test.each<[string, object, string]>([
		['a name', { name: ' Northwind  AB' }, 'Northwind AB (00000000)'],
		[
			'a name and an email in inner objects, and no address, moment or other ID',
			{
				kind: 'company',
				contact: { first_name: 'Ann', last_name: 'Lee', email: 'ann@shop.example' },
				account: two,
				url: 'https://shop.example',
				created: '2026-01-01T00:00:00Z',
				city: 'Oslo',
			},
			'Ann Lee, ann@shop.example (00000000)',
		],
		['a long name', { name: 'x'.repeat(70) }, `${'x'.repeat(60)}… (00000000)`],
		['card data', { card_data: { name: '4111' }, name: 'Lee' }, 'Lee (00000000)'],
		['nothing but an ID', {}, one],
	])('show %s', async (_what, customer, name) => {
		answerWith({ ...customer, id: one }, { ...customer, id: 'no UUID' }, null, 'text');
		expect(await entries('getCustomers')).toEqual([{ name, value: one }]);
	});

	test('with the same name show their IDs, and a renamed customer shows once', async () => {
		const other = 'ffffffff-0000-4000-8000-000000000001';
		answerWith(
			{ id: other, name: 'Lee' },
			{ id: two, name: 'Lee' },
			{ id: other.toUpperCase(), name: 'Lee as it was' },
		);
		expect(await entries('getCustomers', 'LEE')).toEqual([
			{ name: 'Lee (00000000)', value: two },
			{ name: 'Lee (ffffffff)', value: other },
		]);
	});

	test.each(['nunez', 'NÚÑEZ', 'gmbh nunez', 'lodz', 'ostergard', 'strasse'])(
		'are found by names and emails, without accents, in any order (%s)',
		async (words) => {
			answerWith({ id: three, name: 'Núñez GmbH', company: 'Łódź, Østergård, Straße' });
			expect(await values('getCustomers', words)).toEqual([three]);
		},
	);

	test('without IDs are an error with advice', async () => {
		answerWith({ name: 'Northwind' });
		await expect(list('getCustomers')).rejects.toMatchObject({
			message: 'The invoices do not contain customer IDs',
			description: expect.stringContaining('By ID') as string,
		});
		service.world.reset({ invoices: 0 });
		expect(await values('getCustomers')).toEqual([]);
	});
});

describe('invoices in the editor', () => {
	test('are found by number, title, customer, amount and ID', async () => {
		const {
			id,
			invoice_number: number,
			title,
			amount,
			status,
			currency,
			customer,
		} = service.world.account.invoices[5].listed;
		const { name } = customer as { name: string };
		const all = await entries('getInvoices');
		expect(all).toHaveLength(40);
		const entry = all.find(({ value }) => value === id)?.name;
		for (const words of [number, name, `${amount} ${currency}`, `(${status})`])
			expect(entry).toContain(words);
		for (const filter of [number, title, name.toUpperCase(), amount, id, `${number} ${name}`])
			expect(await values('getInvoices', filter)).toContain(id);
		expect(await values('getInvoices', 'no such thing')).toEqual([]);
	});

	test('that are not offered are found by number or ID', async () => {
		service.world.reset({ invoices: 900 });
		const { id, number } = seeded(899);
		for (const filter of [number, id]) expect(await values('getInvoices', filter)).toEqual([id]);
		service.world.set({ invoiceNumberMatch: 'ignored', idMatch: 'ignored' });
		expect(await values('getInvoices', 'no such thing')).toEqual([]);
	});
});

describe('charges in the editor', () => {
	test('are found by day, total, payer and ID, newest first', async () => {
		const { results, paginationToken } = await list('getCharges');
		expect([results[0].value, results.length, paginationToken]).toEqual([
			charges()[0].id,
			100,
			'100',
		]);
		const { id, created, total, source } = charges()[3];
		const payer = source?.card_holder_name?.toLowerCase();
		for (const filter of [`${created?.slice(0, 10)} ${total}`, payer, String(id)])
			expect(await values('getCharges', filter)).toContain(id);
		service.world.reset({ charges: 900 });
		const [oldest] = service.world.account.listCharges({}, 1, 1, 'oldestFirst').results;
		expect(await values('getCharges', oldest.id)).toEqual([oldest.id]);
	});

	test('show no card data', async () => {
		service.world.reset({ cardData: 'present' });
		const shown = JSON.stringify(await entries('getCharges'));
		expect(shown).not.toContain(charges()[0].source?.card_data?.card_number);
	});

	test('have their existing statuses, or the one that is always known', async () => {
		const all = ['authorised', 'captured', 'declined', 'refunded'];
		expect(await entries('getChargeStatuses')).toEqual(
			all.map((status) => ({ name: status, value: status })),
		);
		expect(await values('getChargeStatuses', ' DECL ')).toEqual(['declined']);
		expect(await values('getChargeStatuses', 'xyz')).toEqual([]);
		for (const settings of [{ charges: 0 }, { optionalFields: 'missing' }] as const) {
			service.world.reset(settings);
			expect(await values('getChargeStatuses')).toEqual(['authorised']);
		}
	});
});

// The list of readings needs no request.
const methods = (Object.keys(new InvoicingPayments().methods.listSearch) as ListedIn[]).filter(
	(method) => method !== 'getReadings',
);
test.each(methods)('%s reports errors', async (method) => {
	const wrong = { ...service.credential, apiKey: 'wrong' };
	await expect(listIn(method, wrong)).rejects.toThrow('The service did not accept the API key');
	await expect(listIn(method, { apiKey: 'x', baseUrl: '' })).rejects.toThrow('Base URL');
	fault({ kind: 'json', body: [1] });
	await expect(list(method)).rejects.toThrow('an unexpected response');
});
