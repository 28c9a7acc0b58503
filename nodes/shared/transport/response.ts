import type { IN8nHttpFullResponse } from 'n8n-workflow';
import { clock, DeadlineError } from '../clock';
import { onAbort } from '../onAbort';
import { failed, ok } from '../result';
import { withoutSecretKey } from '../secrets/apiKey';
import type { Answer, Failure } from './failure';
import { readRetryAfter } from './failure';
import { readJson, ResponseRejectedError } from './json';
import { hideSecrets } from './errorText';

export type Response = Answer<{ body: unknown; status: number }>;

/** Never throws. A failure contains no secrets. */
export function readResponse(
	response: Pick<IN8nHttpFullResponse, 'statusCode' | 'headers'> & { body: string },
	where: Pick<Failure, 'method' | 'path' | 'baseURL' | 'proxy'>,
	apiKey: unknown,
): Response {
	const { statusCode: status, headers, body } = response;
	if (status >= 300 && status < 400) {
		const location = hideSecrets(String(headers.location ?? 'nowhere'), apiKey);
		// Without the query, which may contain secrets.
		const [reason] = location.split(/[?#]/);
		return failed({ ...where, kind: 'redirect', status, reason });
	}
	if (status >= 400) {
		const text = hideSecrets(body, apiKey);
		const reason = serviceMessageOf(text);
		const retryAfterMs = readRetryAfter(headers['retry-after'], clock.now());
		const words = { reason, text: text.slice(0, 2000), retryAfterMs };
		return failed({ ...where, kind: 'status', status, ...words });
	}
	try {
		return ok({ body: readJson(withoutSecretKey(body, apiKey)), status });
	} catch (error) {
		if (error instanceof ResponseRejectedError)
			return failed({ ...where, kind: 'unexpected', status, reason: error.message });
		return failed({ ...where, status, ...describeNonJson(hideSecrets(body, apiKey)) });
	}
}

/** Never shows truncated JSON, which may contain card data. */
function describeNonJson(body: string): Pick<Failure, 'kind' | 'reason'> {
	const text = body.trim();
	if (/^[{[]/.test(text)) return { kind: 'cut' };
	const page = text.startsWith('<') ? `"${serviceMessageOf(text)}"` : 'text';
	return { kind: 'notJson', reason: text ? page : 'nothing' };
}

/** The body ended early, compressed or not. */
const truncationCodes = ['ERR_STREAM_PREMATURE_CLOSE', 'Z_BUF_ERROR'];

/** Never pass on the error itself: it contains the error of n8n's HTTP library, which contains the key. */
export function readNetworkError(
	error: Error,
	where: Pick<Failure, 'method' | 'path' | 'baseURL' | 'proxy'>,
	apiKey: unknown,
): Failure {
	if (error instanceof DeadlineError) return { ...where, kind: 'network', code: 'ETIMEDOUT' };
	if (error instanceof ResponseRejectedError)
		return { ...where, kind: 'unexpected', reason: error.message };
	const { code: own, httpCode } = error as { code?: unknown; httpCode?: unknown };
	const cause = (error.cause ?? error) as { code?: unknown; message?: unknown };
	const code = String(cause.code ?? own ?? httpCode ?? '');
	if (truncationCodes.includes(code)) return { ...where, kind: 'cut' };
	const reason = hideSecrets(String(cause.message ?? ''), apiKey);
	return { ...where, kind: 'network', code: hideSecrets(code, apiKey), reason };
}

/** The message of an error in JSON, HTML or plain text. The spec defines no format (section 7). */
export function serviceMessageOf(text: string): string | undefined {
	const trimmed = text.trim();
	if (!trimmed) return undefined;
	try {
		return messageLine(messageIn(JSON.parse(trimmed)));
	} catch {
		return messageLine(/^</.test(trimmed) ? htmlTitle(trimmed) : trimmed);
	}
}

/** What JSON with status 2xx says if it reports an error all the same: `{"success": false}`, `{"error": {…}}`. */
export function errorIn(body: unknown): string | undefined {
	if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined;
	const { success, ok, error, errors } = body as Record<string, unknown>;
	const isSaid = (value: unknown) =>
		typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value);
	const isDenied = success === false || ok === false;
	if (!isDenied && !isSaid(error) && !isSaid(errors)) return undefined;
	return serviceMessageOf(hideSecrets(JSON.stringify(body), '')) ?? 'without a reason';
}

const maxMessageLength = 500;

function messageLine(words: string | undefined): string | undefined {
	const line = words?.replace(/\s+/g, ' ').trim();
	if (!line) return undefined;
	return line.length > maxMessageLength ? `${line.slice(0, maxMessageLength)}…` : line;
}

function htmlTitle(html: string): string | undefined {
	const title = /<title[^<>]*>([^<]*)</i.exec(html) ?? /<h1[^<>]*>([^<]*)</i.exec(html);
	return title ? title[1] : 'a web page without a title';
}

const messageKeys = ['message', 'detail', 'error', 'title', 'error_description'];

/** The text of a usual field, or the JSON itself, which names the fields of the request. */
function messageIn(value: unknown): string | undefined {
	if (typeof value === 'string') return value;
	if (typeof value !== 'object' || value === null) return undefined;
	const body = value as Record<string, unknown>;
	const [main] = messageKeys.map((name) => body[name]).filter((one) => one);
	if (main && !Array.isArray(main) && !body.errors) return messageIn(main);
	return Object.keys(body).length > 0 ? JSON.stringify(body) : undefined;
}

/** Counted after decompression. No response needs more, and n8n could not hold many responses of this size. */
const maxBodyBytes = 64 * 1024 * 1024;

const tooLarge = `a response of more than ${maxBodyBytes / 1024 / 1024} MB. Lower 'Page Size'`;

interface ByteStream extends AsyncIterable<Uint8Array> {
	destroy(): void;
}

const isStream = (body: unknown): body is ByteStream =>
	typeof body === 'object' && body !== null && Symbol.asyncIterator in body;

/** Counts bytes, because a small response may unpack to gigabytes. Throws {@link ResponseRejectedError} and connection errors. */
export async function readBody(body: unknown, signal: AbortSignal): Promise<string> {
	if (typeof body === 'string') return body;
	if (!isStream(body)) return body === undefined ? '' : JSON.stringify(body);
	const destroy = () => body.destroy();
	const release = onAbort(signal, destroy);
	try {
		const chunks: Uint8Array[] = [];
		let length = 0;
		for await (const chunk of body) {
			length += chunk.length;
			if (length > maxBodyBytes) throw new ResponseRejectedError(tooLarge);
			chunks.push(chunk);
		}
		return new TextDecoder().decode(Buffer.concat(chunks));
	} finally {
		release();
		body.destroy();
	}
}
