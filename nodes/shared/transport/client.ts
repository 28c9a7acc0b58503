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
import type { Response } from './response';
import { readResponse, readNetworkError } from './response';
import { baseUrlOf } from './baseUrl';
import { readBody } from './responseBody';
import { withDeadline } from './deadline';
import type { Failure } from './failure';
import type { RequestQueue } from './requestQueue';
import { mayRetry, waitAfter } from './retryPolicy';
import { clock } from '../clock';

export const credentialName = 'invoicingPaymentsApi';

/** A request to the service: `path` begins with /v1 and holds no query. */
export interface ServiceRequest {
	method: IHttpRequestMethods;
	path: string;
	query?: IDataObject;
	body?: IHttpRequestOptions['body'];
}

/** How requests are sent. */
export interface RequestPolicy
	extends Pick<IHttpRequestOptions, 'proxy' | 'skipSslCertificateValidation'> {
	/** How long a request may take, from its beginning to the last byte of the answer, in milliseconds. */
	timeout: number;
	/** How many requests of this n8n process with the same key may be in flight at a time. */
	maxRequestsInFlight: number;
	/** For how many milliseconds after it first failed a request may be sent again. */
	maxWait: number;
}

export const defaultPolicy: RequestPolicy = {
	timeout: 60_000,
	maxRequestsInFlight: 5,
	maxWait: 60_000,
};

type Context = Pick<IAllExecuteFunctions, 'getCredentials' | 'helpers'>;

/** A service that can be called: its address, and the credential, read once. */
export interface Client {
	context: Context;
	baseURL: string;
	credential: ICredentialDataDecryptedObject;
	account: Account;
	/** Aborted when nothing more is to be sent. */
	signal: AbortSignal;
	/** Aborted when the execution is cancelled: then lost responses are not looked for either. */
	cancelled: AbortSignal;
	/**
	 * While a lost response is being looked for (`count` of them), nothing else of the run is sent: whether the run stops depends on
	 * what is found.
	 */
	hold?: { count: number };
}

/** The service of the node's credential, or why it cannot be called. */
export async function openClient(
	context: Context,
	signal: AbortSignal = new AbortController().signal,
	cancelled: AbortSignal = signal,
): Promise<Client | { problem: string }> {
	let credential: ICredentialDataDecryptedObject;
	try {
		credential = await context.getCredentials(credentialName);
	} catch (error) {
		return { problem: (error as Error).message };
	}
	const baseUrl = baseUrlOf(credential);
	if ('problem' in baseUrl) return baseUrl;
	const account = accountOf(baseUrl.value, credential.apiKey);
	signal.addEventListener('abort', () => account.queue.sendAway());
	return { context, baseURL: baseUrl.value, credential, account, signal, cancelled };
}

/**
 * The one way to the network: waits for its turn, sends the request with the key of the credential to the base URL and nowhere
 * else (redirects are not followed), sends it again after a failure that may be gone where that is safe, and tells what came
 * back. Never throws, and failures never hold the key.
 */
export async function sendRequest(
	client: Client,
	request: ServiceRequest,
	policy: RequestPolicy = defaultPolicy,
): Promise<Response> {
	const { signal } = client;
	const { queue: queue } = client.account;
	let last: Failure | undefined;
	let failedAt: number | undefined;
	const waited = () => (failedAt === undefined ? 0 : clock.now() - failedAt);
	const mayWait = (ms: number) => waited() + ms <= policy.maxWait;
	for (let attempt = 1; ; attempt++) {
		const admission = await queue.enter({
			size: policy.maxRequestsInFlight,
			mayWait,
			signal,
			isRepeat: attempt > 1,
			isHeld: () => Boolean(client.hold?.count),
		});
		if (admission !== 'admitted') {
			return { failure: last ? { ...last, waited: waited() } : notSent(request, admission) };
		}
		const answer = await sendOnce(client, request, policy);
		if ('body' in answer) {
			leaveSoon(queue);
			return answer;
		}
		const waitedBefore = waited();
		failedAt ??= clock.now();
		const failure: Failure = { ...answer.failure, attempts: attempt, waited: waitedBefore };
		const wait = waitAfter(attempt, failure, Math.random);
		// A wait may be drawn as nothing, but no wait at all means one try.
		const isInTime = policy.maxWait > 0 && mayWait(wait);
		const isRepeated = isInTime && mayRetry(failure) && !signal.aborted;
		// The others wait as well, even where this one is not sent again.
		const isTooMany = failure.status === 429;
		if (isTooMany && (isRepeated || failure.retryAfterMs)) queue.pause(wait);
		if (!isRepeated) {
			leaveSoon(queue);
			return { failure };
		}
		queue.leave();
		last = failure;
		// The pause that the service asks for is waited for in the line.
		if (!isTooMany) await clock.pause(wait, signal);
	}
}

/** A response may be a reason to send nothing more: the caller decides that before the next request is admitted. */
function leaveSoon(queue: RequestQueue): void {
	void clock.sleep(0).then(() => queue.leave());
}

function notSent({ method, path }: ServiceRequest, why: 'stopped' | 'pausing'): Failure {
	return { kind: why, method, path };
}

/** Sends a request, which ends within the time-out, from its beginning to the last byte of the answer. */
async function sendOnce(
	{ context, baseURL, credential }: Client,
	{ method, path, query, body }: ServiceRequest,
	policy: RequestPolicy,
): Promise<Response> {
	const proxy = policy.proxy && `${policy.proxy.host}:${policy.proxy.port}`;
	const where = { method, path, baseURL, ...(proxy && { proxy }) };
	const { apiKey } = credential;
	const options: IHttpRequestOptions = {
		timeout: policy.timeout,
		proxy: policy.proxy,
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
				// n8n aborts a request with the signal of the context that sends it, where that has one.
				Object.create(context, {
					getExecutionCancelSignal: { value: () => signal },
				}) as IAllExecuteFunctions,
				credentialName,
				options,
				// n8n would read and decrypt it again for every request.
				{ credentialsDecrypted: { id: '', name: '', type: credentialName, data: credential } },
			)) as IN8nHttpFullResponse;
			const text = await readBody(response.body, signal);
			return readResponse({ ...response, body: text }, where, apiKey);
		});
	} catch (error) {
		return { failure: readNetworkError(error as Error, where, apiKey) };
	}
}

function cancelOf(context: Context): AbortSignal | undefined {
	return (
		context as Partial<IAllExecuteFunctions & { getExecutionCancelSignal(): AbortSignal }>
	).getExecutionCancelSignal?.();
}
