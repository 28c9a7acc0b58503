import type { Draw } from '../../simulator/draw';
import type { FaultInput } from '../../simulator/faults';
import type { Settings } from '../../simulator/settings';

/** Milliseconds until the service does the work of a request that it did not answer. */
const late = 200;

/** A fault for the next requests. `isPassing`: only faults that n8n survives when it publishes a workflow. */
export function drawFault(draw: Draw, isPassing = false): FaultInput {
	const method = draw.pick([undefined, 'GET', 'POST'] as const);
	const path = draw.pick(['/v1', '/v1', '/v1/invoices', '/v1/charges']);
	const work = draw.pick(['none', 'done', { lateMs: late }] as const);
	const done = draw.pick(['none', 'done'] as const);
	const status = draw.pick([429, 429, 500, 502, 503, 504, 520]);
	const retryAfter = draw.chance(40)
		? { seconds: draw.int(1, 40), as: draw.pick(['seconds', 'date'] as const) }
		: undefined;
	const refusedWork = status === 429 ? 'none' : done;
	const passing: Array<FaultInput['action']> = [
		// Twice as likely.
		{ kind: 'status', status, work: refusedWork, retryAfter },
		{ kind: 'status', status, work: refusedWork, retryAfter },
		{ kind: 'timeout', work },
		{ kind: 'reset', work },
	];
	const strange: Array<FaultInput['action']> = [
		{ kind: 'cutJson' },
		{ kind: 'cutConnection' },
		{ kind: 'emptyBody' },
		{ kind: 'html' },
		{ kind: 'json', body: draw.pick([[], {}, null, { count: 0, results: null }]) },
		{ kind: 'drip', everyMs: 50, work: done },
		{ kind: 'raw', status: 200, body: '<?xml version="1.0"?>', contentType: 'application/xml' },
	];
	return {
		method,
		path,
		skip: draw.pick([0, 0, 1, 4]),
		times: draw.int(1, 4),
		action: draw.pick(isPassing ? passing : [...passing, ...strange]),
	};
}

/** The initial behaviour. */
export const calm = {
	count: 'right',
	timestampTies: 'stable',
	listLagMs: 0,
	latency: 0,
	errorBody: 'detail',
	createdStatus: 201,
	pastTheEnd: 'empty',
} as const satisfies Partial<Settings>;

export function drawBehaviour(draw: Draw): Partial<Settings> {
	const counts = ['right', 'missing', 'pageLength', 'zero', 'cappedAt100', 'oneTooMany'] as const;
	const count = draw.chance(50) ? 'right' : draw.pick(counts);
	const ties = draw.pick(['stable', 'perPage', 'perRequest'] as const);
	return {
		...calm,
		count,
		// Both together can hide charges (docs/trigger.md).
		timestampTies: count === 'right' ? ties : 'stable',
		listLagMs: draw.pick([0, 0, 2_000, 8_000]),
		latency: draw.pick([0, 0, 0, 10, 40]),
		errorBody: draw.pick(['detail', 'message', 'text', 'html', 'empty']),
		createdStatus: draw.pick([200, 201]),
		pastTheEnd: draw.pick(['empty', 'notFound']),
	};
}
