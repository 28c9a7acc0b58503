import type { INodeParameters } from 'n8n-workflow';
import { passTime } from '../helpers/n8n/clock';
import { retry, useNode } from '../helpers/n8n/nodeRuns';
import { isNight } from '../helpers/someOf';

/**
 * A service that answers a create, or the look-up before it, with every status and every envelope, before or after the work. No
 * invoice exists twice, no success is reported without an invoice, and nothing counts as missing because of a page that contradicts
 * itself. n8n's Retry On Fail runs everything again; so does the user, ten minutes later, with Return Existing.
 */
const { service, run, fault, posts } = useNode();

/** What the answer says: the JSON of an error, of a thing that is none, of a page that contradicts itself, or no JSON. */
const envelopes: Record<string, string> = {
	'an error': '{"message":"No"}',
	'an error with an ID': '{"id":"req_1","error":{"message":"No"}}',
	'a denied success': '{"id":"req_1","success":false}',
	'only an ID': '{"id":"req_1"}',
	'an ID and the status of an error': '{"id":"req_1","status":"error","code":"E1"}',
	'an error beside the fields of an invoice':
		'{"id":"req_1","currency":"EUR","title":"","errors":["No"]}',
	'an object without fields': '{}',
	'an empty list': '[]',
	'an empty page that says more follow': '{"count":0,"next":"https://x.example/2","results":[]}',
	'an empty page that was no success': '{"success":false,"results":[]}',
	'an empty page that counts -1': '{"count":-1,"next":null,"results":[]}',
	'an empty page that counts 3': '{"count":3,"next":null,"results":[]}',
	'an empty page with an error': '{"count":0,"next":null,"results":[],"error":"No"}',
	'a web page': '<html><title>Error</title></html>',
	nothing: '',
};
const statuses = [
	...[200, 201, 202, 204, 206, 299, 301, 302, 307, 308],
	...[400, 401, 402, 403, 404, 405, 406, 408, 409, 410, 412, 413, 415, 418, 420, 421, 422, 423],
	...[
		424, 425, 426, 428, 429, 431, 444, 451, 460, 499, 500, 501, 502, 503, 504, 507, 520, 524, 599,
	],
];
const ways = ['returnExisting', 'create', 'without a number'] as const;

const cells = Object.entries(envelopes).flatMap(([envelope, body], row) =>
	statuses.flatMap((status, column) =>
		(['none', 'done'] as const).flatMap((work, half) =>
			(['POST', 'GET'] as const).map((method) => ({
				...{ envelope, body, status, work, method },
				// Each way with each status and each envelope.
				way: method === 'GET' ? 'returnExisting' : ways[(row + column + half) % ways.length],
			})),
		),
	),
);
const parametersOf = (way: string): INodeParameters =>
	service.invoice({
		ifInvoiceNumberExists: way === 'returnExisting' ? way : 'create',
		additionalFields: way === 'without a number' ? {} : { invoiceNumber: 'N-1' },
		options: { maxWait: 2 },
	}) as INodeParameters;

test.each(Object.keys(envelopes))(
	'[R5] %s, with every status',
	async (name) => {
		const all = cells.filter(({ envelope }) => envelope === name);
		// Where most is at stake, on each push.
		const isMain = ({ status }: (typeof cells)[number]) => [200, 429].includes(status);
		const others = all.filter((cell) => !isMain(cell));
		const own = [...all.filter(isMain), ...others.filter((_, at) => isNight || at % 38 === 0)];
		expect(own.length).toBeGreaterThan(11);
		const wrong: unknown[] = [];
		for (const { body, status, work, method, way } of own) {
			service.world.reset();
			const parameters = parametersOf(way);
			const headers = { 'retry-after': '0' };
			const action = { kind: 'raw', status, body, headers } as const;
			if (method === 'POST') fault({ ...action, work }, { method, path: '/v1/invoices' });
			else {
				// For a look-up, the work is done before: the invoice exists.
				if (work === 'done') await run(parameters);
				passTime(11 * 60_000);
				fault(action, { method, path: '/v1/invoices' });
			}
			const before = service.created.length;
			const first = await run(parameters, { node: retry });
			const created = service.created.length;
			const success = first.json.length > 0;
			const isInvented =
				success && !service.created.some(({ full }) => full.id === first.json[0].id);
			const isRepeatable = way === 'returnExisting';
			if (isRepeatable) {
				passTime(11 * 60_000);
				const { json, error } = await run(parameters);
				if (json.length !== 1) wrong.push({ status, work, method, way, again: error?.message });
			}
			const { length } = service.created;
			// 429 says that nothing was done; without a number, that cannot be checked.
			const isPromised = status === 429 && way === 'without a number' && work === 'done';
			if (length > 1 && !isPromised)
				wrong.push({ status, work, method, way, length, posts: posts().length });
			if (isInvented) wrong.push({ status, work, method, way, json: first.json });
			if (method === 'GET' && first.error && created > before) wrong.push({ status, way, created });
			if (!success && !first.error) wrong.push({ status, work, method, way, silent: true });
		}
		expect(wrong).toEqual([]);
	},
	120_000,
);
