import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IN8nHttpFullResponse,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { baseUrlOf } from '../transport/baseUrl';
import { readBody, readNetworkError, readResponse } from '../transport/response';
import { withDeadline } from '../clock';
import { messageOf } from '../errors/messages';
import { toPage } from '../pagination/page';

const path = '/v1/charges';
const timeout = 20_000;

/** Reads one charge (spec 4.3): this needs the key and changes nothing. */
export async function testCredential(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const { data = {} } = credential;
	const failed = (message: string): INodeCredentialTestResult => ({ status: 'Error', message });
	const key = String(data.apiKey ?? '').trim();
	if (!key) return failed('API Key is empty');
	if (!/^[\x21-\x7e]+$/.test(key)) {
		return failed('API Key contains a space or another invalid character. Copy it again');
	}
	const baseUrl = baseUrlOf(data);
	if (!baseUrl.ok) return failed(baseUrl.problem);
	const baseURL = baseUrl.value;
	const where = { method: 'GET', path, baseURL };
	// Credential tests get no other request helper from n8n (N12).
	const { helpers } = this;
	try {
		const answer = await withDeadline(timeout, undefined, async (signal) => {
			const response = (await helpers.request({
				method: 'GET',
				uri: `${baseURL}${path}`,
				qs: { page_size: 1 },
				headers: { 'X-API-KEY': key, Accept: 'application/json' },
				followRedirect: false,
				resolveWithFullResponse: true,
				useStream: true,
				simple: false,
				timeout,
			})) as IN8nHttpFullResponse;
			const body = await readBody(response.body, signal);
			return readResponse({ ...response, body }, where, key);
		});
		if (!answer.ok) return failed(messageOf(answer.failure));
		const page = toPage(answer.value.body);
		if (page.ok) return { status: 'OK', message: 'The service accepted the API key' };
		return failed(messageOf({ ...where, kind: 'unexpected', reason: page.problem }));
	} catch (error) {
		return failed(messageOf(readNetworkError(error as Error, where, key)));
	}
}
