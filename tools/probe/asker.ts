import { delay } from '../node';

/** A response, with all that a question may look at. */
export interface Answer {
	status: number;
	headers: Headers;
	/** Parsed JSON, or the text if it is none. */
	body: unknown;
}

/** A page of a list (spec 4.2). */
export interface ProbedPage {
	status: number;
	count: number | undefined;
	next: string | undefined;
	results: Array<Record<string, unknown>>;
}

type Query = Record<string, string | number>;

const timeoutMs = 30_000;
export interface ProbedService {
	baseURL: string;
	apiKey: string;
	maxRequests: number;
	/** Between two requests, in milliseconds, so that a low rate limit holds. */
	pauseMs: number;
}

/** No more questions: the limit of requests is reached. */
export class OutOfRequests extends Error {}

/** Sends GET requests, each only once, and counts them. It never sends anything that changes something. */
export class Asker {
	requests = 0;
	/** Headers about limits, from any response. */
	readonly limitHeaders = new Set<string>();
	private readonly known = new Map<string, Answer>();

	constructor(private readonly service: ProbedService) {}

	/** Whether an address is of this service. */
	isOwn(address: string): boolean {
		return new URL(address).host === new URL(this.service.baseURL).host;
	}

	/** `round`: the same request is sent again with another number. Throws OutOfRequests, and errors of the network. */
	async get(path: string, query: Query = {}, round = 0): Promise<Answer> {
		const address = new URL(`${this.service.baseURL.replace(/\/+$/, '')}${path}`);
		for (const [name, value] of Object.entries(query))
			address.searchParams.set(name, String(value));
		const key = `${round} ${address.href}`;
		const answer = this.known.get(key) ?? (await this.send(address));
		this.known.set(key, answer);
		return answer;
	}

	async page(path: string, query: Query = {}, round = 0): Promise<ProbedPage> {
		const { status, body } = await this.get(path, query, round);
		const { count, next, results } = (body ?? {}) as Record<string, unknown>;
		return {
			status,
			count: typeof count === 'number' ? count : undefined,
			next: typeof next === 'string' && next ? next : undefined,
			results: Array.isArray(results) ? (results as ProbedPage['results']) : [],
		};
	}

	private async send(address: URL): Promise<Answer> {
		const { apiKey, maxRequests, pauseMs } = this.service;
		if (this.requests >= maxRequests) throw new OutOfRequests();
		if (this.requests > 0) await delay(pauseMs);
		this.requests += 1;
		const response = await fetch(address, {
			headers: { 'X-API-KEY': apiKey, Accept: 'application/json' },
			redirect: 'manual',
			signal: AbortSignal.timeout(timeoutMs),
		});
		for (const name of response.headers.keys())
			if (/rate-?limit|retry-after/i.test(name)) this.limitHeaders.add(name);
		const text = await response.text();
		let body: unknown = text;
		try {
			body = JSON.parse(text);
		} catch {
			// A page of HTML, for example.
		}
		return { status: response.status, headers: response.headers, body };
	}
}
