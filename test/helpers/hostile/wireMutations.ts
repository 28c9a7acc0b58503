import { brotliCompressSync, deflateSync, gzipSync } from '../../../tools/node';
import type { Dice } from '../anySheet/dice';
import type { Mutation, Reply } from './reply';
import { setHeader, textOf } from './reply';

const megabyte = 1024 * 1024;
const spaces = () => Buffer.alloc(70 * megabyte, ' ');
/** Packed once: what unpacks to more than any answer may have. */
const bombs = new Map<string, Buffer>();
function bomb(encoding: 'gzip' | 'deflate' | 'br'): Buffer {
	const pack = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync }[encoding];
	const known = bombs.get(encoding) ?? pack(spaces());
	bombs.set(encoding, known);
	return known;
}
const pack = (encoding: string, body: Buffer): Buffer => {
	if (encoding === 'gzip') return gzipSync(body);
	return encoding === 'br' ? brotliCompressSync(body) : deflateSync(body);
};
const encodings = ['gzip', 'deflate', 'br'] as const;
const page =
	'<!doctype html><html><head><title>Welcome</title></head><body><h1>It works!</h1></body></html>';

/** The key as services repeat it. */
const keyBodies = (key: string) => [
	`{"message":"Bad key ${key}"}`,
	`{"detail":"Bad key ${[...key].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"}`,
	`<!doctype html><title>Refused: ${encodeURIComponent(key).replace(/-/g, '%2D')}</title>`,
	`Bad key ${Buffer.from(key).toString('base64')}`,
	`{"errors":{"${key}":["is wrong"]},"card_number":"4111 1111 1111 1111"}`,
	`x-api-key: ${key}`,
	`{"error":{"message":{"${key}":1}}}`,
];
const odd = ['', 'null', '[]', '{}', '"x"', '{"message":null}', '{"message":{"message":{"message":1}}}', '{"errors":[[[[[[1]]]]]]}', '[1,2]', '{"errors":{"__proto__":["x"]}}', '<', '<title>', '\u0000', '{"message":"', 'x'.repeat(200_000), `{"message":"${'<b>'.repeat(5000)}"}`, `${'['.repeat(20_000)}`, `{"errors":${'['.repeat(5000)}${']'.repeat(5000)}}`]; // prettier-ignore

const status = (reply: Reply, code: number, body: string, type = 'application/json') => {
	reply.status = code;
	reply.body = Buffer.from(body);
	setHeader(reply, 'content-type', type);
};
const retryAfters = ['-1', '1e99', '99999999999999999999', '0', '0.001', 'NaN', 'soon', '', 'Fri, 31 Dec 9999 23:59:59 GMT', 'Thu, 01 Jan 1970 00:00:00 GMT', '1, 2', '2', 'Infinity', '3600', '12:00']; // prettier-ignore
const anyPart = (reply: Reply, dice: Dice) => dice.int(0, reply.body.length + 150);

/** The connection ends anywhere in the answer. */
function cut(reply: Reply, dice: Dice): void {
	reply.cutAt = anyPart(reply, dice);
	reply.end = dice.pick(['close', 'reset']);
}

/** What can happen to an answer on its way. */
export const wireMutations: Mutation[] = [
	{
		name: 'a bomb',
		weight: 1.5,
		isFailure: true,
		apply: (reply, dice) => {
			const encoding = dice.pick(encodings);
			setHeader(reply, 'content-encoding', encoding);
			reply.body = bomb(encoding);
		},
	},
	{
		name: 'a bomb behind the answer',
		weight: 0.5,
		apply: (reply) => {
			setHeader(reply, 'content-encoding', 'gzip');
			reply.body = Buffer.concat([gzipSync(reply.body), bomb('gzip')]);
		},
	},
	{
		name: 'packed, as said',
		weight: 3,
		apply: (reply, dice) => {
			const encoding = dice.pick(encodings);
			setHeader(reply, 'content-encoding', encoding);
			reply.body = pack(encoding, reply.body);
		},
	},
	{
		name: 'packed otherwise than said',
		weight: 3,
		apply: (reply, dice) => {
			setHeader(
				reply,
				'content-encoding',
				dice.pick([
					...encodings,
					'zstd',
					'x-gzip',
					'compress',
					'identity',
					'gzip, gzip',
					'GZIP',
					'no such',
					'',
				]),
			);
			if (dice.chance(50)) reply.body = pack(dice.pick(encodings), reply.body);
		},
	},
	{
		name: 'packed and cut',
		weight: 2,
		apply: (reply, dice) => {
			const encoding = dice.pick(encodings);
			setHeader(reply, 'content-encoding', encoding);
			const packed = pack(encoding, reply.body);
			reply.body = packed.subarray(0, dice.int(0, packed.length - 1));
		},
	},
	{
		name: 'packed twice',
		apply: (reply) => {
			setHeader(reply, 'content-encoding', 'gzip');
			reply.body = gzipSync(gzipSync(reply.body));
		},
	},
	{
		name: 'Content-Length too long',
		weight: 2,
		apply: (reply, dice) => void (reply.length = reply.body.length + dice.pick([1, 100, 1e9])),
	},
	{
		name: 'Content-Length too short',
		weight: 2,
		apply: (reply, dice) => void (reply.length = dice.int(0, Math.max(0, reply.body.length - 1))),
	},
	{
		name: 'no length',
		weight: 1,
		apply: (reply) => void (reply.length = 'none'),
	},
	{
		name: 'no length, cut',
		weight: 2,
		apply: (reply, dice) => {
			reply.length = 'none';
			cut(reply, dice);
		},
	},
	{
		name: 'a length that is none',
		weight: 1,
		apply: (reply, dice) => {
			reply.length = 'none';
			for (const value of dice.pick([['-1'], ['x'], ['1e3'], ['5', '7'], ['99999999999999999999']]))
				reply.headers.push(['content-length', value]);
		},
	},
	{
		name: 'chunks',
		weight: 2,
		apply: (reply) => void (reply.length = 'chunked'),
	},
	{
		name: 'cut chunks',
		weight: 3,
		apply: (reply, dice) => {
			reply.length = 'chunked';
			cut(reply, dice);
		},
	},
	{
		name: 'cut',
		weight: 3,
		apply: cut,
	},
	{
		name: 'a connection that ends before the answer',
		weight: 3,
		isFailure: true,
		apply: (reply, dice) => {
			reply.cutAt = 0;
			reply.end = dice.pick(['close', 'reset']);
		},
	},
	{
		name: 'nothing comes',
		weight: 1.5,
		isSlow: true,
		isFailure: true,
		apply: (reply, dice) => {
			reply.cutAt = dice.pick([0, 5, 40]);
			reply.end = 'never';
		},
	},
	{
		name: 'it stops in the middle',
		weight: 1.5,
		isSlow: true,
		apply: (reply, dice) => {
			reply.cutAt = anyPart(reply, dice);
			reply.length = dice.pick(['right', 'chunked', 'none']);
			reply.end = 'never';
		},
	},
	{
		name: 'slow drip',
		weight: 1.5,
		isSlow: true,
		apply: (reply, dice) => {
			reply.everyMs = dice.pick([20, 100]);
			reply.length = dice.pick(['right', 'chunked', 'none']);
		},
	},
	{
		name: 'another content type',
		weight: 3,
		apply: (reply, dice) => {
			const type = dice.pick(['text/html', 'application/octet-stream', 'application/json; charset=utf-16', 'application/json; charset=latin1', 'image/png', '', ';', 'multipart/form-data; boundary=x', 'text/event-stream']); // prettier-ignore
			setHeader(reply, 'content-type', type);
		},
	},
	{
		name: 'no content type',
		weight: 1,
		apply: (reply) =>
			void (reply.headers = reply.headers.filter(
				([name]) => name.toLowerCase() !== 'content-type',
			)),
	},
	{
		name: 'interim answers',
		weight: 2,
		apply: (reply, dice) => {
			const one = dice.pick(['HTTP/1.1 100 Continue\r\n\r\n', 'HTTP/1.1 102 Processing\r\n\r\n', 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n', 'HTTP/1.1 199 Odd\r\n\r\n']); // prettier-ignore
			reply.interim = one.repeat(dice.pick([1, 2, 50]));
		},
	},
	{
		// Node's client drops the connection and tells nobody: only the node's own limit ends such a request.
		name: 'switching protocols',
		isSlow: true,
		isFailure: true,
		apply: (reply) =>
			void (reply.head =
				'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n'),
	},
	{
		name: 'another success',
		weight: 3,
		apply: (reply, dice) => {
			if (reply.status < 300) reply.status = dice.pick([200, 201, 202, 203, 206, 207, 226, 299]);
		},
	},
	{
		name: 'a success without a body, that has one',
		weight: 2,
		apply: (reply, dice) => {
			if (reply.status < 300) reply.status = dice.pick([204, 205, 204]);
		},
	},
	{
		name: 'a redirect to a foreign host',
		weight: 4,
		isFailure: true,
		apply: (reply, dice, { foreignUrl, apiKey }) => {
			reply.status = dice.pick([301, 302, 303, 307, 308, 300, 304, 305]);
			const location = dice.pick([`${foreignUrl}/v1/charges`, `${foreignUrl}/?key=${apiKey}`, `//${foreignUrl.slice(7)}/x`, 'javascript:alert(1)', '', 'http://[', `${foreignUrl}/${apiKey}/x`]); // prettier-ignore
			setHeader(reply, 'location', location);
			if (dice.chance(30)) setHeader(reply, 'refresh', `0; url=${foreignUrl}`);
		},
	},
	{
		name: 'an error with a web page',
		weight: 3,
		isFailure: true,
		apply: (reply, dice) => status(reply, dice.pick([400, 401, 403, 404, 407, 408, 409, 410, 418, 422, 425, 451, 500, 501, 502, 503, 504, 511, 520, 599]), page, 'text/html'), // prettier-ignore
	},
	{
		name: 'an error that repeats the key',
		weight: 4,
		isFailure: true,
		apply: (reply, dice, { apiKey }) =>
			status(reply, dice.pick([400, 401, 403, 404, 422, 500, 503]), dice.pick(keyBodies(apiKey))),
	},
	{
		name: 'a page that repeats the key',
		weight: 2,
		isFailure: true,
		apply: (reply, dice, { apiKey }) =>
			status(
				reply,
				200,
				dice.pick(
					keyBodies(apiKey).filter((body) => !/^\{"errors|^\{"error|^\{"m|^\{"d/.test(body)),
				),
				'text/html',
			),
	},
	{
		name: 'an error with an odd body',
		weight: 3,
		isFailure: true,
		apply: (reply, dice) =>
			status(reply, dice.pick([400, 404, 409, 422, 500, 503]), dice.pick(odd)),
	},
	{
		name: 'too many requests',
		weight: 3,
		isFailure: true,
		apply: (reply, dice) => {
			status(reply, dice.pick([429, 429, 503, 500, 403]), '{"detail":"Slow down"}');
			setHeader(reply, 'retry-after', dice.pick(retryAfters));
		},
	},
	{
		name: 'a status that is none',
		weight: 1,
		isFailure: true,
		apply: (reply, dice) => {
			reply.status = dice.pick([600, 999, 0, 99, 42]);
			reply.body = Buffer.from('{}');
		},
	},
	{
		name: 'odd headers',
		weight: 3,
		apply: (reply, dice) => {
			const more: Array<[string, string]> = dice.pick<Array<[string, string]>>([
				[['x-long', 'x'.repeat(60_000)]],
				Array.from({ length: 2500 }, (_, at): [string, string] => [`x-${at}`, '1']),
				[['date', 'Mon, 01 Jan 0001 00:00:00 GMT'], ['expires', '-1']],
				[['date', 'Fri, 31 Dec 9999 23:59:59 GMT'], ['age', '1e400']],
				[['__proto__', 'x'], ['constructor', 'y'], ['hasownproperty', 'z']],
				[['set-cookie', 'a=b; domain=.example'], ['set-cookie', '__proto__=1']],
				[['bad header', 'x']],
				[['x-bytes', '\u0001\u007f\u0000']],
				[['x-latin', 'é\u00ff']],
				[['transfer-encoding', 'gzip, chunked']],
				[['transfer-encoding', 'identity']],
				[['retry-after', '1e99']],
				[['connection', 'keep-alive'], ['keep-alive', 'timeout=99999999']],
				[['content-type', 'text/html'], ['content-type', 'application/json']],
				[['trailer', 'x-late']],
			]); // prettier-ignore
			reply.headers.push(...more);
		},
	},
	{
		name: 'not HTTP',
		weight: 2,
		isFailure: true,
		apply: (reply, dice) => {
			reply.head = dice.pick(['SSH-2.0-OpenSSH_9.2\r\n', 'HTTP/9.9 200 OK\r\n\r\n', 'ICY 200 OK\r\n\r\n', 'HTTP/1.1 abc\r\n\r\n', '\u0000\u0000', 'HTTP/1.1 200 OK\n\n', 'HTTP/1.1 200\r\n', '{"id":"x"}']); // prettier-ignore
			if (dice.chance(50)) reply.body = Buffer.from(textOf(reply).slice(0, 20));
		},
	},
	{
		name: 'HTTP/1.0',
		weight: 1,
		apply: (reply) => {
			const lines = reply.headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
			reply.head = `HTTP/1.0 ${reply.status} OK\r\n${lines}\r\n`;
		},
	},
];
