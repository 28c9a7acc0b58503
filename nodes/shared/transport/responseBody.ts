/** In bytes after decompression. More than any response needs, and n8n could not hold many of this size. */
const maxBodyBytes = 64 * 1024 * 1024;

export class ResponseTooLargeError extends Error {
	constructor() {
		super(`a response of more than ${maxBodyBytes / 1024 / 1024} MB. Lower 'Page Size'`);
	}
}

/** A streamed body as n8n's request helpers return it. */
interface ByteStream extends AsyncIterable<Uint8Array> {
	destroy(): void;
}

const isStream = (body: unknown): body is ByteStream =>
	typeof body === 'object' && body !== null && Symbol.asyncIterator in body;

/** Limits the size: a few bytes on the wire can unpack to gigabytes. Throws {@link ResponseTooLargeError} and connection errors. */
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
			if (length > maxBodyBytes) throw new ResponseTooLargeError();
			chunks.push(chunk);
		}
		return new TextDecoder().decode(Buffer.concat(chunks));
	} finally {
		signal.removeEventListener('abort', destroy);
		body.destroy();
	}
}
