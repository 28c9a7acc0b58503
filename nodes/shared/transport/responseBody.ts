/** No answer of the service is that long, in bytes after it was unpacked; n8n could not hold many of them. */
const longestBody = 64 * 1024 * 1024;

/** An answer was longer than {@link longestBody}. */
export class TooLong extends Error {
	constructor() {
		super(`a response of more than ${longestBody / 1024 / 1024} MB. Lower 'Page Size'`);
	}
}

/** What n8n's request helpers give for a body that is to be streamed. */
interface ByteStream extends AsyncIterable<Uint8Array> {
	destroy(): void;
}

const isStream = (body: unknown): body is ByteStream =>
	typeof body === 'object' && body !== null && Symbol.asyncIterator in body;

/**
 * Reads the body of an answer as text, and no more of it than {@link longestBody}: a few bytes on the wire can unpack to gigabytes.
 * Ends when the signal is aborted. Throws {@link TooLong}, and the error of a connection that breaks.
 */
export async function readBody(body: unknown, signal: AbortSignal): Promise<string> {
	if (typeof body === 'string') return body;
	if (!isStream(body)) return body === undefined ? '' : JSON.stringify(body);
	const destroy = () => body.destroy();
	signal.addEventListener('abort', destroy);
	try {
		const chunks: Uint8Array[] = [];
		let length = 0;
		for await (const chunk of body) {
			length += chunk.length;
			if (length > longestBody) throw new TooLong();
			chunks.push(chunk);
		}
		return new TextDecoder().decode(Buffer.concat(chunks));
	} finally {
		signal.removeEventListener('abort', destroy);
		body.destroy();
	}
}
