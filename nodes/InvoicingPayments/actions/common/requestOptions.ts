import type { Field } from '../../../shared/fields/field';
import { boolean, integer, rule } from '../../../shared/fields/rules';
import type { Parsed } from '../../../shared/result';
import { notRead, ok } from '../../../shared/result';

type Proxy = {
	host: string;
	port: number;
	protocol: string;
	auth?: { username: string; password: string };
};

/** Error messages do not repeat the input, because it may contain a password. */
function toProxy(value: unknown): Parsed<Proxy> {
	try {
		const { hostname, port, protocol, username, password } = new URL(String(value));
		if (!hostname || !/^https?:$/.test(protocol)) throw new Error();
		const auth = { username: decodeURIComponent(username), password: decodeURIComponent(password) };
		return ok({
			host: hostname,
			port: Number(port) || (protocol === 'https:' ? 443 : 80),
			protocol: protocol.slice(0, -1),
			...(username && { auth }),
		});
	} catch {
		return notRead('must be an address such as http://proxy.example.com:3128');
	}
}

/** Milliseconds. Node.js fires longer timers at once. */
const longestTimer = 2_147_483_647;

/** The options that n8n adds to every declarative node, with the names under which n8n saves them; without batching: see Max Requests in Flight. */
export const requestOptions: Field = {
	displayName: 'Request Options',
	name: 'requestOptions',
	type: 'collection',
	isNodeSetting: true,
	placeholder: 'Add Option',
	default: {},
	options: [
		{
			displayName: 'Ignore SSL Issues (Insecure)',
			name: 'allowUnauthorizedCerts',
			type: 'boolean',
			noDataExpression: true,
			default: false,
			description: 'Whether to connect even if SSL certificate validation is not possible',
			rule: boolean(),
		},
		{
			displayName: 'Proxy',
			name: 'proxy',
			type: 'string',
			default: '',
			placeholder: 'e.g. http://myproxy:3128',
			description: 'HTTP proxy to use. With authentication: http://username:password@myproxy:3128.',
			rule: rule({ kind: 'text' }, toProxy),
		},
		{
			displayName: 'Timeout',
			name: 'timeout',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: longestTimer },
			default: 60000,
			description: 'Time in milliseconds to wait for the complete response of a request',
			rule: integer({ min: 1, max: longestTimer }),
		},
	],
};
