import type { INodeParameters } from 'n8n-workflow';
import { errorBodyShape } from '../../simulator/settings';
import { runNode } from '../helpers/engine';
import { useSimulator } from '../helpers/service';

const service = useSimulator();
const id = '3f2b8c1e-5d4a-4f6b-9c7d-8e9f0a1b2c3d';

/** A size that nobody chose is left to the service when it refuses it, by a second request. */
const ownSize = { options: { maxWait: 0, pageSize: 10 } };

/** Each operation with the request that it makes. */
const operations: Record<string, [INodeParameters, string]> = {
	'charge/getAll': [ownSize, 'GET /v1/charges'],
	'invoice/create': [{}, 'POST /v1/invoices'],
	'invoice/getAll': [ownSize, 'GET /v1/invoices'],
	'member/create': [
		{ firstName: 'Ada', lastName: 'Byron', email: 'ada@example.com', jobTitle: 'Analyst' },
		'POST /v1/members',
	],
	'member/get': [{ memberId: id }, `GET /v1/members/${id}`],
	'member/getAll': [{}, 'GET /v1/members'],
	'paymentLink/get': [{ linkId: id }, `GET /v1/links/${id}`],
};

/** What is said of each status, and how n8n is told of it. */
const statuses: Array<[number, string, string]> = [
	[400, 'The service refused the request (status 400)', 'configuration-invalid'],
	[401, 'The service did not accept the API key', 'credential-invalid'],
	[403, 'The service does not allow this for the API key', 'credential-invalid'],
	[404, 'The service found nothing at /v1/', 'configuration-invalid'],
	[408, 'The service refused the request (status 408)', 'temporarily-unavailable'],
	[409, 'The service refused the request (status 409)', 'configuration-invalid'],
	[422, 'The service refused the request (status 422)', 'configuration-invalid'],
	[429, 'The service is receiving too many requests', 'rate-limited'],
	[500, 'The service failed (status 500)', 'temporarily-unavailable'],
	[503, 'The service failed (status 503)', 'temporarily-unavailable'],
];

const reason = 'Not on a Sunday <b>& never</b>';

describe.each(Object.entries(operations))('%s', (name, [fields, request]) => {
	const [resource, operation] = name.split('/');
	const isCreate = request.startsWith('POST');

	test.each(statuses)(
		'%i: the same words whatever the body looks like',
		async (status, words, cause) => {
			for (const body of errorBodyShape.options) {
				service.world.reset();
				service.world.faults.add({
					times: null,
					action: { kind: 'status', status, message: reason, body },
				});
				const parameters = {
					...(name === 'invoice/create' && service.invoice()),
					options: { maxWait: 0 },
					...fields,
					resource,
					operation,
				};
				const { error, stored } = await runNode({ credential: service.credential, parameters });
				expect(error?.message).toContain(words);
				expect(error?.message).toMatch(/\[item 0\]$/);
				if (body === 'empty') expect(error?.message).not.toContain('Sunday');
				// A web page keeps its title only, and that without what is no text.
				else expect(error?.message).toContain(body === 'html' ? 'Not on a Sunday' : reason);
				expect(error?.description).toContain(`${request}: ${status}.`);
				expect(error?.description).not.toContain('<b>');
				expect(error?.httpCode).toBe(String(status));
				expect(error?.failure?.cause).toBe(cause);
				const mayBeDone = isCreate && (status >= 500 || status === 408);
				expect(/may still have been created/.test(error?.message ?? '')).toBe(mayBeDone);
				expect(stored).not.toContain('your-simulator-key');
				expect(service.requests).toHaveLength(1);
			}
		},
	);
});
