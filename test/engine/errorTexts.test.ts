import { errorBodyShape } from '../../simulator/settings';
import { runNode } from '../helpers/engine';
import { operations, sampleId } from '../helpers/operations';
import { useSimulator } from '../helpers/service';

const service = useSimulator();

/** A size that nobody chose is left to the service when it refuses it, by a second request. */
const ownSize = { options: { maxWait: 0, pageSize: 10 } };

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

const reading = operations.filter(({ key }) => key !== 'invoice/createFromRows');

describe.each(reading)('$key', ({ key: name, operation: { creates }, required, endpoint }) => {
	const isCreate = creates !== undefined;
	const request = `${endpoint.method} ${endpoint.path.replace('{id}', sampleId)}`;

	test.each(statuses)(
		'%i: the same words whatever the body looks like',
		async (status, words, cause) => {
			// What is said does not depend on the operation, so one of them is asked for all bodies.
			const bodies =
				name === 'charge/getAll' ? errorBodyShape.options : ([errorBodyShape.options[0]] as const);
			for (const body of bodies) {
				service.world.reset();
				service.world.faults.add({
					times: null,
					action: { kind: 'status', status, message: reason, body },
				});
				const parameters = {
					...required,
					...(name === 'invoice/create' && service.invoice()),
					...ownSize,
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
				// These have no page size of their own that could be refused.
				const hasOwnSize = ['customer/getAll', 'invoice/get', 'charge/get'].includes(name);
				const most = hasOwnSize ? 2 : 1;
				expect(service.requests.length).toBeLessThanOrEqual(most);
				expect(service.requests.length).toBeGreaterThan(0);
			}
		},
	);
});
