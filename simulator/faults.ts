import { z } from 'zod/v4';
import { errorBodyShape } from './settings';

/**
 * When the work of a request is done although its answer breaks: never, before the answer breaks, or some time after it
 * broke (a slow service that finishes when the client has long given up).
 */
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
		/** Seconds to wait, told as a number or as an HTTP date. */
		retryAfter: z
			.strictObject({ seconds: z.number().min(0), as: z.enum(['seconds', 'date']) })
			.optional(),
	}),
	/** The connection stays open and nothing comes. */
	z.strictObject({ kind: z.literal('timeout'), work }),
	z.strictObject({ kind: z.literal('reset'), work }),
	/** The work is done, the JSON of the answer stops in the middle. */
	z.strictObject({ kind: z.literal('cutJson') }),
	/** The work is done, the answer has no body. */
	z.strictObject({ kind: z.literal('emptyBody') }),
	/** A web page with status 200, as a proxy or a wrong URL answers. */
	z.strictObject({ kind: z.literal('html') }),
	z.strictObject({
		kind: z.literal('redirect'),
		location: z.string(),
		status: z.int().min(300).max(399).default(302),
	}),
	/** Any JSON with status 200 instead of the right one. */
	z.strictObject({ kind: z.literal('json'), body: z.unknown() }),
	/** Status 200 and the headers at once, then a space every so often that never ends. */
	z.strictObject({
		kind: z.literal('drip'),
		everyMs: z.int().min(1).default(1000),
		work: z.enum(['none', 'done']).default('none'),
	}),
	/** Exactly this text as the body. */
	z.strictObject({
		kind: z.literal('raw'),
		status: z.int().min(200).max(599).default(200),
		contentType: z.string().default('application/json'),
		headers: z.record(z.string(), z.string()).default({}),
		body: z.string(),
		work: z.enum(['none', 'done']).default('none'),
	}),
	/** A small gzip body that becomes so many megabytes of spaces. */
	z.strictObject({ kind: z.literal('bomb'), megabytes: z.int().min(1).max(4096).default(200) }),
	/** The work is done, the right JSON comes with one more field `extra` that holds arrays nested so deep. */
	z.strictObject({
		kind: z.literal('nested'),
		depth: z.int().min(1).max(1_000_000).default(10_000),
	}),
]);

/** A fault and the requests that it hits. */
export const faultSchema = z.strictObject({
	method: z.enum(['GET', 'POST']).optional(),
	/** The path begins with this, e.g. `/v1/charges`. */
	path: z.string().default('/v1'),
	/** The query or the body contains this text. */
	contains: z.string().optional(),
	/** Let this many matching requests pass first. */
	skip: z.int().min(0).default(0),
	/** How many requests to hit; null: all that follow. */
	times: z.int().min(1).nullable().default(1),
	action,
});

export type Fault = z.infer<typeof faultSchema>;
export type FaultInput = z.input<typeof faultSchema>;
export type FaultAction = Fault['action'];

/** The faults in force, in the order in which they were set. */
export class Faults {
	private active: Fault[] = [];

	add(input: FaultInput): void {
		this.active.push(faultSchema.parse(input));
	}

	clear(): void {
		this.active = [];
	}

	/** The action that hits this request, if any; counts the request for `skip` and `times`. */
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
