import { brotliCompressSync, deflateSync, gzipSync } from '../../tools/node';
import type { Dice } from '../helpers/dice';
import type { Answer } from './answer';
import { setHeader, textOf } from './answer';
import type { Change } from './change';
import { change, failure } from './change';

const packers = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync };
const encodings = Object.keys(packers) as Array<keyof typeof packers>;
const otherEncodings = [
	...encodings,
	...['zstd', 'x-gzip', 'compress', 'identity', 'gzip, gzip', 'GZIP', 'no such', ''],
];

/** Bodies that unpack to more than a response may have. */
const bombs = new Map<string, Buffer>();
function bomb(encoding: keyof typeof packers): Buffer {
	const known = bombs.get(encoding) ?? packers[encoding](Buffer.alloc(70 * 1024 * 1024, ' '));
	bombs.set(encoding, known);
	return known;
}

function pack(answer: Answer, dice: Dice): void {
	const encoding = dice.pick(encodings);
	setHeader(answer, 'content-encoding', encoding);
	answer.body = packers[encoding](answer.body);
}

/** Responses that repeat the key, as JSON and as text. */
const keyInJson = (key: string) => [
	`{"message":"Bad key ${key}"}`,
	`{"detail":"Bad key ${[...key].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"}`,
	`{"errors":{"${key}":["is wrong"]},"card_number":"4111 1111 1111 1111"}`,
	`{"error":{"message":{"${key}":1}}}`,
];
const keyInText = (key: string) => [
	`<!doctype html><title>Refused: ${encodeURIComponent(key).replace(/-/g, '%2D')}</title>`,
	`Bad key ${Buffer.from(key).toString('base64')}`,
	`x-api-key: ${key}`,
];
const webPage =
	'<!doctype html><html><head><title>Welcome</title></head><body><h1>It works!</h1></body></html>';
const oddBodies = [
	'', 'null', '[]', '{}', '"x"', '{"message":null}', '{"message":{"message":{"message":1}}}', '{"errors":[[[[[[1]]]]]]}', '[1,2]',
	'{"errors":{"__proto__":["x"]}}', '<', '<title>', '\u0000', '{"message":"', 'x'.repeat(200_000),
	`{"message":"${'<b>'.repeat(5000)}"}`, '['.repeat(20_000), `{"errors":${'['.repeat(5000)}${']'.repeat(5000)}}`,
]; // prettier-ignore
const retryAfters = [
	'-1', '1e99', '99999999999999999999', '0', '0.001', 'NaN', 'soon', '', 'Fri, 31 Dec 9999 23:59:59 GMT',
	'Thu, 01 Jan 1970 00:00:00 GMT', '1, 2', '2', 'Infinity', '3600', '12:00',
]; // prettier-ignore
const contentTypes = [
	'text/html', 'application/octet-stream', 'application/json; charset=utf-16', 'application/json; charset=latin1', 'image/png', '',
	';', 'multipart/form-data; boundary=x', 'text/event-stream',
]; // prettier-ignore
const oddHeaders: Array<Array<[string, string]>> = [
	[['x-long', 'x'.repeat(60_000)]],
	Array.from({ length: 2500 }, (_, at): [string, string] => [`x-${at}`, '1']),
	[['date', 'Mon, 01 Jan 0001 00:00:00 GMT'], ['expires', '-1']],
	[['date', 'Fri, 31 Dec 9999 23:59:59 GMT'], ['age', '1e400']],
	[['__proto__', 'x'], ['constructor', 'y'], ['hasownproperty', 'z']],
	[['set-cookie', 'a=b; domain=.example'], ['set-cookie', '__proto__=1']],
	[['bad header', 'x']], [['x-bytes', '\u0001\u007f\u0000']], [['x-latin', 'é\u00ff']],
	[['transfer-encoding', 'gzip, chunked']], [['transfer-encoding', 'identity']], [['retry-after', '1e99']],
	[['connection', 'keep-alive'], ['keep-alive', 'timeout=99999999']],
	[['content-type', 'text/html'], ['content-type', 'application/json']], [['trailer', 'x-late']],
]; // prettier-ignore
const interims = [
	'HTTP/1.1 100 Continue\r\n\r\n', 'HTTP/1.1 102 Processing\r\n\r\n', 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n',
	'HTTP/1.1 199 Odd\r\n\r\n',
]; // prettier-ignore
const heads = [
	'SSH-2.0-OpenSSH_9.2\r\n', 'HTTP/9.9 200 OK\r\n\r\n', 'ICY 200 OK\r\n\r\n', 'HTTP/1.1 abc\r\n\r\n', '\u0000\u0000',
	'HTTP/1.1 200 OK\n\n', 'HTTP/1.1 200\r\n', '{"id":"x"}',
]; // prettier-ignore
const errorStatuses = [
	400, 401, 403, 404, 407, 408, 409, 410, 418, 422, 425, 451, 500, 501, 502, 503, 504, 511, 520, 599,
]; // prettier-ignore

function refuse(answer: Answer, status: number, body: string, type = 'application/json'): void {
	answer.status = status;
	answer.body = Buffer.from(body);
	setHeader(answer, 'content-type', type);
}

const lengths = ['right', 'chunked', 'none'] as const;
const ends = ['close', 'reset'] as const;
const anyPart = ({ body }: Answer, dice: Dice) => dice.int(0, body.length + 150);
/** Ends the connection anywhere in the response. */
const cut = (answer: Answer, dice: Dice) =>
	void Object.assign(answer, { cutAt: anyPart(answer, dice), end: dice.pick(ends) });
const withLength =
	(length: (body: Buffer, dice: Dice) => Answer['length']): Change['apply'] =>
	(answer, dice) =>
		void (answer.length = length(answer.body, dice));
const otherSuccess =
	(statuses: number[]): Change['apply'] =>
	(answer, dice) => {
		if (answer.status < 300) answer.status = dice.pick(statuses);
	};
const slow = { isSlow: true };

const failedChange = (name: string, weight: number, apply: Change['apply']) =>
	change(name, weight, apply, failure);
/** The node gives up after its time-out. */
const silentChange = (name: string, weight: number, apply: Change['apply']) =>
	change(name, weight, apply, { ...slow, ...failure });

/** What can happen to a response on its way. */
export const wireChanges: Change[] = [
	failedChange('a bomb', 1.5, (answer, dice) => {
		const encoding = dice.pick(encodings);
		setHeader(answer, 'content-encoding', encoding);
		answer.body = bomb(encoding);
	}),
	change('a bomb behind the answer', 0.5, (answer) => {
		setHeader(answer, 'content-encoding', 'gzip');
		answer.body = Buffer.concat([gzipSync(answer.body), bomb('gzip')]);
	}),
	change('packed, as said', 3, pack),
	change('packed otherwise than said', 3, (answer, dice) => {
		if (dice.chance(50)) pack(answer, dice);
		setHeader(answer, 'content-encoding', dice.pick(otherEncodings));
	}),
	change('packed and cut', 2, (answer, dice) => {
		pack(answer, dice);
		answer.body = answer.body.subarray(0, dice.int(0, answer.body.length - 1));
	}),
	change('packed twice', 1, (answer) => {
		setHeader(answer, 'content-encoding', 'gzip');
		answer.body = gzipSync(gzipSync(answer.body));
	}),
	change('Content-Length too long', 2, withLength((body, dice) => body.length + dice.pick([1, 100, 1e9]))), // prettier-ignore
	change('Content-Length too short', 2, withLength((body, dice) => dice.int(0, Math.max(0, body.length - 1)))), // prettier-ignore
	change('no length', 1, withLength(() => 'none')), // prettier-ignore
	change('no length, cut', 2, (answer, dice) => {
		answer.length = 'none';
		cut(answer, dice);
	}),
	change('a length that is none', 1, (answer, dice) => {
		answer.length = 'none';
		for (const value of dice.pick([['-1'], ['x'], ['1e3'], ['5', '7'], ['99999999999999999999']]))
			answer.headers.push(['content-length', value]);
	}),
	change('chunks', 2, withLength(() => 'chunked')), // prettier-ignore
	change('cut chunks', 3, (answer, dice) => {
		answer.length = 'chunked';
		cut(answer, dice);
	}),
	change('cut', 3, cut),
	failedChange(
		'a connection that ends before the answer',
		3,
		(answer, dice) => void Object.assign(answer, { cutAt: 0, end: dice.pick(ends) }),
	),
	silentChange(
		'nothing comes',
		1.5,
		(answer, dice) => void Object.assign(answer, { cutAt: dice.pick([0, 5, 40]), end: 'never' }),
	),
	change(
		'it stops in the middle',
		1.5,
		(answer, dice) => {
			const [cutAt, length] = [anyPart(answer, dice), dice.pick(lengths)];
			Object.assign(answer, { cutAt, length, end: 'never' });
		},
		slow,
	),
	change(
		'slow drip',
		1.5,
		(answer, dice) =>
			void Object.assign(answer, { everyMs: dice.pick([20, 100]), length: dice.pick(lengths) }),
		slow,
	),
	change('another content type', 3, (answer, dice) =>
		setHeader(answer, 'content-type', dice.pick(contentTypes)),
	),
	change('no content type', 1, (answer) => void (answer.headers = [])),
	change('interim answers', 2, (answer, dice) => {
		answer.interim = dice.pick(interims).repeat(dice.pick([1, 2, 50]));
	}),
	// Node's client drops the connection silently. Only our time-out ends the request.
	silentChange(
		'switching protocols',
		1,
		(answer) =>
			void (answer.head =
				'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n'),
	),
	change('another success', 3, otherSuccess([200, 201, 202, 203, 206, 207, 226, 299])),
	change('a success without a body, that has one', 2, otherSuccess([204, 205])),
	failedChange('a redirect to a foreign host', 4, (answer, dice, { foreignUrl, apiKey }) => {
		answer.status = dice.pick([301, 302, 303, 307, 308, 300, 304, 305]);
		const paths = ['/v1/charges', `/?key=${apiKey}`, `/${apiKey}/x`];
		const urls = paths.map((path) => foreignUrl + path);
		const odd = [`${foreignUrl.slice(5)}/x`, 'javascript:alert(1)', '', 'http://['];
		setHeader(answer, 'location', dice.pick([...urls, ...odd]));
		if (dice.chance(30)) setHeader(answer, 'refresh', `0; url=${foreignUrl}`);
	}),
	failedChange('an error with a web page', 3, (answer, dice) =>
		refuse(answer, dice.pick(errorStatuses), webPage, 'text/html'),
	),
	failedChange('an error that repeats the key', 4, (answer, dice, { apiKey }) =>
		refuse(
			answer,
			dice.pick([400, 401, 403, 404, 422, 500, 503]),
			dice.pick([...keyInJson(apiKey), ...keyInText(apiKey)]),
		),
	),
	failedChange('a page that repeats the key', 2, (answer, dice, { apiKey }) =>
		refuse(answer, 200, dice.pick(keyInText(apiKey)), 'text/html'),
	),
	failedChange('an error with an odd body', 3, (answer, dice) =>
		refuse(answer, dice.pick([400, 404, 409, 422, 500, 503]), dice.pick(oddBodies)),
	),
	failedChange('too many requests', 3, (answer, dice) => {
		refuse(answer, dice.pick([429, 429, 503, 500, 403]), '{"detail":"Slow down"}');
		setHeader(answer, 'retry-after', dice.pick(retryAfters));
	}),
	failedChange('a status that is none', 1, (answer, dice) =>
		refuse(answer, dice.pick([600, 999, 0, 99, 42]), '{}'),
	),
	change('odd headers', 3, (answer, dice) => void answer.headers.push(...dice.pick(oddHeaders))),
	failedChange('not HTTP', 2, (answer, dice) => {
		answer.head = dice.pick(heads);
		if (dice.chance(50)) answer.body = Buffer.from(textOf(answer).slice(0, 20));
	}),
	change('HTTP/1.0', 1, (answer) => {
		const lines = answer.headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
		answer.head = `HTTP/1.0 ${answer.status} OK\r\n${lines}\r\n`;
	}),
];
