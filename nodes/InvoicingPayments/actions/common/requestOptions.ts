import type { Field } from '../../../shared/fields/field';
import { boolean, integer, list, rule } from '../../../shared/fields/rules';
import type { Parsed } from '../../../shared/fields/text';
import type { Batching } from '../../execution/operation';
import { hiddenFromAgents } from './agents';

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
		return {
			value: {
				host: hostname,
				port: Number(port) || (protocol === 'https:' ? 443 : 80),
				protocol: protocol.slice(0, -1),
				...(username && { auth }),
			},
		};
	} catch {
		return { problem: 'must be an address such as http://proxy.example.com:3128' };
	}
}

/** As in n8n: no interval means no batches, and a size below 1 counts as 1. */
function toBatching(value: unknown): Parsed<Batching | undefined> {
	const { batch = {} } = value as { batch?: { batchSize?: unknown; batchInterval?: unknown } };
	const interval = Number(batch.batchInterval ?? 0);
	const size = Number(batch.batchSize ?? 50);
	if (!Number.isFinite(interval) || !Number.isFinite(size)) return { problem: 'needs numbers' };
	return { value: interval > 0 ? { interval, size: Math.max(1, Math.floor(size)) } : undefined };
}

/** Milliseconds. Node.js fires longer timers at once. */
const longestTimer = 2_147_483_647;

/** The options that n8n adds to every declarative node, with the names under which n8n saves them. */
export const requestOptions: Field = {
	displayName: 'Request Options',
	name: 'requestOptions',
	type: 'collection',
	isNodeSetting: true,
	placeholder: 'Add Option',
	default: {},
	options: [
		hiddenFromAgents({
			displayName: 'Batching',
			name: 'batching',
			placeholder: 'Add Batching',
			type: 'fixedCollection',
			typeOptions: { multipleValues: false },
			default: { batch: {} },
			description: 'Process items in batches with a pause in between',
			options: [
				{
					displayName: 'Batching',
					name: 'batch',
					values: [
						{
							displayName: 'Items per Batch',
							name: 'batchSize',
							type: 'number',
							typeOptions: { minValue: 1 },
							default: 50,
							description: 'Number of items per batch',
						},
						{
							displayName: 'Batch Interval (Ms)',
							name: 'batchInterval',
							type: 'number',
							typeOptions: { minValue: 0 },
							default: 1000,
							description:
								'Milliseconds between one batch and the next. Set to 0 to disable batching.',
						},
					],
				},
			],
			rule: list({}, toBatching),
		}),
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
