import type { INodeTypeDescription } from 'n8n-workflow';
import { runRoutingNode } from '../helpers/n8n/engine';
import { useNode } from '../helpers/n8n/nodeRuns';
import { operations } from '../helpers/n8n/operations';
import { routedDescription } from '../helpers/n8n/routing';

const { service, run } = useNode();
const description = routedDescription();
const cases = operations.flatMap(({ required, requiredItem, everything, item, ...operation }) => [
	{ ...operation, set: 'only the required fields', parameters: required, item: requiredItem },
	{ ...operation, set: 'every field', parameters: everything, item },
]);

/** The requests with this method. Look-ups before a create have another one. */
const sent = (wanted: string) =>
	service.requests
		.filter(({ method }) => method === wanted)
		.map(({ method, path, query, body }) => ({ method, path, query, body }));

type Case = (typeof cases)[number];

async function requestsOf({ parameters, item, endpoint }: Case, altered = description) {
	const { method } = endpoint;
	const items = [item];
	await run(parameters, { items });
	const ours = sent(method);
	service.world.reset();
	// The service may refuse the sample values; only the requests matter.
	const { credential } = service;
	await runRoutingNode({ credential, parameters, items }, altered).catch(() => {});
	return { ours, routed: sent(method) };
}

describe.each(cases)('$key with $set', (one) => {
	test("n8n's RoutingNode, with the rules of the fields, sends the same request", async () => {
		const { ours, routed } = await requestsOf(one);
		const { endpoint } = one;
		if ('body' in endpoint) expect(endpoint.body.safeParse(ours[0].body).error).toBeUndefined();
		expect(routed[0]).toEqual(ours[0]);
	});
});

describe('finds a description that differs from the requests of the node', () => {
	const find = (key: string) =>
		cases.find((one) => one.key === key && one.set === 'every field') as Case;

	/** The description, with this change made to every object in it. */
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
		['a property renamed', 'invoice/create', (value) => (value.property === 'due_date' ? { ...value, property: 'dueDate' } : undefined)],
		['a field sent as query instead of body', 'member/create', (value) => (value.property === 'email' ? { ...value, type: 'query' } : undefined)],
		['a filter sent as body instead of query', 'charge/getAll', (value) => (value.property === 'search' ? { ...value, type: 'body' } : undefined)],
		['a value that is sent without its rule', 'invoice/create', (value) => (value.preSend ? { ...value, preSend: [] } : undefined)],
		['a changed path', 'invoice/getAll', (value) => (value.url === '/v1/invoices' ? { ...value, url: '/v1/invoice' } : undefined)],
	])('%s', async (_name, key, change) => {
		const altered = alteredBy(change);
		const { ours, routed } = await requestsOf(find(key), altered);
		expect(routed[0]).not.toEqual(ours[0]);
	}); // prettier-ignore

	test('a path without encoding', async () => {
		const one = find('paymentLink/get');
		// An ID that leads to another path. The node itself refuses it before anything is sent.
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
		const { error } = await run(parameters);
		expect(error?.message).toContain('Payment Link ID must be an ID in UUID format');
	});
});
