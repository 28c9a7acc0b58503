import type { IncomingMessage, Socket } from '../../../tools/node';
import { clearInterval, createServer, delay, httpRequest, setInterval } from '../../../tools/node';
import type { Dice } from '../anySheet/dice';
import type { CaseMemory, Mutation, Reply } from './reply';
import { headerOf, textOf } from './reply';

/** What a case does to the answers that it gets. */
export interface Plan {
	mutations: Mutation[];
	/** Whether the answer to this request, counted from 1, is changed. */
	hits(request: { count: number; method: string }): boolean;
	/** Whether the service does the work of a request although its answer is a failure. */
	isDone: boolean;
	dice: Dice;
}

/** A request, and what was answered. */
export interface Exchange {
	method: string;
	path: string;
	query: URLSearchParams;
	body: string;
	/** Whether the service got it. */
	isForwarded: boolean;
	isMutated: boolean;
	status: number;
	/** The body as it was before it was packed or cut. */
	text: string;
	/** The body as the service sent it; empty where it was not asked. */
	truth: string;
	/** Whether the whole answer was sent, as an answer of HTTP. */
	isWhole: boolean;
}

/** So many requests a case may send; then every connection is reset. */
const most = 400;

/** A server between a node and the service that changes answers. */
export interface HostileProxy {
	url: string;
	/** Begins a case. */
	begin(target: string, apiKey: string, plan?: Plan): void;
	/** What came since the case began. */
	exchanges: Exchange[];
	/** Requests that came to a foreign host. */
	readonly foreign: string[];
	close(): Promise<void>;
}

/** Starts the proxy, and a foreign host that nobody is to call, on 127.0.0.1. */
export async function startProxy(): Promise<HostileProxy> {
	const foreign: string[] = [];
	const foreignHost = await listen((request, _body, socket) => {
		foreign.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`);
		socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}');
	});
	let target = '';
	let plan: Plan | undefined;
	let memory: CaseMemory = { made: 0, apiKey: '', foreignUrl: '', page: 1 };
	const proxy = await listen(async (request, body, socket) => {
		const current = plan;
		const own = memory;
		const { method = '', url = '' } = request;
		const { exchanges } = self;
		const { pathname: path, searchParams: query } = new URL(url, 'http://127.0.0.1');
		const isHit = current?.hits({ count: exchanges.length + 1, method }) === true;
		const exchange: Exchange = {
			method,
			path,
			query,
			body: body.toString(),
			isForwarded: false,
			isMutated: isHit,
			status: 0,
			text: '',
			truth: '',
			isWhole: true,
		};
		exchanges.push(exchange);
		if (exchanges.length > most) return void socket.resetAndDestroy();
		const isFailure = isHit && current.mutations.some((one) => one.isFailure);
		own.page = Number(query.get('page') ?? 1);
		const mutate = (reply: Reply) => {
			if (!isHit) return;
			for (const mutation of current.mutations) {
				mutation.apply(reply, current.dice, own);
				if (headerOf(reply, 'content-encoding') === undefined) exchange.text = textOf(reply);
			}
			const { cutAt, end, everyMs, head } = reply;
			exchange.isWhole = cutAt === undefined && end === 'close' && everyMs === undefined && !head;
		};
		const reply = isFailure ? emptyReply() : await forward(target, request, body);
		if (isFailure) {
			mutate(reply);
			exchange.isForwarded = current.isDone && !isRefusal(reply);
			if (exchange.isForwarded) exchange.truth = textOf(await forward(target, request, body));
		} else {
			exchange.isForwarded = true;
			exchange.truth = exchange.text = textOf(reply);
			mutate(reply);
		}
		exchange.status = reply.status;
		await send(socket, reply);
	});
	const self: HostileProxy = {
		url: proxy.url,
		foreign,
		exchanges: [],
		begin: (url, apiKey, next) => {
			target = url;
			plan = next;
			memory = { made: 0, apiKey, foreignUrl: foreignHost.url, page: 1 };
			self.exchanges = [];
		},
		close: async () => {
			await proxy.close();
			await foreignHost.close();
		},
	};
	return self;
}

/** An answer that says that nothing was done. */
const isRefusal = ({ status }: Reply) =>
	(status >= 400 && status < 500 && status !== 408) || status === 307 || status === 308;

const emptyReply = (): Reply => ({
	status: 200,
	reason: 'OK',
	headers: [['content-type', 'application/json; charset=utf-8']],
	body: Buffer.from('{}'),
	length: 'right',
	interim: '',
	end: 'close',
});

async function listen(
	answer: (request: IncomingMessage, body: Buffer, socket: Socket) => void | Promise<void>,
) {
	const sockets = new Set<Socket>();
	const server = createServer((request) => {
		const chunks: Buffer[] = [];
		const { socket } = request;
		socket.on('error', () => undefined);
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			// The client may be gone by then.
			void Promise.resolve(answer(request, Buffer.concat(chunks), socket)).catch(() =>
				socket.destroy(),
			);
		});
	});
	server.on('connection', (socket: Socket) => {
		sockets.add(socket);
		socket.once('close', () => sockets.delete(socket));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as { port: number };
	const close = async () => {
		for (const socket of sockets) socket.destroy();
		await new Promise((resolve) => server.close(resolve));
	};
	return { url: `http://127.0.0.1:${port}`, close };
}

/** What the service answers, without a word about how it is sent. */
async function forward(target: string, from: IncomingMessage, body: Buffer): Promise<Reply> {
	const { method, headers } = from;
	const sent = {
		...headers,
		host: new URL(target).host,
		'accept-encoding': 'identity',
		connection: 'close',
	};
	return await new Promise((resolve, reject) => {
		const request = httpRequest(
			`${target}${from.url}`,
			{ method, headers: sent, agent: false },
			(response) => {
				const chunks: Buffer[] = [];
				response.on('data', (chunk: Buffer) => chunks.push(chunk));
				response.on('error', reject);
				response.on('end', () =>
					resolve({
						...emptyReply(),
						status: response.statusCode ?? 0,
						reason: response.statusMessage ?? '',
						headers: [['content-type', String(response.headers['content-type'] ?? '')]],
						body: Buffer.concat(chunks),
					}),
				);
			},
		);
		request.on('error', reject);
		request.end(body);
	});
}

async function send(socket: Socket, reply: Reply): Promise<void> {
	const { body, length, everyMs, cutAt, end } = reply;
	const head = Buffer.from(reply.interim + (reply.head ?? headOf(reply)), 'latin1');
	const framed = length === 'chunked' ? inChunks(body) : body;
	const all = Buffer.concat([head, framed]);
	if (everyMs !== undefined) {
		socket.write(head);
		return await drip(socket, framed, everyMs);
	}
	socket.write(cutAt === undefined ? all : all.subarray(0, cutAt));
	if (end === 'never') return;
	if (end === 'reset') {
		await delay(0);
		socket.resetAndDestroy();
	} else socket.end();
}

function headOf(reply: Reply): string {
	const { length } = reply;
	const lengthOf = length === 'right' ? reply.body.length : length;
	const framing: Array<[string, string]> =
		length === 'chunked'
			? [['transfer-encoding', 'chunked']]
			: length === 'none'
				? []
				: [['content-length', String(lengthOf)]];
	const connection: Array<[string, string]> = headerOf(reply, 'connection')
		? []
		: [['connection', 'close']];
	const lines = [...reply.headers, ...framing, ...connection].map(
		([name, value]) => `${name}: ${value}\r\n`,
	);
	return `HTTP/1.1 ${reply.status} ${reply.reason}\r\n${lines.join('')}\r\n`;
}

function inChunks(body: Buffer): Buffer {
	const parts: Buffer[] = [];
	const size = Math.max(7, Math.ceil(body.length / 5));
	for (let at = 0; at < body.length; at += size) {
		const part = body.subarray(at, at + size);
		parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n'));
	}
	return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')]);
}

async function drip(socket: Socket, body: Buffer, everyMs: number): Promise<void> {
	let at = 0;
	await new Promise<void>((resolve) => {
		const timer = setInterval(() => {
			if (at >= body.length || socket.destroyed) {
				clearInterval(timer);
				socket.end();
				resolve();
			} else socket.write(body.subarray(at, (at += 1)));
		}, everyMs);
	});
}
