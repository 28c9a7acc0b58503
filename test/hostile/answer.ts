import { delay } from '../../tools/node';
import type { ServerResponse, Socket } from '../../tools/node';
import { serviceClock, waitFor } from '../../simulator/clock';

/** An HTTP response on the wire, valid or not. */
export interface Answer {
	status: number;
	headers: Array<[string, string]>;
	body: Buffer;
	/** How the response gives its length. A number: this Content-Length. */
	length: 'right' | 'chunked' | 'none' | number;
	/** Text before the status line. */
	interim: string;
	/** Replaces the status line and the headers. */
	head?: string;
	/** Number of bytes of head and body to send. */
	cutAt?: number;
	/** What happens to the connection then. */
	end: 'close' | 'reset' | 'never';
	/** Sends the body byte by byte, with this many milliseconds in between. */
	everyMs?: number;
}

export const answerOf = (status: number, text: string): Answer => ({
	status,
	headers: [['content-type', 'application/json; charset=utf-8']],
	body: Buffer.from(text),
	length: 'right',
	interim: '',
	end: 'close',
});

export function setHeader(answer: Answer, name: string, value: string): void {
	answer.headers = answer.headers.filter(([own]) => own !== name);
	answer.headers.push([name, value]);
}

export const hasHeader = ({ headers }: Answer, name: string) =>
	headers.some(([own]) => own.toLowerCase() === name);

/** The body as text. */
export const textOf = ({ body }: Answer) => new TextDecoder().decode(body);

export async function send({ socket }: ServerResponse, answer: Answer): Promise<void> {
	if (!socket || socket.destroyed) return;
	socket.on('error', () => undefined);
	const { body, length, everyMs, cutAt, end } = answer;
	const head = Buffer.from(answer.interim + (answer.head ?? headOf(answer)), 'latin1');
	const framed = length === 'chunked' ? inChunks(body) : body;
	if (everyMs !== undefined) {
		socket.write(head);
		return await drip(socket, framed, everyMs);
	}
	const all = Buffer.concat([head, framed]);
	socket.write(cutAt === undefined ? all : all.subarray(0, cutAt));
	if (end === 'never')
		return await waitFor(new Promise((resolve) => void socket.once('close', resolve)));
	if (end === 'reset') {
		await delay(0);
		socket.resetAndDestroy();
	} else socket.end();
}

function headOf(answer: Answer): string {
	const { length, status, headers, body } = answer;
	const framing: Record<string, string> = {
		right: `content-length: ${body.length}\r\n`,
		chunked: 'transfer-encoding: chunked\r\n',
		none: '',
	};
	const connection = hasHeader(answer, 'connection') ? '' : 'connection: close\r\n';
	const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
	const told = framing[length] ?? `content-length: ${length}\r\n`;
	return `HTTP/1.1 ${status} OK\r\n${lines}${told}${connection}\r\n`;
}

function inChunks(body: Buffer): Buffer {
	const size = Math.max(7, Math.ceil(body.length / 5));
	const parts = Array.from({ length: Math.ceil(body.length / size) }, (_, at) => {
		const part = body.subarray(at * size, (at + 1) * size);
		return [Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')];
	});
	return Buffer.concat([...parts.flat(), Buffer.from('0\r\n\r\n')]);
}

async function drip(socket: Socket, body: Buffer, everyMs: number): Promise<void> {
	for (let at = 0; at < body.length && !socket.destroyed; at++) {
		socket.write(body.subarray(at, at + 1));
		await waitFor(serviceClock.sleep(everyMs));
	}
	socket.end();
}
