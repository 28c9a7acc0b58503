import type { Result } from '../quality/results';

/** One way to do a task, measured. */
export interface Measured {
	/** Median milliseconds of the node. */
	ms: number;
	/** Most connections open at a time. */
	sockets: number;
	requests: number;
}

/** Several ways to do a task. */
export interface Comparison {
	/** Milliseconds compared with the HTTP Request node. */
	ratio: number;
	/** Milliseconds of each request, compared likewise. */
	perRequest: number;
	requests: number;
	sockets: number;
	measured: Record<string, Measured & { ratio: number }>;
}

type Task = 'create' | 'getMany' | 'rows' | 'rowsByEmail';

/** The figures of a full run that the documentation shows. */
export function publishedFigures(results: Record<Task, Comparison>): Result['figures'] {
	const { create, getMany, rows, rowsByEmail } = results;
	const { http, oursWith10 } = create.measured;
	const { ours, oursByExpression, oursWithoutLook } = rows.measured;
	const requests = (way: Measured) => `(${way.requests.toLocaleString('en-US')} requests)`;
	return {
		'Create: 1,000 invoices of six mapped fields, 25 requests in flight': create.ratio,
		[`The same with 10 requests in flight (n8n's node had up to ${http.sockets})`]:
			oursWith10.ratio,
		[`Create From Rows: 1,000 rows into 1,000 invoices, 25 in flight, each number looked up first, all of them checked for duplicates afterwards ${requests(ours)}`]:
			rows.ratio,
		'The same with an expression that is more than a column reference': oursByExpression.ratio,
		[`The same with customers by email, looked up in 5,000 invoices ${requests(rowsByEmail.measured.ours)}`]:
			rowsByEmail.ratio,
		[`The same as the first, with Create Anyway: no look-up ${requests(oursWithoutLook)}`]:
			oursWithoutLook.ratio,
		[`Get Many of 10,000 charges, ${getMany.sockets} requests in flight`]: getMany.ratio,
	};
}
