import type { Simulator } from '../../../simulator/server';
import { startSimulator } from '../../../simulator/server';
import type { SettingsInput } from '../../../simulator/settings';
import { probe } from '../../../tools/probe/probe';
import { casesOf } from '../../helpers/casesOf';

/** The probe asks a service what its interface leaves open. It has to find each of the simulator's switches that reading can show. */
let simulator: Simulator;
const ask = async (maxRequests = 60) =>
	await probe({
		baseURL: simulator.url,
		apiKey: simulator.world.settings.apiKey,
		maxRequests,
		pauseMs: 0,
	});
afterEach(async () => await simulator.close());

/** What the probe sees of a service with these switches, by the beginning of what is unknown. */
async function seenOf(settings: SettingsInput): Promise<(unknown: string) => string | undefined> {
	simulator = await startSimulator({ charges: 2500, invoices: 120, ...settings });
	const { findings } = await ask();
	return (unknown) => findings.find((one) => one.unknown.startsWith(unknown))?.seen;
}

test.each(
	casesOf<[unknown: string, seen: string], SettingsInput>(
		[['How charges are sorted', 'newestFirst'], { order: 'newestFirst' }],
		[['How charges are sorted', 'oldestFirst'], { order: 'oldestFirst' }],
		[['How charges are sorted', 'in no order'], { order: 'none' }],
		[['Whether the order of charges', 'the same in each response'], {}],
		[
			['Whether the order of charges', 'another order in each response'],
			{ chargesPerMoment: 50, timestampTies: 'perRequest' },
		],
		[
			['Whether the order of charges', 'another order for each page size'],
			{ chargesPerMoment: 50, timestampTies: 'perPage' },
		],
		[
			['Whether the order of invoices', 'another order in each response'],
			{ invoicesPerMoment: 50, timestampTies: 'perRequest' },
		],
		[['Precision of created', 'whole seconds'], { chargesPerMoment: 5 }],
		[['Default page size', '30'], { defaultPageSize: 30 }],
		[['Largest page size', '50, larger ones are cut'], { maxPageSize: 50 }],
		[
			['Largest page size', 'at least 100, but 1000 is refused'],
			{ overMaxPageSize: 'reject', maxPageSize: 200 },
		],
		[
			['Largest page size', '100 is refused with 400'],
			{ overMaxPageSize: 'reject', maxPageSize: 50 },
		],
		[['What count is', 'right'], {}],
		[['What count is', 'missing'], { count: 'missing' }],
		[['What count is', '20, but more results follow'], { count: 'pageLength' }],
		[['What count is', '0, but more results follow'], { count: 'zero' }],
		[['What count is', '100, but more results follow'], { count: 'cappedAt100' }],
		[['What count is', '2501, but 2500 are listed'], { count: 'oneTooMany' }],
		[['The page after the last', 'an empty page'], {}],
		[['The page after the last', 'status 404'], { pastTheEnd: 'notFound' }],
		[['What next is', 'absolute'], {}],
		[['What next is', 'relative'], { next: 'relative' }],
		[['What next is', 'on another host'], { next: 'otherHost' }],
		[['Pages far back', 'the first 2500 are listed'], {}],
		[['Pages far back', 'refused with 422'], { maxResults: 1000, beyondMaxResults: 422 }],
		[['How the filter id', 'exact'], {}],
		[['How the filter id', 'ignored'], { idMatch: 'ignored' }],
		[['How the filter invoice_number', 'exact'], {}],
		[['How the filter invoice_number', 'contains'], { invoiceNumberMatch: 'contains' }],
		[['How the filter invoice_number', 'ignored'], { invoiceNumberMatch: 'ignored' }],
		[['Errors', 'status 400, error'], { errorBody: 'error' }],
		[['Errors', 'status 422, empty'], { errorBody: 'empty', invalidStatus: 422 }],
		[['Errors', 'status 400, string'], { errorBody: 'html' }],
		[['Fields of a customer', 'id'], { customerFields: 'onlyId' }],
		[['Card data', 'without card data'], { cardData: 'missing' }],
		[['Card data', 'with card data'], { cardData: 'present' }],
	),
)('with %p, the probe sees %p', async (settings, [unknown, seen]) => {
	const of = await seenOf(settings);
	expect(of(unknown)).toContain(seen);
});

test('it only reads, and prints neither the key nor what customers are called', async () => {
	simulator = await startSimulator({ charges: 300 });
	const { apiKey } = simulator.world.settings;
	const { findings } = await ask();
	const response = await fetch(`${simulator.url}/control/requests`);
	const requests = (await response.json()) as Array<{ method: string }>;
	expect(new Set(requests.map(({ method }) => method))).toEqual(new Set(['GET']));
	const printed = JSON.stringify(findings);
	expect(printed).not.toContain(apiKey);
	for (const { name, email } of simulator.world.account.customers) {
		expect(printed).not.toContain(name);
		expect(printed).not.toContain(email);
	}
});

test('it stops at the most requests, and says so', async () => {
	simulator = await startSimulator();
	const { findings, requests } = await ask(5);
	expect(requests).toBe(5);
	expect(findings.map(({ seen }) => seen)).toContain('not asked: too many requests');
});
