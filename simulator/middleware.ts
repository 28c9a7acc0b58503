import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { gzipSync, httpRequest, randomBytes } from '../tools/node';
import { serviceClock, waitFor } from './clock';
import { errorBody, refuse } from './failures';
import type { FaultAction } from './faults';
import type { SeenRequest, Tampered } from './traffic';
import type { World } from './world';

declare module 'fastify' {
	interface FastifyRequest {
		seen?: SeenRequest;
		/** Breaks the response after the request was processed. */
		faultAfterWork?: FaultAction;
		tampered?: Tampered;
	}
}

/** Marks requests that the simulator sends to itself. Unguessable for clients. */
const lateHeader = `x-late-${randomBytes(8).toString('hex')}`;

export function registerMiddleware(app: FastifyInstance, world: World): void {
	app.server.on('connection', (socket) => world.traffic.opened(socket));

	app.addHook('preHandler', async (request, reply) => {
		if (isControl(request)) return;
		if (request.headers[lateHeader] !== undefined) {
			await checkKey(request, reply);
			return;
		}
		count(request, reply);
		const text = `${request.url} ${JSON.stringify(request.body ?? '')}`;
		const action = world.faults.take({ method: request.method, path: request.url, text });
		if (action && request.seen) request.seen.fault = action.kind;
		request.tampered = request.seen && world.traffic.tamper?.(request.seen);
		if (request.tampered && !request.tampered.isDone) {
			await request.tampered.send(reply.hijack().raw, { status: 200, text: '{}' });
			return;
		}
		if (world.settings.latency) await waitFor(serviceClock.sleep(world.settings.latency));
		if (action && !waitsForWork(action)) {
			await fail(request, reply, action);
			return;
		}
		request.faultAfterWork = action;
		await checkKey(request, reply);
	});

	app.addHook('onSend', async (request, reply, payload) => {
		const action = request.faultAfterWork;
		const isBroken = action && reply.statusCode < 400;
		const sent = isBroken ? await breakAnswer(request, reply, action, payload) : payload;
		if (request.seen) request.seen.status = reply.statusCode;
		if (!request.tampered) return sent;
		void request.tampered.send(reply.hijack().raw, {
			status: reply.statusCode,
			text: String(sent),
		});
		return await new Promise(() => undefined);
	});

	async function checkKey(request: FastifyRequest, reply: FastifyReply) {
		if (request.headers['x-api-key'] === world.settings.apiKey) return;
		refuse(reply, world.settings.errorBody, world.settings.badKeyStatus, [
			{ message: 'The API key is missing or not valid' },
		]);
		await reply;
	}

	function count(request: FastifyRequest, reply: FastifyReply) {
		request.seen = {
			at: world.now(),
			method: request.method,
			path: request.url.split('?')[0],
			query: request.query as Record<string, unknown>,
			body: request.body,
			authorised: request.headers['x-api-key'] === world.settings.apiKey,
		};
		world.traffic.started(request.seen);
		serviceClock.inFlight += 1;
		reply.raw.once('close', () => {
			serviceClock.inFlight -= 1;
			world.traffic.ended();
		});
	}

	async function fail(request: FastifyRequest, reply: FastifyReply, action: FaultAction) {
		switch (action.kind) {
			case 'status':
				sendStatus(reply, action);
				break;
			case 'redirect':
				reply.code(action.status).header('location', action.location).send('');
				break;
			case 'html':
				reply.type('text/html').send('<!doctype html><title>Welcome</title><h1>It works!</h1>');
				break;
			case 'json':
				reply.type('application/json').send(JSON.stringify(action.body));
				break;
			case 'raw':
				reply.send(rawBody(reply, action));
				break;
			case 'bomb':
				reply.type('application/json').header('content-encoding', 'gzip');
				reply.send(spacesInGzip(action.megabytes));
				break;
			case 'drip':
				void drip(request, reply, action.everyMs);
				return;
			case 'timeout':
			case 'reset': {
				reply.hijack();
				if (typeof action.work === 'object') void doLate(request, action.work.lateMs);
				if (action.kind === 'reset') request.raw.socket.resetAndDestroy();
				else void waitFor(untilClosed(request));
				return;
			}
			case 'cutJson':
			case 'cutConnection':
			case 'emptyBody':
			case 'nested':
				return;
		}
		await reply;
	}

	/** Sends the request to itself again, without faults and counting. */
	async function doLate({ method, url, body, host, headers }: FastifyRequest, ms: number) {
		await serviceClock.sleep(ms);
		const sent = {
			method,
			agent: false,
			headers: {
				[lateHeader]: 'yes',
				'content-type': 'application/json',
				'x-api-key': headers['x-api-key'],
			},
		};
		const repeated = httpRequest(`http://${host}${url}`, sent, (answer) => void answer.resume());
		// The simulator may have been closed.
		repeated.on('error', () => undefined);
		repeated.end(body === undefined ? undefined : JSON.stringify(body));
	}

	function sendStatus(reply: FastifyReply, action: Extract<FaultAction, { kind: 'status' }>) {
		if (action.retryAfter) reply.header('retry-after', retryAfter(action.retryAfter, world.now()));
		refuse(reply, action.body ?? world.settings.errorBody, action.status, [
			{ message: action.message },
		]);
	}

	async function breakAnswer(
		request: FastifyRequest,
		reply: FastifyReply,
		action: FaultAction,
		payload: unknown,
	): Promise<unknown> {
		switch (action.kind) {
			case 'cutJson': {
				const text = String(payload);
				reply.removeHeader('content-length');
				return firstHalf(text);
			}
			case 'cutConnection': {
				const text = String(payload);
				const headers = {
					'content-type': 'application/json',
					'content-length': Buffer.byteLength(text),
				};
				reply.hijack().raw.writeHead(reply.statusCode, headers);
				reply.raw.write(firstHalf(text), () => request.raw.socket.destroy());
				// The response never ends.
				return await new Promise(() => undefined);
			}
			case 'emptyBody':
				reply.removeHeader('content-length');
				return '';
			case 'status': {
				const shape = action.body ?? world.settings.errorBody;
				const { type, body } = errorBody(shape, [{ message: action.message }], action.status);
				reply.code(action.status).type(type).removeHeader('content-length');
				if (action.retryAfter)
					reply.header('retry-after', retryAfter(action.retryAfter, world.now()));
				return body;
			}
			case 'nested':
				reply.removeHeader('content-length');
				return withNested(String(payload), action.depth);
			case 'raw':
				return rawBody(reply, action);
			case 'drip':
				void drip(request, reply, action.everyMs);
				// The response never ends.
				return await new Promise(() => undefined);
			case 'reset':
				request.raw.socket.resetAndDestroy();
				return payload;
			case 'timeout':
				await waitFor(untilClosed(request));
				return payload;
			default:
				return payload;
		}
	}
}

/** The body is sent as bytes, because the framework would complete the content type of text. */
function rawBody(reply: FastifyReply, action: Extract<FaultAction, { kind: 'raw' }>) {
	reply.code(action.status).removeHeader('content-length');
	reply.type(action.contentType).headers(action.headers);
	return Buffer.from(action.body);
}

const untilClosed = async ({ raw: { socket } }: FastifyRequest) =>
	await new Promise<void>((resolve) => (socket.closed ? resolve() : socket.once('close', resolve)));

/** Sends spaces until either side closes the connection. */
async function drip(request: FastifyRequest, reply: FastifyReply, everyMs: number): Promise<void> {
	reply.hijack();
	if (request.seen) request.seen.status = 200;
	const { raw } = reply;
	if (raw.destroyed) return;
	raw.writeHead(200, { 'content-type': 'application/json; charset=utf-8' });
	raw.flushHeaders();
	const closed = untilClosed(request);
	while (!raw.destroyed) {
		await waitFor(Promise.race([serviceClock.sleep(everyMs), closed]));
		// Do not buffer what the client does not read.
		if (!raw.destroyed && !raw.writableNeedDrain) raw.write(' ');
	}
}

/** Gzip members can be concatenated, so one megabyte is compressed and repeated. */
function spacesInGzip(megabytes: number): Buffer {
	const megabyte = gzipSync(Buffer.alloc(1024 * 1024, ' '));
	return Buffer.concat(Array.from({ length: megabytes }, () => megabyte));
}

const firstHalf = (text: string) => text.slice(0, Math.floor(text.length / 2));

/** Adds `extra` to an object, or to the last object of a list. As text, because it may be too deep to serialize. */
function withNested(json: string, depth: number): string {
	const extra = `,"extra":${'['.repeat(depth)}${']'.repeat(depth)}`;
	return json.replace(/\}\]?$/, (end) => `${extra}${end}`);
}

const isControl = (request: FastifyRequest) => !request.url.startsWith('/v1');

function waitsForWork(action: FaultAction): boolean {
	if (['cutJson', 'cutConnection', 'emptyBody', 'nested'].includes(action.kind)) return true;
	return 'work' in action && action.work === 'done';
}

function retryAfter(
	{ seconds, as }: { seconds: number; as: 'seconds' | 'date' },
	now: number,
): string {
	if (as === 'seconds') return String(seconds);
	return new Date(now + seconds * 1000).toUTCString();
}
