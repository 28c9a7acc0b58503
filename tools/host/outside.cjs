/**
 * Preloaded into n8n by the tests. Requests to hosts of other services, such as sheets.googleapis.com, go to a server of the test
 * on this machine: n8n's own nodes have these addresses in their code. The file OUTSIDE_SERVICES has the port by host.
 */
const fs = require('node:fs');
const http = require('node:http');
const https = require('node:https');

const { OUTSIDE_SERVICES: file } = process.env;
const request = https.request;

/** Read for each request, because tests start their servers after n8n. */
function portOf(host) {
	if (!file || !host || !fs.existsSync(file)) return undefined;
	return JSON.parse(fs.readFileSync(file, 'utf8'))[host];
}

https.request = function (options, ...rest) {
	const port = portOf(options?.hostname ?? options?.host);
	if (port === undefined) return request.call(this, options, ...rest);
	const { hostname, host, headers } = options;
	const plain = { ...options, protocol: 'http:', hostname: '127.0.0.1', host: '127.0.0.1', port };
	plain.headers = { ...headers, 'x-outside-host': hostname ?? host };
	return http.request({ ...plain, agent: undefined, lookup: undefined }, ...rest);
};
