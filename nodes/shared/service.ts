import type {
	IAllExecuteFunctions,
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestMethods,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import type { Account } from './account';
import { accountOf } from './account';
import type { Answer } from './answer';
import { readAnswer, readBreak } from './answer';
import { baseUrlOf } from './baseUrl';
import { readBody } from './body';
import { withDeadline } from './deadline';
import type { Failure } from './failure';
import type { Line } from './line';
import { mayRepeat, waitAfter } from './retry';
import { pause } from './wait';

export const credentialName = 'invoicingPaymentsApi';

/** A request to the service: `path` begins with /v1 and holds no query. */
export interface ServiceRequest {
	method: IHttpRequestMethods;
	path: string;
	query?: IDataObject;
	body?: IHttpRequestOptions['body'];
}

/** How requests are sent. */
export interface Manner
	extends Pick<IHttpRequestOptions, 'proxy' | 'skipSslCertificateValidation'> {
	/** How long a request may take, from its beginning to the last byte of the answer, in milliseconds. */
	timeout: number;
	/** How many requests of this n8n process with the same key may be in flight at a time. */
	maxRequestsInFlight: number;
	/** For how many milliseconds after it first failed a request may be sent again. */
	maxWait: number;
}

export const standardManner: Manner = {
	timeout: 60_000,
	maxRequestsInFlight: 5,
	maxWait: 60_000,
};

type Context = Pick<IAllExecuteFunctions, 'getCredentials' | 'helpers'>;

/** A service that can be called: its address, and the credential, read once. */
export interface Service {
	context: Context;
	baseURL: string;
	credential: ICredentialDataDecryptedObject;
	account: Account;
	/** Aborted when nothing more is to be sent. */
	signal: AbortSignal;
	/** Aborted when not even what became of a lost answer is to be found out. */
	cancelled: AbortSignal;
	/** Where nothing more may be sent as long as it is not known whether something failed: how much of that there is. */
	hold?: { count: number };
}

/** The service of the node's credential, or why it cannot be called. */
export async function openService(
	context: Context,
	signal: AbortSignal = new AbortController().signal,
	cancelled: AbortSignal = signal,
): Promise<Service | { problem: string }> {
	let credential: ICredentialDataDecryptedObject;
	try {
		credential = await context.getCredentials(credentialName);
	} catch (error) {
		return { problem: (error as Error).message };
	}
	const baseUrl = baseUrlOf(credential);
	if ('problem' in baseUrl) return baseUrl;
	const account = accountOf(baseUrl.value, credential.apiKey);
	signal.addEventListener('abort', () => account.line.sendAway());
	return { context, baseURL: baseUrl.value, credential, account, signal, cancelled };
}

/**
 * The one way to the network: waits for its turn, sends the request with the key of the credential to the base URL and nowhere
 * else (redirects are not followed), sends it again after a failure that may be gone where that is safe, and tells what came
 * back. Never throws, and failures never hold the key.
 */
export async function callService(
	service: Service,
	request: ServiceRequest,
	manner: Manner = standardManner,
): Promise<Answer> {
	const { signal } = service;
	const { line } = service.account;
	let last: Failure | undefined;
	let failedAt: number | undefined;
	const waited = () => (failedAt === undefined ? 0 : Date.now() - failedAt);
	const mayWait = (ms: number) => waited() + ms <= manner.maxWait;
	for (let attempt = 1; ; attempt++) {
		const admission = await line.enter({
			size: manner.maxRequestsInFlight,
			mayWait,
			signal,
			isRepeat: attempt > 1,
			isHeld: () => Boolean(service.hold?.count),
		});
		if (admission !== 'admitted') {
			return { failure: last ? { ...last, waited: waited() } : notSent(request, admission) };
		}
		const answer = await sendOnce(service, request, manner);
		if ('body' in answer) {
			leaveSoon(line);
			return answer;
		}
		const waitedBefore = waited();
		failedAt ??= Date.now();
		const failure: Failure = { ...answer.failure, attempts: attempt, waited: waitedBefore };
		const wait = waitAfter(attempt, failure, Math.random);
		// A wait may be drawn as nothing, but no wait at all means one try.
		const isInTime = manner.maxWait > 0 && mayWait(wait);
		const isRepeated = isInTime && mayRepeat(failure) && !signal.aborted;
		// The others wait as well, even where this one is not sent again.
		const isTooMany = failure.status === 429;
		if (isTooMany && (isRepeated || failure.retryAfterMs)) line.pause(wait);
		if (!isRepeated) {
			leaveSoon(line);
			return { failure };
		}
		line.leave();
		last = failure;
		// The pause that the service asks for is waited for in the line.
		if (!isTooMany) await pause(wait, signal);
	}
}

/** What came back may be a reason to send nothing more: whoever called decides that before the next one is let in. */
function leaveSoon(line: Line): void {
	void sleep(0).then(() => line.leave());
}

function notSent({ method, path }: ServiceRequest, why: 'stopped' | 'pausing'): Failure {
	return { kind: why, method, path };
}

/** Sends a request, which ends within the time-out, from its beginning to the last byte of the answer. */
async function sendOnce(
	{ context, baseURL, credential }: Service,
	{ method, path, query, body }: ServiceRequest,
	manner: Manner,
): Promise<Answer> {
	const proxy = manner.proxy && `${manner.proxy.host}:${manner.proxy.port}`;
	const where = { method, path, baseURL, ...(proxy && { proxy }) };
	const { apiKey } = credential;
	const options: IHttpRequestOptions = {
		timeout: manner.timeout,
		proxy: manner.proxy,
		skipSslCertificateValidation: manner.skipSslCertificateValidation,
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
		return await withDeadline(manner.timeout, cancelOf(context), async (signal) => {
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
			return readAnswer({ ...response, body: text }, where, apiKey);
		});
	} catch (error) {
		return { failure: readBreak(error as Error, where, apiKey) };
	}
}

function cancelOf(context: Context): AbortSignal | undefined {
	return (
		context as Partial<IAllExecuteFunctions & { getExecutionCancelSignal(): AbortSignal }>
	).getExecutionCancelSignal?.();
}
