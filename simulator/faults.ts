import { z } from 'zod/v4';
import { errorBodyShape } from './settings';

/** Whether a request is processed although its response breaks: never, before that, or some time later, as by a slow service. */
const work = z
	.union([z.literal('none'), z.literal('done'), z.strictObject({ lateMs: z.int().min(0) })])
	.default('none');

const action = z.discriminatedUnion('kind', [
	z.strictObject({
		kind: z.literal('status'),
		status: z.int().min(200).max(599),
		message: z.string().default('Fault on request'),
		body: errorBodyShape.optional(),
		work: z.enum(['none', 'done']).default('none'),
		/** Sent in seconds or as an HTTP date. */
		retryAfter: z
			.strictObject({ seconds: z.number().min(0), as: z.enum(['seconds', 'date']) })
			.optional(),
	}),
	/** The connection stays open, and nothing comes. */
	z.strictObject({ kind: z.literal('timeout'), work }),
	z.strictObject({ kind: z.literal('reset'), work }),
	/** The request is processed, but the JSON ends in the middle. */
	z.strictObject({ kind: z.literal('cutJson') }),
	/** The request is processed, and the connection is closed in the middle of the response. */
	z.strictObject({ kind: z.literal('cutConnection') }),
	/** The request is processed, but the response is empty. */
	z.strictObject({ kind: z.literal('emptyBody') }),
	/** A web page with status 200, as from a proxy or a wrong URL. */
	z.strictObject({ kind: z.literal('html') }),
	z.strictObject({
		kind: z.literal('redirect'),
		location: z.string(),
		status: z.int().min(300).max(399).default(302),
	}),
	/** Any JSON with status 200. */
	z.strictObject({ kind: z.literal('json'), body: z.unknown() }),
	/** Status 200 and the headers at once, then a space from time to time, endlessly. */
	z.strictObject({
		kind: z.literal('drip'),
		everyMs: z.int().min(1).default(1000),
		work: z.enum(['none', 'done']).default('none'),
	}),
	/** Exactly this text. */
	z.strictObject({
		kind: z.literal('raw'),
		status: z.int().min(200).max(599).default(200),
		contentType: z.string().default('application/json'),
		headers: z.record(z.string(), z.string()).default({}),
		body: z.string(),
		work: z.enum(['none', 'done']).default('none'),
	}),
	/** A small gzip body that unpacks to this many megabytes of spaces. */
	z.strictObject({ kind: z.literal('bomb'), megabytes: z.int().min(1).max(4096).default(200) }),
	/** The right JSON with an added field `extra`: arrays nested `depth` levels deep. */
	z.strictObject({
		kind: z.literal('nested'),
		depth: z.int().min(1).max(1_000_000).default(10_000),
	}),
]);

export const faultSchema = z.strictObject({
	method: z.enum(['GET', 'POST']).optional(),
	/** The start of the path, e.g. `/v1/charges`. */
	path: z.string().default('/v1'),
	/** Text in the query or the body. */
	contains: z.string().optional(),
	/** Requests to let pass first. */
	skip: z.int().min(0).default(0),
	/** Requests to affect; null: all. */
	times: z.int().min(1).nullable().default(1),
	action,
});

export type Fault = z.infer<typeof faultSchema>;
export type FaultInput = z.input<typeof faultSchema>;
export type FaultAction = Fault['action'];

export class Faults {
	private active: Fault[] = [];

	add(input: FaultInput): void {
		this.active.push(faultSchema.parse(input));
	}

	clear(): void {
		this.active = [];
	}

	/** Counts the request for `skip` and `times`. */
	take(request: { method: string; path: string; text: string }): FaultAction | undefined {
		for (const fault of this.active) {
			const { method, path, contains } = fault;
			const hits =
				(method === undefined || method === request.method) &&
				request.path.startsWith(path) &&
				(contains === undefined || request.text.includes(contains));
			if (!hits) continue;
			if (fault.skip > 0) {
				fault.skip -= 1;
				continue;
			}
			if (fault.times !== null) fault.times -= 1;
			if (fault.times === 0) this.active = this.active.filter((other) => other !== fault);
			return fault.action;
		}
		return undefined;
	}
}
