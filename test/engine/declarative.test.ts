import type { INodeTypeDescription } from 'n8n-workflow';
import { runNode, runRoutingNode } from '../helpers/engine';
import { operations } from '../helpers/operations';
import { routedDescription } from '../helpers/routing';
import { useSimulator } from '../helpers/service';

const service = useSimulator();
const description = routedDescription();
const cases = operations.flatMap(({ required, requiredItem, everything, item, ...operation }) => [
	{ ...operation, set: 'only the required fields', parameters: required, item: requiredItem },
	{ ...operation, set: 'every field', parameters: everything, item },
]);

/** The requests that reach the service, but for look-ups before an invoice is created. */
const sent = (wanted: string) =>
	service.requests
		.filter(({ method }) => method === wanted)
		.map(({ method, path, query, body }) => ({ method, path, query, body }));

type Case = (typeof cases)[number];

async function requestsOf({ parameters, item, endpoint }: Case, altered = description) {
	const { method } = endpoint;
	const options = { credential: service.credential, parameters, items: [item] };
	await runNode(options);
	const ours = sent(method);
	service.world.reset();
	// Whether the service accepts the sample values does not matter here.
	await runRoutingNode({ ...options, credential: service.credential }, altered).catch(() => {});
	return { ours, routed: sent(method) };
}

describe.each(cases)('$key with $set', (one) => {
	test("n8n's own RoutingNode, with the rules of the fields, sends what the node sends", async () => {
		const { ours, routed } = await requestsOf(one);
		const { endpoint } = one;
		if ('body' in endpoint) expect(endpoint.body.safeParse(ours[0].body).error).toBeUndefined();
		expect(routed[0]).toEqual(ours[0]);
	});
});

describe('a description that differs from what the node sends is noticed', () => {
	const find = (key: string) =>
		cases.find((one) => one.key === key && one.set === 'every field') as Case;

	/** The description with functions, and with this change made to every object in it. */
	const alteredBy = (change: (value: Record<string, unknown>) => object | undefined) => {
		const copy = (value: unknown): unknown => {
			if (Array.isArray(value)) return value.map(copy);
			if (typeof value !== 'object' || value === null) return value;
			const changed = change(value as Record<string, unknown>) ?? value;
			return Object.fromEntries(Object.entries(changed).map(([name, one]) => [name, copy(one)]));
		};
		return copy(description) as INodeTypeDescription;
	};

	test.each<[string, string, (value: Record<string, unknown>) => object | undefined]>([
		[
			'a property renamed',
			'invoice/create',
			(value) => (value.property === 'due_date' ? { ...value, property: 'dueDate' } : undefined),
		],
		[
			'a field sent as query instead of body',
			'member/create',
			(value) => (value.property === 'email' ? { ...value, type: 'query' } : undefined),
		],
		[
			'a filter sent as body instead of query',
			'charge/getAll',
			(value) => (value.property === 'search' ? { ...value, type: 'body' } : undefined),
		],
		[
			'a value that is not sent by its rule',
			'invoice/create',
			(value) => (value.preSend ? { ...value, preSend: [] } : undefined),
		],
		[
			'another path',
			'invoice/getAll',
			(value) => (value.url === '/v1/invoices' ? { ...value, url: '/v1/invoice' } : undefined),
		],
	])('%s', async (_name, key, change) => {
		const altered = alteredBy(change);
		const { ours, routed } = await requestsOf(find(key), altered);
		expect(routed[0]).not.toEqual(ours[0]);
	});

	test('a path without encoding', async () => {
		const one = find('paymentLink/get');
		// An ID that would lead elsewhere; the node itself refuses it before anything is sent.
		const parameters = { ...one.parameters, linkId: '../members?x=1' };
		const options = { credential: service.credential, parameters };
		await runRoutingNode(options, description).catch(() => {});
		expect(service.requests[0].path).toBe('/v1/links/..%2Fmembers%3Fx%3D1');
		const altered = alteredBy(({ url, ...rest }) =>
			typeof url === 'string'
				? { ...rest, url: url.replace(/encodeURIComponent\((.*)\)/, '$1') }
				: undefined,
		);
		await runRoutingNode(options, altered).catch(() => {});
		expect(service.requests[1]?.path).not.toBe('/v1/links/..%2Fmembers%3Fx%3D1');
		const { error } = await runNode(options);
		expect(error?.message).toContain('Payment Link ID must be an ID in UUID format');
	});
});
