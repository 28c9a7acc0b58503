import type {
	IAllExecuteFunctions,
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestMethods,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';
import type { Account } from './account';
import { accountOf } from './account';
import type { RequestQueue } from './requestQueue';
import type { Response } from './response';
import { readBody, readNetworkError, readResponse } from './response';
import { baseUrlOf } from './baseUrl';
import { clock, withDeadline } from '../clock';
import { onAbort } from '../onAbort';
import type { Parsed } from '../result';
import { failed, notRead, ok } from '../result';
import { holdsSecretKey } from '../secrets/apiKey';
import type { Failure } from './failure';
import { mayRetry, waitAfter } from './failure';

export const credentialName = 'invoicingPaymentsApi';

/** `path` begins with /v1 and has no query. */
export interface ServiceRequest {
	method: IHttpRequestMethods;
	path: string;
	query?: IDataObject;
	body?: IHttpRequestOptions['body'];
}

export interface RequestPolicy
	extends Pick<IHttpRequestOptions, 'proxy' | 'skipSslCertificateValidation'> {
	/** For one request, up to the last byte of the response (milliseconds). */
	timeout: number;
	/** Counts all requests of this n8n process with the same key. */
	maxRequestsInFlight: number;
	/** How long a request may be retried after its first failure (milliseconds). */
	maxWait: number;
}

export const defaultPolicy: RequestPolicy = {
	timeout: 60_000,
	maxRequestsInFlight: 5,
	maxWait: 60_000,
};

type Context = Pick<IAllExecuteFunctions, 'getCredentials' | 'helpers'>;

export interface Client {
	context: Context;
	baseURL: string;
	credential: ICredentialDataDecryptedObject;
	account: Account;
	/** Aborted when no more requests may be sent. */
	signal: AbortSignal;
	/** Aborted when the execution is cancelled. Then lost responses are not searched for. */
	cancelled: AbortSignal;
}

/** Never throws. */
export async function openClient(
	context: Context,
	signal: AbortSignal = new AbortController().signal,
	cancelled: AbortSignal = signal,
): Promise<Parsed<Client>> {
	let credential: ICredentialDataDecryptedObject;
	try {
		credential = await context.getCredentials(credentialName);
	} catch (error) {
		return notRead((error as Error).message);
	}
	const baseUrl = baseUrlOf(credential);
	if (!baseUrl.ok) return baseUrl;
	const account = accountOf(baseUrl.value, credential.apiKey);
	onAbort(signal, account.queue.dismissAborted);
	return ok({ context, baseURL: baseUrl.value, credential, account, signal, cancelled });
}

/** The one way to the network. Sends the key to the base URL only, and retries only if that is safe. Never throws. */
export async function sendRequest(
	client: Client,
	request: ServiceRequest,
	policy: RequestPolicy = defaultPolicy,
): Promise<Response> {
	const { signal } = client;
	const { queue } = client.account;
	let lastFailure: Failure | undefined;
	let failedAt: number | undefined;
	const refusal = reasonNotToSend(client, request, policy);
	if (refusal) return failed(refusal);
	const waitedMs = () => (failedAt === undefined ? 0 : clock.elapsed() - failedAt);
	const mayWait = (ms: number) => waitedMs() + ms <= policy.maxWait;
	for (let attempt = 1; ; attempt++) {
		const admission = await queue.enter({
			size: policy.maxRequestsInFlight,
			mayWait,
			signal,
			isRepeat: attempt > 1,
		});
		if (admission !== 'admitted') {
			const { method, path } = request;
			return failed(
				lastFailure ? { ...lastFailure, waited: waitedMs() } : { kind: admission, method, path },
			);
		}
		const answer = await sendOnce(client, request, policy);
		if (answer.ok) {
			leaveSoon(queue);
			return answer;
		}
		const waitedBefore = waitedMs();
		failedAt ??= clock.elapsed();
		const failure: Failure = { ...answer.failure, attempts: attempt, waited: waitedBefore };
		const wait = waitAfter(attempt, failure, Math.random);
		// A random wait may be 0, but a Max Wait of 0 means one attempt.
		const isInTime = policy.maxWait > 0 && mayWait(wait);
		const willRetry = isInTime && mayRetry(failure) && !signal.aborted;
		// Other requests have to wait even if this one is not retried.
		const isRateLimited = failure.status === 429;
		if (isRateLimited && (willRetry || failure.retryAfterMs)) queue.pause(wait);
		if (!willRetry) {
			leaveSoon(queue);
			return failed(failure);
		}
		queue.leave();
		lastFailure = failure;
		// After a 429, the request waits in the queue.
		if (!isRateLimited) await clock.pause(wait, signal);
	}
}

/** Why a request must not be sent. */
function reasonNotToSend(
	{ baseURL, credential }: Client,
	{ method, path, query, body }: ServiceRequest,
	{ proxy }: RequestPolicy,
): Failure | undefined {
	if (baseURL.startsWith('http:') && proxy) {
		const reason =
			"The proxy would see the API key, because the Base URL starts with http://. Use https://, or remove 'Proxy'";
		return { kind: 'configuration', method, path, reason };
	}
	if (holdsSecretKey([path, query, body], credential.apiKey)) {
		const message =
			'The request was not sent: it contains the API key of the credential. Remove it from the fields';
		return { kind: 'notSent', method, path: path.split('/').slice(0, 3).join('/'), message };
	}
	return undefined;
}

/** The caller sees the response first, because it may decide to send nothing more. */
function leaveSoon(queue: RequestQueue): void {
	void clock.sleep(0).then(() => queue.leave());
}

async function sendOnce(
	{ context, baseURL, credential }: Client,
	{ method, path, query, body }: ServiceRequest,
	policy: RequestPolicy,
): Promise<Response> {
	const { proxy } = policy;
	const where = { method, path, baseURL, ...(proxy && { proxy: `${proxy.host}:${proxy.port}` }) };
	const { apiKey } = credential;
	const options: IHttpRequestOptions = {
		timeout: policy.timeout,
		proxy,
		skipSslCertificateValidation: policy.skipSslCertificateValidation,
		method,
		baseURL,
		url: path,
		qs: query,
		body,
		json: true,
		encoding: 'stream',
		disableFollowRedirect: true,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
	};
	try {
		return await withDeadline(policy.timeout, cancelOf(context), async (signal) => {
			const response = (await context.helpers.httpRequestWithAuthentication.call(
				// n8n aborts requests by the cancel signal of the context (N3).
				Object.create(context, {
					getExecutionCancelSignal: { value: () => signal },
				}) as IAllExecuteFunctions,
				credentialName,
				options,
				// Otherwise n8n decrypts the credential again, and sends a request again that was answered with 401 (N4).
				{
					credentialsDecrypted: { id: '', name: '', type: credentialName, data: credential },
					preAuthenticationRetryStatusCode: [],
				},
			)) as IN8nHttpFullResponse;
			const text = await readBody(response.body, signal);
			return readResponse({ ...response, body: text }, where, apiKey);
		});
	} catch (error) {
		return failed(readNetworkError(error as Error, where, apiKey));
	}
}

function cancelOf(context: Context): AbortSignal | undefined {
	return (
		context as Partial<IAllExecuteFunctions & { getExecutionCancelSignal(): AbortSignal }>
	).getExecutionCancelSignal?.();
}
